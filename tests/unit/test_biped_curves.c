// The biped's gait as functions of speed and progress: angles of the feet, cadence, stance, heights, and the bounce of
// running. All figures are for a man of the usual size.
#include "anim/layers/biped/biped_internal.h"
#include "tests/unit/biped_test.h"

static BipedWalk walk;
static BipedDef def; // with all factors 1

static int begin(void **state) {
  load(state);
  biped_start_at(&walk, man, "", 1.0 / 240, 1.3);
  def = walk.def;
  def.size = def.cadence = def.roll = def.step_height = def.bounce = 1;
  def.step_lead = 0;
  return 0;
}

static BipedGait gait_at(double ahead, double left, double turn_rate, double running) {
  return biped_gait(&def, (const double[2]){left, ahead}, turn_rate, running);
}

// ---- Foot angles ----

// deg, toes up, each tenth of a stance or a swing, in walking and in running.
static const double KEYS[2][2][11] = {{{13.8, 4.3, 0.2, 0, -0.1, -1.2, -3.2, -6.2, -14.1, -28.2, -59.1},
                                       {-59.1, -73.8, -67, -55, -43, -29, -14, 0, 9.5, 14.5, 13.8}},
                                      {{13.8, 9, 4.1, 0.2, -0.4, -2.9, -5.8, -10, -19.3, -36.5, -56.2},
                                       {-56.2, -82.5, -94.3, -103.8, -100.4, -82.3, -54.2, -24.5, 1.2, 13.9, 13.8}}};

static double pitch(const BipedGait *gait, int swinging, double progress) {
  return (swinging ? biped_swing_pitch : biped_stance_pitch)(gait, progress) / RAD_PER_DEGREE;
}

static void feet_roll_through_the_keys(void **state) {
  (void)state;
  for (int swinging = 0; swinging < 2; swinging++)
    for (int i = 0; i <= 10; i++) {
      const double at = i / 10.0, slow = KEYS[0][swinging][i], quick = KEYS[1][swinging][i];
      assert_near(pitch(&(BipedGait){.ahead = 1, .roll = 1}, swinging, at), slow, 1e-9);
      assert_near(pitch(&(BipedGait){.ahead = 1, .roll = 1, .vigor = 1}, swinging, at), quick, 1e-9);
      assert_near(pitch(&(BipedGait){.ahead = 1, .roll = 0.5, .vigor = 0.25}, swinging, at),
                  0.5 * (0.75 * slow + 0.25 * quick), 1e-9);
      assert_near(pitch(&(BipedGait){.ahead = 0.5, .roll = 1}, swinging, at), 0.5 * slow, 1e-9);
      // Backward in time, and less, when walking backward.
      assert_near(pitch(&(BipedGait){.ahead = -1, .roll = 1, .vigor = 1}, swinging, 1 - at), 0.45 * slow, 1e-9);
    }
}

// Between the keys the curve is a cubic through them, with the slope of their neighbours: in the middle of four keys it
// is (9 (b + c) - a - d) / 16; before the first key and behind the last it stays.
static void feet_roll_smoothly_between_the_keys(void **state) {
  (void)state;
  const BipedGait gait = {.ahead = 1, .roll = 1}, back = {.ahead = -1, .roll = 1},
                  run = {.ahead = 1, .roll = 1, .vigor = 1};
  const BipedGait *const gaits[] = {&gait, &back, &run};
  for (int swinging = 0; swinging < 2; swinging++) {
    const double *k = KEYS[0][swinging];
    for (int i = 1; i < 9; i++)
      assert_near(pitch(&gait, swinging, (i + 0.5) / 10), (9 * (k[i] + k[i + 1]) - k[i - 1] - k[i + 2]) / 16, 1e-9);
    const double first = k[1] - k[0], second = (k[2] - k[0]) / 2, last = k[10] - k[9], before = (k[10] - k[8]) / 2;
    assert_near(pitch(&gait, swinging, 0.05), (k[0] + k[1]) / 2 + (first - second) / 8, 1e-9);
    assert_near(pitch(&gait, swinging, 0.95), (k[9] + k[10]) / 2 + (before - last) / 8, 1e-9);
    assert_near(pitch(&gait, swinging, -1), k[0], 1e-9);
    assert_near(pitch(&gait, swinging, 2), k[10], 1e-9);
  }
  for (int i = 0; i < 3; i++)
    for (double at = 0.033; at < 1; at += 0.07) {
      const double h = 1e-5;
      const double slope = (biped_swing_pitch(gaits[i], at + h) - biped_swing_pitch(gaits[i], at - h)) / (2 * h);
      assert_near(biped_swing_pitch_slope(gaits[i], at), slope, 1e-5);
    }
}

// ---- Cadence and stance ----

static double walking(double speed) { return pow(pow(speed / 0.4, 2) + pow(1.1, 4), 0.25); }

// Steps/s. Walking: speed over the root of (0.4 m s), 1.1 at rest; backward as 1.35 and aside as 3.6 times faster.
// Running: 2.35 and 0.14 for each m/s. None is above 3.2.
static void cadence_goes_by_the_speed(void **state) {
  (void)state;
  const double cases[][4] = {// ahead, left, running; steps/s
                             {0, 0, 0, 1.1},
                             {1.3, 0, 0, walking(1.3)},
                             {-1, 0, 0, walking(1.35)},
                             {0, 0.5, 0, walking(1.8)},
                             {0, -0.5, 0, walking(1.8)},
                             {1.2, 0.3, 0, walking(hypot(1.2, 1.08))},
                             {9, 0, 0, 3.2},
                             {3.5, 0, 1, 2.35 + 0.14 * 3.5},
                             {0, 3.5, 1, 2.35 + 0.14 * 3.5},
                             {8, 0, 1, 3.2},
                             {2, 0, 0.25, 0.75 * walking(2) + 0.25 * (2.35 + 0.28)}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_near(gait_at(cases[i][0], cases[i][1], 0, cases[i][2]).cadence, cases[i][3], 1e-9);
}

// A foot turns by 40 deg in its stance at most, so that who turns steps faster: up to 4.5 steps/s on the spot, and 3.2
// on the move, where 0.4 of the turn counts.
static void cadence_goes_by_the_turn(void **state) {
  (void)state;
  const double most = 40 * RAD_PER_DEGREE, duty = gait_at(0, 0, 0, 0).duty;
  double turning = 2 * duty * 1.5 / most;
  assert_near(gait_at(0, 0, 1.5, 0).cadence, pow(pow(1.1, 4) + pow(turning, 4), 0.25), 1e-9);
  assert_near(gait_at(0, 0, -1.5, 0).cadence, gait_at(0, 0, 1.5, 0).cadence, 0);
  assert_near(gait_at(0, 0, 9, 0).cadence, 4.5, 1e-9);
  const BipedGait moving = gait_at(1.3, 0, 0, 0);
  turning = 0.4 * 2 * moving.duty * 2 / most;
  assert_near(gait_at(1.3, 0, 2, 0).cadence, pow(pow(walking(1.3), 4) + pow(turning, 4), 0.25), 1e-9);
  assert_near(gait_at(1.3, 0, 20, 0).cadence, 3.2, 1e-9);
}

// Share of the cycle for which a foot stands.
static void stance_shortens_with_the_speed(void **state) {
  (void)state;
  const double cycle = 2 / (2.35 + 0.14 * 5);
  const double cases[][3] = {// ahead, running; share
                             {1.3, 0, 0.62},
                             {0.8, 0, 0.645},
                             {0.1, 0, 0.67},
                             {2.3, 0, 0.57},
                             {3, 0, 0.56},
                             {3.5, 1, 0.37},
                             {2.5, 1, 0.405},
                             {1.5, 1, 0.42},
                             {3.8, 1, 0.3595},
                             {5, 1, fmin(0.355, 0.955 / (5 * cycle))},
                             {2.5, 0.5, 0.5 * (0.56 + 0.405)}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_near(gait_at(cases[i][0], 0, 0, cases[i][1]).duty, cases[i][2], 1e-9);
}

static double smooth(double x) {
  x = fmin(fmax(x, 0), 1);
  return smooth_step(x);
}

// What fades in with the speed: amplitudes from 0.1 to 0.6 m/s, the heels of a run from 1 to 3.5 m/s; the direction
// counts less below some 0.1 m/s; the track narrows ahead and backward.
static void amplitudes_fade_in(void **state) {
  (void)state;
  const double speeds[] = {0, 0.1, 0.2, 0.35, 0.59, 0.61, 1.3};
  for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
    for (int way = -1; way <= 1; way++) {
      const double ahead = way * speeds[i] / sqrt(speeds[i] * speeds[i] + 0.01);
      const BipedGait gait = gait_at(way * speeds[i], way == 0 ? speeds[i] : 0, 0, 0);
      assert_near(gait.speed, speeds[i], 1e-12);
      assert_near(gait.moving, smooth((speeds[i] - 0.1) / 0.5), 1e-12);
      assert_near(gait.ahead, ahead, 1e-12);
      assert_near(gait.narrow, 1 + (def.width - 1) * gait.moving * ahead * ahead, 1e-12);
      assert_near(gait.vigor, 0, 0);
    }
  assert_true(def.width < 1);
  const double runs[][2] = {{1, 0}, {1.5, 0.2}, {3, 0.8}, {3.5, 1}, {5, 1}};
  for (int i = 0; i < 5; i++) {
    assert_near(gait_at(runs[i][0], 0, 0, 1).vigor, runs[i][1], 1e-12);
    assert_near(gait_at(runs[i][0], 0, 0, 0.5).vigor, 0.5 * runs[i][1], 1e-12);
  }
}

// A foot rolls fully with steps of 0.7 m, and then lands less far ahead: by 0.16 of the stance's duration in walking
// and 0.19 in running; half of that backward. It never lands farther ahead than 0.45 of the leg's length.
static void feet_land_ahead(void **state) {
  (void)state;
  const double cases[][2] = {{1.3, 0}, {0.6, 0}, {-0.8, 0}, {3, 1}, {-2, 1}};
  for (int i = 0; i < 5; i++) {
    const double speed = cases[i][0], running = cases[i][1];
    const BipedGait gait = gait_at(speed, 0, 0, running);
    const double roll = running > 0 ? 1 : fmin(fabs(speed) / gait.cadence / 0.7, 1);
    const double bias = (running > 0 ? 0.19 : 0.16) * roll * (speed > 0 ? gait.ahead : 0.5 * gait.ahead);
    assert_near(gait.roll, roll, 1e-12);
    const double lead = (0.5 - bias) * gait.duty * 2 / gait.cadence, most = 0.45 * def.leg_length / fabs(speed);
    assert_near(gait.lead, fmin(lead, most), 1e-12);
  }
  assert_near(gait_at(2.5, 0, 0, 0).roll, 1, 1e-12); // steps longer than 0.7 m
  assert_near(gait_at(0, 9, 0, 1).lead * 9, 0.45 * def.leg_length, 1e-9);
  BipedDef given = def;
  given.step_lead = 0.123;
  assert_near(biped_gait(&given, (const double[2]){0, 1}, 0, 0).lead, 0.123, 1e-12);
}

// ---- Heights ----

static double over(double reach, double ankle, double away) {
  const double leg = reach * def.leg_length;
  return ankle + sqrt(leg * leg - away * away);
}

// Hips are as high as legs reach that are nearly stretched: 0.985 of their length at touchdown, 0.986 at mid-stance,
// 0.988 in standing, 0.972 at a touchdown of running.
static void hips_are_as_high_as_legs_reach(void **state) {
  (void)state;
  const BipedLeg *leg = &def.legs[0];
  const double speeds[][2] = {{1.3, 0}, {3.5, 1}, {0, 0}};
  for (int i = 0; i < 3; i++) {
    const BipedGait gait = gait_at(speeds[i][0], 0, 0, speeds[i][1]);
    double y, z;
    biped_roll(leg, biped_stance_pitch(&gait, 0), &y, &z);
    const double away = fabs(leg->rest[1] - def.hips_z + gait.lead * speeds[i][0] + z);
    const double middle = 0.988 + (0.986 - 0.988) * gait.moving, landing = 0.988 + (0.985 - 0.988) * gait.moving;
    assert_near(gait.strike, over(0.972, y, away), 1e-9);
    assert_near(gait.rise, fmin(0.027 * speeds[i][0], 0.045) * (0.4 + 0.6 * gait.ahead) * gait.moving, 1e-12);
    assert_near(gait.low, fmin(over(landing, y, away), def.ankle_height + middle * def.leg_length - gait.rise), 1e-9);
  }
  assert_near(gait_at(-0.5, 0, 0, 0).rise, // backward as ahead, aside less
              gait_at(0.5, 0, 0, 0).rise, 1e-12);
  assert_near(gait_at(0, 0.5, 0, 0).rise, 0.4 * 0.027 * 0.5 * gait_at(0.5, 0, 0, 0).moving, 1e-12);
  // Backward a stance ends with the foot before the body, on its heel: the hips are as low as that needs. In a run,
  // whose stance is shorter, it needs nothing.
  for (int running = 0; running < 2; running++) {
    const BipedGait back = gait_at(-1, 0, 0, running);
    double y, z, y_end, z_end;
    biped_roll(leg, biped_stance_pitch(&back, 0), &y, &z);
    biped_roll(leg, biped_stance_pitch(&back, 1), &y_end, &z_end);
    const double rest = leg->rest[1] - def.hips_z, stance = back.duty * 2 / back.cadence;
    const double first =
        fmin(over(0.985, y, fabs(rest - back.lead + z)), def.ankle_height + 0.986 * def.leg_length - back.rise);
    const double last = over(0.985, y_end, fabs(rest - (back.lead - stance) + z_end));
    assert_true(running ? first < last - 0.01 : first > last + 0.01);
    assert_near(back.low, running ? first : first + back.ahead * (first - last), 1e-9);
  }
}

// ---- Path of a foot, bounce of a run ----

// The published arc is highest, 1, after a quarter of the way.
static void step_rises_early(void **state) {
  (void)state;
  assert_near(biped_step_arc(0.25), 1, 1e-3);
  assert_near(biped_step_arc(0), 0, 0);
  assert_near(biped_step_arc(1), 0, 0);
  assert_near(biped_step_arc(0.5), 0.5926, 1e-4);
  for (double u = 0.1; u < 1; u += 0.2) {
    const double round = 0.5 - 0.5 * cos(M_PI * u), circle = sin(M_PI * u);
    BipedSwing swing = biped_swing(BIPED_SWING_PUBLISHED, 0, 0, u);
    assert_near(swing.way, u, 1e-12);
    assert_near(swing.lift, u * biped_step_arc(u), 1e-12);
    swing = biped_swing(BIPED_SWING_PUBLISHED, 1, 0, u);
    assert_near(swing.way, round, 1e-12);
    assert_near(swing.lift, round * circle, 1e-12);
  }
}

// In flight a runner falls freely; in stance he comes to the same height again, with the speed turned round, pushed by
// a force that grows from nothing and fades again.
static void runner_bounces(void **state) {
  (void)state;
  const double stance = 0.25, flight = 0.11, h = 1e-5, speed = BIPED_GRAVITY * flight / 2;
  assert_near(biped_run_bounce(0, stance, flight), 0, 0);
  assert_near(biped_run_bounce(stance, stance, flight), 0, 1e-12);
  assert_near(biped_run_bounce(stance + flight, stance, flight), 0, 1e-12);
  assert_near(biped_run_bounce(stance + flight / 2, stance, flight), speed * speed / (2 * BIPED_GRAVITY), 1e-12);
  assert_near(biped_run_bounce(h, stance, flight) / h, -speed, 1e-3);
  assert_near(-biped_run_bounce(stance - h, stance, flight) / h, speed, 1e-3);
  const double H = 1e-3, times[] = {0.001, 0.125, 0.249};
  const double push = (BIPED_GRAVITY + 2 * speed / stance) * M_PI / 2; // m/s^2, in the middle
  for (int i = 0; i < 3; i++) {
    const double t = times[i], here = biped_run_bounce(t, stance, flight);
    const double after = biped_run_bounce(t + H, stance, flight), before = biped_run_bounce(t - H, stance, flight);
    const double pull = i == 1 ? 0 : 0.05 * push;
    assert_near((after - 2 * here + before) / (H * H), (i == 1 ? push : 0) - BIPED_GRAVITY, 1e-2 + pull);
  }
  assert_near(biped_run_bounce(0, 0, flight), 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(feet_roll_through_the_keys),
      cmocka_unit_test(feet_roll_smoothly_between_the_keys),
      cmocka_unit_test(cadence_goes_by_the_speed),
      cmocka_unit_test(cadence_goes_by_the_turn),
      cmocka_unit_test(stance_shortens_with_the_speed),
      cmocka_unit_test(amplitudes_fade_in),
      cmocka_unit_test(feet_land_ahead),
      cmocka_unit_test(hips_are_as_high_as_legs_reach),
      cmocka_unit_test(step_rises_early),
      cmocka_unit_test(runner_bounces),
  };
  return cmocka_run_group_tests(tests, begin, unload);
}
