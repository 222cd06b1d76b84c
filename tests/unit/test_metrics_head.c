// Accelerations of a head whose motion is known.
#include <limits.h>

#include "sim/base/support.h"
#include "sim/metrics/metrics_head.h"
#include "tests/unit/metrics_run.h"

// The gain of a filter at a frequency, from the amplitude of a long sine after it has settled.
static double gain_at(double frequency, double dt) {
  CfcFilter filter;
  cfc_filter_init(&filter, 1000, dt);
  const int settled = (int)(0.05 / dt), end = (int)(0.15 / dt);
  double most = 0;
  for (int i = 0; i < end; i++) {
    double y = cfc_filter_step(&filter, sin(2 * M_PI * frequency * i * dt));
    most = i < settled ? 0 : fmax(most, fabs(y));
  }
  return most;
}

// Two passes of a Butterworth filter of two poles with a corner at 2077.5 Hz, in samples of 10 kHz: by the bilinear
// transform 1 / (1 + (tan(pi f dt) / tan(pi 2077.5 dt))^4). That is within J211's corridor, -1 to 0.5 dB, at 1 kHz.
static void test_gain_of_class_1000(void **state) {
  (void)state;
  static const double frequencies[] = {21, 503, 999, 1651, 2503, 3503};
  const double dt = 1e-4, corner = tan(M_PI * 2077.5 * dt);
  for (int i = 0; i < 6; i++) {
    double gain = 1 / (1 + pow(tan(M_PI * frequencies[i] * dt) / corner, 4));
    assert_near(gain_at(frequencies[i], dt), gain, 2e-3);
  }
  double decibels = 20 * log10(gain_at(999, dt));
  assert_true(decibels > -1 && decibels < 0.5);
}

// In steps of 4 ms there is nothing that it could take away.
static void test_no_filter_in_long_steps(void **state) {
  (void)state;
  CfcFilter filter;
  cfc_filter_init(&filter, 1000, 1.0 / 240);
  for (int i = 0; i < 5; i++)
    assert_true(cfc_filter_step(&filter, i == 2 ? 7 : 0) == (i == 2 ? 7 : 0));
}

// The head is accelerated evenly by 40 g for 0.25/256 s * 8, with a spin that grows by 3000 rad/s^2 in the same time.
static void blow(Run *run, double steps) {
  for (int i = 0; i < steps; i++) {
    run->step.head.velocity[2] += 40 * STANDARD_GRAVITY * DT;
    run->step.head.spin[0] += 3000 * DT;
    run_step(run);
  }
}

static void test_even_acceleration(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.head.known = true;
  run_until(&run, 1);
  run_hit(&run, 5, "head");
  blow(&run, 2); // 7.8 ms
  run_until(&run, 2);
  assert_near(value(run.metrics, "head_acceleration_max"), 40, TINY);
  assert_near(value(run.metrics, "head_hit_acceleration"), 40, TINY);
  assert_near(value(run.metrics, "head_angular_acceleration_max"), 3000, 1e-6);
  assert_near(value(run.metrics, "head_hit_angular_acceleration"), 3000, 1e-6);
  // The whole blow is the worst interval: T * 40^2.5.
  assert_near(value(run.metrics, "head_hic15"), 2 * DT * pow(40, 2.5), 1e-6);
  metrics_destroy(run.metrics);
}

// Of a blow of 31 ms the HIC counts three steps, the most that fit into 15 ms, and half the acceleration does not
// change it. What happens long after a hit is not the hit's.
static void test_long_and_late_blows(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.head.known = true;
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  run_until(&run, 1.5);
  blow(&run, 8);
  assert_near(value(run.metrics, "head_hic15"), 3 * DT * pow(40, 2.5), 1e-6);
  assert_near(value(run.metrics, "head_hit_acceleration"), 0, TINY);
  assert_near(value(run.metrics, "head_acceleration_max"), 40, TINY);
  metrics_destroy(run.metrics);
}

static void test_no_head(void **state) {
  (void)state;
  static const char *const names[] = {"head_acceleration_max", "head_angular_acceleration_max", "head_hit_acceleration",
                                      "head_hit_angular_acceleration", "head_hic15"};
  Run run;
  run_start(&run);
  run_hit(&run, 5, "pelvis");
  blow(&run, 8);
  for (int i = 0; i < 5; i++)
    assert_true(isnan(value(run.metrics, names[i])));
  metrics_destroy(run.metrics);
}

// Before the number of samples gets too large it goes on from that of a full record.
static void test_samples_without_end(void **state) {
  (void)state;
  HeadTracker tracker;
  MetricsStep step = {.dt = DT, .head = {.known = true}};
  head_tracker_init(&tracker);
  head_tracker_step(&tracker, &step);
  tracker.count = INT_MAX - 2;
  static const int counts[] = {INT_MAX - 1, HEAD_HIC_SIZE, HEAD_HIC_SIZE + 1};
  for (int i = 0; i < 3; i++) {
    head_tracker_step(&tracker, &step);
    assert_int_equal(tracker.count, counts[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gain_of_class_1000),
      cmocka_unit_test(test_no_filter_in_long_steps),
      cmocka_unit_test(test_even_acceleration),
      cmocka_unit_test(test_long_and_late_blows),
      cmocka_unit_test(test_no_head),
      cmocka_unit_test(test_samples_without_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
