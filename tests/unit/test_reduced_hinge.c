// A hinge's stops in the reduced solver: there is a row exactly where ODE's angle is at a stop or beyond it.
#include <math.h>

#include "sim/base/numbers.h"
#include "sim/reduced/motors.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;         // s
static const double LOW = -0.5, HIGH = 0.7; // rad
static const double AXIS[3] = {0.6, 0, 0.8};

typedef struct Hinged {
  dWorldID world;
  dBodyID bodies[2]; // the first one is turned against the second
  int count;         // 1: against the world
  dJointID hinge;
  Forest forest;
  Motors motors;
  Rows rows;
  double u[12];
} Hinged;

// Quaternions of either sign are the same rotation.
static void turn(const Hinged *hinged, double angle, const dQuaternion start, double sign) {
  dQuaternion about, turned;
  dQFromAxisAndAngle(about, AXIS[0], AXIS[1], AXIS[2], angle);
  for (int i = 0; i < 4; i++)
    about[i] *= sign;
  dQMultiply0(turned, about, start);
  dBodySetQuaternion(hinged->bodies[0], turned);
}

// start: rotation of the first body where the hinge's angle is 0. found_at: the angle at which the solver finds it.
static Hinged hinge(int count, const dQuaternion start, double found_at) {
  Hinged hinged = {.world = dWorldCreate(), .count = count};
  for (int i = 0; i < count; i++) {
    dMass mass;
    dMassSetBox(&mass, 100, 0.1, 0.2, 0.3);
    hinged.bodies[i] = dBodyCreate(hinged.world);
    dBodySetMass(hinged.bodies[i], &mass);
  }
  dBodySetQuaternion(hinged.bodies[0], start);
  hinged.hinge = dJointCreateHinge(hinged.world, 0);
  dJointAttach(hinged.hinge, hinged.bodies[0], count > 1 ? hinged.bodies[1] : 0);
  dJointSetHingeAnchor(hinged.hinge, 0, 0, 0);
  dJointSetHingeAxis(hinged.hinge, AXIS[0], AXIS[1], AXIS[2]);
  dJointSetHingeParam(hinged.hinge, dParamLoStop, LOW);
  dJointSetHingeParam(hinged.hinge, dParamHiStop, HIGH);
  turn(&hinged, found_at, start, 1);
  Error error = {0};
  if (!forest_build(&hinged.forest, hinged.bodies, count, &error))
    fail_msg("%s", error.text);
  forest_read(&hinged.forest, DT, hinged.u);
  if (!motors_build(&hinged.motors, &hinged.forest, &error))
    fail_msg("%s", error.text);
  return hinged;
}

static void hinge_end(Hinged *hinged) {
  rows_free(&hinged->rows);
  motors_free(&hinged->motors);
  forest_free(&hinged->forest);
  dWorldDestroy(hinged->world);
}

static int rows_at(Hinged *hinged, double angle, const dQuaternion start, double sign) {
  turn(hinged, angle, start, sign);
  forest_read(&hinged->forest, DT, hinged->u);
  motors_read(&hinged->motors, &hinged->forest);
  rows_clear(&hinged->rows);
  motors_add_rows(&hinged->motors, &hinged->rows, &hinged->forest, DT);
  return hinged->rows.count;
}

static void test_rows_are_where_stops_are_reached(void **state) {
  (void)state;
  const dQuaternion starts[] = {{1, 0, 0, 0}, {0.5, 0.5, -0.5, 0.5}, {0.8, 0.36, 0, 0.48}}; // the last about the axis
  const double found_at[] = {0, 0.3, -1};
  for (int kind = 0; kind < 18; kind++) {
    const double *start = starts[kind % 3];
    Hinged hinged = hinge(1 + kind / 9, start, found_at[kind / 3 % 3]);
    for (int i = -310; i <= 310; i++)
      for (int side = -1; side <= 1; side += 2) {
        const double angle = i / 100.0 + side * 1e-9;
        assert_int_equal(rows_at(&hinged, angle, start, i % 2 == 0 ? 1 : -1), angle < LOW || angle > HIGH);
        assert_true(fabs(dJointGetHingeAngle(hinged.hinge) - angle) < 1e-12);
      }
    hinge_end(&hinged);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_are_where_stops_are_reached)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
