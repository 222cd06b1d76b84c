// The first step after a blow, momentum, work taken up, and trips, of motions that are known.
#include "tests/unit/metrics_run.h"

static const char *const names[] = {"first_step_lift_off",  "first_step_touch_down", "first_step_length",
                                    "first_step_width",     "first_step_margin",     "reaction_steps",
                                    "angular_momentum_max", "absorbed_by_ankles",    "absorbed_by_others"};

// Two feet 0.2 m apart, toward z.
static void stand(Run *run) {
  run_start(run);
  run->step.foot_place[0][0] = 0.1;
  run->step.foot_place[1][0] = -0.1;
}

// The right foot leaves the ground 0.25 s from now, and lands 0.5 s from now 0.3 m ahead and 0.4 m to its side.
static void take_step(Run *run) {
  run_for(run, 0.25);
  run->step.foot_loaded[1] = false;
  run_for(run, 0.25);
  run->step.foot_place[1][0] -= 0.4;
  run->step.foot_place[1][1] += 0.3;
  run->step.foot_loaded[1] = true;
  run->step.support_margin = -0.07;
  run_step(run);
  run->step.support_margin = 0.1;
  run_for(run, 0.25);
}

static void assert_step(const Metrics *metrics) {
  assert_near(value(metrics, "first_step_lift_off"), 0.25 + DT, TINY); // the first step without load ends there
  assert_near(value(metrics, "first_step_touch_down"), 0.5 + DT, TINY);
  assert_near(value(metrics, "first_step_length"), 0.5, TINY);
  assert_near(value(metrics, "first_step_width"), 0.6, TINY);
  assert_near(value(metrics, "first_step_margin"), -0.07, TINY);
}

static void test_first_step_after_a_hit(void **state) {
  (void)state;
  Run run;
  stand(&run);
  move_foot(&run, 0, 0.25, 0.1); // before the blow: none of its steps
  move_foot(&run, 0, 0.25, -0.1);
  run_until(&run, 2);
  assert_false(metrics_follows_reaction(run.metrics, run.step.time + DT));
  run_hit(&run, 5, "pelvis");
  assert_true(metrics_follows_reaction(run.metrics, run.step.time + DT));
  take_step(&run);
  assert_true(metrics_follows_reaction(run.metrics, run.step.time + DT));
  move_foot(&run, 0, 0.25, 0.3);
  move_foot(&run, 0, 0.25, 0.01); // it rocks in place
  assert_step(run.metrics);
  assert_near(value(run.metrics, "reaction_steps"), 2, TINY);
  metrics_destroy(run.metrics);
}

// A protocol's onset counts, not the hit; and a foot in the air at that time gives no answer.
static void test_first_step_after_a_planned_onset(void **state) {
  (void)state;
  Run run;
  stand(&run);
  metrics_set_onset(run.metrics, 2);
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  run_until(&run, 1.75);
  assert_true(isnan(value(run.metrics, "reaction_steps")));
  move_foot(&run, 0, 0.25 + DT, 0.1);
  run.step.foot_loaded[1] = true;
  assert_true(isnan(value(run.metrics, "first_step_touch_down")));
  metrics_destroy(run.metrics);

  stand(&run);
  metrics_set_onset(run.metrics, 2);
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  run_until(&run, 2);
  take_step(&run);
  assert_step(run.metrics);
  metrics_destroy(run.metrics);
}

// The soles of two feet that point ahead: 0.1 m wide, from 0.05 m behind their middle to 0.2 m before it.
static void place_corners(MetricsStep *step) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 4; k++) {
      const double across = k % 2 == 0 ? 0.05 : -0.05, along = k < 2 ? -0.05 : 0.2;
      const double s = sin(step->heading), c = cos(step->heading);
      step->foot_corner[i][k][0] = step->foot_place[i][0] + across * c + along * s;
      step->foot_corner[i][k][1] = step->foot_place[i][1] - across * s + along * c;
    }
}

// A foot that was in the air at the blow strikes the ground 0.1 s later, 0.5 m ahead. Turned by `heading`.
static void strike(Run *run, double heading) {
  const double s = sin(heading), c = cos(heading);
  run_start(run);
  run->step.heading = heading;
  run->step.foot_place[0][0] = 0.1 * c;
  run->step.foot_place[0][1] = -0.1 * s;
  run->step.foot_place[1][0] = -0.1 * c;
  run->step.foot_place[1][1] = 0.1 * s;
  run_until(run, 1);
  run->step.foot_loaded[1] = false;
  run_for(run, 0.25);
  assert_false(metrics_awaits_strike(run->metrics));
  run_hit(run, 5, "pelvis");
  run_for(run, 0.125);
  assert_true(metrics_awaits_strike(run->metrics));
  run->step.foot_place[1][0] += 0.5 * s;
  run->step.foot_place[1][1] += 0.5 * c;
  run->step.foot_loaded[1] = true;
  place_corners(&run->step);
  // The extrapolated centre of mass is 0.2 m ahead of the centre of mass, and 0.03 m to the left of it.
  const double rate = sqrt(9.81 / run->step.com[1]);
  run->step.com[0] = 0.1 * s - run->step.com_velocity[0] * DT;
  run->step.com[2] = 0.1 * c - run->step.com_velocity[2] * DT;
  run->step.com_velocity[0] = rate * (0.2 * s + 0.03 * c);
  run->step.com_velocity[2] = rate * (0.2 * c - 0.03 * s);
  run->step.com[0] -= run->step.com_velocity[0] * DT;
  run->step.com[2] -= run->step.com_velocity[2] * DT;
  run_step(run);
  run->step.com_velocity[0] = run->step.com_velocity[2] = 0;
}

static void test_foot_strike_of_a_swing_under_way(void **state) {
  (void)state;
  const double headings[] = {0, RADIANS(90), RADIANS(200)};
  for (int i = 0; i < 3; i++) {
    Run run;
    strike(&run, headings[i]);
    run_for(&run, 0.25);
    move_foot(&run, 0, 0.25, 0.3); // the second one counts no more
    assert_near(value(run.metrics, "foot_strike_time"), 0.125 + DT, TINY);
    assert_near(value(run.metrics, "foot_strike_length"), 0.5, TINY);
    assert_near(value(run.metrics, "foot_strike_width"), 0.2, TINY);
    // Toes at 0.5 + 0.2, the extrapolated centre of mass at 0.1 + 0.2; the right edge at -0.15, it at 0.03.
    assert_near(value(run.metrics, "foot_strike_margin_ahead"), 0.4, TINY);
    assert_near(value(run.metrics, "foot_strike_margin_side"), 0.18, TINY);
    assert_true(value(run.metrics, "first_step_lift_off") > 0.25); // the other foot's
    assert_false(metrics_awaits_strike(run.metrics));
    metrics_destroy(run.metrics);
  }
}

// A heading of 90 deg: what was ahead is to the side.
static void test_width_is_across_the_heading(void **state) {
  (void)state;
  Run run;
  stand(&run);
  run.step.heading = RADIANS(90);
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  take_step(&run);
  assert_near(value(run.metrics, "first_step_width"), 0.3, TINY);
  metrics_destroy(run.metrics);
}

static void test_own_steps_and_sums(void **state) {
  (void)state;
  Run run;
  stand(&run);
  run.step.balance = (MetricsBalance){.known = true, .steps = 4, .margin = 0.1};
  run.step.angular_momentum[1] = 99;
  run.step.absorbed_power[METRICS_ANKLES] = 1000;
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  run.step.angular_momentum[0] = 3;
  run.step.angular_momentum[1] = -4;
  run.step.absorbed_power[METRICS_ANKLES] = 40;
  run.step.absorbed_power[METRICS_OTHER_JOINTS] = 8;
  run.step.balance.steps = 6;
  run_for(&run, 0.5);
  run.step.balance.steps = 1;
  run.step.absorbed_power[METRICS_ANKLES] = 0;
  run_for(&run, 0.5);
  assert_near(value(run.metrics, "reaction_steps"), 2, TINY);
  assert_near(value(run.metrics, "angular_momentum_max"), 5, TINY);
  assert_near(value(run.metrics, "absorbed_by_ankles"), 20, TINY);
  assert_near(value(run.metrics, "absorbed_by_knees"), 0, TINY);
  assert_near(value(run.metrics, "absorbed_by_hips"), 0, TINY);
  assert_near(value(run.metrics, "absorbed_by_others"), 8, TINY);
  metrics_destroy(run.metrics);
}

// What ends with the onset of a protocol, a blow before it or not, is none of the reaction.
static void test_sums_from_a_planned_onset(void **state) {
  (void)state;
  Run run;
  stand(&run);
  metrics_set_onset(run.metrics, 2);
  run.step.angular_momentum[2] = 99;
  run.step.absorbed_power[METRICS_KNEES] = 1000;
  run.step.balance = (MetricsBalance){.known = true, .steps = 1};
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  run.step.balance.steps = 4;
  run_until(&run, 2);
  run.step.angular_momentum[2] = 2;
  run.step.absorbed_power[METRICS_KNEES] = 10;
  run.step.balance.steps = 5;
  run_for(&run, 0.5);
  assert_near(value(run.metrics, "angular_momentum_max"), 2, TINY);
  assert_near(value(run.metrics, "absorbed_by_knees"), 5, TINY);
  assert_near(value(run.metrics, "reaction_steps"), 1, TINY);
  metrics_destroy(run.metrics);
}

// One who lies there takes no steps, whatever his feet do.
static void test_no_steps_on_the_ground(void **state) {
  (void)state;
  Run run;
  stand(&run);
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  run.step.fallen = true;
  run_for(&run, 0.1);
  take_step(&run);
  assert_near(value(run.metrics, "reaction_steps"), 0, 0);
  assert_true(isnan(value(run.metrics, "first_step_touch_down")));
  metrics_destroy(run.metrics);
}

static void test_no_blow(void **state) {
  (void)state;
  Run run;
  stand(&run);
  run.step.angular_momentum[0] = 3;
  take_step(&run);
  for (int i = 0; i < 9; i++)
    assert_true(isnan(value(run.metrics, names[i])));
  metrics_destroy(run.metrics);
}

// He walks: swings of 0.5 s by turns. In the third one a foot is caught, and lands so far ahead of that place.
static void trip(Run *run, double share, double advance) {
  stand(run);
  run->step.com_velocity[2] = 1;
  run_until(run, 1);
  move_foot(run, 0, 0.5, 0.6);
  move_foot(run, 1, 0.5, 0.6);
  move_foot(run, 1, 0.125, 0.1); // so brief or long a swing tells nothing of the next one
  move_foot(run, 1, 1.75, 0.1);
  run->step.foot_loaded[0] = false;
  run_for(run, share * 0.5);
  run->step.foot_caught[0] = true;
  run->step.foot_place[0][1] = 0;
  run_for(run, 0.1);
  run->step.foot_caught[0] = false;
  run->step.foot_place[0][1] = advance;
  run_for(run, 0.1);
  run->step.foot_loaded[0] = true;
  run_for(run, 0.1);
}

static void test_trips(void **state) {
  (void)state;
  Run run;
  trip(&run, 0.25, 0.4);
  assert_near(value(run.metrics, "trip_swing_share"), 0.25, 0.02);
  assert_near(value(run.metrics, "trip_elevates"), 1, TINY);
  move_foot(&run, 1, 0.5, 0);
  run.step.foot_caught[0] = true; // a second time does not count
  run.step.foot_loaded[0] = false;
  run_for(&run, 0.1);
  assert_near(value(run.metrics, "trip_swing_share"), 0.25, 0.02);
  metrics_destroy(run.metrics);

  trip(&run, 0.75, 0.05);
  assert_near(value(run.metrics, "trip_swing_share"), 0.75, 0.02);
  assert_near(value(run.metrics, "trip_elevates"), 0, TINY);
  metrics_destroy(run.metrics);

  trip(&run, 0.75, 0.1); // as far as a lowered foot comes
  assert_near(value(run.metrics, "trip_elevates"), 0, TINY);
  metrics_destroy(run.metrics);
  trip(&run, 0.75, 0.1001);
  assert_near(value(run.metrics, "trip_elevates"), 1, TINY);
  metrics_destroy(run.metrics);

  stand(&run); // a foot that stands, and one of somebody who does not walk, are not tripped
  run.step.foot_caught[1] = true;
  move_foot(&run, 0, 0.5, 0.6);
  move_foot(&run, 1, 0.5, 0.6);
  assert_true(isnan(value(run.metrics, "trip_swing_share")) && isnan(value(run.metrics, "trip_elevates")));
  metrics_destroy(run.metrics);
}

// From the step in which he begins to get up until his feet alone carry him, without the second that proves it; and the
// steps of the hit.
static void test_rise_and_steps_of_hits(void **state) {
  (void)state;
  Run run;
  stand(&run);
  run_until(&run, 1);
  run_hit(&run, 5, "pelvis");
  move_foot(&run, 0, 0.25, 0.3);
  run.step.fallen = true;
  run_until(&run, 3);
  run.step.rising = true;
  run_until(&run, 5.5);
  run.step.fallen = false;
  run_until(&run, 6);
  run.step.rising = false;
  run_until(&run, 7);
  assert_near(value(run.metrics, "rise_time"), 2.5, TINY);
  assert_near(value(run.metrics, "time_to_get_up"), 6.5 - 1.35, 0.01);
  assert_near(value(run.metrics, "hit_steps_max"), 1, TINY);
  metrics_destroy(run.metrics);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_step_after_a_hit),
      cmocka_unit_test(test_first_step_after_a_planned_onset),
      cmocka_unit_test(test_foot_strike_of_a_swing_under_way),
      cmocka_unit_test(test_width_is_across_the_heading),
      cmocka_unit_test(test_own_steps_and_sums),
      cmocka_unit_test(test_sums_from_a_planned_onset),
      cmocka_unit_test(test_no_steps_on_the_ground),
      cmocka_unit_test(test_no_blow),
      cmocka_unit_test(test_trips),
      cmocka_unit_test(test_rise_and_steps_of_hits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
