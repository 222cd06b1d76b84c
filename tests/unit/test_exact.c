// A step without the bounds of motors and contacts, repeated with those that were exceeded, equals the step with all.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/rng.h"
#include "sim/world/exact.h"

enum { LINKS = 5, STEPS = 400 };

static const double DT = 1.0 / 240;

// A chain that hangs from the world by balls with motors; a linear motor holds its end.
typedef struct Chain {
  dWorldID ode;
  dBodyID body[LINKS];
  dJointID motor[LINKS], holder;
  dJointFeedback feedback[LINKS + 1];
} Chain;

static void make_chain(Chain *chain) {
  chain->ode = dWorldCreate();
  dWorldSetGravity(chain->ode, 0, -9.81, 0);
  for (int i = 0; i < LINKS; i++) {
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 0.1, 0.3, 0.1);
    chain->body[i] = dBodyCreate(chain->ode);
    dBodySetMass(chain->body[i], &mass);
    dBodySetPosition(chain->body[i], 0, -0.15 - 0.3 * i, 0);
    dBodyID parent = i > 0 ? chain->body[i - 1] : NULL;
    dJointID ball = dJointCreateBall(chain->ode, NULL);
    dJointAttach(ball, chain->body[i], parent);
    dJointSetBallAnchor(ball, 0, -0.3 * i, 0);
    dJointID motor = chain->motor[i] = dJointCreateAMotor(chain->ode, NULL);
    dJointAttach(motor, chain->body[i], parent);
    dJointSetAMotorMode(motor, dAMotorUser);
    dJointSetAMotorNumAxes(motor, 3);
    for (int k = 0; k < 3; k++)
      dJointSetAMotorAxis(motor, k, parent ? 2 : 0, k == 0, k == 1, k == 2);
    dJointSetFeedback(motor, &chain->feedback[i]);
  }
  chain->holder = dJointCreateLMotor(chain->ode, NULL);
  dJointAttach(chain->holder, chain->body[LINKS - 1], NULL);
  dJointSetLMotorNumAxes(chain->holder, 3);
  for (int k = 0; k < 3; k++)
    dJointSetLMotorAxis(chain->holder, k, 0, k == 0, k == 1, k == 2);
  dJointSetFeedback(chain->holder, &chain->feedback[LINKS]);
}

static void free_chain(Chain *chain) { dWorldDestroy(chain->ode); }

static void tune(Chain *chain, Rng *rng, double limit) {
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < LINKS; i++) {
      dJointSetAMotorParam(chain->motor[i], dParamVel + dParamGroup * k, rng_range(rng, -3, 3));
      dJointSetAMotorParam(chain->motor[i], dParamCFM + dParamGroup * k, 0.05);
      dJointSetAMotorParam(chain->motor[i], dParamFMax + dParamGroup * k, limit * rng_range(rng, 0.5, 1));
    }
    dJointSetLMotorParam(chain->holder, dParamVel + dParamGroup * k, rng_range(rng, -0.2, 0.2));
    dJointSetLMotorParam(chain->holder, dParamCFM + dParamGroup * k, 0.02);
    dJointSetLMotorParam(chain->holder, dParamFMax + dParamGroup * k, 2 * limit);
  }
}

// The state, and the results of the step before, which predict what motors will do.
static void copy_chain(Chain *to, const Chain *from) {
  for (int i = 0; i < LINKS; i++) {
    const dReal *p = dBodyGetPosition(from->body[i]), *v = dBodyGetLinearVel(from->body[i]);
    const dReal *w = dBodyGetAngularVel(from->body[i]);
    dBodySetPosition(to->body[i], p[0], p[1], p[2]);
    dBodySetQuaternion(to->body[i], dBodyGetQuaternion(from->body[i]));
    dBodySetLinearVel(to->body[i], v[0], v[1], v[2]);
    dBodySetAngularVel(to->body[i], w[0], w[1], w[2]);
  }
}

static double difference(const Chain *a, const Chain *b) {
  double most = 0;
  for (int i = 0; i < LINKS; i++)
    for (int k = 0; k < 3; k++) {
      most = fmax(most, fabs(dBodyGetLinearVel(a->body[i])[k] - dBodyGetLinearVel(b->body[i])[k]));
      most = fmax(most, fabs(dBodyGetAngularVel(a->body[i])[k] - dBodyGetAngularVel(b->body[i])[k]));
      most = fmax(most, fabs(dBodyGetPosition(a->body[i])[k] - dBodyGetPosition(b->body[i])[k]));
    }
  return most;
}

static void read_axes(const Chain *chain, dVector3 axes[LINKS + 1][3]) {
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < LINKS; i++)
      dJointGetAMotorAxis(chain->motor[i], k, axes[i][k]);
    dJointGetLMotorAxis(chain->holder, k, axes[LINKS][k]);
  }
}

// The largest load of an axis, as it was before the step, as a share of its limit.
static double largest_load(const Chain *chain, dVector3 axes[LINKS + 1][3]) {
  double most = 0;
  for (int i = 0; i <= LINKS; i++)
    for (int k = 0; k < 3; k++) {
      int parameter = dParamFMax + dParamGroup * k;
      double limit = i == LINKS ? dJointGetLMotorParam(chain->holder, parameter)
                                : dJointGetAMotorParam(chain->motor[i], parameter);
      const dReal *sum = i == LINKS ? chain->feedback[i].f1 : chain->feedback[i].t1;
      most = fmax(most, fabs(dCalcVectorDot3(sum, axes[i][k])) / limit);
    }
  return most;
}

// Steps both from the same states under the same forces. Returns how many of the steps were repeated.
static long compare(double limit, double *load) {
  Chain plain = {0}, quick = {0};
  make_chain(&plain);
  make_chain(&quick);
  Exact *exact = exact_create();
  assert_non_null(exact);
  Rng tuning[2] = {rng_make(1, "tuning"), rng_make(1, "tuning")}, forces = rng_make(1, "forces");
  *load = 0;
  for (int step = 0; step < STEPS; step++) {
    copy_chain(&quick, &plain);
    tune(&plain, &tuning[0], limit);
    tune(&quick, &tuning[1], limit);
    double blow = step % 50 == 20 ? 3000 : 5; // N
    for (int i = 0; i < LINKS; i++) {
      double x = rng_range(&forces, -blow, blow), z = rng_range(&forces, -blow, blow);
      dBodyAddForce(plain.body[i], x, 0, z);
      dBodyAddForce(quick.body[i], x, 0, z);
    }
    dVector3 axes[LINKS + 1][3];
    read_axes(&quick, axes);
    dWorldStep(plain.ode, DT);
    exact_step(exact, quick.ode, NULL, quick.body, LINKS, DT);
    if (difference(&plain, &quick) > 1e-7)
      fail_msg("step %d differs by %g", step, difference(&plain, &quick));
    *load = fmax(*load, largest_load(&quick, axes));
  }
  long repeats = exact_repeats(exact);
  exact_destroy(exact);
  free_chain(&plain);
  free_chain(&quick);
  return repeats;
}

static void test_strong_motors_need_one_solution(void **state) {
  (void)state;
  double load;
  assert_int_equal(compare(1e5, &load), 0);
  assert_true(load < 1);
}

static void test_weak_motors_keep_their_limits(void **state) {
  (void)state;
  static const double LIMITS[] = {3, 12, 48, 192}; // N m; the weakest are at their limits all the time
  for (size_t i = 0; i < sizeof LIMITS / sizeof LIMITS[0]; i++) {
    double load;
    long repeats = compare(LIMITS[i], &load);
    assert_true(load > 0.999 && load < 1 + 1e-6);
    assert_true(repeats < STEPS && (repeats > 0 || LIMITS[i] < 20));
  }
}

// Boxes on the ground, each an island of its own.
enum { BOXES = 2, CORNERS = 4 };

static const double FRICTION = 0.8, WEIGHT = 20 * 9.81;

typedef struct Boxes {
  dWorldID ode;
  dSpaceID space;
  dGeomID ground, shape[BOXES];
  dBodyID body[BOXES];
  dJointGroupID group;
  dJointFeedback feedback[BOXES][CORNERS];
  int contacts[BOXES];
} Boxes;

static void make_boxes(Boxes *boxes) {
  boxes->ode = dWorldCreate();
  dWorldSetGravity(boxes->ode, 0, -9.81, 0);
  dWorldSetCFM(boxes->ode, 1e-9);
  boxes->group = dJointGroupCreate(0);
  boxes->ground = dCreatePlane(0, 0, 1, 0, 0);
  for (int i = 0; i < BOXES; i++) {
    dMass mass;
    dMassSetBoxTotal(&mass, 20, 0.4, 0.1, 0.3);
    boxes->body[i] = dBodyCreate(boxes->ode);
    dBodySetMass(boxes->body[i], &mass);
    dBodySetPosition(boxes->body[i], i, 0.0499, 0);
    boxes->shape[i] = dCreateBox(0, 0.4, 0.1, 0.3);
    dGeomSetBody(boxes->shape[i], boxes->body[i]);
  }
}

static void free_boxes(Boxes *boxes) {
  for (int i = 0; i < BOXES; i++)
    dGeomDestroy(boxes->shape[i]);
  dGeomDestroy(boxes->ground);
  dJointGroupDestroy(boxes->group);
  dWorldDestroy(boxes->ode);
}

// Without an Exact it is a plain step. The joints stay until the next one.
static void step_boxes(Boxes *boxes, Exact *exact) {
  dJointGroupEmpty(boxes->group);
  memset(boxes->feedback, 0, sizeof boxes->feedback);
  for (int i = 0; i < BOXES; i++) {
    dContact contacts[CORNERS];
    boxes->contacts[i] = dCollide(boxes->shape[i], boxes->ground, CORNERS, &contacts[0].geom, sizeof contacts[0]);
    for (int k = 0; k < boxes->contacts[i]; k++) {
      contacts[k].surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
      contacts[k].surface.mu = FRICTION;
      contacts[k].surface.soft_erp = 0.2;
      contacts[k].surface.soft_cfm = 1e-5;
      dJointFeedback *feedback = &boxes->feedback[i][k];
      if (exact) {
        assert_true(exact_add_contact(exact, boxes->body[i], NULL, &contacts[k], feedback));
        continue;
      }
      dJointID joint = dJointCreateContact(boxes->ode, boxes->group, &contacts[k]);
      dJointAttach(joint, boxes->body[i], NULL);
      dJointSetFeedback(joint, feedback);
    }
  }
  if (exact)
    exact_step(exact, boxes->ode, boxes->group, boxes->body, BOXES, DT);
  else
    dWorldStep(boxes->ode, DT);
}

static bool is_freed(const Boxes *boxes, int box) {
  return dJointGetType(dBodyGetJoint(boxes->body[box], 0)) == dJointTypeDBall;
}

static double boxes_difference(const Boxes *plain, const Boxes *quick) {
  double most = 0;
  for (int i = 0; i < BOXES; i++)
    for (int k = 0; k < 3; k++) {
      most = fmax(most, fabs(dBodyGetLinearVel(plain->body[i])[k] - dBodyGetLinearVel(quick->body[i])[k]));
      most = fmax(most, fabs(dBodyGetAngularVel(plain->body[i])[k] - dBodyGetAngularVel(quick->body[i])[k]));
      double force = 0;
      for (int c = 0; c < CORNERS; c++)
        force += plain->feedback[i][c].f1[k] - quick->feedback[i][c].f1[k];
      most = fmax(most, fabs(force) / WEIGHT);
    }
  return most;
}

// The first box is pushed harder and harder until it slides; then it is lifted and falls back. The second one rests,
// under a load that a repeated step must not double.
static void test_contacts_stick_slide_and_lift(void **state) {
  (void)state;
  Boxes plain = {0}, quick = {0};
  make_boxes(&plain);
  make_boxes(&quick);
  Exact *exact = exact_create();
  assert_non_null(exact);
  int freed[BOXES] = {0};
  double fastest = 0;
  for (int step = 0; step < STEPS; step++) {
    double push = step < 200 ? step / 150.0 * FRICTION * WEIGHT : 10, lift = step / 20 == 15 ? 1.2 * WEIGHT : 0;
    Boxes *both[] = {&plain, &quick};
    for (int i = 0; i < 2; i++) {
      dBodyAddForce(both[i]->body[0], push, lift, 0.3 * push);
      dBodyAddForce(both[i]->body[1], 10, -50, 0);
    }
    step_boxes(&plain, NULL);
    step_boxes(&quick, exact);
    if (boxes_difference(&plain, &quick) > 1e-6)
      fail_msg("step %d differs by %g", step, boxes_difference(&plain, &quick));
    for (int i = 0; i < BOXES; i++) {
      freed[i] += plain.contacts[i] > 0 && is_freed(&quick, i);
      for (int c = 0; c < CORNERS; c++)
        assert_true(quick.feedback[i][c].f1[1] >= 0);
    }
    fastest = fmax(fastest, dBodyGetLinearVel(quick.body[0])[0]);
  }
  assert_true(fastest > 0.05); // it slid
  assert_in_range(freed[0], 50, 250);
  assert_in_range(freed[1], STEPS - 20, STEPS);
  assert_in_range(exact_repeats(exact), 1, 10);
  exact_destroy(exact);
  free_boxes(&plain);
  free_boxes(&quick);
}

int main(void) {
  dInitODE2(0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strong_motors_need_one_solution),
      cmocka_unit_test(test_weak_motors_keep_their_limits),
      cmocka_unit_test(test_contacts_stick_slide_and_lift),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
