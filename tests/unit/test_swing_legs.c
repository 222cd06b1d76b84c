// Legs in the air: their direction is controlled in the world, so that a leaning body steps where its animation does.
#include "ragdoll/body/swing_legs.h"
#include "sim/base/numbers.h"
#include "tests/fixture.h"

// The left leg swings, the right one stands; the body leans by 10 degrees about an oblique axis.
static void test_thigh_that_swings_keeps_its_direction(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  const Skeleton *skeleton = &f.body->skeleton;
  Pose wanted = pose_bind(skeleton);
  int left = fixture_part(&f, "thigh_l");
  wanted.rotation[0] = quat_exp((vec3s){{0.1f, 0.7f, 0}});
  wanted.rotation[left] = quat_exp((vec3s){{-0.4f, 0, 0.1f}});
  Pose measured = wanted;
  versors lean = quat_exp((vec3s){{(float)(10 * RAD_PER_DEGREE), 0.05f, 0.05f}});
  measured.rotation[0] = glms_quat_mul(lean, wanted.rotation[0]);

  JointGoal goals[BODY_MAX_PARTS], before[BODY_MAX_PARTS];
  drive_follow(f.body, &wanted, &wanted, 1 / 240.0, goals);
  memcpy(before, goals, sizeof before);
  bool swings[SKELETON_MAX_LEGS] = {false};
  for (int i = 0; i < skeleton->leg_count; i++)
    swings[i] = skeleton->legs[i].hip == left;
  swing_legs_lead(skeleton, swings, &wanted, &measured, goals);
  versors goal_w = glms_quat_mul(measured.rotation[0], goals[left].rotation);
  versors wanted_w = glms_quat_mul(wanted.rotation[0], wanted.rotation[left]);
  assert_true(quat_angle_between(goal_w, wanted_w) < 1e-3f);
  assert_true(quat_angle_between(goals[left].rotation, before[left].rotation) > 0.17f);
  for (int i = 1; i < f.body->part_count; i++)
    for (int k = 0; k < 4 && i != left; k++)
      assert_true(goals[i].rotation.raw[k] == before[i].rotation.raw[k]);
  body_free(f.body);
  files_free(&f.files);
}

// Walks by the clip of 1.3 m/s at a lower speed, with the default assist. Returns the largest angle in rad between the
// pelvis and its target.
static double walk(double speed, double seconds) {
  Fixture f;
  fixture_init(&f);
  Error error = {0};
  Clip *clip = clip_read(&f.files, "clips/walk.yaml", &f.body->skeleton, &error);
  fixture_check(&error);
  f.character_def.move = clip;
  f.character_def.intent.speed = speed;
  f.character_def.assist.enabled = true;
  fixture_start(&f);
  const Character *c = f.character;
  double lean = 0;
  for (int i = 0; i < (int)(seconds * 240); i++) {
    assert_true(fixture_step(&f));
    lean = fmax(lean, (double)quat_angle_between(c->sensed.pose.rotation[0], c->target.rotation[0]));
  }
  assert_false(c->sensed.fallen);
  assert_true(fabs((double)c->sensed.pose.position[0].z - speed * seconds) < 0.1);
  fixture_end(&f);
  clip_free(clip);
  return lean;
}

// With swinging legs fixed to the pelvis a lean grows without end: 4 to 16 degrees at 0.4 to 1 m/s in this time.
static void test_slowed_clip_does_not_tip_the_body(void **state) {
  (void)state;
  static const double speeds[] = {-0.5, 0.4, 0.6, 0.8, 1, 1.2};
  for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
    double lean = walk(speeds[i], 5) / RAD_PER_DEGREE;
    if (lean > 2)
      fail_msg("at %g m/s the pelvis leaned by %.1f degrees", speeds[i], lean);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_thigh_that_swings_keeps_its_direction),
      cmocka_unit_test(test_slowed_clip_does_not_tip_the_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
