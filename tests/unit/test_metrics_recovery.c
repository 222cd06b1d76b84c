// Whether a hit was recovered from, and when that is certain: in synthetic runs, then in scenes in which a toppling man
// might be judged to stand, a tipping one to step, and a struck foot to be unharmed.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/metrics_run.h"

#include "scenes/run/scene.h"

static void test_foot_that_rocks_takes_no_step(void **state) {
  (void)state;
  static const double forward[] = {0, 0.029, -0.029, 0.031, -0.031};
  for (int i = 0; i < 5; ++i) {
    Run run;
    run_start(&run);
    run.step.foot_place[0][0] = 0.1;
    run_until(&run, 1);
    run_hit(&run, 5, "chest");
    move_foot(&run, 0, 0.25, forward[i]);
    run_for(&run, 2);
    const MetricsHit *hit = run_finish(&run, 1);
    assert_string_equal(hit->strategy, i < 3 ? "ankle" : "step");
    assert_int_equal(hit->steps_taken, i < 3 ? 0 : 1);
    assert_near(value(run.metrics, "steps_taken"), 1, 0); // a touch-down nevertheless
    metrics_destroy(run.metrics);
  }

  // A foot that slides while it stands takes no step when it lands at the place to which it slid.
  Run run;
  run_start(&run);
  run_until(&run, 1);
  run_hit(&run, 5, "chest");
  run.step.foot_place[1][0] = 0.2;
  run_for(&run, 0.1);
  move_foot(&run, 1, 0.1, 0);
  assert_int_equal(run_finish(&run, 1)->steps_taken, 0);
  metrics_destroy(run.metrics);
}

// A body that always lags behind its target, by up to 8 deg in each stride, has recovered when it lags by no more.
static void test_pose_error_of_the_undisturbed_stride(void **state) {
  (void)state;
  for (int is_worse = 0; is_worse < 2; ++is_worse) {
    Run run;
    run_start(&run);
    run.step.stride_time = 0.5;
    const double after = is_worse ? 9.5 : 8.5;
    for (int k = 0; k < 16; ++k) {
      if (k == 8)
        run_hit(&run, 5, "chest");
      set_pose_error(&run, k < 8 ? 8 : k < 10 ? 20 : after);
      run_for(&run, 0.25);
      set_pose_error(&run, 3);
      run_for(&run, 0.125);
    }
    const MetricsHit *hit = run_finish(&run, 1);
    if (is_worse)
      assert_true(isnan(hit->recovery_time));
    else
      assert_near(hit->recovery_time, 0.625, TINY);
    metrics_destroy(run.metrics);
  }
}

static void test_watch_lasts_a_stride(void **state) {
  (void)state;
  // The foot that was struck touches down, badly, 0.5 s later. The stride is over after 0.7 s, or after 0.4.
  for (int is_short = 0; is_short < 2; ++is_short) {
    Run run;
    run_start(&run);
    run.step.stride_time = is_short ? 0.4 : 0;
    run_until(&run, 1);
    run_hit(&run, 5, "foot");
    set_pose_error(&run, 1);
    run.step.foot_loaded[0] = false;
    run_for(&run, 0.5);
    run.step.foot_loaded[0] = true;
    run.step.foot_place[0][1] = 0.5;
    run.step.assist_force[2] = 30;
    run.step.support_margin = -0.05;
    run.step.intended_velocity[2] = run.step.com_velocity[2] = 1;
    set_pose_error(&run, 8);
    run_for(&run, 0.125);
    set_pose_error(&run, 1);
    run_for(&run, 3);
    const MetricsHit *hit = run_finish(&run, 1);
    assert_near(hit->recovery_time, is_short ? 0 : 0.625, TINY);
    assert_near(hit->peak_pose_error, is_short ? 1 : 8, 1e-5);
    assert_near(hit->peak_assist_force, is_short ? 0 : 30, 0);
    assert_near(hit->support_margin_min, is_short ? 0.1 : -0.05, 0);
    assert_string_equal(hit->strategy, is_short ? "ankle" : "step");
    metrics_destroy(run.metrics);
  }

  // No disturbance: certain after the stride, and not before. A later one does not belong to the hit.
  Run run;
  int count;
  run_start(&run);
  run_until(&run, 1);
  run_hit(&run, 5, "foot");
  run_until(&run, 1.69);
  assert_true(isnan(metrics_hits(run.metrics, &count)[0].recovery_time));
  run_until(&run, 1.71);
  assert_true(metrics_hits(run.metrics, &count)[0].recovery_time == 0);
  set_pose_error(&run, 20);
  run_for(&run, 1);
  assert_true(run_finish(&run, 1)->recovery_time == 0);
  assert_near(metrics_hits(run.metrics, &count)[0].peak_pose_error, 0, 0);
  metrics_destroy(run.metrics);

  // A stride after the end of a push, not after its beginning.
  run_start(&run);
  run_until(&run, 1);
  for (int i = 0; i < 256; ++i) {
    run_hit(&run, 0.1, "chest");
    run_step(&run);
  }
  run_until(&run, 2.625);
  set_pose_error(&run, 20);
  run_until(&run, 2.75);
  set_pose_error(&run, 0);
  run_for(&run, 1);
  assert_near(run_finish(&run, 1)->recovery_time, 1.75, TINY);
  metrics_destroy(run.metrics);
}

static void test_what_was_seen_decides(void **state) {
  (void)state;
  // The next hit, or the end, comes before the stride is over: 0.25 s of calm are enough, 0.2 s are not.
  for (int is_end = 0; is_end < 2; ++is_end) {
    for (int is_long = 0; is_long < 2; ++is_long) {
      Run run;
      run_start(&run);
      run_until(&run, 1);
      hit_with_pose_error(&run, 1.125, is_long ? 1.375 : 1.325);
      if (!is_end)
        run_hit(&run, 5, "chest");
      const MetricsHit *hit = run_finish(&run, is_end ? 1 : 2);
      if (is_long)
        assert_near(hit->recovery_time, 0.125, TINY);
      else
        assert_true(isnan(hit->recovery_time));
      assert_near(hit->peak_pose_error, 20, 1e-5);
      metrics_destroy(run.metrics);
    }
  }
}

// Hit at 1 s, off by 10 deg for half a second, then as if recovered.
static void recover_once(Run *run) {
  run_start(run);
  run_until(run, 1);
  run_hit(run, 60, "chest");
  set_pose_error(run, 10);
  run_until(run, 1.5);
  set_pose_error(run, 1);
  run_until(run, 3);
}

static void test_a_fall_revokes_recovery(void **state) {
  (void)state;
  Run run;
  int count;
  recover_once(&run);
  assert_near(value(run.metrics, "recovery_time"), 0.5, TINY);
  set_pose_error(&run, 4);
  run.step.assist_force[0] = 50;
  run_until(&run, 3.5);
  assert_near(metrics_hits(run.metrics, &count)[0].peak_assist_force, 0, 0); // recovered, as far as is known
  run.step.fallen = true;
  run_step(&run);
  assert_string_equal(metrics_strategy(run.metrics), "fall"); // at once
  set_pose_error(&run, 30);
  run_until(&run, 5);
  const MetricsHit *hit = run_finish(&run, 1);
  assert_string_equal(hit->strategy, "fall");
  assert_true(isnan(hit->recovery_time));
  // Figures over all the time since the hit.
  assert_near(hit->peak_pose_error, 30, 1e-5);
  assert_near(hit->assist_impulse, 100, 1e-9);
  assert_near(value(run.metrics, "recovered_share"), 0, 0);
  assert_true(isnan(value(run.metrics, "recovery_time")));
  assert_near(value(run.metrics, "rms_pose_error_between_hits"), 0, TINY); // only before the hit
  metrics_destroy(run.metrics);

  // A man who gets up again has recovered, late.
  recover_once(&run);
  run.step.fallen = true;
  run_until(&run, 4);
  run.step.fallen = false;
  run_until(&run, 6);
  hit = run_finish(&run, 1);
  assert_string_equal(hit->strategy, "fall");
  assert_near(hit->recovery_time, 3, TINY);
  metrics_destroy(run.metrics);

  // A fall after another hit in between belongs to that hit.
  recover_once(&run);
  run_hit(&run, 1, "hand");
  run_until(&run, 4);
  run.step.fallen = true;
  run_until(&run, 5);
  hit = run_finish(&run, 2);
  assert_near(hit[0].recovery_time, 0.5, TINY);
  assert_string_equal(hit[0].strategy, "ankle");
  assert_true(isnan(hit[1].recovery_time));
  assert_string_equal(hit[1].strategy, "fall");
  metrics_destroy(run.metrics);

  // Certain at 1.75 s. A fall 9.9 s later belongs to the hit, one 10.1 s later does not.
  for (int is_late = 0; is_late < 2; ++is_late) {
    recover_once(&run);
    run_until(&run, is_late ? 11.85 : 11.65);
    run.step.fallen = true;
    run_for(&run, 1);
    hit = run_finish(&run, 1);
    assert_string_equal(hit->strategy, is_late ? "ankle" : "fall");
    assert_true(is_late ? hit->recovery_time == 0.5 : isnan(hit->recovery_time));
    metrics_destroy(run.metrics);
  }
}

static void test_a_standing_man_must_be_in_balance(void **state) {
  (void)state;
  // He hangs still, half toppled, and comes back 2 s after the hit. A walker's margin does not decide.
  for (int is_walking = 0; is_walking < 2; ++is_walking) {
    Run run;
    run_start(&run);
    run.step.intended_velocity[2] = run.step.com_velocity[2] = is_walking ? 1.3 : 0.05;
    run_until(&run, 2);
    run_hit(&run, 60, "chest");
    run.step.support_margin = -0.02;
    run_until(&run, 4);
    run.step.support_margin = 0.02;
    run_until(&run, 6);
    assert_near(run_finish(&run, 1)->recovery_time, is_walking ? 0 : 2, TINY);
    metrics_destroy(run.metrics);
  }

  // A man who hung beyond his feet before the hit does so again when recovered. In the air there is no margin.
  for (int is_farther = 0; is_farther < 2; ++is_farther) {
    Run run;
    run_start(&run);
    run.step.support_margin = -0.3;
    run_until(&run, 1);
    run.step.support_margin = NAN;
    run_until(&run, 1.5);
    run.step.support_margin = -0.2;
    run_until(&run, 2.5); // the stride before the hit
    run_hit(&run, 60, "chest");
    run.step.support_margin = is_farther ? -0.22 : -0.205;
    run_until(&run, 4);
    run.step.support_margin = NAN;
    run_until(&run, 5);
    assert_near(run_finish(&run, 1)->recovery_time, is_farther ? 1.5 : 0, TINY);
    metrics_destroy(run.metrics);
  }
}

static void test_no_time_is_exactly_none(void **state) {
  (void)state;
  // Times are rounded sums of steps. 240 and 480 steps of 1/240 s are a little less than 1 s and 2 s: rounding changes
  // above these, and the next time minus a step is not the time before.
  Run run;
  int rounded = 0;
  run_start(&run);
  run.step.dt = 1.0 / 240;
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 240; ++k)
      run_step(&run);
    const volatile double next = run.step.time + run.step.dt;
    rounded += next - run.step.dt > run.step.time;
    run_hit(&run, 1, "hand");
  }
  run_for(&run, 1);
  const MetricsHit *hits = run_finish(&run, 8);
  for (int i = 0; i < 8; ++i)
    assert_true(hits[i].recovery_time == 0);
  assert_true(rounded >= 2);
  metrics_destroy(run.metrics);
}

static Scene *start_scene(const char *name, const char *const *overrides, int count, SceneDef **def) {
  Error error = {0};
  *def = scene_def_read(name, overrides, count, &error);
  Scene *scene = *def ? scene_create(*def, &error) : NULL;
  if (!scene)
    fail_msg("%s", error.text);
  return scene;
}

static void end_scene(Scene *scene, SceneDef *def) {
  scene_destroy(scene);
  scene_def_free(def);
}

// A man who stands by the assist's hand, and does not step.
#define HELD                                                                                                           \
  "characters.man.balance.enabled=false", "characters.man.assist.enabled=true", "characters.man.assist.force=100",     \
      "characters.man.assist.torque=40", "characters.man.hit_reaction.enabled=true",                                   \
      "characters.man.responses.enabled=false"

// A man is struck so that he topples slowly: at no time has he recovered.
static void test_a_slow_topple(void **state) {
  (void)state;
  static const char *const overrides[] = {HELD, "seed=2", "events.0.direction=0", "events.0.impulse=70"};
  SceneDef *def;
  Scene *scene = start_scene("hit_stand", overrides, sizeof overrides / sizeof overrides[0], &def);
  const Metrics *metrics = scene->characters[0]->judged->metrics;
  bool recovered = false;
  for (long i = 0; i < def->step_count; ++i) {
    assert_true(scene_step(scene));
    recovered = recovered || value(metrics, "recovered_share") > 0;
  }
  scene_finish(scene);
  int count;
  const MetricsHit *hit = metrics_hits(metrics, &count);
  assert_int_equal(count, 1);
  assert_near(value(metrics, "fell"), 1, 0);
  assert_false(recovered);
  assert_true(isnan(hit->recovery_time));
  assert_string_equal(hit->strategy, "fall");
  assert_true(hit->peak_com_displacement > 0.8); // his own length: the root that his fall drags along does not count
  end_scene(scene, def);
}

// A man struck from the side tips on one foot and then on the other; they land where they were.
static void test_a_tipping_man_takes_no_step(void **state) {
  (void)state;
  static const char *const overrides[] = {HELD, "events.0.direction=90", "events.0.impulse=45"};
  SceneDef *def;
  Scene *scene = start_scene("hit_stand", overrides, sizeof overrides / sizeof overrides[0], &def);
  const Metrics *metrics = scene->characters[0]->judged->metrics;
  for (long i = 0; i < def->step_count; ++i)
    assert_true(scene_step(scene));
  scene_finish(scene);
  int count;
  const MetricsHit *hit = metrics_hits(metrics, &count);
  assert_true(value(metrics, "steps_taken") >= 1); // touch-downs
  assert_int_equal(hit->steps_taken, 0);
  assert_string_equal(hit->strategy, "hip");
  assert_true(hit->recovery_time > 0.5 && hit->recovery_time < 2);
  end_scene(scene, def);
}

// deg, RMS over the joints.
static double pose_error_of(const Character *character) {
  const int count = character->def->body->part_count;
  double sum = 0;
  for (int i = 1; i < count; ++i)
    sum += (double)(character->sensed.joint_error[i] * character->sensed.joint_error[i]);
  return sqrt(sum / (count - 1)) * 180 / M_PI;
}

// A foot is struck while it swings: the effects until the next touch-down belong to the hit.
static void test_a_struck_swinging_foot(void **state) {
  (void)state;
  enum { MOST = 4000 };
  static double errors[MOST]; // after each step
  static const char *const overrides[] = {"seed=3", "duration=16", "events.0.part=[foot_l, foot_r]",
                                          "events.0.impulse=[10, 20]"};
  SceneDef *def;
  Scene *scene = start_scene("hit_run", overrides, 4, &def);
  assert_true(def->step_count <= MOST);
  for (long i = 0; i < def->step_count; ++i) {
    assert_true(scene_step(scene));
    errors[i] = pose_error_of(scene->characters[0]);
  }
  scene_finish(scene);
  int count, late = 0;
  const MetricsHit *hits = metrics_hits(scene->characters[0]->judged->metrics, &count);
  const double stride = (double)scene->characters[0]->def->move->duration;
  for (int i = 0; i < count - 1; ++i) {
    const long first = lround(hits[i].time * 240), last = lround(fmin(hits[i].time + stride, hits[i + 1].time) * 240);
    long worst = first;
    for (long k = first; k < last; ++k)
      if (errors[k] > errors[worst])
        worst = k;
    assert_true(hits[i].peak_pose_error > errors[worst] - 1e-4);
    late += errors[worst] > 5 && worst - first > 60;
    if (errors[worst] > 5)
      assert_true(isnan(hits[i].recovery_time) || hits[i].time + hits[i].recovery_time > (double)worst / 240);
  }
  assert_true(late >= 1);
  end_scene(scene, def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_foot_that_rocks_takes_no_step), cmocka_unit_test(test_pose_error_of_the_undisturbed_stride),
      cmocka_unit_test(test_watch_lasts_a_stride),          cmocka_unit_test(test_what_was_seen_decides),
      cmocka_unit_test(test_a_fall_revokes_recovery),       cmocka_unit_test(test_a_standing_man_must_be_in_balance),
      cmocka_unit_test(test_no_time_is_exactly_none),       cmocka_unit_test(test_a_slow_topple),
      cmocka_unit_test(test_a_tipping_man_takes_no_step),   cmocka_unit_test(test_a_struck_swinging_foot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
