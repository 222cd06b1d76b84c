// Shortest paths among discs: straight where they are free, two tangents and an arc round a disc, in every direction.
// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "scenes/train/field.h"
#include "sim/base/plane2.h"

static Field field;

// From one place past a disc of 0.8 m to another for a walker of 0.3 m; turned about the origin by an angle, rad.
static double path_past(double aside, double far, double angle) {
  double at[2] = {aside, 0}, from[2] = {0, -far}, to[2] = {0, far};
  turn_level(angle, at, at);
  turn_level(angle, from, from);
  turn_level(angle, to, to);
  memset(&field, 0, sizeof field);
  field.obstacles[0] = (FieldObstacle){.position = {at[0], at[1]}, .radius = 0.8};
  field.obstacle_count = 1;
  return field_shortest(&field, from, to, 0.3);
}

static void a_way_that_is_free_is_straight(void **state) {
  (void)state;
  for (int i = 0; i < 24; i++) {
    double angle = i * M_PI / 12 + 0.01;
    assert_true(fabs(path_past(1.1001, 3, angle) - 6) < 1e-9);
    assert_true(fabs(path_past(-1.1001, 3, angle) - 6) < 1e-9);
    assert_true(path_past(1.0999, 3, angle) > 6 + 1e-9);
    assert_true(fabs(path_past(0, 1e-9, angle)) < 1e-9); // both ends inside: there is none
  }
}

static void round_a_disc_it_is_tangents_and_an_arc(void **state) {
  (void)state;
  for (int i = 0; i < 24; i++)
    for (double far = 1.5; far < 8; far += 1.3) {
      double shortest = 2 * sqrt(far * far - 1.1 * 1.1) + 1.1 * (M_PI - 2 * acos(1.1 / far));
      double found = path_past(0, far, i * M_PI / 12 + 0.01);
      assert_true(found >= shortest - 1e-9 && found < 1.012 * shortest);
    }
}

// Between two discs that leave less room than the walker needs there is no way; round both there is.
static void a_gap_too_narrow_is_no_way(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    double apart = i ? 0.91 : 0.89; // m: the walker needs 0.6 m beside 0.3 m of disc
    memset(&field, 0, sizeof field);
    field.obstacles[0] = (FieldObstacle){.position = {apart / 2, 0}, .radius = 0.15};
    field.obstacles[1] = (FieldObstacle){.position = {-apart / 2, 0}, .radius = 0.15};
    field.obstacle_count = 2;
    double found = field_shortest(&field, (double[]){0, -4}, (double[]){0, 4}, 0.3);
    assert_true(i ? fabs(found - 8) < 1e-9 : found > 8.1 && found < 8.6);
  }
  // Moving discs are in nobody's way for long.
  field.moving_count = 2;
  assert_true(fabs(field_shortest(&field, (double[]){0.4, -4}, (double[]){0.4, 4}, 0.3) - 8) < 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_way_that_is_free_is_straight),
      cmocka_unit_test(round_a_disc_it_is_tangents_and_an_arc),
      cmocka_unit_test(a_gap_too_narrow_is_no_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
