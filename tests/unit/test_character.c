// A whole character: it runs, is hit, reacts and runs on.
#include "ragdoll/physics_blend.h"
#include "tests/fixture.h"

static const double DEG = 3.14159265358979323846 / 180;

// Loads the run and its unstable variants; the character runs at 3.5 m/s with the assist of the hit_run scene.
static void prepare_runner(Fixture *f, Clip *clips[1 + STAGGER_COUNT]) {
  static const char *const names[1 + STAGGER_COUNT] = {"clips/run.yaml", "clips/run_stagger_left.yaml",
                                                       "clips/run_stagger_forward.yaml",
                                                       "clips/run_stagger_right.yaml"};
  Error error = {0};
  fixture_init(f);
  for (int i = 0; i < 1 + STAGGER_COUNT; i++) {
    clips[i] = clip_read(&f->files, names[i], &f->body->skeleton, &error);
    fixture_check(&error);
  }
  f->character_def.move = clips[0];
  for (int i = 0; i < STAGGER_COUNT; i++)
    f->character_def.stagger[i] = clips[1 + i];
  f->character_def.intent.speed = 3.5;
  f->character_def.assist.enabled = true;
}

static void end_runner(Fixture *f, Clip *clips[1 + STAGGER_COUNT]) {
  fixture_end(f);
  for (int i = 0; i < 1 + STAGGER_COUNT; i++)
    clip_free(clips[i]);
}

static void strike(Fixture *f, const char *part, double x, double y, double z) {
  int index = fixture_part(f, part);
  Impulse hit = {.body = f->character->ragdoll->body[index], .impulse = {x, y, z}, .event = 1};
  memcpy(hit.point, dBodyGetPosition(f->character->ragdoll->ode[index]), sizeof hit.point);
  assert_true(world_apply_impulse(f->world, &hit));
}

static double rms_error(const Character *c) {
  double sum = 0;
  int count = c->def->body->part_count;
  for (int i = 1; i < count; i++)
    sum += (double)(c->joint_error[i] * c->joint_error[i]);
  return sqrt(sum / (count - 1));
}

static void test_runs_close_to_its_clip(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  fixture_start(&f);
  double sum = 0;
  for (int i = 0; i < 5 * 240; i++) {
    assert_true(fixture_step(&f));
    if (i >= 240)
      sum += rms_error(f.character) * rms_error(f.character) / (4 * 240);
  }
  assert_true(sqrt(sum) < 3 * DEG);
  assert_true(fabs((double)f.character->measured.position[0].z - 5 * 3.5) < 0.1);
  assert_true(fabs((double)f.character->measured.position[0].x) < 0.05); // straight on
  assert_false(f.character->fallen);
  end_runner(&f, clips);
}

// Without a hit the shown pose is the animation, bit for bit; after one it becomes so again.
static void test_shown_pose_returns_to_the_animation(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  fixture_start(&f);
  bool differed = false;
  size_t rotations = (size_t)f.body->part_count * sizeof(versors);
  for (int i = 0; i < 3 * 240; i++) {
    if (i == 240)
      strike(&f, "chest", 6, 0, 4);
    fixture_step(&f);
    bool same = memcmp(f.character->output.rotation, f.character->target.rotation, rotations) == 0;
    if (i < 240)
      assert_true(same);
    differed = differed || !same;
    if (i > 2 * 240)
      assert_true(same);
  }
  assert_true(differed);
  end_runner(&f, clips);
}

static void test_hit_weakens_the_struck_chain_and_is_felt(void **state) {
  (void)state;
  Fixture f;
  Clip *clips[1 + STAGGER_COUNT];
  prepare_runner(&f, clips);
  fixture_start(&f);
  int arm = fixture_part(&f, "upper_arm_l"), foot = fixture_part(&f, "foot_r");
  for (int i = 0; i < 240; i++)
    fixture_step(&f);
  double calm = rms_error(f.character), worst = 0;
  strike(&f, "upper_arm_l", -6, 0, -6);
  float weakest = 1;
  for (int i = 0; i < 72; i++) {
    fixture_step(&f);
    weakest = fminf(weakest, f.character->drive.strength[arm]);
    assert_true(f.character->drive.strength[foot] > 0.9f);
    worst = fmax(worst, (double)f.character->joint_error[arm]);
  }
  assert_true(weakest < 0.75f);
  assert_true(worst > 5 * DEG && worst > 2 * calm);
  for (int i = 0; i < 480; i++)
    assert_true(fixture_step(&f));
  assert_true(rms_error(f.character) < 3 * DEG); // runs on
  assert_false(f.character->fallen);
  end_runner(&f, clips);
}

// A blow to the left arm and its mirror image to the right arm of a standing body: mirrored within 2 %.
static void stand_and_strike(Fixture *f, const char *part, double x) {
  fixture_init(f);
  fixture_start(f);
  for (int i = 0; i < 120; i++)
    fixture_step(f);
  strike(f, part, x, 0, 3);
  for (int i = 0; i < 72; i++)
    fixture_step(f);
}

static void test_mirrored_hit_gives_the_mirrored_reaction(void **state) {
  (void)state;
  Fixture left, right;
  stand_and_strike(&left, "upper_arm_l", -4);
  stand_and_strike(&right, "upper_arm_r", 4);
  double difference = 0, size = 0;
  for (int i = 0; i < left.body->part_count; i++) {
    const dReal *a = dBodyGetLinearVel(left.character->ragdoll->ode[i]);
    const dReal *b = dBodyGetLinearVel(right.character->ragdoll->ode[left.body->parts[i].twin]);
    difference += fabs(a[0] + b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
    size += fabs(a[0]) + fabs(a[1]) + fabs(a[2]);
  }
  assert_true(size > 0.1); // it moved
  assert_true(difference < 0.02 * size);
  fixture_end(&left);
  fixture_end(&right);
}

// The shown pose changes no faster than animation and body do, but for the little that its changing share adds.
static void test_share_follows_its_goal_without_popping(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  const Skeleton *skeleton = &f.body->skeleton;
  Pose target = pose_bind(skeleton), measured = target;
  int arm = fixture_part(&f, "upper_arm_l"), thigh = fixture_part(&f, "thigh_r");
  measured.rotation[arm] = quat_exp((vec3s){{1, 0, 0}});
  measured.position[0].y -= 0.1f;
  BlendPair pair = {&target, &measured};
  float goals[BODY_MAX_PARTS] = {0}, weights[BODY_MAX_PARTS] = {0};
  goals[arm] = 1;
  goals[thigh] = 0.5f;
  int steps = 0;
  while (weights[arm] < 1 && steps < 1000) {
    float before = weights[arm], root_before = weights[0];
    physics_blend_follow(skeleton, &pair, &pair, goals, 0.01f, 0.002f, weights);
    assert_true((weights[arm] - before) * 1 <= 0.01001f);        // rad of the arm's difference of 1 rad
    assert_true((weights[0] - root_before) * 0.1f <= 0.002001f); // m of the root's difference of 0.1 m
    steps++;
  }
  assert_in_range(steps, 100, 101);
  assert_true(weights[0] == 0.5f); // pelvis and legs carry together: they share the thigh's goal
  assert_true(weights[fixture_part(&f, "foot_l")] == 0.5f);
  assert_true(weights[fixture_part(&f, "head")] == 0);
  memset(goals, 0, sizeof goals);
  for (int i = 0; i < 200; i++)
    physics_blend_follow(skeleton, &pair, &pair, goals, 0.01f, 0.002f, weights);
  for (int i = 0; i < f.body->part_count; i++)
    assert_true(weights[i] == 0); // back to the animation exactly
  body_free(f.body);
  files_free(&f.files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_runs_close_to_its_clip),
      cmocka_unit_test(test_shown_pose_returns_to_the_animation),
      cmocka_unit_test(test_hit_weakens_the_struck_chain_and_is_felt),
      cmocka_unit_test(test_mirrored_hit_gives_the_mirrored_reaction),
      cmocka_unit_test(test_share_follows_its_goal_without_popping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
