// Bodies dropped on rough ground come to rest and stay on top of it, and a narrow peak supports bodies.
//
//   terrain_bodies --table    the full table of bodies dropped, instead of the tests

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sim/base/rng.h"
#include "tests/terrain_fixture.h"

enum { BODIES = 40, SIDE = 65 };

typedef struct Drop {
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  dBodyID bodies[BODIES];
  long contact_count;
} Drop;

typedef enum Shape { CAPSULE, BOX, SPHERE, SHAPES } Shape;

typedef struct DropResult {
  int tunnelled, lost;
  double rest_speed;        // m/s, root mean square in the last half second
  double contacts_per_step; // of one body
  double collide_us;        // of one body and step
} DropResult;

static void add_contacts(void *data, dGeomID a, dGeomID b) {
  Drop *drop = data;
  dContact contacts[4];
  int count = dCollide(a, b, 4, &contacts[0].geom, sizeof contacts[0]);
  for (int i = 0; i < count; i++) {
    contacts[i].surface = (dSurfaceParameters){
        .mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM, .mu = 0.9, .soft_erp = 0.2, .soft_cfm = 1e-5};
    dJointID joint = dJointCreateContact(drop->world, drop->contacts, &contacts[i]);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
  }
  drop->contact_count += count;
}

// bounce_speed: the largest speed at which a penetration is pushed out, m/s.
static void start_drop(Drop *drop, const Terrain *terrain, double bounce_speed) {
  *drop = (Drop){dWorldCreate(), dSimpleSpaceCreate(NULL), dJointGroupCreate(0), {NULL}, 0};
  dWorldSetGravity(drop->world, 0, -9.81, 0);
  dWorldSetERP(drop->world, 0.2);
  dWorldSetCFM(drop->world, 1e-9);
  dWorldSetContactMaxCorrectingVel(drop->world, bounce_speed);
  terrain_add_geom(terrain, drop->space);
}

static void end_drop(Drop *drop) {
  dJointGroupDestroy(drop->contacts);
  dSpaceDestroy(drop->space);
  dWorldDestroy(drop->world);
}

static dBodyID add_body(Drop *drop, Shape shape) {
  dMass mass;
  dGeomID geom;
  if (shape == CAPSULE) {
    dMassSetCapsuleTotal(&mass, 3, 3, 0.05, 0.32);
    geom = dCreateCapsule(drop->space, 0.05, 0.32);
  } else if (shape == BOX) {
    dMassSetBoxTotal(&mass, 1.03, 0.1, 0.08, 0.25);
    geom = dCreateBox(drop->space, 0.1, 0.08, 0.25);
  } else {
    dMassSetSphereTotal(&mass, 1, 0.05);
    geom = dCreateSphere(drop->space, 0.05);
  }
  dBodyID body = dBodyCreate(drop->world);
  dBodySetMass(body, &mass);
  dGeomSetBody(geom, body);
  dGeomSetCategoryBits(geom, 2); // bodies collide with the ground only
  dGeomSetCollideBits(geom, 1);
  return body;
}

static bool is_lost(const Terrain *terrain, dBodyID body) {
  const dReal *p = dBodyGetPosition(body);
  return fmax(fabs(p[0]), fabs(p[2])) > -terrain->origin_x - 0.3;
}

// How the bodies are stepped: by Stagger's default, or by QuickStep, which pushes penetrations out at any speed.
typedef enum Stepping { STEP, QUICK_STEP } Stepping;

// Drops 40 bodies, each turned at random, from 1 m with a speed (m/s), and lets them come to rest for 3 s.
static DropResult drop_bodies(const Terrain *terrain, Shape shape, double rate, double speed, Stepping stepping) {
  Drop drop;
  start_drop(&drop, terrain, stepping == STEP ? 1 : dInfinity);
  Rng rng = rng_make(5, "drop");
  double reach = (SIDE - 1) * terrain->cell, height = 0;
  for (int i = 0; i < BODIES; i++) {
    dBodyID body = drop.bodies[i] = add_body(&drop, shape);
    int column = i % 7, row = i / 7;
    double x = reach * (-0.2 + 0.4 * column / 6) + 0.011 * i, z = reach * (-0.2 + 0.4 * row / 6) + 0.017 * i;
    terrain_height(terrain, x, z, &height, NULL);
    dBodySetPosition(body, x, height + 1, z);
    dBodySetLinearVel(body, 0.5, -speed, 0);
    double turn[4] = {rng_normal(&rng), rng_normal(&rng), rng_normal(&rng), rng_normal(&rng)};
    dBodySetQuaternion(body, turn);
    dBodySetAngularDamping(body, 0.02 * 60 / rate);
  }
  DropResult result = {0};
  double squares = 0, collide = 0;
  long speeds = 0, steps = lround(3 * rate);
  for (long step = 0; step < steps; step++) {
    clock_t start = clock();
    dSpaceCollide(drop.space, &drop, add_contacts);
    collide += (double)(clock() - start) / CLOCKS_PER_SEC;
    if (stepping == STEP)
      dWorldStep(drop.world, 1 / rate);
    else
      dWorldQuickStep(drop.world, 1 / rate);
    dJointGroupEmpty(drop.contacts);
    for (int i = 0; i < BODIES && (double)step > 2.5 * rate; i++) {
      if (is_lost(terrain, drop.bodies[i]))
        continue;
      const dReal *v = dBodyGetLinearVel(drop.bodies[i]);
      squares += dCalcVectorDot3(v, v);
      speeds++;
    }
  }
  for (int i = 0; i < BODIES; i++) {
    const dReal *p = dBodyGetPosition(drop.bodies[i]);
    if (is_lost(terrain, drop.bodies[i]))
      result.lost++;
    else if (terrain_height(terrain, p[0], p[2], &height, NULL) && p[1] < height)
      result.tunnelled++;
  }
  result.rest_speed = sqrt(squares / (double)speeds);
  result.contacts_per_step = (double)drop.contact_count / (double)steps / BODIES;
  result.collide_us = collide * 1e6 / (double)steps / BODIES;
  end_drop(&drop);
  return result;
}

static Terrain make_waves(float *heights, double amplitude) {
  for (int k = 0; k < SIDE; k++)
    for (int i = 0; i < SIDE; i++)
      heights[k * SIDE + i] = (float)(amplitude * (sin(i * 0.31) * cos(k * 0.23) + 0.3 * sin(i * 1.7 + k * 1.1)));
  return make_terrain(heights, SIDE, 0.25);
}

static const char *const shape_names[SHAPES] = {"capsule", "box", "sphere"};

static void print_table(void) {
  static float heights[SIDE * SIDE];
  printf("shape,rate_hz,speed_mps,amplitude_m,stepper,tunnelled,lost,rest_rms_mps,contacts_per_body,collide_"
         "us\n");
  for (int shape = 0; shape < SHAPES; shape++)
    for (int r = 0; r < 3; r++)
      for (int speed = 5; speed <= 20; speed += 15)
        for (int a = 1; a <= 5; a += 4) {
          double rate = r == 0 ? 60 : r == 1 ? 240 : 1000;
          Terrain terrain = make_waves(heights, a * 0.1);
          for (int stepping = STEP; stepping <= QUICK_STEP; stepping++) {
            DropResult result = drop_bodies(&terrain, (Shape)shape, rate, speed, (Stepping)stepping);
            printf("%s,%g,%d,%.1f,%s,%d,%d,%.4f,%.2f,%.2f\n", shape_names[shape], rate, speed, a * 0.1,
                   stepping == STEP ? "step" : "quickstep", result.tunnelled, result.lost, result.rest_speed,
                   result.contacts_per_step, result.collide_us);
            fflush(stdout);
          }
        }
}

static int ode_messages;

static void count_message(int number, const char *text, va_list arguments) {
  (void)number, (void)text, (void)arguments;
  ode_messages++;
}

static void test_dropped_bodies(void **state) {
  (void)state;
  dSetMessageHandler(count_message); // the exact stepper reports contacts that are redundant
  static float heights[SIDE * SIDE];
  // Boxes come to rest; round shapes may still roll, but gain no energy. Spheres that hit a slope at 20 m/s may leave
  // the ground's extent.
  const double most[2][SHAPES] = {{0.6, 0.01, 1.2}, {0.8, 0.02, 1.6}};
  for (int rough = 0; rough < 2; rough++)
    for (int shape = 0; shape < SHAPES; shape++)
      for (int speed = 5; speed <= 20; speed += 15) {
        Terrain terrain = make_waves(heights, rough ? 0.5 : 0.1);
        DropResult result = drop_bodies(&terrain, (Shape)shape, 240, speed, STEP);
        bool may_leave = shape == SPHERE && speed == 20;
        if (result.tunnelled || (result.lost && !may_leave) || !(result.rest_speed < most[rough][shape]))
          fail_msg("%s at %d m/s: %d tunnelled, %d lost, rest %g m/s", shape_names[shape], speed, result.tunnelled,
                   result.lost, result.rest_speed);
      }
  dSetMessageHandler(NULL);
  assert_int_equal(ode_messages, 0);
}

// A body that cannot turn lands on the tip of a narrow peak, which is under none of its corners or ends.
static void test_peak_carries(void **state) {
  (void)state;
  float heights[81] = {[40] = 0.2f};
  Terrain terrain = make_terrain(heights, 9, 0.1);
  Rng rng = rng_make(9, "peak");
  for (int n = 0; n < 40; n++) {
    Shape shape = n % 2 ? CAPSULE : BOX;
    Drop drop;
    start_drop(&drop, &terrain, 1);
    dBodyID body = add_body(&drop, shape);
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 0, 1, 0, rng_range(&rng, 0, 2 * M_PI));
    dBodySetRotation(body, turn);
    dMass heavy; // to turn
    dMassSetParameters(&heavy, 1, 0, 0, 0, 1e6, 1e6, 1e6, 0, 0, 0);
    dBodySetMass(body, &heavy);
    // The tip lies under the box or under the capsule's axis, off its middle.
    double along = rng_range(&rng, -0.1, 0.1), across = shape == BOX ? rng_range(&rng, -0.04, 0.04) : 0;
    const double offset[3] = {across, 0, along};
    double position[3];
    dMultiply0_331(position, turn, offset);
    dBodySetPosition(body, position[0], 0.3, position[2]);
    double half = shape == BOX ? 0.04 : 0.05, lowest = INFINITY;
    for (int step = 0; step < 240; step++) {
      dSpaceCollide(drop.space, &drop, add_contacts);
      dWorldStep(drop.world, 1 / 240.0);
      dJointGroupEmpty(drop.contacts);
      const dReal *v = dBodyGetLinearVel(body);
      dBodySetLinearVel(body, 0, v[1], 0); // and cannot slide
      lowest = fmin(lowest, dBodyGetPosition(body)[1]);
    }
    double sunk = 0.2 + half - lowest;
    if (!(sunk < 0.01))
      fail_msg("%s %d: %g m below the tip", shape_names[shape], n, sunk);
    end_drop(&drop);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_dropped_bodies),
      cmocka_unit_test(test_peak_carries),
  };
  dInitODE2(0);
  int failures = 0;
  if (argc == 2 && strcmp(argv[1], "--table") == 0)
    print_table();
  else
    failures = cmocka_run_group_tests(tests, NULL, NULL);
  dCloseODE();
  return failures;
}
