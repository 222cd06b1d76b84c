// Synthetic runs for the tests of metrics.
#ifndef STAGGER_TESTS_METRICS_RUN_H
#define STAGGER_TESTS_METRICS_RUN_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/metrics/metrics.h"

#define RADIANS(degrees) ((degrees)*M_PI / 180)

static const double DT = 1.0 / 256; // s, exact in binary, so that sums are exact
static const double TINY = 1e-9;

static inline void assert_near_at(double actual, double expected, double tolerance, int line) {
  if (!(fabs(actual - expected) <= tolerance))
    fail_msg("line %d: %.12g is not %.12g +- %g", line, actual, expected, tolerance);
}
#define assert_near(actual, expected, tolerance) assert_near_at(actual, expected, tolerance, __LINE__)

static inline double value(const Metrics *metrics, const char *name) {
  double result = -12345;
  if (!metrics_value(metrics, name, &result))
    fail_msg("no metric %s", name);
  return result;
}

// A body of two joints and two feet that stands or moves exactly as intended.
typedef struct Run {
  Metrics *metrics;
  MetricsStep step;
  float error[2];
  float torque[2][3];
} Run;

static inline void run_start(Run *run) {
  memset(run, 0, sizeof *run);
  run->metrics = metrics_create(50);
  assert_non_null(run->metrics);
  run->step = (MetricsStep){.dt = DT, .joint_count = 2, .com = {0, 1, 0}, .support_margin = 0.1, .foot_count = 2};
  run->step.foot_loaded[0] = run->step.foot_loaded[1] = true;
}

static inline void run_step(Run *run) {
  run->step.joint_error = run->error;
  run->step.joint_torque = (const float(*)[3])run->torque;
  run->step.time += run->step.dt;
  for (int k = 0; k < 3; ++k)
    run->step.com[k] += run->step.com_velocity[k] * run->step.dt;
  metrics_step(run->metrics, &run->step);
}

static inline void run_until(Run *run, double time) {
  while (run->step.time < time - DT / 2)
    run_step(run);
}

static inline void run_for(Run *run, double seconds) { run_until(run, run->step.time + seconds); }

static inline void run_hit(Run *run, double impulse, const char *part) {
  metrics_hit(run->metrics, run->step.time, impulse, part);
}

static inline const MetricsHit *run_finish(Run *run, int expected_hits) {
  int count;
  metrics_finish(run->metrics);
  const MetricsHit *hits = metrics_hits(run->metrics, &count);
  assert_int_equal(count, expected_hits);
  return hits;
}

static inline void set_pose_error(Run *run, double degrees) { run->error[0] = run->error[1] = (float)RADIANS(degrees); }

// A hit, after which the pose is far off for a while and then correct.
static inline void hit_with_pose_error(Run *run, double until, double next) {
  run_hit(run, 5, "chest");
  set_pose_error(run, 20);
  run_until(run, until);
  set_pose_error(run, 0);
  run_until(run, next);
}

// Lifts a foot and puts it down again farther ahead.
static inline void move_foot(Run *run, int foot, double seconds, double forward) {
  run->step.foot_loaded[foot] = false;
  run_for(run, seconds);
  run->step.foot_place[foot][1] += forward;
  run->step.foot_loaded[foot] = true;
  run_for(run, 0.1);
}

#endif
