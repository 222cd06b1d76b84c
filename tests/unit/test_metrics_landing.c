// Metrics of a fall whose touches and speeds are known.
#include "sim/base/support.h"
#include "tests/unit/metrics_run.h"

// The parts come down faster and faster, by gravity from 1 s on: hand, pelvis and head by shares of the same speed.
static void come_down(Run *run, double until) {
  MetricsLanding *landing = &run->step.landing;
  while (run->step.time < until - DT / 2) {
    double speed = STANDARD_GRAVITY * (run->step.time + DT - 1);
    landing->pelvis_speed = speed;
    landing->hand_speed[0] = 0.4 * speed;
    landing->hand_speed[1] = 0.5 * speed;
    landing->head_speed = 0.8 * speed;
    run_step(run);
  }
}

// Touches by turns: the right hand at 1.3 s, the pelvis at 1.4 s, the head at 1.5 s.
static void land(Run *run) {
  MetricsLanding *landing = &run->step.landing;
  landing->reach_speed[0] = 2.5;
  come_down(run, 1.25);
  landing->reach_speed[0] = 1;
  come_down(run, 1.3125 - DT);
  landing->hand_touches[1] = true;
  run->step.fallen = true;
  come_down(run, 1.3125);
  landing->reach_speed[1] = 9; // of a hand that is on the ground, and of the other one, do not count any more
  come_down(run, 1.4375 - DT);
  landing->pelvis_touches = true;
  landing->knee = RADIANS(70);
  landing->hip = RADIANS(40);
  come_down(run, 1.4375);
  landing->knee = landing->hip = 0;
  come_down(run, 1.5 - DT);
  landing->head_touches = true;
  come_down(run, 1.5);
}

static void assert_landing(const Metrics *metrics) {
  // 0.2 m/s are passed in the first step whose end is later than 1 s + 0.2 / g: its beginning is the first moment.
  double begins = floor((1 + 0.2 / STANDARD_GRAVITY) / DT) * DT;
  assert_near(value(metrics, "fall_time_to_hand"), 1.3125 - begins, TINY);
  assert_near(value(metrics, "fall_time_to_pelvis"), 1.4375 - begins, TINY);
  assert_near(value(metrics, "fall_hand_lead"), 0.125, TINY);
  assert_near(value(metrics, "fall_hand_speed"), 0.5 * STANDARD_GRAVITY * (0.3125 - DT), TINY);
  assert_near(value(metrics, "fall_pelvis_speed"), STANDARD_GRAVITY * (0.4375 - DT), TINY);
  assert_near(value(metrics, "fall_head_speed"), 0.8 * STANDARD_GRAVITY * (0.5 - DT), TINY);
  assert_near(value(metrics, "fall_reach_speed"), 2.5, TINY);
  assert_near(value(metrics, "fall_knee_flexion"), 70, 1e-9);
  assert_near(value(metrics, "fall_hip_flexion"), 40, 1e-9);
}

static void test_landing_of_a_known_fall(void **state) {
  (void)state;
  Run run;
  run_start(&run);
  run.step.landing.known = true;
  // He squats before, which is no fall, however fast his hands are.
  run_until(&run, 0.5);
  run.step.landing.pelvis_speed = 0.9;
  run.step.landing.reach_speed[0] = 7;
  run_until(&run, 0.7);
  run.step.landing.pelvis_speed = 0;
  run_until(&run, 1);
  land(&run);
  assert_landing(run.metrics);
  run_until(&run, 4); // more than 1 s later another fall begins, which does not count
  run.step.landing = (MetricsLanding){.known = true};
  run_until(&run, 5);
  run.step.landing.pelvis_speed = 2;
  run_until(&run, 5.5);
  run.step.landing.hand_touches[0] = run.step.landing.pelvis_touches = true;
  run_until(&run, 6);
  assert_landing(run.metrics);
  metrics_destroy(run.metrics);
}

// The pelvis may come first, and hand and head not at all.
static void test_landing_without_hands(void **state) {
  (void)state;
  for (int hand = 0; hand < 2; hand++) {
    Run run;
    run_start(&run);
    run.step.landing.known = true;
    run_until(&run, 1);
    come_down(&run, 1.4375 - DT);
    run.step.fallen = run.step.landing.pelvis_touches = true;
    come_down(&run, 1.5 - DT);
    run.step.landing.hand_touches[0] = hand;
    come_down(&run, 1.5);
    run.step.landing.head_touches = hand;
    run_for(&run, hand ? 0.1 : 2);
    run.step.landing.hand_touches[0] = true; // 2 s later: no part of this fall any more
    run_for(&run, 0.1);
    if (hand)
      assert_near(value(run.metrics, "fall_hand_lead"), -0.0625, TINY);
    else
      assert_true(isnan(value(run.metrics, "fall_hand_lead")) && isnan(value(run.metrics, "fall_head_speed")));
    assert_near(value(run.metrics, "fall_pelvis_speed"), STANDARD_GRAVITY * (0.4375 - DT), TINY);
    metrics_destroy(run.metrics);
  }
}

// A hand is a touch by itself, either of them: the descent that it stops goes on.
static void test_a_hand_alone_is_a_touch(void **state) {
  (void)state;
  for (int hand = 0; hand < METRICS_HANDS; hand++) {
    Run run;
    run_start(&run);
    run.step.landing.known = true;
    run_until(&run, 1);
    come_down(&run, 1.3125 - DT);
    run.step.landing.hand_touches[hand] = true;
    come_down(&run, 1.3125);
    run.step.landing.pelvis_speed = 0;
    run_until(&run, 1.5 - DT);
    run.step.fallen = run.step.landing.pelvis_touches = true;
    run_until(&run, 1.5);
    assert_near(value(run.metrics, "fall_hand_lead"), 0.1875, TINY);
    metrics_destroy(run.metrics);
  }
}

// Who does not fall has no such figures, nor has a body that has no hands.
static void test_no_landing(void **state) {
  (void)state;
  static const char *const names[] = {"fall_time_to_hand", "fall_time_to_pelvis", "fall_hand_lead",
                                      "fall_hand_speed",   "fall_pelvis_speed",   "fall_head_speed",
                                      "fall_reach_speed",  "fall_knee_flexion",   "fall_hip_flexion"};
  for (int known = 0; known < 2; known++) {
    Run run;
    run_start(&run);
    run.step.landing.known = known;
    run_until(&run, 1);
    if (known)
      come_down(&run, 1.2);
    else
      land(&run);
    for (int i = 0; i < 9; i++)
      assert_true(isnan(value(run.metrics, names[i])));
    metrics_destroy(run.metrics);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_landing_of_a_known_fall),
      cmocka_unit_test(test_landing_without_hands),
      cmocka_unit_test(test_a_hand_alone_is_a_touch),
      cmocka_unit_test(test_no_landing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
