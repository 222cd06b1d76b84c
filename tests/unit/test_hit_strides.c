// Landings and flights of made strides, with a hit and without it: exact shifts and shares.
#include "tests/unit/small_scene.h"

#include "scenes/run/hit_strides.h"

static const double STEP = 0.01; // s

// One foot in the air from `lifted` to `landed` (s), the other stands; the foot comes down at x, z.
typedef struct Swing {
  double lifted, landed, place[2];
} Swing;

static void walk(StrideTracker *tracker, const Swing *swing) {
  memset(tracker, 0, sizeof *tracker);
  for (int i = 0; i < 60; i++) {
    const double time = i * STEP;
    StrideSample sample = {.time = time, .foot_count = 2};
    if (time >= swing->lifted && time < swing->landed - 1e-9)
      sample.air_time[1] = time - swing->lifted + STEP;
    memcpy(sample.place[1], swing->place, sizeof swing->place);
    stride_tracker_step(tracker, &sample);
  }
}

// 3 cm to the left of where it would have landed, seen by a body that heads to the left of z by 30 deg.
static void test_placement(void **state) {
  (void)state;
  StrideTracker with, without;
  const double heading = M_PI / 6, left[2] = {cos(heading), -sin(heading)}, ahead[2] = {sin(heading), cos(heading)};
  const Swing planned = {-0.1, 0.3, {1, 2}};
  Swing moved = {-0.1, 0.25, {0, 0}};
  for (int k = 0; k < 2; k++)
    moved.place[k] = planned.place[k] + 0.03 * left[k] + 0.2 * ahead[k];
  walk(&with, &moved);
  walk(&without, &planned);
  const PlacementShift found = stride_placement(&with, &without, heading);
  assert_near(found.time, 0.25, 1e-9);
  assert_near(found.shift, 0.03, 1e-9);
  assert_near(stride_placement(&without, &without, heading).shift, 0, 0);
}

// A foot that has hardly left the ground does not land, nor does one that lands in only one of the runs.
static void test_no_placement(void **state) {
  (void)state;
  StrideTracker with, without;
  walk(&with, &(Swing){0.1, 0.14, {0, 0}});
  walk(&without, &(Swing){0.1, 0.3, {0, 0}});
  assert_true(isnan(stride_placement(&with, &without, 0).shift));
  assert_true(isnan(stride_placement(&without, &with, 0).shift));
  assert_near(stride_placement(&without, &without, 0).time, 0.3, 1e-9);
}

// Flights of 0.1 s, 0.3 s after each other, off the right foot and the left one in turn, at these velocities.
static void run(StrideTracker *tracker, const double velocities[][2], double late) {
  memset(tracker, 0, sizeof *tracker);
  for (int i = 0; i < 100; i++) {
    const double time = i * STEP, phase = fmod(time - late + 3, 0.3);
    const int stride = (int)floor((time - late + 3) / 0.3 + 1e-9) - 10;
    const int stands = (stride + 10) % 2, flies = phase >= 0.2 - 1e-9;
    StrideSample sample = {.time = time, .foot_count = 2};
    sample.air_time[1 - stands] = flies ? phase + 0.1 : fmax(0.01, phase + 0.1);
    sample.air_time[stands] = flies ? phase - 0.2 + STEP : 0;
    if (stride >= 0 && stride < 3)
      memcpy(sample.velocity, velocities[stride], sizeof sample.velocity);
    stride_tracker_step(tracker, &sample);
  }
}

// Of 0.2 m/s to the side 0.05 are left, of 0.1 m/s ahead 0.03; who is a little late is seen off the same feet.
static void test_shares(void **state) {
  (void)state;
  static const double plain[3][2] = {{0, 3}, {0, 3}, {0, 3}}, struck[3][2] = {{0.2, 3.1}, {0.05, 3.03}, {0, 3}};
  StrideTracker with, without;
  run(&with, struck, 0.02);
  run(&without, plain, 0);
  const ErrorRemoved found = stride_error_removed(&with, &without, 0, 0.05);
  assert_near(found.side, 0.75, 1e-9);
  assert_near(found.ahead, 0.7, 1e-9);
  const ErrorRemoved turned = stride_error_removed(&with, &without, M_PI / 2, 0.05);
  assert_near(turned.ahead, 0.75, 1e-9);
  assert_near(turned.side, 0.7, 1e-9);
}

// Only whole flights after the hit's end count, none without a second, and errors too small have no share.
static void test_no_shares(void **state) {
  (void)state;
  static const double plain[3][2] = {{0, 3}, {0, 3}, {0, 3}}, slight[3][2] = {{0.5, 3}, {0.019, 3}, {0.019, 3}};
  StrideTracker with, without;
  run(&with, slight, 0);
  run(&without, plain, 0);
  const ErrorRemoved first = stride_error_removed(&with, &without, 0, 0.1),
                     later = stride_error_removed(&with, &without, 0, 0.3);
  assert_near(first.side, 1 - 0.019 / 0.5, 1e-9);
  assert_true(isnan(first.ahead) && isnan(later.side));
  assert_true(isnan(stride_error_removed(&with, &without, 0, 0.6).side));
  without.flights[0].foot = 1 - without.flights[0].foot; // another foot
  assert_true(isnan(stride_error_removed(&with, &without, 0, 0.1).side));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_placement),
      cmocka_unit_test(test_no_placement),
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_no_shares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
