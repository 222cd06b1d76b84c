// Calm walking on even ground: the knees are straighter, the hips go along an arc, and the foot lands on its heel.
#include "tests/unit/balance_walker.h"

// The walker at 0.8 m/s on ground that has long been even, about to land 30 cm ahead.
static Balancer walks(void) {
  Balancer balance = walker;
  balance.speed.z = 0.8;
  balance.evenness = balance.trust = 1;
  balance.double_support = 0.1;
  balance.error = (Plane2){.x = 0, .z = 0};
  balance.rolled = balance.lift_yaw = balance.landed_pitch = 0;
  const double height = balance.body.legs[BALANCE_LEFT].foot_height;
  balance.landing = (BalanceLanding){.ankle = {0.1, height, 0.3}, .normal = {0, 1, 0}};
  return balance;
}

// Straight in slow walking that trusts the ground; not beyond 1.4 m/s, nor in a gait without double support, nor for
// who catches himself.
static void legs_are_straight_in_slow_walking(void **state) {
  (void)state;
  const double cases[][2] = {{0.3, 1}, {1, 1}, {1.1, 0.75}, {1.2, 0.5}, {1.4, 0}, {2, 0}, {-1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = walks();
    balance.speed.z = cases[i][0];
    assert_near(balance_straightness(&balance), cases[i][1], 1e-12);
    balance.trust = 0.6;
    assert_near(balance_straightness(&balance), 0.6 * cases[i][1], 1e-12);
    balance.def.double_support = 0;
    assert_near(balance_straightness(&balance), 0, 0);
    balance = walks();
    balance.speed.z = cases[i][0];
    balance.walking = false;
    assert_near(balance_straightness(&balance), 0, 0);
  }
}

// Trust in the ground grows by a quarter a step where it is even, and goes at once where it is not.
static void trust_grows_step_by_step(void **state) {
  (void)state;
  Balancer balance = walks();
  balance.trust = 0;
  for (int i = 1; i <= 6; i++) {
    balance.mode = BALANCE_STANDING;
    balance.mode_time = 9; // the weight has shifted for long enough
    balance.shifting_to_swing = BALANCE_LEFT;
    balance.wanted_to_step = true;
    balance_decide(&balance, f.character->ragdoll, &f.character->ground,
                   &(BalanceCommand){.velocity = {.x = 0, .z = 0.8}}, H);
    assert_int_equal(balance.mode, BALANCE_STEPPING);
    assert_near(balance.trust, fmin(1, 0.25 * i), 1e-12);
  }
}

// The toes point up by 0.2 rad from 0.8 m/s, by nothing up to 0.2 m/s; the less, the less time there is.
static void toes_point_up_before_the_landing(void **state) {
  (void)state;
  const double cases[][2] = {{0.1, 0}, {0.2, 0}, {0.5, 0.1}, {0.8, 0.2}, {1, 0.2}, {1.2, 0.1}, {1.4, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = walks();
    balance.speed.z = cases[i][0];
    assert_near(balance_landing_pitch(&balance), -cases[i][1], 1e-12);
    balance.trust = 0.5;
    assert_near(balance_landing_pitch(&balance), -cases[i][1] / 2, 1e-12);
    balance.landing.ankle[2] = -0.01; // a step back
    assert_near(balance_landing_pitch(&balance), 0, 0);
  }
  Balancer balance = walks();
  balance.error.z = 0.125; // half of what leaves no time, from 9 to 16 cm
  assert_near(balance_landing_pitch(&balance), -0.1, 1e-12);
  balance = walks();
  balance.evenness = 0.25;
  assert_near(balance_landing_pitch(&balance), -0.05, 1e-12);
  balance.trip.high_steps = 1; // over an obstacle
  assert_near(balance_landing_pitch(&balance), 0, 0);
}

// The heel touches the ground where it would stand.
static void heel_touches_where_it_stands(void **state) {
  (void)state;
  const double speeds[] = {0.5, 0.8}, yaws[] = {0, 0.5, -2};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) {
      Balancer balance = walks();
      balance.speed.z = speeds[i];
      const BalanceLeg *leg = &balance.body.legs[BALANCE_LEFT];
      const double behind = leg->half_length - leg->sole_ahead, up = -balance_landing_pitch(&balance);
      assert_true(up > 0 && behind > 0);
      balance.landing.yaw = yaws[k];
      double ankle[3];
      balance_touching_ankle(&balance, ankle);
      const Plane2 flat = {.x = 0, .z = -behind},
                   raised = {.x = 0, .z = -behind * cos(up) + leg->foot_height * sin(up)};
      const Plane2 stand = plane2_add(plane2_of(balance.landing.ankle), plane2_turn(flat, yaws[k])),
                   touch = plane2_add(plane2_of(ankle), plane2_turn(raised, yaws[k]));
      assert_near(touch.x, stand.x, 1e-12);
      assert_near(touch.z, stand.z, 1e-12);
      assert_near(ankle[1] - leg->foot_height * cos(up) - behind * sin(up), balance.landing.ankle[1] - leg->foot_height,
                  1e-12);
    }
}

// One step of the cubic that comes to a place after a time with a velocity, from rest there.
static double first_velocity(double way, double end, double time) {
  return (6 * way / (time * time) - 2 * end / time) * H;
}

// The ankle comes down at 0.3 m/s to 12 mm below where its heel touches, and lower by what the foot lags behind.
static void foot_comes_down_on_its_heel(void **state) {
  (void)state;
  const double lags[][2] = {{-0.02, 0}, {0, 0}, {0.01, 0.01}, {0.03, 0.03}, {0.05, 0.03}};
  for (size_t i = 0; i < sizeof lags / sizeof *lags; i++) {
    Balancer balance = walks();
    double touching[3];
    balance_touching_ankle(&balance, touching);
    balance.feet[BALANCE_LEFT].ankle[1] = balance.swing_ankle[1] + lags[i][0];
    const double way = touching[1] - 0.012 - lags[i][1] - balance.swing_ankle[1];
    BalanceStep step = step_of(&balance);
    balance_swing(&step);
    assert_near(balance.swing_velocity[1], first_velocity(way, -0.3, 0.2), 1e-9);
  }
  Balancer flat = walks();
  flat.trust = 0;
  flat.feet[BALANCE_LEFT].ankle[1] += 0.02;
  BalanceStep step = step_of(&flat);
  balance_swing(&step);
  assert_near(flat.swing_velocity[1], first_velocity(flat.landing.ankle[1] - 0.003 - 0.08, 0, 0.2), 1e-9);
}

// The toes of the foot that stands come down in 0.08 s from where they were as it landed.
static void toes_come_down_after_the_landing(void **state) {
  (void)state;
  const double cases[][2] = {{-0.1, -0.2}, {-0.08, -0.2 * 0.84375}, {-0.06, -0.1}, {-0.02, 0}, {0.2, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = walks();
    balance.step_time = cases[i][0]; // of a step of 0.1 s of double support
    balance.landed_pitch = -0.2;
    assert_near(balance_falling_toes(&balance), cases[i][1], 1e-9);
    balance.error.z = 1; // the heel of the foot that stands does not rise
    BalanceStep step = step_of(&balance);
    balance_stance(&step, (Plane2){.x = -0.1, .z = 0.05});
    const versors sole = step.feet[BALANCE_RIGHT].sole;
    assert_near(2 * atan2((double)sole.x, (double)sole.w), cases[i][1], 1e-6);
  }
}

// The hips' goal, where it is near them: along an arc on trusted ground, at one height on another.
static void hips_go_along_an_arc(void **state) {
  (void)state;
  const double aheads[] = {-0.2, 0, 0.1, 0.25};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      Balancer balance = walks();
      balance.trust = k / 2.0;
      balance.error.z = 1; // the heel stays on the ground
      const double ahead = aheads[i], low = balance.def.walking_stretch - 0.03 * 0.8,
                   high = balance.def.walking_stretch + 0.005 - 0.009 * 0.8, top = low + k / 2.0 * (high - low);
      const double wanted = 0.08 + sqrt(top * top - k / 2.0 * 0.7 * ahead * ahead);
      balance.landing.ankle[2] = ahead + 0.02; // within reach
      balance.landing.ankle[1] = 0.08;
      for (int leg = 0; leg < BALANCE_LEGS; leg++) {
        balance.feet[leg].hip[1] = wanted;
        balance.feet[leg].hip[2] = ahead;
      }
      BalanceStep step = step_of(&balance);
      balance_stance(&step, (Plane2){.x = -0.1, .z = 0.05});
      assert_near(balance.hip_height, wanted, 1e-9);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(legs_are_straight_in_slow_walking),
      cmocka_unit_test(trust_grows_step_by_step),
      cmocka_unit_test(toes_point_up_before_the_landing),
      cmocka_unit_test(heel_touches_where_it_stands),
      cmocka_unit_test(foot_comes_down_on_its_heel),
      cmocka_unit_test(toes_come_down_after_the_landing),
      cmocka_unit_test(hips_go_along_an_arc),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
