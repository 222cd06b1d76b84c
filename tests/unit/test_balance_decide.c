// When the balance controller begins and ends a step, and with which foot: each threshold from just below and just
// above.
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"

static const double H = 1.0 / 1024; // s, a power of two: sums of steps are exact

static Fixture f;
static Balancer calm; // who stands still with his feet side by side, xi between them
static const BalanceCommand still;

static int begin(void **state) {
  (void)state;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  calm = f.character->balance;
  calm.body.length = calm.body.time = 1;
  calm.mode = BALANCE_STANDING;
  calm.mode_time = 1;
  calm.margin = 0.05;
  calm.heading = 0;
  calm.shifting_to_swing = calm.to_lift = -1;
  calm.last_swing = BALANCE_RIGHT;
  calm.xi = (Plane2){.x = 0, .z = 0};
  for (int axis = 0; axis < 3; axis++)
    calm.com[axis] = calm.velocity[axis] = calm.ground_velocity[axis] = 0;
  for (int i = 0; i < BALANCE_LEGS; i++) {
    BalanceFoot *foot = &calm.feet[i];
    *foot = (BalanceFoot){.hip = {calm.body.legs[i].hip_left, 0.9, 0}, .loaded = true};
    foot->sole[0] = foot->ankle[0] = calm.body.legs[i].hip_left;
  }
  return 0;
}

static int end(void **state) {
  (void)state;
  fixture_end(&f);
  return 0;
}

static void decide(Balancer *balance, const BalanceCommand *command) {
  balance_decide(balance, f.character->ragdoll, &f.character->ground, command, H);
}

// ---- The command ----

// A command of 5 cm/s is standing, a faster one walking; who is told to stop walks until he is as slow.
static void walks_from_five_centimetres_a_second(void **state) {
  (void)state;
  const double slow = 0.049, fast = 0.051, braking = 0.6 * H;
  for (int i = 0; i < 2; i++) {
    Balancer balance = calm;
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0.0, .z = i == 0 ? slow : fast}});
    assert_int_equal(balance.walking, i == 1);
    balance = calm;
    balance.speed.z = i == 0 ? slow : fast;
    decide(&balance, &still);
    assert_false(balance.walking); // who stands is not made to walk by a speed
    balance.walking = true;
    balance.mode = BALANCE_STEPPING;
    balance.duration = 10;
    balance.speed.z = i == 0 ? slow : fast;
    decide(&balance, &still);
    assert_int_equal(balance.walking, i == 1);
    assert_true(fabs(balance.speed.z - (i == 0 ? 0 : fast - braking)) < 1e-12);
  }
}

// On a slope of 20 deg he goes at 0.3 m/s at most, 5.2 m/s faster for each unit by which it is gentler, up and down;
// who stands has no slope before him.
static void goes_slower_where_it_is_steep(void **state) {
  (void)state;
  const double cases[][2] = {{0.364, 0.3}, {0.5, 0.3}, {-0.364, 0.3}, {0.264, 0.82}, {-0.264, 0.82}, {0.1, 1}, {0, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    const double slope = cases[i][0], length = sqrt(1 + slope * slope);
    balance.walking = true;
    balance.mode = BALANCE_STEPPING;
    balance.swing = BALANCE_LEFT;
    balance.duration = 10;
    balance.def.acceleration = 1e4;
    balance.landing =
        (BalanceLanding){.ankle = {0.1, slope * 0.3, 0.3}, .normal = {0, 1 / length, -slope / length}, .sloped = true};
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = 1}});
    assert_true(fabs(balance.speed.z - cases[i][1]) < 1e-9);
    balance.landing.sloped = false;
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0.6, .z = 0.8}});
    assert_true(fabs(balance.speed.z - 0.8) < 1e-9 && fabs(balance.speed.x - 0.6) < 1e-9);
  }
}

// The walking speed changes by the acceleration at most, while a foot swings; who stands has none.
static void speed_follows_the_command_in_steps(void **state) {
  (void)state;
  Balancer balance = calm;
  const BalanceCommand command = {.velocity = {.x = 0.3, .z = 0.4}};
  balance.walking = true;
  balance.mode = BALANCE_STEPPING;
  balance.duration = 10;
  balance.evenness = 1;
  decide(&balance, &command);
  assert_true(fabs(balance.speed.x - 0.6 * 0.6 * H) < 1e-12 && fabs(balance.speed.z - 0.8 * 0.6 * H) < 1e-12);
  balance.speed = (Plane2){.x = 0.3, .z = 0.4 - 0.5 * 0.6 * H};
  decide(&balance, &command);
  assert_true(fabs(balance.speed.x - 0.3) < 1e-12 && fabs(balance.speed.z - 0.4) < 1e-12); // not beyond
  balance = calm;
  balance.speed.z = 0.04;
  decide(&balance, &still);
  assert_true(balance.speed.z == 0);
}

// Over steps of the ground, as far as it is uneven, he goes at 0.6 m/s at least, but not on a slope nor as he stops.
static void goes_no_slower_over_steps(void **state) {
  (void)state;
  const double cases[][4] = {// evenness, wanted, slope; speed
                             {0, 0.4, 0, 0.6}, {0, 0.7, 0, 0.7},   {0.25, 0.4, 0, 0.45}, {0.5, 0.4, 0, 0.4},
                             {0, 0, 0, 0},     {0, 0.4, 0.2, 0.4}, {0, 0.051, 0, 0.6},   {0, 0.049, 0, 0.049}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    const double slope = cases[i][2], length = sqrt(1 + slope * slope);
    balance.walking = true;
    balance.mode = BALANCE_STEPPING;
    balance.duration = 10;
    balance.def.acceleration = 1e4;
    balance.speed.z = 0.2;
    balance.evenness = cases[i][0];
    balance.landing = (BalanceLanding){
        .ankle = {0.1, slope * 0.3, 0.3}, .normal = {0, 1 / length, -slope / length}, .sloped = slope > 0};
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = cases[i][1]}});
    if (!(fabs(balance.speed.z - cases[i][3]) < 1e-9))
      fail_msg("evenness %g, %g m/s wanted: %g m/s", cases[i][0], cases[i][1], balance.speed.z);
  }
}

// He turns to the commanded heading in 0.3 s, the short way round, and at most by 0.4 m/s^2 to the side: as at 0.3 m/s
// when he is slower than that.
static void turns_within_the_acceleration_to_the_side(void **state) {
  (void)state;
  const double cases[][4] = {// heading, command, speed; turn rate
                             {0, 0.15, 0, 0.5},      {0, 1, 0, 0.4 / 0.3},    {0, -1, 0, -0.4 / 0.3},
                             {0, 1, 0.8, 0.4 / 0.8}, {3.1, -3.1, 0, 0.27728}, {0, 1, 0.2, 0.4 / 0.3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    balance.walking = true;
    balance.mode = BALANCE_STEPPING;
    balance.duration = 10;
    balance.heading = cases[i][0];
    balance.turn_rate = 2 * cases[i][3]; // a turn that ends, ends at once
    balance.speed.z = cases[i][2];
    decide(&balance, &(BalanceCommand){.heading = cases[i][1], .velocity = {.x = 0, .z = cases[i][2]}});
    if (!(fabs(balance.turn_rate - cases[i][3]) < 1e-5))
      fail_msg("from %g to %g: %g rad/s", cases[i][0], cases[i][1], balance.turn_rate);
    assert_true(fabs(balance.heading - cases[i][0] - balance.turn_rate * H) < 1e-12);
  }
}

// The turn of a walker sets in by 0.8 rad/s^2, also from one side to the other; who stands turns at once, by more than
// 0.55 rad only once he steps, as in walking.
static void turns_begin_gently(void **state) {
  (void)state;
  const double cases[][4] = {// walks, rate so far, heading wanted; rate then
                             {1, 0, 1, 0.8 * H},
                             {1, 0, -1, -0.8 * H},
                             {1, 0.1, 1, 0.1 + 0.8 * H},
                             {1, 0.2, -1, 0.2 - 0.8 * H},
                             {1, -0.2, 1, -0.2 + 0.8 * H},
                             {1, 0.2, 0.03, 0.1},
                             {1, 0.1 - 0.1 * H, 0.03, 0.1},
                             {0, 0, 0.54, 0.4 / 0.3},
                             {0, 0, 0.56, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    balance.walking = cases[i][0] > 0;
    balance.mode = balance.walking ? BALANCE_STEPPING : BALANCE_STANDING;
    balance.duration = 10;
    balance.turn_rate = cases[i][1];
    balance.speed.z = cases[i][0];
    balance.def.lateral_acceleration = cases[i][0] > 0 ? 10 : 0.4;
    decide(&balance, &(BalanceCommand){.heading = cases[i][2], .velocity = {.x = 0, .z = cases[i][0]}});
    if (!(fabs(balance.turn_rate - cases[i][3]) < 1e-12))
      fail_msg("case %zu: %.15g rad/s", i, balance.turn_rate);
    assert_int_equal(balance.walking, cases[i][0] > 0 || fabs(cases[i][2]) > 0.55);
  }
}

// A step takes step_time, less step_quickening for each m/s above 0.5, and from 1 to 1.4 m/s the time of the double
// support that goes is added; a recovery step or one that brings the feet
// together has its own time; and none takes less than least_time.
static void steps_take_their_time(void **state) {
  (void)state;
  const double cases[][2] = {{0.3, 0.56}, {0.5, 0.56}, {1, 0.46}, {1.2, 0.485}, {1.4, 0.51}, {9, 0.22}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    balance.margin = -0.1;
    balance.walking = true;
    balance.speed.z = cases[i][0];
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = cases[i][0]}});
    assert_int_equal(balance.mode, BALANCE_STEPPING);
    if (!(fabs(balance.duration - cases[i][1]) < 1e-12))
      fail_msg("%g m/s: %g s", cases[i][0], balance.duration);
  }
  Balancer balance = calm;
  balance.margin = -0.1;
  decide(&balance, &still);
  assert_true(fabs(balance.duration - 0.36) < 1e-12 && balance.steps == calm.steps + 1);
  balance = calm;
  balance.feet[BALANCE_LEFT].sole[2] = 0.2;
  balance.realigning_feet = balance.wanted_to_step = true;
  balance.mode_time = 2;
  decide(&balance, &still);
  assert_int_equal(balance.mode, BALANCE_STEPPING);
  assert_true(fabs(balance.duration - 0.34) < 1e-12);
  assert_true(balance.steps == calm.steps && balance.realigning_steps == calm.realigning_steps + 1);
}

// ---- Beginning a step ----

static bool steps_at(double margin, double mode_time) {
  Balancer balance = calm;
  balance.margin = margin;
  balance.mode_time = mode_time;
  decide(&balance, &still);
  return balance.mode == BALANCE_STEPPING;
}

// He catches himself by a step once xi is 1 cm out of the soles, when he has stood for 0.02 s.
static void catches_himself_beyond_the_soles(void **state) {
  (void)state;
  assert_false(steps_at(-0.009, 1));
  assert_true(steps_at(-0.011, 1));
  assert_false(steps_at(-0.05, 0.02 - 2 * H));
  assert_true(steps_at(-0.05, 0.02));
}

// Whether the controller wants to bring feet together of which one stands so: m ahead and outward, rad. Both alike.
static bool is_staggered(double ahead, double wider, double yaw) {
  bool found[BALANCE_LEGS];
  for (int i = 0; i < BALANCE_LEGS; i++) {
    Balancer balance = calm;
    balance.feet[i].sole[2] = ahead;
    balance.feet[i].sole[0] += balance.body.legs[i].side * wider;
    balance.feet[i].yaw = yaw;
    decide(&balance, &still);
    found[i] = balance.staggered;
  }
  assert_int_equal(found[0], found[1]);
  return found[0];
}

// Feet are side by side up to 13 cm ahead of each other, 9 cm nearer or 20 cm farther apart than the hips, 0.3 rad.
static void tells_feet_that_are_not_side_by_side(void **state) {
  (void)state;
  assert_false(is_staggered(0, 0, 0));
  assert_true(!is_staggered(0.129, 0, 0) && is_staggered(0.131, 0, 0));
  assert_true(!is_staggered(-0.129, 0, 0) && is_staggered(-0.131, 0, 0));
  assert_true(!is_staggered(0, -0.089, 0) && is_staggered(0, -0.091, 0));
  assert_true(!is_staggered(0, 0.199, 0) && is_staggered(0, 0.201, 0));
  assert_true(!is_staggered(0, 0, 0.29) && is_staggered(0, 0, 0.31));
  assert_true(!is_staggered(0, 0, -0.29) && is_staggered(0, 0, -0.31));
}

static bool realigns(double mode_time, double speed, bool recovering, bool already) {
  Balancer balance = calm;
  balance.feet[BALANCE_LEFT].sole[2] = 0.2;
  balance.xi.z = 0.1;
  balance.velocity[2] = speed;
  balance.mode_time = mode_time;
  balance.recovering = recovering;
  balance.realigning_feet = already;
  balance.wanted_to_step = already;
  decide(&balance, &still);
  return balance.realigning_feet;
}

// He brings the feet together once he has stood for 0.25 s, slower than 0.3 m/s; at once after a step that caught him;
// and gives up after 3 s.
static void brings_the_feet_together_when_calm(void **state) {
  (void)state;
  assert_true(!realigns(0.25 - 2 * H, 0, false, false) && realigns(0.25, 0, false, false));
  assert_true(!realigns(1, 0.31, false, false) && realigns(1, 0.29, false, false));
  assert_true(realigns(0, 1, true, false));
  assert_true(realigns(0.5, 0, false, true) && !realigns(3, 0, false, true) && !realigns(3, 0, false, false));
}

// Whether a foot that is wanted comes off, with xi there from the other sole: m inward and ahead.
static bool comes_off(bool realigning, bool recovering, double inward, double ahead, double waited) {
  Balancer balance = calm;
  balance.realigning_feet = realigning;
  balance.feet[BALANCE_LEFT].sole[2] = realigning ? 0.2 : 0;
  balance.to_lift = realigning ? -1 : BALANCE_LEFT;
  balance.shifting_to_swing = BALANCE_LEFT;
  balance.wanted_to_step = true;
  balance.recovering = recovering;
  balance.mode_time = waited;
  balance.xi = plane2_add(plane2_of(balance.feet[BALANCE_RIGHT].sole), (Plane2){.x = inward, .z = ahead});
  decide(&balance, &still);
  if (balance.mode == BALANCE_STEPPING)
    assert_int_equal(balance.swing, BALANCE_LEFT);
  return balance.mode == BALANCE_STEPPING;
}

// Without need a foot comes off when xi is within 5 cm of the other sole, 8 cm after a step that caught him; of one
// that is brought to the other's side also within 9 cm ahead of it or behind, or 15; or after 1.5 s, or 0.7 s.
static void lifts_a_foot_that_carries_little(void **state) {
  (void)state;
  assert_true(comes_off(false, false, 0.049, 0.3, 0.1) && !comes_off(false, false, 0.051, 0.3, 0.1));
  assert_true(comes_off(false, true, 0.079, 0.3, 0.1) && !comes_off(false, true, 0.081, 0.3, 0.1));
  assert_true(comes_off(true, false, 0.049, 0.089, 0.1) && !comes_off(true, false, 0.051, 0, 0.1));
  assert_true(!comes_off(true, false, 0, 0.091, 0.1) && !comes_off(true, false, 0, -0.091, 0.1));
  assert_true(comes_off(true, true, 0.079, -0.149, 0.1) && !comes_off(true, true, 0, 0.151, 0.1));
  assert_true(!comes_off(false, false, 0.2, 0, 1.5 - 2 * H) && comes_off(false, false, 0.2, 0, 1.5));
  assert_true(!comes_off(true, false, 0.2, 0, 0.7 - 2 * H) && comes_off(true, false, 0.2, 0, 0.7));
}

// The time of waiting begins with the wish; a step ends all wishes; and who trusts a cable takes no step.
static void waits_from_the_wish_on(void **state) {
  (void)state;
  Balancer balance = calm;
  decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = 1}});
  assert_true(balance.mode == BALANCE_STANDING && balance.mode_time == 0 && balance.wanted_to_step);
  decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = 1}});
  assert_true(balance.mode == BALANCE_STANDING && balance.mode_time == H);
  balance.margin = -0.1;
  balance.mode_time = 1;
  balance.shifting_to_swing = balance.to_lift = 0;
  decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = 1}});
  assert_true(balance.mode == BALANCE_STEPPING && balance.shifting_to_swing == -1 && balance.to_lift == -1);
  balance = calm;
  balance.margin = -0.1;
  balance.shifting_to_swing = 0;
  balance.held = (Plane2){.x = 0.5, .z = 0};
  decide(&balance, &still);
  assert_true(balance.mode == BALANCE_STANDING && balance.shifting_to_swing == -1);
  balance = calm;
  balance.shifting_to_swing = 0;
  decide(&balance, &still); // nothing is wanted
  assert_int_equal(balance.shifting_to_swing, -1);
}

// A wish to lift a foot counts once, of who stands: it is forgotten by who walks.
static void hears_a_wish_to_lift_a_foot_once(void **state) {
  (void)state;
  const BalanceCommand lift = {.lift_foot = {false, true}};
  Balancer balance = calm;
  decide(&balance, &lift);
  assert_int_equal(balance.to_lift, BALANCE_RIGHT);
  assert_true(balance.mode == BALANCE_STANDING && balance.shifting_to_swing == BALANCE_RIGHT);
  balance.to_lift = -1;
  decide(&balance, &lift);
  assert_int_equal(balance.to_lift, -1);
  decide(&balance, &still);
  decide(&balance, &lift);
  assert_int_equal(balance.to_lift, BALANCE_RIGHT);
  decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = 1}, .lift_foot = {false, true}});
  assert_int_equal(balance.to_lift, -1);
}

// ---- The foot ----

// What a step with a foot costs in need, see the next test.
static double cost_of(const Balancer *balance, int side) {
  const BalanceFoot *stance = &balance->feet[1 - side];
  const BalanceLeg *leg = &balance->body.legs[1 - side];
  Plane2 sole = plane2_of(stance->sole), offset = plane2_sub(balance->xi, sole), landing;
  offset.x = fmax(-leg->half_width + 0.015, fmin(leg->half_width - 0.015, offset.x));
  offset.z = fmax(-leg->half_length + 0.025, fmin(leg->half_length - 0.025, offset.z));
  const double beyond = balance_plan(balance, side, 0.36, 0.36, plane2_add(sole, offset), &landing);
  return 3 * beyond + 0.5 * plane2_length(plane2_sub(balance->xi, sole)) + (side == balance->last_swing ? 0.02 : 0);
}

// In need the cheaper foot steps: each m that its landing is out of reach costs 3, each m from xi to the other sole
// 0.5, and the foot of the last step 0.02. The pressure is taken for where xi is, inside the sole that carries: 1.5 cm
// from its sides and 2.5 cm from its ends.
static void steps_with_the_foot_that_costs_less(void **state) {
  (void)state;
  Rng rng = rng_make(3, "feet");
  int close = 0, swings[BALANCE_LEGS] = {0};
  for (int i = 0; i < 4000; i++) {
    Balancer balance = calm;
    balance.margin = -0.1;
    balance.last_swing = i % 2;
    balance.xi = (Plane2){.x = rng_range(&rng, -0.5, 0.5), .z = rng_range(&rng, -0.5, 0.5)};
    const double difference = cost_of(&balance, BALANCE_RIGHT) - cost_of(&balance, BALANCE_LEFT);
    decide(&balance, &still);
    if (balance.swing != (difference < 0 ? BALANCE_RIGHT : BALANCE_LEFT))
      fail_msg("xi at %g, %g: swings %d", balance.xi.x, balance.xi.z, balance.swing);
    close += fabs(difference) < 0.02;
    swings[balance.swing]++;
  }
  assert_true(close > 50 && swings[0] > 500 && swings[1] > 500);
}

// Without need the foot farther from xi is unloaded; of who walks not the same twice for less than 5 cm.
static void unloads_the_foot_that_is_farther_from_xi(void **state) {
  (void)state;
  const double cases[][3] = {{0, 0.001, 1}, {0, -0.001, 0}, {1, 0.024, 0}, {1, 0.026, 1}, {1, -0.001, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    const double distance = calm.body.legs[0].hip_left, speed = cases[i][0];
    balance.walking = speed > 0;
    balance.realigning_feet = speed == 0;
    balance.feet[BALANCE_LEFT].sole[2] = speed == 0 ? 0.14 : 0;
    balance.xi = (Plane2){.x = cases[i][1], .z = speed == 0 ? 0.07 : 0};
    assert_true(distance > 0.06); // so far that no foot is relieved yet
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = speed}});
    assert_int_equal(balance.mode, BALANCE_STANDING);
    if (balance.shifting_to_swing != (int)cases[i][2])
      fail_msg("xi at %g: foot %d", cases[i][1], balance.shifting_to_swing);
  }
}

// ---- Landing ----

static bool lands(double phase, bool loaded, double speed, double height) {
  Balancer balance = calm;
  balance.mode = BALANCE_STEPPING;
  balance.swing = BALANCE_LEFT;
  balance.duration = 0.5;
  balance.step_time = phase * balance.duration - H;
  balance.feet[BALANCE_LEFT].loaded = loaded;
  balance.feet[BALANCE_LEFT].sole[1] = height;
  balance.swing_velocity[1] = speed;
  decide(&balance, &still);
  return balance.mode == BALANCE_STANDING;
}

// A foot that touches has landed after 0.7 of the step, or after 0.45 if it goes down and is less than 3 cm over the
// ground; and 0.35 s after the step's end it has in any case.
static void foot_lands_late_in_the_step(void **state) {
  (void)state;
  assert_true(!lands(0.699, true, 0.1, 0) && lands(0.701, true, 0.1, 0));
  assert_true(!lands(0.449, true, -0.1, 0) && lands(0.451, true, -0.1, 0));
  assert_true(lands(0.5, true, -0.1, 0.029) && !lands(0.5, true, -0.1, 0.031) && !lands(0.5, true, 0.1, 0.01));
  assert_true(lands(0.8, true, 0.1, 0.2) && !lands(0.8, false, -0.1, 0));
  assert_true(!lands((0.5 + 0.349) / 0.5, false, -1, 0.1) && lands((0.5 + 0.351) / 0.5, false, -1, 0.1));
}

// The end of a step: who stands then stands, and follows with the other foot if it caught him; who walks goes on with
// the other foot. A fifth of what the step was too slow by, at most 0.1 m/s, is added to the next, up to 0.7 m/s in
// all; nothing while the wanted speed changes. Who stands is to stop three tenths of the way from his centre of mass to
// xi.
static void learns_the_speed_of_a_step(void **state) {
  (void)state;
  const double cases[][3] = {// m of way ahead in 0.5 s, excess so far; excess then, at 1 m/s
                             {0.46, 0, 0.2 * 0.08},       {0.3, 0, 0.2 * 0.1}, {0.54, 0.1, 0.1 - 0.2 * 0.08},
                             {0.6, 0.1, 0.1 - 0.2 * 0.1}, {-2, 0.69, 0.7},     {4, -0.69, -0.7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Balancer balance = calm;
    balance.walking = true;
    balance.speed.z = balance.step_speed.z = 1;
    balance.mode = BALANCE_STEPPING;
    balance.swing = BALANCE_LEFT;
    balance.duration = balance.step_time = 0.5;
    balance.step_time -= H;
    balance.heading = M_PI / 2; // toward +x
    balance.step_start = (Plane2){.x = 1, .z = 1};
    balance.com[0] = 1 + cases[i][0], balance.com[2] = 1;
    balance.speed_excess.z = cases[i][1];
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = 1}, .heading = M_PI / 2});
    assert_true(balance.mode == BALANCE_STEPPING && balance.swing == BALANCE_RIGHT);
    assert_true(fabs(balance.step_time + 0.13) < 1e-12);
    if (!(fabs(balance.speed_excess.z - cases[i][2]) < 1e-9))
      fail_msg("%g m: %g m/s", cases[i][0], balance.speed_excess.z);

    balance.mode = BALANCE_STEPPING;
    balance.step_time = balance.duration;
    balance.step_speed.z = 0.99;
    decide(&balance, &(BalanceCommand){.velocity = {.x = 0, .z = 1}, .heading = M_PI / 2});
    assert_true(balance.swing == BALANCE_LEFT && fabs(balance.speed_excess.z - cases[i][2]) < 1e-9);
  }
  for (int realigning = 0; realigning < 2; realigning++) {
    Balancer balance = calm;
    balance.mode = BALANCE_STEPPING;
    balance.swing = BALANCE_LEFT;
    balance.duration = balance.step_time = 0.5;
    balance.realigning_feet = realigning;
    balance.speed_excess.z = 0.3;
    balance.xi = (Plane2){.x = 0.01, .z = 0.02};
    decide(&balance, &still);
    assert_true(balance.mode == BALANCE_STANDING && balance.mode_time == 0 && balance.last_swing == BALANCE_LEFT);
    assert_true(balance.recovering == !realigning && !balance.realigning_feet && !balance.wanted_to_step);
    assert_true(balance.settling);
    const double place[2] = {balance.com[0] + 0.3 * (0.01 - balance.com[0]),
                             balance.com[2] + 0.3 * (0.02 - balance.com[2])};
    assert_true(fabs(balance.reference.x - place[0]) < 1e-12 && fabs(balance.reference.z - place[1]) < 1e-12);
    assert_true(balance.speed_excess.z == 0);
  }
}

// ---- Taking over ----

// Who is taken over in a stride swings on from where he is, but counts at most 0.6 of the step as passed; a foot in the
// air of who stands is one 3 cm above the other.
static void takes_over_a_stride_in_its_middle(void **state) {
  (void)state;
  const double shares[][2] = {{0.3, 0.3}, {0.9, 0.6}, {-0.5, 0}};
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    Balancer balance = f.character->balance;
    const BalanceMotion motion = {.speed = {.x = 0, .z = 1}, .share = shares[i][0]};
    const BalanceCommand command = {.velocity = {.x = 0, .z = 1}, .foot_loaded = {false, true}};
    balance_take_over(&balance, f.character->ragdoll, &f.character->ground, &command, &motion, H);
    assert_true(balance.walking && balance.mode == BALANCE_STEPPING && balance.swing == BALANCE_LEFT);
    assert_true(fabs(balance.step_time - shares[i][1] * balance.duration) < 1e-12);
  }
  Balancer balance = f.character->balance;
  const BalanceCommand command = {.foot_loaded = {false, true}}; // of a sole that is on the ground without load
  balance_take_over(&balance, f.character->ragdoll, &f.character->ground, &command, &(BalanceMotion){.share = 0.5}, H);
  assert_true(!balance.walking && balance.mode == BALANCE_STANDING);
  const BalanceMotion slow = {.speed = {.x = 0, .z = 0.049}}, fast = {.speed = {.x = 0, .z = 0.051}};
  const BalanceCommand both = {.foot_loaded = {true, true}};
  balance_take_over(&balance, f.character->ragdoll, &f.character->ground, &both, &slow, H);
  assert_true(!balance.walking && balance.mode == BALANCE_STANDING);
  balance_take_over(&balance, f.character->ragdoll, &f.character->ground, &both, &fast, H);
  assert_true(balance.walking && balance.mode == BALANCE_STEPPING && balance.step_time == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks_from_five_centimetres_a_second),
      cmocka_unit_test(speed_follows_the_command_in_steps),
      cmocka_unit_test(goes_slower_where_it_is_steep),
      cmocka_unit_test(goes_no_slower_over_steps),
      cmocka_unit_test(turns_within_the_acceleration_to_the_side),
      cmocka_unit_test(turns_begin_gently),
      cmocka_unit_test(steps_take_their_time),
      cmocka_unit_test(catches_himself_beyond_the_soles),
      cmocka_unit_test(tells_feet_that_are_not_side_by_side),
      cmocka_unit_test(brings_the_feet_together_when_calm),
      cmocka_unit_test(lifts_a_foot_that_carries_little),
      cmocka_unit_test(waits_from_the_wish_on),
      cmocka_unit_test(hears_a_wish_to_lift_a_foot_once),
      cmocka_unit_test(steps_with_the_foot_that_costs_less),
      cmocka_unit_test(unloads_the_foot_that_is_farther_from_xi),
      cmocka_unit_test(foot_lands_late_in_the_step),
      cmocka_unit_test(learns_the_speed_of_a_step),
      cmocka_unit_test(takes_over_a_stride_in_its_middle),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
