// The worst of a run is that of its worst moment, whether it comes first, last or between: a phase of a run that is
// milder changes no largest or least value.
#include "tests/unit/metrics_run.h"

#include <stdlib.h>

enum { POSES = 3, JOINTS = 2, FRAMES = 48 };

static Run run;
static MetricsFrame frame;
static float rotation[POSES][JOINTS][4];
static double jump; // by which the poses have moved apart so far

static void show_frame(void) {
  for (int p = 0; p < POSES; p++)
    frame.rotation[p] = (const float(*)[4])rotation[p];
  frame.time += 1.0 / 60;
  metrics_frame(run.metrics, &frame);
}

static void turn_joint(int pose, double angle) {
  rotation[pose][1][0] = (float)sin(angle / 2);
  rotation[pose][1][3] = (float)cos(angle / 2);
}

// Stances of a foot that sinks, floats and slips, and jumps of the pose, all as large as `scale`.
static void play_frames(double scale) {
  for (int i = 0; i < FRAMES; i++) {
    const bool stands = i % 24 < 16;
    for (int k = 0; k < 2; k++) {
      MetricsFoot *foot = k == 0 ? &frame.measured_feet[0] : &frame.output_feet[0];
      *foot = (MetricsFoot){.standing = stands, .planted = stands};
      foot->sole[0] = i % 24 > 8 ? 0.02 * scale : 0;
      foot->sole[1] = stands ? 0 : 0.1;
      foot->depth = i % 24 == 5 ? 0.01 * scale : 0;
      foot->lift = i % 24 == 7 ? 0.02 * scale : 0;
      foot->gap = i % 24 == 9 ? 0.03 * scale : 0;
      foot->knee_angle = i % 12 == 6 ? 0.1 * scale : 0;
    }
    jump = i == 20 ? 0.1 * scale : i == 40 ? 0 : jump;
    frame.root_position[2][1] = (float)(0.5 * jump); // of the shown pose
    frame.root_position[0][0] = (float)(i >= 30 && i < 34 ? 0.3 * scale : 0);
    turn_joint(2, jump);
    turn_joint(0, i >= 30 && i < 34 ? 0.3 * scale : 0);
    frame.plans[0] = (MetricsPlan){.known = stands, .heel = 0, .toe = 0};
    show_frame();
  }
}

// A hit from which the body recovers, with a step, pushed aside; help; and a fall from which it gets up. Larger ones
// take longer.
static void play_steps(double scale) {
  run_hit(&run, 5 * scale, "chest");
  set_pose_error(&run, 20 * scale);
  run.step.assist_force[1] = 30 * scale;
  run.step.assist_torque[0] = 10 * scale;
  run.torque[1][2] = (float)(40 * scale);
  run.step.com_velocity[0] = 0.4 * scale;
  run.step.support_margin = -0.1 * scale;
  run.step.depth = 0.02 * scale;
  run.step.angular_momentum[1] = 7 * scale;
  run.step.head.velocity[2] = 2 * scale;
  run.step.head.spin[0] = 3 * scale;
  for (int i = 0; i < (int)(4 * scale); i++)
    move_foot(&run, i % 2, 0.2, 0.1);
  run_for(&run, 0.5 * scale);
  run.step.com_velocity[0] = -0.4 * scale;
  run_for(&run, 0.5 * scale);
  run.step.com_velocity[0] = 0;
  run.step.support_margin = 0.1;
  run.step.assist_force[1] = run.step.assist_torque[0] = run.step.depth = 0;
  run.step.angular_momentum[1] = run.step.head.velocity[2] = run.step.head.spin[0] = 0;
  run.torque[1][2] = 0;
  set_pose_error(&run, 0);
  run_for(&run, 3);
  run.step.fallen = true;
  run_for(&run, 0.5 * scale);
  run.step.settled = true;
  run_for(&run, 0.5);
  run.step.settled = false;
  run.step.rising = true;
  run.step.assist_force[1] = 100 * scale;
  run_for(&run, scale);
  run.step.rising = run.step.fallen = false;
  run.step.assist_force[1] = 0;
  run_for(&run, 3);
}

// The values of all metrics after phases of these scales.
static double *values_of(const double scales[], int count) {
  double *values = calloc((size_t)metric_row_count, sizeof *values);
  assert_non_null(values);
  run_start(&run);
  memset(&frame, 0, sizeof frame);
  memset(rotation, 0, sizeof rotation);
  jump = 0;
  frame.joint_count = JOINTS;
  frame.foot_count = 1;
  run.step.head.known = true;
  for (int p = 0; p < POSES; p++)
    for (int i = 0; i < JOINTS; i++)
      rotation[p][i][3] = 1;
  run_for(&run, 2);
  for (int i = 0; i < FRAMES; i++)
    show_frame();
  for (int i = 0; i < count; i++) {
    play_frames(scales[i]);
    play_steps(scales[i]);
  }
  metrics_finish(run.metrics);
  for (int i = 0; i < metric_row_count; i++)
    metrics_value(run.metrics, metric_rows[i].name, &values[i]);
  metrics_destroy(run.metrics);
  return values;
}

static bool is_of_worst_moment(const char *name) {
  static const char *const words[] = {"_max", "_min", "peak_", "recovery_time", "time_to_", "get_up_assist_force"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(name, words[i]))
      return true;
  return false;
}

static void milder_phases_change_no_worst_value(void **state) {
  (void)state;
  const double mild[] = {0.25, 0.5}, orders[][3] = {{0.25, 1, 0.5}, {1, 0.5, 0.25}, {0.25, 0.5, 1}};
  double *least = values_of(mild, 2), *worst[3];
  for (int k = 0; k < 3; k++)
    worst[k] = values_of(orders[k], 3);
  int count = 0;
  for (int i = 0; i < metric_row_count; i++) {
    const char *name = metric_rows[i].name;
    if (!is_of_worst_moment(name) || isnan(worst[0][i]) || worst[0][i] == least[i])
      continue;
    count++;
    for (int k = 1; k < 3; k++)
      if (!(fabs(worst[k][i] - worst[0][i]) <= 1e-6 * fabs(worst[0][i])))
        fail_msg("%s: %g with the worst phase between milder ones, %g with it %s", name, worst[0][i], worst[k][i],
                 k == 1 ? "first" : "last");
  }
  assert_true(count >= 29); // so many of them have an effect here
  free(least);
  for (int k = 0; k < 3; k++)
    free(worst[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(milder_phases_change_no_worst_value)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
