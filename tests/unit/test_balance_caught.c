// A swing foot that is caught: the reflex, raising and lowering of the foot, and the height of the next steps, from
// plain numbers. What becomes of it on a body is in test_balance_trip.c.
#include "ragdoll/balance/balance_internal.h"
#include "tests/fixture.h"

// A body whose length and time differ from 1, `now` s into a step of `duration`, with its right foot in the air.
static Balancer swinging(double now, double duration) {
  Balancer balance = {.mode = BALANCE_STEPPING, .swing = BALANCE_RIGHT, .step_time = now, .duration = duration};
  balance.body.length = 1.5;
  balance.body.time = 2;
  balance.def.clearance = 0.05;
  for (int axis = 0; axis < 3; axis++) {
    balance.swing_ankle[axis] = 9;
    balance.swing_velocity[axis] = 3;
    balance.feet[BALANCE_RIGHT].ankle[axis] = 1 + axis;
  }
  return balance;
}

static const double H = 1.0 / 64; // s

// Something stops the foot in one step of H, and in so many more the body may react.
static void catch_foot(Balancer *balance, int foot, int steps) {
  BalanceCommand command = {.foot_caught = {[0] = foot == 0, [1] = foot == 1}};
  balance_update_trip(balance, &command, H);
  command.foot_caught[foot] = false;
  for (int i = 0; i < steps; i++)
    balance_update_trip(balance, &command, H);
}

static void assert_near(double value, double expected) {
  if (!(fabs(value - expected) < 1e-12))
    fail_msg("%.15g is not %.15g", value, expected);
}

// 0.08 s times 2 after the foot was caught: between 10 and 11 steps of H. It comes once.
static void reflex_comes_after_its_time(void **state) {
  (void)state;
  Balancer balance = swinging(0.1, 0.8);
  catch_foot(&balance, BALANCE_RIGHT, 10);
  assert_true(balance.trip.caught && !balance.trip.raising);
  assert_int_equal(balance.trip.high_steps, 0);
  catch_foot(&balance, BALANCE_RIGHT, 0);
  assert_true(balance.trip.raising);
  assert_int_equal(balance.trip.high_steps, 3);
  balance.trip.high_steps = 1;
  catch_foot(&balance, BALANCE_RIGHT, 20);
  assert_int_equal(balance.trip.high_steps, 1);
}

// Only the foot in the air counts, and only in a step.
static void other_feet_are_not_caught(void **state) {
  (void)state;
  Balancer balance = swinging(0.1, 0.8);
  catch_foot(&balance, BALANCE_LEFT, 20);
  assert_false(balance.trip.caught || balance.trip.raising);
  balance.mode = BALANCE_STANDING;
  catch_foot(&balance, BALANCE_RIGHT, 20);
  assert_false(balance.trip.caught || balance.trip.raising);
}

// Before 0.6 of the step the foot is raised from where it is, and has 0.3 s times 2 left at least.
static void early_foot_is_raised(void **state) {
  (void)state;
  const double cases[][3] = {{0.1, 0.8, 0.8}, {0.4, 0.8, 1}, {0.53, 0.9, 1.13}}; // now, duration, new duration
  for (int i = 0; i < 3; i++) {
    Balancer balance = swinging(cases[i][0], cases[i][1]);
    catch_foot(&balance, BALANCE_RIGHT, 11);
    assert_true(balance.trip.raising);
    assert_near(balance.duration, cases[i][2]);
    for (int axis = 0; axis < 3; axis++) {
      assert_near(balance.swing_ankle[axis], 1 + axis);
      assert_true(balance.swing_velocity[axis] == 0);
    }
  }
}

// From then on it is put down within 0.08 s times 2.
static void late_foot_is_put_down(void **state) {
  (void)state;
  const double cases[][3] = {{0.6, 0.9, 0.76}, {0.7, 0.8, 0.8}, {0.6, 1, 0.76}};
  for (int i = 0; i < 3; i++) {
    Balancer balance = swinging(cases[i][0], cases[i][1]);
    catch_foot(&balance, BALANCE_RIGHT, 11);
    assert_false(balance.trip.raising);
    assert_int_equal(balance.trip.high_steps, 3);
    assert_near(balance.duration, cases[i][2]);
    for (int axis = 0; axis < 3; axis++) {
      assert_near(balance.swing_ankle[axis], 9);
      assert_near(balance.swing_velocity[axis], 3);
    }
  }
}

// From the reflex the foot rises in place for 0.1 s times the body's time, and stays up for as long again.
static void foot_rises_then_moves_on(void **state) {
  (void)state;
  const double cases[][4] = {// body's time, time since the catch, whether in place, time of rising left
                             {2, 0.16, 1, 0.4}, {2, 0.26, 1, 0.3},       {2, 0.46, 0, 0.1},
                             {2, 0.7, 0, 0},    {1.25, 0.225, 0, 0.125}, {1.25, 0.224, 1, 0.126}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = swinging(0.1, 0.8);
    balance.body.time = cases[i][0];
    balance.trip = (BalanceTrip){.caught = true, .raising = true, .time = cases[i][1]};
    bool in_place = cases[i][2] == 0;
    assert_near(balance_raise_left(&balance, &in_place), cases[i][3]);
    assert_int_equal(in_place, (int)cases[i][2]);
    balance.trip.raising = false;
    in_place = true;
    assert_near(balance_raise_left(&balance, &in_place), 0);
    assert_false(in_place);
  }
}

// 15 cm more for three steps, each of which begins anew.
static void next_steps_are_higher(void **state) {
  (void)state;
  Balancer balance = swinging(0.1, 0.8);
  assert_near(balance_clearance(&balance), 0.05 * 1.5);
  catch_foot(&balance, BALANCE_RIGHT, 11);
  for (int left = 3; left > 0; left--) {
    assert_near(balance_clearance(&balance), 0.2 * 1.5);
    balance.trip.raising = balance.trip.caught = true;
    balance.trip.time = 1;
    balance_trip_begin_step(&balance);
    assert_int_equal(balance.trip.high_steps, left - 1);
    assert_false(balance.trip.raising || balance.trip.caught);
    assert_near(balance.trip.time, 0);
  }
  balance_trip_begin_step(&balance);
  assert_int_equal(balance.trip.high_steps, 0);
  assert_near(balance_clearance(&balance), 0.05 * 1.5);
}

// A body that walks toward +x, whose right foot, with its sole 4 cm ahead of the ankle and 26 cm long, has met
// something at x = 1.13.
static Balancer met(bool even, bool raising) {
  Balancer balance = swinging(raising ? 0.1 : 0.7, 0.8);
  balance.body.length = 1;
  balance.heading = M_PI / 2;
  balance.evenness = even ? 1 : 0.9;
  balance.body.legs[BALANCE_RIGHT] = (BalanceLeg){.half_length = 0.13, .sole_ahead = 0.04, .foot_height = 0.07};
  balance.feet[BALANCE_RIGHT].sole[0] = 1;
  balance.feet[BALANCE_RIGHT].yaw = M_PI / 2;
  balance.feet[BALANCE_LEFT].lowest = 0.5;
  catch_foot(&balance, BALANCE_RIGHT, 11);
  assert_true(balance.trip.raising == raising && balance.trip.unseen == even);
  assert_near(balance.trip.place.x, 1.13);
  return balance;
}

// Where his eyes saw even ground, the middle of a sole lands 19 cm before or after what it met: after it if that is
// nearer, or if the foot is being raised over it. Sideways nothing changes.
static void landings_keep_off_the_obstacle(void **state) {
  (void)state;
  const double cases[][3] = {// whether it is raised, where it would land, where it lands
                             {0, 1.2, 1.32},  {0, 1.12, 0.94}, {0, 1.0, 0.94}, {0, 0.93, 0.93},
                             {0, 1.33, 1.33}, {1, 1.0, 1.32},  {1, 1.3, 1.32}, {1, 0.9, 0.9}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = met(true, cases[i][0] != 0);
    Plane2 sole = {.x = cases[i][1], .z = 0.3};
    balance_avoid_obstacle(&balance, &sole);
    assert_near(sole.x, cases[i][2]);
    assert_near(sole.z, 0.3);
    balance.trip.high_steps = 0;
    sole.x = cases[i][1];
    balance_avoid_obstacle(&balance, &sole);
    assert_true(sole.x == cases[i][1]);
  }
  Balancer balance = met(false, false);
  Plane2 sole = {.x = 1.1, .z = 0};
  balance_avoid_obstacle(&balance, &sole);
  assert_true(sole.x == 1.1);
}

// A foot that is not 10 cm above the other one waits with its toes from 4 cm before the obstacle to 5 cm past it.
static void foot_waits_before_the_obstacle(void **state) {
  (void)state;
  const double cases[][3] = {// where the toes are, m ahead of the obstacle; how high the sole is, m; whether it waits
                             {-0.05, 0, 0},    {-0.03, 0, 1},   {0.04, 0, 1}, {0.06, 0, 0},
                             {-0.03, 0.09, 1}, {0.04, 0.09, 1}, {0, 0.11, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = met(true, false);
    const double ankle[3] = {1.13 + cases[i][0] - 0.17, 0.5 + 0.07 + cases[i][1], 0.3};
    assert_int_equal(balance_before_obstacle(&balance, ankle), cases[i][2] != 0);
    balance.trip.high_steps = 0;
    assert_false(balance_before_obstacle(&balance, ankle));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reflex_comes_after_its_time),    cmocka_unit_test(other_feet_are_not_caught),
      cmocka_unit_test(early_foot_is_raised),           cmocka_unit_test(late_foot_is_put_down),
      cmocka_unit_test(foot_rises_then_moves_on),       cmocka_unit_test(next_steps_are_higher),
      cmocka_unit_test(landings_keep_off_the_obstacle), cmocka_unit_test(foot_waits_before_the_obstacle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
