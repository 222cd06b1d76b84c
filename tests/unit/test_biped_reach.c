// Legs of the biped that are too short for where their feet stand: when a foot lets go, for how long it then swings,
// and whether it lifts once more in its cycle.
#include "tests/unit/biped_test.h"

static const double DT = 1.0 / 240, SPEED = 1.3; // s, m/s
static const double AHEAD = 0.3;                 // m: out of reach together with what the body has gone on since

static BipedWalk walk;

static void go(void) { biped_go(&walk, DT, 0, SPEED, 0); }

// Walks on until the left foot's phase passes the given one.
static void go_to_phase(double phase) {
  for (int k = 0; k < 1000; k++) {
    double before = walk.biped.feet[0].phase;
    go();
    if (before < phase && walk.biped.feet[0].phase >= phase)
      return;
  }
  fail_msg("the phase %g does not come", phase);
}

// Moves the place of the standing left foot back until its leg does not reach it.
static void pull_back(void) {
  BipedFoot *foot = &walk.biped.feet[0];
  long before = walk.biped.unpinned;
  for (int k = 0; k < 100 && !foot->swinging; k++) {
    foot->place[1] -= AHEAD;
    go();
  }
  assert_true(foot->swinging);
  assert_int_equal(walk.biped.unpinned, before + 1);
}

static void start(double phase) {
  biped_start_at(&walk, man, "", DT, SPEED);
  go_to_phase(0.8);
  go_to_phase(phase);
  assert_false(walk.biped.feet[0].swinging);
}

// A foot that lets go shortly after its landing swings as long as usual, a later one until the end of its cycle.
static void length_of_a_swing(void **state) {
  (void)state;
  static const double phases[] = {0.04, 0.1, 0.19, 0.24, 0.4};
  static const bool again[] = {true, true, true, false, false};
  for (int i = 0; i < 5; i++) {
    start(phases[i]);
    pull_back();
    const BipedFoot *foot = &walk.biped.feet[0];
    assert_near(foot->lift_phase, foot->phase, 0);
    assert_near(foot->land_phase, again[i] ? foot->lift_phase + 1 - walk.biped.gait.duty : 1, 1e-12);
    assert_int_equal(foot->swung, !again[i]);
  }
}

// It lifts once more in its cycle if it lands at least a fifth of the cycle before it would lift.
static void lifts_again_in_its_cycle(void **state) {
  (void)state;
  static const double phases[] = {0.015, 0.08, 0.15};
  static const bool again[] = {true, false, false};
  for (int i = 0; i < 3; i++) {
    start(phases[i]);
    pull_back();
    const BipedFoot *foot = &walk.biped.feet[0];
    const double most = walk.biped.gait.duty - 0.2;
    const double lands = foot->land_phase;
    assert_true((lands < most) == again[i] && fabs(lands - most) < 0.15); // near it, so that its size is seen
    while (foot->swinging)
      go();
    assert_near(foot->phase, lands, 0.02);
    assert_int_equal(foot->swung, !again[i]);
    assert_near(foot->stand_phase, foot->phase - !again[i], 1e-12);
    while (foot->phase < walk.biped.gait.duty + 0.02)
      go();
    assert_int_equal(foot->swinging, again[i]);
  }
}

// At the end of its cycle it swings briefly, into the next cycle.
static void brief_swing_at_the_end(void **state) {
  (void)state;
  start(0.08);
  pull_back();
  go_to_phase(0.9);
  const BipedFoot *foot = &walk.biped.feet[0];
  assert_false(foot->swinging);
  pull_back();
  assert_near(foot->land_phase, foot->lift_phase + 0.6 * (1 - walk.biped.gait.duty), 1e-12);
  assert_true(foot->swung && foot->land_phase > 1.05);
  while (foot->swinging)
    go();
  assert_near(foot->phase, foot->land_phase - 1, 0.02);
  assert_false(foot->swung);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(length_of_a_swing),
      cmocka_unit_test(lifts_again_in_its_cycle),
      cmocka_unit_test(brief_swing_at_the_end),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
