// Muscles: slack ones have less strength, tense ones keep more of it, and no tone changes at once.
#include "ragdoll/reaction/muscle_tone.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;

static MuscleTone tone_of(double whole, int joint, float at_joint) {
  HitReactionDef def = hit_reaction_def_default();
  def.tone = whole;
  def.tones[joint] = at_joint;
  MuscleTone tone;
  muscle_tone_init(&tone, &def);
  return tone;
}

static void test_no_tone_changes_nothing(void **state) {
  (void)state;
  const MuscleTone tone = tone_of(0, 0, 0);
  for (float left = 0; left <= 1; left += 0.01f)
    assert_true(muscle_tone_strength(&tone, 3, left) == left);
}

static void test_slack_is_weak_and_tense_resists(void **state) {
  (void)state;
  const MuscleTone slack = tone_of(-1, 0, 0), tense = tone_of(1, 0, 0), half = tone_of(0.5, 0, 0);
  assert_float_equal(muscle_tone_strength(&slack, 2, 1), 0.2, 1e-6);
  assert_float_equal(muscle_tone_strength(&slack, 2, 0.5f), 0.1, 1e-6);
  assert_float_equal(muscle_tone_strength(&tense, 2, 0.1f), 1, 1e-6);
  assert_float_equal(muscle_tone_strength(&half, 2, 0.1f), 0.55, 1e-6);
  assert_true(muscle_tone_strength(&tense, 2, 1) == 1); // never beyond the joint's own strength
  assert_true(muscle_tone_stiffness(&slack, 2) == 0);
  assert_true(muscle_tone_stiffness(&tense, 2) == 3);
  assert_true(fabs(muscle_tone_stiffness(&half, 2) - 1.5) < 1e-6);
}

// A wholly slack joint keeps 0.01 /rad of its 70 N m, after the drive has taken its fifth; others keep all to the bit.
static void test_slack_leaves_passive_stiffness(void **state) {
  (void)state;
  const MuscleTone slack = tone_of(-1, 0, 0), half = tone_of(-0.5, 0, 0), tense = tone_of(1, 0, 0);
  double stiffness = 20, damping = 1;
  muscle_tone_slacken(&tense, 2, 70, &stiffness, &damping);
  assert_true(stiffness == 20 && damping == 1);
  muscle_tone_slacken(&half, 2, 70, &stiffness, &damping);
  assert_true(fabs(stiffness * 0.6 - 0.5 * (20 * 0.6 + 0.7)) < 1e-5);
  stiffness = 20, damping = 1;
  muscle_tone_slacken(&slack, 2, 70, &stiffness, &damping);
  assert_true(fabs(stiffness * 0.2 - 0.7) < 1e-5);
  assert_true(fabs(damping * 0.2 - 0.7 * 0.05) < 1e-6);
  stiffness = damping = 0; // a joint without a spring gets none
  muscle_tone_slacken(&slack, 2, 70, &stiffness, &damping);
  assert_true(stiffness == 0 && damping == 0);
  assert_true(muscle_tone_reflex(&slack, 2) == 0 && muscle_tone_reflex(&half, 2) == 0.5f);
  assert_true(muscle_tone_reflex(&tense, 2) == 1);
}

static void test_joints_count_beside_the_whole(void **state) {
  (void)state;
  const MuscleTone tone = tone_of(0.5, 4, -1), most = tone_of(1, 4, 1);
  assert_float_equal(tone.tension[4], -0.5, 1e-6);
  assert_float_equal(tone.tension[5], 0.5, 1e-6);
  assert_float_equal(most.tension[4], 1, 1e-6);
}

static void test_tension_takes_its_time(void **state) {
  (void)state;
  MuscleTone tone = tone_of(0, 0, 0);
  tone.whole = 1;
  float last = 0;
  for (int i = 0; i < 36; i++) {
    muscle_tone_step(&tone, 5, DT);
    assert_true(tone.tension[1] >= last && tone.tension[1] - last <= 0.05f);
    if (i == 10)
      assert_true(tone.tension[1] > 0.3f && tone.tension[1] < 0.6f);
    last = tone.tension[1];
  }
  assert_true(last == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_tone_changes_nothing),        cmocka_unit_test(test_slack_is_weak_and_tense_resists),
      cmocka_unit_test(test_slack_leaves_passive_stiffness), cmocka_unit_test(test_joints_count_beside_the_whole),
      cmocka_unit_test(test_tension_takes_its_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
