// Strides of a walk that is slower than its clip: as long and as frequent as people's, on the ground, without slipping.
#include "anim/layers/foot_plan.h"
#include "anim/layers/stride.h"
#include "tests/fixture.h"
#include "tests/unit/drill.h"

static void test_shares(void **state) {
  (void)state;
  assert_float_equal(stride_share(0.325, 1.3, 0.5), 0.5, 1e-12); // a quarter of the speed
  assert_float_equal(stride_share(0.65, 1.3, 1), 0.5, 1e-12);
  assert_true(stride_share(1.3, 1.3, 0.5) == 1 && stride_share(2, 1.3, 0.5) == 1);
  assert_true(stride_share(0.1, 1.3, 0) == 1);
  assert_true(stride_share(-2, 1.3, 2) == 0.35 && stride_share(-2, 1.3, 1) == 0.35); // backward counts as at rest
  assert_true(stride_share(0, 1.3, 0.5) == 0.35 && stride_share(0.1, 1.3, 0.5) == 0.35 && stride_share(0, 1.3, 0) == 1);
}

typedef struct Soles {
  double print[2][2]; // x and z
  float lowest[2];
} Soles;

static Soles soles_of(const Skeleton *skeleton, const Pose *pose) {
  ModelPose model;
  pose_legs_to_model(skeleton, pose, &model);
  Soles soles;
  for (int i = 0; i < 2; i++) {
    const Leg *leg = &skeleton->legs[i];
    FootPoints points = foot_points(leg, model.position[leg->ankle], model.rotation[leg->ankle]);
    double yaw;
    foot_print(leg, &points, soles.print[i], &yaw);
    soles.lowest[i] = fminf(points.heel.y, points.toe.y);
  }
  return soles;
}

// Prints go the share of their way, soles the share of their height above 3 cm, and what is not the legs' is blended.
static void test_feet_of_shorter_strides(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  Error error = {0};
  Clip *clip = clip_read(&f.files, "clips/walk.yaml", &f.body->skeleton, &error);
  fixture_check(&error);
  const Skeleton *skeleton = &f.body->skeleton;
  Pose stance = pose_bind(skeleton);
  const Soles rest = soles_of(skeleton, &stance);
  for (int k = 0; k < 36; k++) {
    Pose pose, same, shorter;
    clip_sample(clip, clip->duration * (float)k / 36, &pose);
    same = shorter = pose;
    stride_scale(skeleton, 1, &same);
    assert_true(pose_is_same(&same, &pose));
    const float share = 0.3f + 0.1f * (float)(k % 7);
    stride_scale(skeleton, (double)share, &shorter);
    Soles before = soles_of(skeleton, &pose), after = soles_of(skeleton, &shorter);
    for (int i = 0; i < 2; i++) {
      double ahead = rest.print[i][1] + (double)share * (before.print[i][1] - rest.print[i][1]);
      assert_float_equal(after.print[i][1], ahead, 2e-3);
      assert_float_equal(after.print[i][0], before.print[i][0], 3e-3);
      const float clears = fminf(before.lowest[i], 0.03f), above = before.lowest[i] - clears;
      assert_float_equal(after.lowest[i], clears + share * above, 2e-3);
    }
    assert_true(shorter.position[0].x == pose.position[0].x);
    int head = skeleton_find(skeleton, "head");
    versors blended = quat_slerp(stance.rotation[head], pose.rotation[head], share);
    assert_true(quat_angle_between(shorter.rotation[head], blended) < 1e-4f);
  }
  clip_free(clip);
  fixture_end(&f);
}

// What the strides of two clips come to, to nine digits.
static void test_exact_strides(void **state) {
  (void)state;
  enum { CLIPS = 2, TIMES = 60 };
  static const char *const paths[CLIPS] = {"clips/walk.yaml", "clips/run.yaml"}, *const names[] = {"pose", "feet"};
  static const double OUTCOMES[CLIPS][2] = {
      {-0.13324131523, 0.098327359226},
      {0.062404261233, 0.12347030858},
  };
  Fixture f;
  fixture_init(&f);
  int wrong = 0;
  for (int i = 0; i < CLIPS; i++) {
    Error error = {0};
    Clip *clip = clip_read(&f.files, paths[i], &f.body->skeleton, &error);
    fixture_check(&error);
    double means[2] = {0};
    for (int k = 0; k < TIMES; k++) {
      Pose pose;
      DrillSum sums[2] = {{0}};
      clip_sample(clip, clip->duration * (float)k / TIMES, &pose);
      stride_scale(&f.body->skeleton, 0.35 + 0.013 * k, &pose);
      for (int j = 0; j < pose.count; j++)
        drill_add_floats(&sums[0], pose.rotation[j].raw, 4);
      const Soles soles = soles_of(&f.body->skeleton, &pose);
      for (int leg = 0; leg < 2; leg++) {
        drill_add_all(&sums[1], soles.print[leg], 2);
        drill_add(&sums[1], (double)soles.lowest[leg]);
      }
      for (int n = 0; n < 2; n++)
        means[n] += sums[n].sum / TIMES;
    }
    clip_free(clip);
    if (!drill_matches(paths[i], names, means, OUTCOMES[i], 2)) {
      drill_print(means, 2);
      wrong++;
    }
  }
  fixture_end(&f);
  assert_int_equal(wrong, 0);
}

// A walk at a quarter of the clip's speed takes half as many steps, half as long; standing feet stay where they are.
static void test_a_slow_walk(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  Error error = {0};
  Clip *clip = clip_read(&f.files, "clips/walk.yaml", &f.body->skeleton, &error);
  fixture_check(&error);
  f.character_def.move = clip;
  f.character_def.intent.speed = 0.325;
  f.character_def.drive.kinematic = true;
  fixture_start(&f);
  const Character *c = f.character;
  const double cycle = (double)clip->duration / 0.5;
  int landings = 0;
  bool stood[2] = {true, true};
  double slip = 0, foot_at[2] = {0}, stance_at[2] = {0};
  for (int i = 0; i < (int)(3.1 * cycle * 240); i++) {
    assert_true(fixture_step(&f));
    for (int leg = 0; leg < 2; leg++) {
      const FootPlan *plan = &c->foot_plans[leg];
      if (plan->standing && !stood[leg]) {
        landings++;
        assert_float_equal(plan->landing[1], foot_at[leg], 0.01); // where it was going to
        stance_at[leg] = plan->landing[1];
      }
      if (plan->standing && stance_at[leg] != 0)
        slip = fmax(slip, fabs(plan->landing[1] - stance_at[leg]));
      if (!plan->standing)
        foot_at[leg] = plan->landing[1];
      stood[leg] = plan->standing;
    }
  }
  assert_int_equal(landings, 6);
  assert_true(slip < 0.01);
  fixture_end(&f);
  clip_free(clip);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_feet_of_shorter_strides),
      cmocka_unit_test(test_exact_strides),
      cmocka_unit_test(test_a_slow_walk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
