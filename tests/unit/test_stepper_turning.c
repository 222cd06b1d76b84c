// The stepper under a body that turns on the spot.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/stepper_fixture.h"

static const double DEG = RAD_PER_DEGREE;
static const double DT = 1.0 / 240;
static const TestGround FLAT = {0};

static double smallest_separation(const Walk *walk) {
  double smallest = INFINITY;
  for (int i = 0; i < walk->def.count; i++)
    for (int k = 0; k < i; k++) {
      const double *a = walk->stepper.feet[i].place, *b = walk->stepper.feet[k].place;
      const double *rest_a = walk->stepper.stance.legs[i].reference, *rest_b = walk->stepper.stance.legs[k].reference;
      double rest = hypot(rest_a[0] - rest_b[0], rest_a[1] - rest_b[1]);
      smallest = fmin(smallest, hypot(a[0] - b[0], a[2] - b[2]) / rest);
    }
  return smallest;
}

static void turn_on_the_spot(void **state) {
  (void)state;
  static Walk walk;
  for (int legs = 2; legs <= 8; legs += 2) {
    walk_init(&walk, make_walker(legs), FLAT, "");
    double worst = 0, separation = INFINITY;
    for (int k = 0; k < 4800; k++) {
      walk_on(&walk, DT, 0, 0, 90 * DEG);
      separation = fmin(separation, smallest_separation(&walk));
      for (int i = 0; i < legs; i++)
        if (!walk.stepper.feet[i].stepping)
          worst = fmax(worst, fabs(walk.stepper.feet[i].angle));
    }
    printf("  %d legs: feet at most %.2f deg off the body, %.2f of the gap at rest between them\n", legs, worst / DEG,
           separation);
    assert_true(worst <= walk.def.angle_limit * DEG + 90 * DEG * DT + 1e-9);
    assert_true(separation >= 0.5);
  }
}

// When feet of both groups are turned beyond their limit, the first group steps, however far the others are turned.
static void late_groups_keep_their_turn(void **state) {
  (void)state;
  static Walk walk;
  static const double beyond[3][2] = {{1, 10}, {10, 1}, {5, 5}}; // deg
  for (int way = -1; way <= 1; way += 2)
    for (int i = 0; i < 3; i++) {
      walk_init(&walk, make_walker(2), FLAT, "");
      assert_int_equal(walk.def.group_count, 2);
      for (int leg = 0; leg < 2; leg++)
        walk.stepper.feet[leg].yaw -= way * (walk.def.angle_limit + beyond[i][leg]) * DEG;
      walk_on(&walk, DT, 0, 0, way * 10 * DEG);
      assert_int_equal(walk.stepper.active, 0);
      for (int leg = 0; leg < 2; leg++)
        assert_int_equal(walk.stepper.feet[leg].stepping, walk.def.legs[leg].group == 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turn_on_the_spot),
      cmocka_unit_test(late_groups_keep_their_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
