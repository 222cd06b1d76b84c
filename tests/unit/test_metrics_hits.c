// Hits in synthetic runs: recovery times, displacements and strategies are known.
#include "tests/unit/metrics_run.h"

static void test_recovery_by_pose(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  set_pose_error(&run, 1);
  run_until(&run, 2);
  run_hit(&run, 5, "chest");
  set_pose_error(&run, 10);
  run.step.assist_force[1] = 20;
  run.step.assist_torque[1] = 8;
  run_until(&run, 2.5);
  run.step.assist_force[1] = 0;
  run.step.assist_torque[1] = 0;
  set_pose_error(&run, 4.9); // calm, but only for 0.2 s
  run_until(&run, 2.7);
  set_pose_error(&run, 5.1);
  run_until(&run, 2.75);
  set_pose_error(&run, 2);
  run_until(&run, 6);
  const MetricsHit *hit = run_finish(&run, 1);
  assert_near(hit->time, 2, TINY);
  assert_near(hit->impulse, 5, 0);
  assert_string_equal(hit->part, "chest");
  assert_near(hit->recovery_time, 0.75, TINY);
  assert_near(hit->peak_pose_error, 10, 1e-5);
  assert_near(hit->peak_com_displacement, 0, TINY);
  assert_near(hit->assist_impulse, 10, TINY);
  assert_near(hit->assist_angular_impulse, 4, TINY);
  assert_near(hit->peak_assist_force, 20, TINY);
  assert_near(hit->support_margin_min, 0.1, 0);
  assert_near(value(run.metrics, "recovery_time"), 0.75, TINY);
  assert_near(value(run.metrics, "recovered_share"), 1, 0);
  // 2 s of 1 deg before; the rest, from 3 s (when recovery was certain) on, of 2 deg.
  assert_near(value(run.metrics, "rms_pose_error_between_hits"), sqrt((2 * 1 + 3 * 4) / 5.0), 1e-5);
  metrics_destroy(run.metrics);
}

static void test_no_recovery_on_the_ground(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run_until(&run, 1);
  run_hit(&run, 80, "chest");
  run.step.fallen = true; // the pose may match
  run_until(&run, 3);
  run.step.fallen = false;
  run_until(&run, 4);
  const MetricsHit *hit = run_finish(&run, 1);
  assert_near(hit->recovery_time, 2, TINY);
  assert_string_equal(hit->strategy, "fall");
  metrics_destroy(run.metrics);
}

// Velocity of a runner: oscillates with the stride, and lags by 0.2 m/s.
static void set_running(Run *run, double time, double stride) {
  const double phase = 2 * M_PI * time / stride;
  run->step.intended_velocity[2] = 3.5;
  run->step.com_velocity[0] = 0.15 * sin(phase);
  run->step.com_velocity[2] = 3.3 + 0.3 * sin(2 * phase);
}

static void run_running(Run *run, double until, double stride, double phase_time, double extra_speed) {
  while (run->step.time < until - DT / 2) {
    set_running(run, run->step.time + run->step.dt + phase_time, stride);
    run->step.com_velocity[2] += extra_speed;
    run_step(run);
  }
}

static void test_gait_is_no_velocity_error(void **state) {
  (void)state;
  // For any phase of the hit, and whether the stride's time is known exactly, by default or badly.
  static const double strides[] = {0.7, 0.7, 0.64, 0.8}, told[] = {0, 0.7, 0.64, 0.7};
  for (int i = 0; i < 4; ++i) {
    for (double hit_time = 3; hit_time < 3.7; hit_time += 0.09) {
      Run run;
      run_start(&run);
      run.step.stride_time = told[i];
      run_running(&run, hit_time, strides[i], 0, 0);
      run_hit(&run, 0, "hand");
      run_running(&run, 6, strides[i], 0, 0);
      const MetricsHit *hit = run_finish(&run, 1);
      if (i < 3) {
        assert_near(hit->recovery_time, 0, 0);
        assert_near(hit->peak_com_displacement, 0, 2e-3);
      } else {
        assert_true(hit->recovery_time < 1);
      }
      metrics_destroy(run.metrics);
    }
  }
}

static void test_recovery_by_velocity(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run_running(&run, 3, 0.7, 0, 0);
  run_hit(&run, 30, "pelvis");
  run_running(&run, 3.25, 0.7, 0, 0.6); // 0.15 m too far, which stay in the mean over 0.7 s until only 0.07 m are left
  run_running(&run, 6, 0.7, 0, 0);
  const MetricsHit *hit = run_finish(&run, 1);
  assert_near(hit->recovery_time, 0.7 + (0.15 - 0.07) / 0.6, 2 * DT);
  assert_near(hit->peak_com_displacement, 0.15, 2e-3);
  assert_near(value(run.metrics, "peak_com_displacement"), 0.15, 2e-3);
  metrics_destroy(run.metrics);

  // It runs on 0.12 m/s slower: no recovery. 0.08 m/s slower: recovered all along.
  for (int slower = 0; slower < 2; ++slower) {
    run_start(&run);
    run_running(&run, 3, 0.7, 0, 0);
    run_hit(&run, 30, "pelvis");
    run_running(&run, 6, 0.7, 0, slower ? -0.12 : -0.08);
    hit = run_finish(&run, 1);
    if (slower)
      assert_true(isnan(hit->recovery_time));
    else
      assert_near(hit->recovery_time, 0, 0);
    metrics_destroy(run.metrics);
  }
}

static void test_recovery_out_of_step(void **state) {
  (void)state;
  // Two steps of another length shift the gait's phase: that counts for little more than a stride.
  for (double shift = 0.05; shift < 0.7; shift += 0.1) {
    Run run;
    run_start(&run);
    run_running(&run, 3, 0.7, 0, 0);
    run_hit(&run, 10, "thigh");
    run_running(&run, 6, 0.7, shift, 0);
    const MetricsHit *hit = run_finish(&run, 1);
    assert_true(hit->recovery_time <= 0.7 + 2 * DT);
    metrics_destroy(run.metrics);
  }
}

static void test_first_hit_without_record(void **state) {
  (void)state;
  // The first stride is not yet over: the intended velocity is the reference.
  Run run;
  run_start(&run);
  run.step.com_velocity[0] = 0.2;
  run_until(&run, 0.25);
  run_hit(&run, 1, "head");
  run_until(&run, 1);
  run.step.com_velocity[0] = 0;
  run_until(&run, 4);
  const MetricsHit *hit = run_finish(&run, 1);
  // 0.2 m/s for 0.35 s of the window is too much.
  assert_near(hit->recovery_time, 0.75 + 0.35, 2 * DT);
  assert_near(hit->peak_com_displacement, 0.15, TINY);
  metrics_destroy(run.metrics);

  // A hit before the very first step.
  run_start(&run);
  metrics_hit(run.metrics, 0, 1, NULL);
  run.step.com_velocity[0] = 0.2;
  run_until(&run, 2);
  run.step.com_velocity[0] = 0;
  run_until(&run, 4);
  hit = run_finish(&run, 1);
  assert_near(hit->recovery_time, 2.35, 2 * DT);
  assert_string_equal(hit->part, "");
  metrics_destroy(run.metrics);
}

static void test_reference_lasts_through_volleys(void **state) {
  (void)state;
  // Hits follow before the runner, slowed by 0.3 m/s, has recovered: its slow stride must not become the reference.
  Run run;
  run_start(&run);
  run_running(&run, 3, 0.7, 0, 0);
  for (int i = 0; i < 4; ++i) {
    run_hit(&run, 10, "chest");
    run_running(&run, 4 + i, 0.7, 0, -0.3);
  }
  run_running(&run, 9, 0.7, 0, 0);
  const MetricsHit *hits = run_finish(&run, 4);
  for (int i = 0; i < 3; ++i)
    assert_true(isnan(hits[i].recovery_time));
  // The last hit, at 6 s: slow until 7 s, and 0.07 m of 0.3 m/s may stay in the window.
  assert_near(hits[3].recovery_time, 1 + 0.7 - 0.07 / 0.3, 3 * DT);
  assert_near(hits[3].peak_com_displacement, 0.3, 5e-3);
  assert_near(value(run.metrics, "recovered_share"), 0.25, TINY);
  metrics_destroy(run.metrics);
}

static void test_many_hits(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run_until(&run, 1);
  hit_with_pose_error(&run, 1.5, 3);
  hit_with_pose_error(&run, 4, 4.125); // the next hit comes first
  hit_with_pose_error(&run, 5.125, 7);
  hit_with_pose_error(&run, 8, 8); // the end comes first
  const MetricsHit *hits = run_finish(&run, 4);
  assert_near(hits[0].recovery_time, 0.5, TINY);
  assert_true(isnan(hits[1].recovery_time));
  assert_near(hits[2].recovery_time, 1, TINY);
  assert_true(isnan(hits[3].recovery_time));
  assert_near(value(run.metrics, "hits"), 4, 0);
  assert_near(value(run.metrics, "recovery_time"), 0.75, TINY);
  assert_near(value(run.metrics, "recovery_time_max"), 1, TINY);
  assert_near(value(run.metrics, "recovered_share"), 0.5, TINY);
  metrics_destroy(run.metrics);

  // None recovered: no time, share 0.
  run_start(&run);
  hit_with_pose_error(&run, 1, 1);
  run_finish(&run, 1);
  assert_true(isnan(value(run.metrics, "recovery_time")));
  assert_near(value(run.metrics, "recovered_share"), 0, 0);
  metrics_destroy(run.metrics);
}

static void test_push_is_one_hit(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run_until(&run, 1);
  for (int i = 0; i < 26; ++i) {
    run_hit(&run, i == 10 ? 2 : 1, i == 10 ? "pelvis" : "chest");
    run_step(&run);
  }
  run_until(&run, 2);
  const MetricsHit *hit = run_finish(&run, 1);
  assert_near(hit->impulse, 27, TINY);
  assert_near(hit->time, 1, TINY);
  assert_string_equal(hit->part, "pelvis");
  assert_near(hit->recovery_time, 25 * DT, TINY); // not before the push ends
  metrics_destroy(run.metrics);

  // 30 ms apart are two.
  run_start(&run);
  run_until(&run, 1);
  run_hit(&run, 1, "chest");
  run_until(&run, 1 + 8 * DT);
  run_hit(&run, 1, "chest");
  run_finish(&run, 2);
  metrics_destroy(run.metrics);
}

static void test_hits_beyond_the_record(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  for (int i = 0; i < METRICS_MAX_HITS + 100; ++i) {
    run_hit(&run, 1, "a part with a name that is longer than there is room for");
    for (int k = 0; k < 8; ++k)
      run_step(&run);
  }
  const MetricsHit *hits = run_finish(&run, METRICS_MAX_HITS);
  assert_near(value(run.metrics, "hits"), METRICS_MAX_HITS + 100, 0);
  assert_int_equal(strlen(hits[0].part), METRICS_NAME_SIZE - 1);
  metrics_destroy(run.metrics);
}

static void test_strategies(void **state) {
  (void)state;
  static const char *const expected[] = {"ankle", "hip", "step", "steps", "fall"};
  Run run;
  run_start(&run);
  run_until(&run, 1);
  for (int i = 0; i < 5; ++i) {
    run_hit(&run, 10 * i, "chest");
    set_pose_error(&run, 20);
    run.step.support_margin = i >= 1 ? -0.01 : 0;
    run_until(&run, run.step.time + 0.25);
    for (int step = 0; step < i - 1; ++step)
      move_foot(&run, step % 2, 0.25, 0.3);
    run.step.fallen = i == 4;
    run_until(&run, run.step.time + 0.25);
    set_pose_error(&run, 0);
    run.step.fallen = false;
    run.step.support_margin = 0.1;
    run_until(&run, run.step.time + 2);
    assert_string_equal(metrics_strategy(run.metrics), expected[i]);
  }
  const MetricsHit *hits = run_finish(&run, 5);
  for (int i = 0; i < 5; ++i) {
    assert_string_equal(hits[i].strategy, expected[i]);
    assert_int_equal(hits[i].steps_taken, i < 2 ? 0 : i - 1);
    assert_near(hits[i].support_margin_min, i == 0 ? 0 : -0.01, 0);
    assert_true(!isnan(hits[i].recovery_time));
  }
  assert_near(value(run.metrics, "steps_taken"), 6, 0);
  // The worst, not the last.
  run_hit(&run, 0, "hand");
  run_until(&run, run.step.time + 1);
  assert_string_equal(metrics_strategy(run.metrics), "fall");
  metrics_destroy(run.metrics);
}

// A character that balances by itself reports its strategy: its own steps count, not touch-downs, and the base of
// support is that of both soles, not of the points in contact at the moment.
static void test_strategies_of_balance(void **state) {
  (void)state;
  static const struct {
    double margin; // m, of both soles
    int steps;
    const char *expected;
  } cases[] = {{0.02, 0, "ankle"}, {-0.01, 0, "hip"}, {-0.05, 1, "step"}, {-0.05, 3, "steps"}};
  for (int i = 0; i < 4; ++i) {
    Run run;
    run_start(&run);
    run.step.balance = (MetricsBalance){.known = true, .steps = 7, .margin = 0.1};
    run_until(&run, 1);
    run_hit(&run, 30, "pelvis");
    run.step.support_margin = -0.1; // heels up
    run.step.balance.margin = cases[i].margin;
    run.step.balance.steps += cases[i].steps;
    run_for(&run, 0.25);
    run.step.support_margin = run.step.balance.margin = 0.1;
    run_for(&run, 0.5);
    move_foot(&run, 0, 0.25, 0.3); // he brings his feet side by side
    move_foot(&run, 1, 0.25, 0.3);
    run_for(&run, 1);
    const MetricsHit *hit = run_finish(&run, 1);
    assert_string_equal(hit->strategy, cases[i].expected);
    assert_int_equal(hit->steps_taken, cases[i].steps);
    assert_near(hit->support_margin_min, -0.1, 0);
    metrics_destroy(run.metrics);
  }
}

// A walker's steps count until he walks as before, and no longer; xi is beyond his soles in every step.
static void test_steps_of_a_walker_end_with_his_recovery(void **state) {
  (void)state;
  static const char *const expected[] = {"ankle", "step", "steps"};
  for (int needed = 0; needed < 3; ++needed) {
    Run run;
    run_start(&run);
    run.step.stride_time = 1;
    run.step.intended_velocity[2] = run.step.com_velocity[2] = 1;
    run.step.balance = (MetricsBalance){.known = true, .margin = -0.2};
    for (int step = 0; step < 12; ++step) { // of half a second each, struck in the middle of the fifth
      run_for(&run, 0.25);
      if (step == 4)
        run_hit(&run, 30, "chest");
      if (step == 4 && needed > 0)
        set_pose_error(&run, 20);
      run_for(&run, 0.25);
      run.step.balance.steps++;
      run_step(&run);
      if (step == 3 + needed)
        set_pose_error(&run, 0);
    }
    const MetricsHit *hit = run_finish(&run, 1);
    assert_string_equal(hit->strategy, expected[needed]);
    assert_int_equal(hit->steps_taken, needed);
    metrics_destroy(run.metrics);
  }
}

// The stride before the reference had another speed: the motion after the hit is compared with the reference alone,
// from its beginning to its end, for any part of a stride that has passed.
static void test_reference_is_one_stride_and_no_more(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.stride_time = 0.75; // exact in binary
  run.step.intended_velocity[2] = 3.5;
  run.step.com_velocity[2] = 3;
  run_until(&run, 2.25);
  run.step.com_velocity[2] = 3.3;
  run_until(&run, 3);
  run_hit(&run, 10, "chest");
  run_until(&run, 6);
  const MetricsHit *hit = run_finish(&run, 1);
  assert_near(hit->peak_com_displacement, 0, TINY);
  assert_near(hit->recovery_time, 0, 0);
  metrics_destroy(run.metrics);
}

// The velocity error is a mean over at least 0.1 s: a body that was moved by 15 mm at once is calm again when that has
// been 0.15 s ago, and one that was moved by 9 mm, all along.
static void test_velocity_error_is_a_mean(void **state) {
  (void)state;
  const double ways[][2] = {{0.015, 0.15}, {0.009, 0}}; // m; s of recovery
  for (int i = 0; i < 2; i++) {
    Run run;
    run_start(&run);
    run_until(&run, 2);
    run_hit(&run, 5, "chest");
    run.step.com_velocity[0] = ways[i][0] / DT;
    run_step(&run);
    run.step.com_velocity[0] = 0;
    run_until(&run, 5);
    const MetricsHit *hit = run_finish(&run, 1);
    assert_near(hit->recovery_time, ways[i][1], 2 * DT);
    metrics_destroy(run.metrics);
  }
}

// The least margin of a run is that of its worst moment, not of its last.
static void test_least_margin_is_that_of_the_worst_moment(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run_until(&run, 1);
  run.step.support_margin = -0.05;
  run_until(&run, 1.5);
  run.step.support_margin = 0.1;
  run_until(&run, 3);
  run_finish(&run, 0);
  assert_near(value(run.metrics, "support_margin_min"), -0.05, TINY);
  metrics_destroy(run.metrics);
}

// A hit before the first step of a run that begins at some time, on a body whose velocity recovers.
static void hit_at_the_beginning(double begin, double steps, double found[]) {
  Run run;
  run_start(&run);
  run.step.time = begin;
  run_hit(&run, 5, "chest");
  for (int i = 0; i < 640; i++) {
    run.step.com_velocity[0] = 0.8 * exp(-i / steps);
    run_step(&run);
  }
  const MetricsHit *hit = run_finish(&run, 1);
  for (int k = 0; k < METRIC_HIT_ROWS; k++)
    found[k] = metric_hit_figure(hit, k);
  found[METRIC_HIT_ROWS] = hit->time - begin;
  metrics_destroy(run.metrics);
}

static void test_it_does_not_matter_when_a_run_begins(void **state) {
  (void)state;
  static const double steps[] = {10, 20, 40, 100}; // in which the velocity is nearly a third
  for (int i = 0; i < 4; i++) {
    double at_once[METRIC_HIT_ROWS + 1], later[METRIC_HIT_ROWS + 1];
    hit_at_the_beginning(0, steps[i], at_once);
    hit_at_the_beginning(16, steps[i], later);
    assert_true(at_once[METRIC_HIT_recovery_time] > 0.1);
    for (int k = METRIC_HIT_FIRST_EFFECT; k <= METRIC_HIT_ROWS; k++)
      if (!isnan(at_once[k]) || !isnan(later[k]))
        assert_near(later[k], at_once[k], TINY);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recovery_by_pose),
      cmocka_unit_test(test_no_recovery_on_the_ground),
      cmocka_unit_test(test_gait_is_no_velocity_error),
      cmocka_unit_test(test_recovery_by_velocity),
      cmocka_unit_test(test_recovery_out_of_step),
      cmocka_unit_test(test_first_hit_without_record),
      cmocka_unit_test(test_reference_lasts_through_volleys),
      cmocka_unit_test(test_many_hits),
      cmocka_unit_test(test_push_is_one_hit),
      cmocka_unit_test(test_hits_beyond_the_record),
      cmocka_unit_test(test_strategies),
      cmocka_unit_test(test_strategies_of_balance),
      cmocka_unit_test(test_steps_of_a_walker_end_with_his_recovery),
      cmocka_unit_test(test_reference_is_one_stride_and_no_more),
      cmocka_unit_test(test_velocity_error_is_a_mean),
      cmocka_unit_test(test_least_margin_is_that_of_the_worst_moment),
      cmocka_unit_test(test_it_does_not_matter_when_a_run_begins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
