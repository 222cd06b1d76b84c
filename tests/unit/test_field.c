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

// Of two ways round a wall the shorter one, on either side: tangents to its end and an arc. None out of a closed ring.
static void of_several_ways_the_shortest_is_taken(void **state) {
  (void)state;
  const double reach = 0.5, before = hypot(1, 4), behind = hypot(1, 6); // m: of the end's disc, from it
  const double beyond = M_PI + atan2(1, 4) + atan2(1, 6);               // rad: between the two, round the end
  const double exact = sqrt(before * before - reach * reach) + sqrt(behind * behind - reach * reach) +
                       reach * (beyond - acos(reach / before) - acos(reach / behind));
  for (int i = 0; i < 2; i++) {
    memset(&field, 0, sizeof field);
    for (int k = 0; k < 15; k++) // from 6 m on one side to 1 m on the other
      field.obstacles[field.obstacle_count++] =
          (FieldObstacle){.position = {(i ? -1 : 1) * (0.5 * k - 6), 0}, .radius = 0.2};
    const double found = field_shortest(&field, (double[]){0, -4}, (double[]){0, 6}, 0.3);
    assert_true(found >= exact - 1e-9 && found < 1.012 * exact);
  }
  memset(&field, 0, sizeof field);
  for (int k = 0; k < 12; k++)
    field.obstacles[field.obstacle_count++] =
        (FieldObstacle){.position = {3 * sin(k * M_PI / 6), 3 * cos(k * M_PI / 6)}, .radius = 0.6};
  assert_true(field_shortest(&field, (double[]){0, 0}, (double[]){0, 6}, 0.3) == 0);
  field.obstacle_count--; // through the gap beside the one that is gone
  const double through = field_shortest(&field, (double[]){0, 0}, (double[]){0, 6}, 0.3);
  assert_true(through > 6.1 && through < 7.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_way_that_is_free_is_straight),
      cmocka_unit_test(round_a_disc_it_is_tangents_and_an_arc),
      cmocka_unit_test(a_gap_too_narrow_is_no_way),
      cmocka_unit_test(of_several_ways_the_shortest_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
