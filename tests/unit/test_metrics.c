// Metrics from synthetic runs whose integrals, falls and margins are known.
#include "sim/base/support.h"
#include "tests/unit/metrics_run.h"

// The table and what does not apply

static void test_rows_are_complete(void **state) {
  (void)state;
  Metrics *metrics = metrics_create(50);
  assert_true(metric_row_count > 30);
  for (int i = 0; i < metric_row_count; ++i) {
    double ignored;
    assert_true(strlen(metric_rows[i].name) > 0);
    assert_true(strlen(metric_rows[i].unit) > 0);
    assert_true(strlen(metric_rows[i].doc) > 0);
    assert_true(metrics_value(metrics, metric_rows[i].name, &ignored));
    for (int j = 0; j < i; ++j)
      assert_string_not_equal(metric_rows[i].name, metric_rows[j].name);
  }
  double untouched = 7;
  assert_false(metrics_value(metrics, "fel", &untouched));
  assert_false(metrics_value(metrics, "", &untouched));
  assert_true(untouched == 7);
  metrics_destroy(metrics);
  metrics_destroy(NULL);
}

static void assert_values(const Metrics *metrics, const char *const *names, bool zero) {
  for (; *names; ++names) {
    const double v = value(metrics, *names);
    if (zero ? v != 0 : !isnan(v))
      fail_msg("%s is %g", *names, v);
  }
}

static void test_empty_run(void **state) {
  (void)state;
  static const char *const zero[] = {"duration",      "fell",           "hits", "steps_taken",
                                     "foot_refusals", "assist_impulse", NULL};
  static const char *const none[] = {"distance",
                                     "speed_mean",
                                     "realtime_factor",
                                     "time_of_fall",
                                     "got_up",
                                     "time_to_get_up",
                                     "recovery_time",
                                     "recovery_time_max",
                                     "recovered_share",
                                     "peak_com_displacement",
                                     "support_margin_min",
                                     "peak_pose_error",
                                     "rms_pose_error",
                                     "rms_pose_error_between_hits",
                                     "mean_assist_force",
                                     "peak_torque",
                                     "mean_power",
                                     "cost_of_transport",
                                     "foot_slip_mean",
                                     "foot_slip_max",
                                     "output_foot_slip_mean",
                                     "output_foot_slip_max",
                                     "skate_ratio",
                                     "output_skate_ratio",
                                     "foot_penetration_max",
                                     "foot_float_max",
                                     "foot_angle_error_rms",
                                     "knee_pop_max",
                                     "body_foot_penetration_max",
                                     "body_foot_float_max",
                                     "body_foot_angle_error_rms",
                                     "body_knee_pop_max",
                                     "foot_clearance_loss_max",
                                     "body_foot_clearance_loss_max",
                                     "foot_jump_max",
                                     "standing_jitter_rms",
                                     "body_standing_jitter_rms",
                                     "feet_supported_share",
                                     "body_feet_supported_share",
                                     "stance_share",
                                     "output_stance_share",
                                     "double_support_share",
                                     "cadence",
                                     "step_length",
                                     "pelvis_range",
                                     "body_pelvis_range",
                                     "output_jump_max_angle",
                                     "output_jump_max_distance",
                                     NULL};
  Metrics *metrics = metrics_create(50);
  metrics_finish(metrics);
  assert_values(metrics, zero, true);
  assert_values(metrics, none, false);
  assert_string_equal(metrics_strategy(metrics), "");
  metrics_destroy(metrics);
}

static void test_unhit_run(void **state) {
  (void)state;
  static const char *const zero[] = {"fell",
                                     "hits",
                                     "steps_taken",
                                     "distance",
                                     "assist_impulse",
                                     "peak_assist_force",
                                     "peak_assist_torque",
                                     "mean_assist_force",
                                     "peak_pose_error",
                                     "rms_pose_error",
                                     "rms_pose_error_between_hits",
                                     "peak_torque",
                                     "mean_power",
                                     NULL};
  static const char *const none[] = {"time_of_fall",
                                     "got_up",
                                     "time_to_get_up",
                                     "recovery_time",
                                     "recovery_time_max",
                                     "recovered_share",
                                     "peak_com_displacement",
                                     "cost_of_transport",
                                     NULL};
  Run run;
  run_start(&run);
  run_until(&run, 2);
  run_finish(&run, 0);
  assert_values(run.metrics, zero, true);
  assert_values(run.metrics, none, false);
  assert_near(value(run.metrics, "duration"), 2, TINY);
  assert_near(value(run.metrics, "support_margin_min"), 0.1, 0);
  metrics_refusal(run.metrics, FOOT_TOO_LOW);
  metrics_refusal(run.metrics, FOOT_NO_GROUND);
  metrics_set_realtime_factor(run.metrics, 12.5);
  assert_near(value(run.metrics, "foot_refusals"), 2, 0);
  assert_true(isnan(value(run.metrics, "graph_refusals"))); // no graph
  metrics_set_graph_refusals(run.metrics, 3);
  assert_near(value(run.metrics, "graph_refusals"), 3, 0);
  assert_near(value(run.metrics, "realtime_factor"), 12.5, 0);
  assert_true(isnan(value(run.metrics, "goals_reached"))); // no planner
  metrics_set_plan(run.metrics, 2, 0.25, 31, 0.5);
  assert_near(value(run.metrics, "goals_reached"), 2, 0);
  assert_near(value(run.metrics, "goal_clearance_min"), 0.25, 0);
  assert_near(value(run.metrics, "clip_changes"), 31, 0);
  metrics_destroy(run.metrics);
}

// Integrals and peaks

static void test_integrals(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.com_velocity[2] = run.step.intended_velocity[2] = 2;
  run.step.power = 100;
  run.step.assist_force[0] = 3, run.step.assist_force[1] = -4;
  run.step.assist_torque[2] = -2;
  run.torque[1][0] = 2, run.torque[1][1] = 3, run.torque[1][2] = 6;
  run_until(&run, 2);
  memset(run.step.assist_force, 0, sizeof run.step.assist_force);
  memset(run.step.assist_torque, 0, sizeof run.step.assist_torque);
  memset(run.torque, 0, sizeof run.torque);
  run_until(&run, 10);
  run_finish(&run, 0);
  assert_near(value(run.metrics, "assist_impulse"), 10, TINY);
  assert_near(value(run.metrics, "assist_angular_impulse"), 4, TINY);
  assert_near(value(run.metrics, "peak_assist_force"), 5, TINY);
  assert_near(value(run.metrics, "peak_assist_torque"), 2, TINY);
  assert_near(value(run.metrics, "mean_assist_force"), 1, TINY);
  assert_near(value(run.metrics, "peak_torque"), 7, TINY);
  assert_near(value(run.metrics, "mean_power"), 100, TINY);
  assert_near(value(run.metrics, "distance"), 20, TINY);
  assert_near(value(run.metrics, "speed_mean"), 2, TINY);
  assert_near(value(run.metrics, "cost_of_transport"), 1000 / (50 * 9.81 * 20), TINY);
  metrics_destroy(run.metrics);
}

static void test_pose_errors_are_rms_over_joints_and_time(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.error[0] = (float)RADIANS(3), run.error[1] = (float)RADIANS(-4);
  run_until(&run, 1);
  run.error[0] = run.error[1] = 0;
  run_until(&run, 4);
  assert_near(value(run.metrics, "peak_pose_error"), sqrt(12.5), 1e-5);
  assert_near(value(run.metrics, "rms_pose_error"), sqrt(12.5 / 4), 1e-5);
  assert_near(value(run.metrics, "rms_pose_error_between_hits"), sqrt(12.5 / 4), 1e-5);
  metrics_destroy(run.metrics);
}

static void test_distance_is_path_without_sway(void **state) {
  (void)state;
  Run run;
  // Sway of a stride of 0.7 s, to and fro, adds nothing.
  run_start(&run);
  run.step.dt = 0.7 / 128;
  while (run.step.time < 7 - 1e-6) {
    run.step.com_velocity[0] = 0.5 * cos(2 * M_PI / 0.7 * (run.step.time + run.step.dt / 2));
    run.step.com_velocity[2] = 3;
    run_step(&run);
  }
  assert_near(value(run.metrics, "distance"), 21, 1e-6);
  metrics_destroy(run.metrics);
  // Motion back and forth adds up: 2.1 s one way, 1.8 s the other.
  run_start(&run);
  run.step.dt = 0.7 / 128;
  run.step.com_velocity[0] = 2;
  run_until(&run, 2.1);
  run.step.com_velocity[0] = -2;
  run_until(&run, 3.9);
  assert_near(value(run.metrics, "distance"), 2 * run.step.time, 1e-6);
  metrics_destroy(run.metrics);
}

static void test_support_margin_only_while_standing(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run_until(&run, 1);
  run.step.support_margin = NAN; // in flight
  run_until(&run, 2);
  run.step.support_margin = -0.02;
  run_until(&run, 2.5);
  run.step.support_margin = -0.5;
  run.step.fallen = true;
  run_until(&run, 3);
  assert_near(value(run.metrics, "support_margin_min"), -0.02, 0);
  metrics_destroy(run.metrics);
}

// Falls and steps

static void test_fall_and_get_up(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.ground_height = 5;
  run.step.com[1] = 6;
  run_until(&run, 3);
  run.step.com[1] = 5.85; // falling already, not part of the height before
  run_until(&run, 4);
  run.step.fallen = true;
  run.step.com[1] = 5.2;
  run_until(&run, 6);
  assert_near(value(run.metrics, "fell"), 1, 0);
  assert_near(value(run.metrics, "time_of_fall"), 4 + DT, TINY);
  assert_near(value(run.metrics, "got_up"), 0, 0);
  assert_true(isnan(value(run.metrics, "time_to_get_up")));

  run.step.fallen = false;
  run.step.com[1] = 5.79; // still crouching
  run_until(&run, 8);
  assert_near(value(run.metrics, "got_up"), 0, 0);
  run.step.com[1] = 5.81;
  run_step(&run);
  assert_near(value(run.metrics, "got_up"), 1, 0);
  assert_near(value(run.metrics, "time_to_get_up"), 4, TINY);

  // A second, shorter fall: no support by other parts for 1 s decides.
  run.step.fallen = true;
  run_step(&run);
  run.step.fallen = false;
  assert_near(value(run.metrics, "got_up"), 0, 0);
  assert_true(isnan(value(run.metrics, "time_to_get_up")));
  const double time = run.step.time;
  run_until(&run, time + 1 - DT);
  assert_near(value(run.metrics, "got_up"), 0, 0);
  run_step(&run);
  assert_near(value(run.metrics, "got_up"), 1, 0);
  assert_near(value(run.metrics, "time_to_get_up"), 4, TINY);
  assert_near(value(run.metrics, "time_of_fall"), 4 + DT, TINY);
  metrics_destroy(run.metrics);
}

static void test_touch_downs(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.foot_loaded[0] = run.step.foot_loaded[1] = false; // set down on the ground: no step
  run_until(&run, 0.03);
  run.step.foot_loaded[0] = run.step.foot_loaded[1] = true;
  run_until(&run, 1);
  assert_near(value(run.metrics, "steps_taken"), 0, 0);

  // A contact that flickers for 40 ms is no step, a swing of 0.3 s is one.
  run.step.foot_loaded[1] = false;
  run_until(&run, 1.04);
  run.step.foot_loaded[1] = true;
  run_until(&run, 2);
  assert_near(value(run.metrics, "steps_taken"), 0, 0);
  run.step.foot_loaded[1] = false;
  run_until(&run, 2.3);
  run.step.foot_loaded[1] = true;
  run_until(&run, 2.5);
  assert_near(value(run.metrics, "steps_taken"), 1, 0);

  // Both feet at once are two; feet of a body on the ground are none.
  run.step.foot_loaded[0] = run.step.foot_loaded[1] = false;
  run_until(&run, 2.8);
  run.step.foot_loaded[0] = run.step.foot_loaded[1] = true;
  run_until(&run, 3);
  assert_near(value(run.metrics, "steps_taken"), 3, 0);
  run.step.fallen = true;
  run.step.foot_loaded[0] = false;
  run_until(&run, 4);
  run.step.foot_loaded[0] = true;
  run_until(&run, 5);
  assert_near(value(run.metrics, "steps_taken"), 3, 0);
  metrics_destroy(run.metrics);
}

// Margin of stability

static void test_support_margin(void **state) {
  (void)state;
  static const double square[][3] = {{1, 0, -1}, {-1, 9, -1}, {1, 2, 1}, {-1, -3, 1},
                                     {0, 0, 1},  {0.2, 0, 0}, {1, 0, 1}};
  static const double still[3] = {0, 0, 0};
  const double inside[3] = {0.75, 1, 0}, beside[3] = {0, 1, 1.5}, corner[3] = {4, 1, 5}, edge[3] = {1, 1, 0.5};
  assert_near(support_margin(inside, still, 0, square, 7), 0.25, TINY);
  assert_near(support_margin(beside, still, 0, square, 7), -0.5, TINY);
  assert_near(support_margin(corner, still, 0, square, 7), -5, TINY);
  assert_near(support_margin(edge, still, 0, square, 7), 0, TINY);

  // v / sqrt(g / l): 1 m/s at 0.981 m over the ground carries 0.3162 m. Vertical speed does not count.
  const double com[3] = {0, 2.981, 0}, velocity[3] = {0, -3, 1}, buried[3] = {0, 1, 0};
  assert_near(support_margin(com, velocity, 2, square, 7), 1 - sqrt(0.1), TINY);
  assert_near(support_margin(buried, velocity, 2, square, 7), 1, TINY);

  // One point and two points.
  static const double points[][3] = {{0, 0, 0}, {2, 1, 0}};
  const double above[3] = {1, 1, 0.5}, beyond[3] = {5, 1, 4}, on[3] = {1, 1, 0};
  assert_near(support_margin(beyond, still, 0, points, 1), -sqrt(41), TINY);
  assert_near(support_margin(above, still, 0, points, 2), -0.5, TINY);
  assert_near(support_margin(beyond, still, 0, points, 2), -5, TINY);
  assert_near(support_margin(on, still, 0, points, 2), 0, TINY);
  assert_true(isnan(support_margin(on, still, 0, points, 0)));

  // Points in one line, and all in one place.
  static const double line[][3] = {{1, 0, 1}, {0, 0, 0}, {3, 0, 3}, {2, 0, 2}}, place[][3] = {{1, 0, 1}, {1, 5, 1}};
  const double off_line[3] = {0, 1, 2};
  assert_near(support_margin(off_line, still, 0, line, 4), -sqrt(2), TINY);
  assert_near(support_margin(off_line, still, 0, place, 2), -sqrt(2), TINY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_are_complete),
      cmocka_unit_test(test_empty_run),
      cmocka_unit_test(test_unhit_run),
      cmocka_unit_test(test_integrals),
      cmocka_unit_test(test_pose_errors_are_rms_over_joints_and_time),
      cmocka_unit_test(test_distance_is_path_without_sway),
      cmocka_unit_test(test_support_margin_only_while_standing),
      cmocka_unit_test(test_fall_and_get_up),
      cmocka_unit_test(test_touch_downs),
      cmocka_unit_test(test_support_margin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
