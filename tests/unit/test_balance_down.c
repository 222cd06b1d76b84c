// A walker's step down: the foot leaves the higher ground well above it and lands on its toes, and the hips come down
// to where it touches the ground.
#include "tests/unit/balance_walker.h"

// The walker, about to land that far below the foot that stands.
static Balancer goes_down(double drop) {
  Balancer balance = walker;
  balance.speed.z = 0.5;
  balance.rolled = balance.lift_yaw = 0;
  const double height = balance.body.legs[BALANCE_LEFT].foot_height;
  balance.landing = (BalanceLanding){.ankle = {0.1, height - drop, 0.3}, .normal = {0, 1, 0}};
  return balance;
}

static BalanceStep swing(Balancer *balance) {
  BalanceStep step = step_of(balance);
  balance_swing(&step);
  return step;
}

// Toes point down by 0.4 rad where the drop is 12 cm, by nothing up to 6 cm; not on a slope, nor for a step back or one
// that catches the body.
static void toes_point_down_over_a_drop(void **state) {
  (void)state;
  const double cases[][2] = {{-0.2, 0}, {0, 0}, {0.06, 0}, {0.09, 0.2}, {0.12, 0.4}, {0.3, 0.4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = goes_down(cases[i][0]);
    assert_near(balance_landing_pitch(&balance), cases[i][1], 1e-12);
    balance.landing.sloped = true;
    assert_near(balance_landing_pitch(&balance), 0, 0);
    balance = goes_down(cases[i][0]);
    balance.landing.ankle[2] = -0.01;
    assert_near(balance_landing_pitch(&balance), 0, 0);
    balance = goes_down(cases[i][0]);
    balance.speed.z = -0.1;
    assert_near(balance_landing_pitch(&balance), 0, 0);
    balance = goes_down(cases[i][0]);
    balance.walking = false;
    assert_near(balance_landing_pitch(&balance), 0, 0);
  }
  Balancer turned = goes_down(0.2);
  turned.heading = M_PI / 2; // what lies ahead of the world is beside him
  turned.landing.ankle[0] = -0.11;
  assert_near(balance_landing_pitch(&turned), 0, 0);
  turned.landing.ankle[0] = -0.09;
  assert_near(balance_landing_pitch(&turned), 0.4, 1e-12);
}

// The toes touch the ground where they would stand.
static void toes_touch_where_they_stand(void **state) {
  (void)state;
  const double drops[] = {0, 0.08, 0.17}, yaws[] = {0, 0.5, -2};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      Balancer balance = goes_down(drops[i]);
      const BalanceLeg *leg = &balance.body.legs[BALANCE_LEFT];
      const double ahead = leg->sole_ahead + leg->half_length, down = balance_landing_pitch(&balance);
      balance.landing.yaw = yaws[k];
      double ankle[3];
      balance_touching_ankle(&balance, ankle);
      const Plane2 flat = {.x = 0, .z = ahead},
                   raised = {.x = 0, .z = ahead * cos(down) - leg->foot_height * sin(down)};
      const Plane2 stand = plane2_add(plane2_of(balance.landing.ankle), plane2_turn(flat, yaws[k])),
                   touch = plane2_add(plane2_of(ankle), plane2_turn(raised, yaws[k]));
      assert_near(touch.x, stand.x, 1e-12);
      assert_near(touch.z, stand.z, 1e-12);
      assert_near(ankle[1] - leg->foot_height * cos(down) - ahead * sin(down),
                  balance.landing.ankle[1] - leg->foot_height, 1e-12);
    }
}

// One step of the cubic that comes to rest at a place after a time, from rest there.
static double first_velocity(double way, double time) { return fmax(-150, fmin(150, 6 * way / (time * time))) * H; }

// The foot rises 7 cm higher where it lands 20 cm below the ground on its way, and no higher from 10 cm; its ankle goes
// to where it touches the ground.
static void foot_leaves_the_tread_higher(void **state) {
  (void)state;
  const double cases[][2] = {{0.1, 0}, {0.15, 0.035}, {0.2, 0.07}, {0.3, 0.07}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = goes_down(cases[i][0]);
    balance.step_time = 0;
    double touching[3];
    balance_touching_ankle(&balance, touching);
    swing(&balance);
    const double top = balance.body.legs[BALANCE_LEFT].foot_height + balance.def.clearance + cases[i][1];
    assert_near(balance.swing_velocity[1], first_velocity(top - 0.08, 0.45 * 0.4), 1e-9);
    assert_near(balance.swing_velocity[2], 6 * touching[2] / (0.36 * 0.36) * H, 1e-9);
  }
}

// The sole turns from 0.4 of the step to 0.8.
static void sole_turns_its_toes_down(void **state) {
  (void)state;
  const double cases[][2] = {{0.4, 0}, {0.5, 0.4 * 0.15625}, {0.6, 0.2}, {0.8, 0.4}, {0.95, 0.4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = goes_down(0.17);
    balance.step_time = cases[i][0] * 0.4;
    const BalanceStep step = swing(&balance);
    const versors sole = step.feet[BALANCE_LEFT].sole;
    assert_near(2 * atan2((double)sole.x, (double)sole.w), cases[i][1], 1e-6);
  }
}

// The hips come no higher than the leg reaches that place from, but for 1.2 m/s that they may still sink.
static void hips_come_down_to_where_the_toes_touch(void **state) {
  (void)state;
  Balancer balance = goes_down(0.17);
  const BalanceLeg *leg = &balance.body.legs[BALANCE_LEFT];
  double touching[3];
  balance_touching_ankle(&balance, touching);
  const double reach = 0.9905 * (leg->thigh + leg->shin), left = 0.05;
  const double limit = touching[1] + sqrt(reach * reach - touching[2] * touching[2]) + 1.2 * left;
  balance.step_time = balance.duration - left;
  balance.feet[0].hip[1] = balance.feet[1].hip[1] = limit;
  BalanceStep step = step_of(&balance);
  balance_stance(&step, (Plane2){.x = -0.1, .z = 0.05});
  assert_near(balance.hip_height, limit, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(toes_point_down_over_a_drop),
      cmocka_unit_test(toes_touch_where_they_stand),
      cmocka_unit_test(foot_leaves_the_tread_higher),
      cmocka_unit_test(sole_turns_its_toes_down),
      cmocka_unit_test(hips_come_down_to_where_the_toes_touch),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
