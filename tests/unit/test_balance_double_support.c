// Double support in walking: how the weight passes from foot to foot, when there is no time for it, and the heel that
// rises.
#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/balance/lipm.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double H = 1.0 / 1024; // s

static Fixture f;
static Balancer walker; // whose right foot has just landed 0.5 m ahead of the left one
static JointGoal goals[BODY_MAX_PARTS];

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  f.character_def.balance.double_support = 0.125;
  fixture_start(&f);
  walker = f.character->balance;
  walker.body.length = walker.body.time = walker.body.force = 1;
  walker.mode = BALANCE_STEPPING;
  walker.walking = true;
  walker.heading = walker.turn_rate = 0;
  walker.swing = BALANCE_LEFT;
  walker.duration = 0.45;
  walker.double_support = 0.125;
  walker.step_time = -0.125;
  walker.evenness = 1;
  walker.omega = 3.2;
  walker.xi = (Plane2){.x = 0, .z = 0.2};
  walker.error = (Plane2){.x = 0, .z = 0};
  walker.speed = walker.step_speed = (Plane2){.x = 0, .z = 1};
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const double x = walker.body.legs[i].hip_left, z = i == BALANCE_LEFT ? -0.25 : 0.25;
    walker.feet[i] = (BalanceFoot){
        .hip = {x, 0.9, 0}, .knee = {x, 0.5, 0.05}, .ankle = {x, 0.07, z - 0.05}, .sole = {x, 0, z}, .loaded = true};
  }
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static BalanceStep step_of(Balancer *balance) {
  memset(goals, 0, sizeof goals);
  return (BalanceStep){.balance = balance,
                       .ragdoll = f.character->ragdoll,
                       .ground = &f.character->ground,
                       .h = H,
                       .goals = goals,
                       .pelvis = glms_quat_identity()};
}

static void near(Plane2 a, Plane2 b) {
  if (!(plane2_length(plane2_sub(a, b)) < 1e-12))
    fail_msg("(%.15g, %.15g) is not (%.15g, %.15g)", a.z, a.x, b.z, b.x);
}

// The share of the front foot grows evenly from 0 to 1, the pressure goes from the rear toes to under that foot.
static void weight_passes_evenly_from_the_toes(void **state) {
  (void)state;
  Balancer balance = walker;
  const BalanceFoot *rear = &balance.feet[BALANCE_LEFT];
  const Plane2 toes = {.x = rear->sole[0], .z = rear->sole[2] + balance.body.legs[BALANCE_LEFT].half_length};
  const Plane2 pressure = plane2_of(balance.feet[BALANCE_RIGHT].sole);
  const double shares[] = {0, 0.25, 0.5, 1, 1};
  for (int i = 0; i < 5; i++) {
    balance.step_time = i < 4 ? 0.125 * (shares[i] - 1) : 0.2;
    assert_true(balance_weight_share(&balance) == shares[i]);
    near(balance_whole_pressure(&balance, pressure), plane2_between(toes, pressure, shares[i]));
  }
}

// xi counts as ahead by less and less, by nothing when the foot is lifted; and what it counts as runs away from the
// standing foot as over resting pressure, while xi itself goes with the moving one.
static void xi_counts_as_it_will_be_when_the_foot_is_lifted(void **state) {
  (void)state;
  Balancer balance = walker;
  const Plane2 pressure = plane2_of(balance.feet[BALANCE_RIGHT].sole);
  const double omega = balance_divergence(&balance) * balance.omega;
  const Plane2 before = balance_xi_as_it_counts(&balance, pressure);
  Plane2 way = plane2_sub(pressure, balance_whole_pressure(&balance, pressure));
  near(before, plane2_add(balance.xi, plane2_scale(way, lipm_handover(omega, 0.125))));
  enum { STEPS = 1 << 12 };
  const double h = 0.125 / STEPS;
  for (int i = 0; i < STEPS; i++) { // midpoint rule: the pressure between two steps is their mean
    Plane2 from = balance_whole_pressure(&balance, pressure);
    balance.step_time = -0.125 * (STEPS - i - 1) / STEPS;
    Plane2 mean = plane2_between(from, balance_whole_pressure(&balance, pressure), 0.5);
    balance.xi = lipm_predict(balance.xi, mean, omega, h);
  }
  Plane2 after = balance_xi_as_it_counts(&balance, pressure);
  near(after, balance.xi);
  assert_true(plane2_length(plane2_sub(after, lipm_predict(before, pressure, omega, 0.125))) < 1e-7);
}

// Off the path by up to 4.5 cm aside or 9 ahead there is no haste, from 9 and 16 on all of it, and in between as much
// as the error; along the heading. Behind by 25 to 40 cm there is no haste either, but less and less double support.
static void hastens_off_his_path(void **state) {
  (void)state;
  const Plane2 ways[] = {{.x = 1, .z = 0}, {.x = -1, .z = 0}, {.x = 0, .z = 1}, {.x = 0, .z = -1}};
  const double calm[] = {0.045, 0.045, 0.09, 0.25}, great[] = {0.09, 0.09, 0.16, 0.4};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k <= 4; k++) {
      Balancer balance = walker;
      balance.heading = i;
      balance.error =
          plane2_turn(plane2_scale(ways[i], calm[i] + (k - 1) / 2.0 * (great[i] - calm[i])), balance.heading);
      const double haste = k < 1 ? 0 : k > 3 ? 1 : (k - 1) / 2.0;
      assert_true(fabs(balance_haste(&balance) - (i < 3 ? haste : 0)) < 1e-12);
      assert_true(fabs(balance_double_support(&balance) - (1 - haste) * 0.125) < 1e-12);
      assert_true(fabs(balance_roll_share(&balance) - (1 - haste)) < 1e-12);
    }
}

// From 1 to 1.4 m/s the double support goes.
static void goes_with_speed(void **state) {
  (void)state;
  const double speeds[] = {0.5, 1, 1.1, 1.3, 1.4, 2}, shares[] = {1, 1, 0.75, 0.25, 0, 0};
  for (int i = 0; i < 6; i++) {
    walker.speed.z = speeds[i];
    assert_true(fabs(balance_double_support(&walker) - shares[i] * 0.125) < 1e-12);
  }
}

// Who lands on his path keeps both feet on the ground for the time asked; who is thrown, or does not walk on, does not.
static void begins_as_a_foot_lands(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    Balancer balance = walker;
    const BalanceCommand command = {.velocity = {.x = 0, .z = i == 2 ? 0 : 1}};
    balance.speed.z = i == 2 ? 0 : 1;
    balance.step_time = 0.44;
    balance.error.x = i == 1 ? 0.1 : 0;
    balance_decide(&balance, f.character->ragdoll, &f.character->ground, &command, H);
    if (i == 2) {
      assert_int_equal(balance.mode, BALANCE_STANDING);
      continue;
    }
    assert_int_equal(balance.swing, BALANCE_RIGHT);
    assert_true(balance.step_time == (i == 0 ? -0.125 : 0));
    assert_true(balance.double_support == -balance.step_time);
    assert_true(fabs(balance.duration - (i == 0 ? 0.46 : 0.33)) < 1e-12);
  }
}

// Who walks backward or on the spot lifts a foot as the other lands, and so does who stands.
static void is_for_walking_ahead(void **state) {
  (void)state;
  Balancer balance = walker;
  assert_true(balance_double_support(&balance) == 0.125);
  balance.speed.z = 0;
  assert_true(balance_double_support(&balance) == 0);
  balance.speed.z = -0.3;
  assert_true(balance_double_support(&balance) == 0);
  balance.speed.z = 1;
  balance.walking = false;
  assert_true(balance_double_support(&balance) == 0);
}

// Who is thrown meanwhile lifts the foot at once: the time that both feet have carried is known.
static void lifts_the_foot_when_thrown(void **state) {
  (void)state;
  Balancer balance = walker;
  balance.step_time = -0.05;
  const Plane2 pressure = plane2_of(balance.feet[BALANCE_RIGHT].sole);
  balance_plan_landing(&balance, &f.character->ground, pressure);
  assert_true(balance.step_time == -0.05);
  balance.error.x = 0.09;
  balance_plan_landing(&balance, &f.character->ground, pressure);
  assert_true(balance.step_time == 0 && fabs(balance.double_support - 0.075) < 1e-12);
}

// The step after a landing is planned for a gait with double support: with xi on the path of that gait it has the
// wanted length and width.
static void plans_steps_of_the_gait(void **state) {
  (void)state;
  Balancer balance = walker;
  const double omega = balance_divergence(&balance) * balance.omega, width = balance.def.step_width;
  const double side = balance.body.legs[BALANCE_LEFT].side, whole = balance.duration + 0.125;
  const Plane2 stance = plane2_of(balance.feet[BALANCE_RIGHT].sole);
  balance.speed_excess = (Plane2){.x = 0, .z = 0};
  balance.step_time = 0;
  balance.calmness = 1;
  Plane2 offset = balance_gait_offset(&balance, balance.speed, width, side, balance.duration, 0.125);
  balance.xi = plane2_add(stance, plane2_scale(offset, exp(omega * 0.125))); // after double support
  Plane2 sole;
  balance_plan(&balance, BALANCE_LEFT, balance.duration, balance.duration, stance, &sole);
  near(plane2_sub(sole, stance), (Plane2){.x = side * width, .z = whole});
}

// A leg near its hip keeps its heel on the ground; farther away the heel rises until the leg has 0.965 of its length.
static void heel_rises_by_what_the_leg_lacks(void **state) {
  (void)state;
  Balancer balance = walker;
  BalanceStep step = step_of(&balance);
  const BalanceLeg *leg = &balance.body.legs[BALANCE_RIGHT];
  BalanceFoot *foot = &balance.feet[BALANCE_RIGHT];
  double toes[3];
  vec3s front = leg->leg->sole_l;
  front.z += (float)leg->half_length;
  ragdoll_point(f.character->ragdoll, leg->leg->ankle, front, toes);
  const double length = leg->sole_ahead + leg->half_length, ankle_height = leg->foot_height;
  double before = 0;
  for (int i = 0; i < 8; i++) {
    foot->hip[0] = toes[0];
    foot->hip[2] = toes[2] - length + 0.06 * i; // ahead of the ankle
    const double height = toes[1] + ankle_height + 0.79;
    const double rise = balance_heel_rise(&step, BALANCE_RIGHT, height);
    const double longest = 0.965 * (leg->thigh + leg->shin);
    const double ahead = -length * cos(rise) + ankle_height * sin(rise);
    const double up = length * sin(rise) + ankle_height * cos(rise);
    const double distance = hypot(foot->hip[2] - toes[2] - ahead, height - toes[1] - up);
    if (hypot(0.06 * i, 0.79) < longest)
      assert_true(rise == 0);
    else
      assert_true(rise > before && fabs(distance - longest) < 1e-6);
    before = rise;
  }
  assert_true(before > 0.2);
}

// A sole whose heel has been raised by a tenth of a radian is pressed at its toes, half as much half way there.
static void pressure_goes_to_the_toes(void **state) {
  (void)state;
  Balancer balance = walker;
  BalanceStep step = step_of(&balance);
  const Leg *leg = balance.body.legs[BALANCE_RIGHT].leg;
  double sole[3];
  ragdoll_point(f.character->ragdoll, leg->ankle, leg->sole_l, sole);
  const Plane2 middle = plane2_of(sole), toes = {.x = middle.x, .z = middle.z + 0.13};
  const double rises[] = {0, 0.05, 0.1, 0.4}, shares[] = {0, 0.5, 1, 1};
  for (int i = 0; i < 4; i++) {
    Plane2 pressure = balance_roll_pressure(&step, BALANCE_RIGHT, middle, rises[i]);
    assert_true(plane2_length(plane2_sub(pressure, plane2_between(middle, toes, shares[i]))) < 1e-6);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(weight_passes_evenly_from_the_toes),
      TEST(xi_counts_as_it_will_be_when_the_foot_is_lifted),
      TEST(hastens_off_his_path),
      TEST(goes_with_speed),
      TEST(begins_as_a_foot_lands),
      TEST(is_for_walking_ahead),
      TEST(lifts_the_foot_when_thrown),
      TEST(plans_steps_of_the_gait),
      TEST(heel_rises_by_what_the_leg_lacks),
      TEST(pressure_goes_to_the_toes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
