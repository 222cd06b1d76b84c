// Planted feet of the shown pose: they stay while the blend of animation and physics changes, until they are lifted.
#include "ragdoll/shown/foot_lock.h"
#include "ragdoll/shown/physics_blend.h"
#include "tests/fixture.h"

static const double DT = 1.0 / 240;

static bool level(const void *context, double x, double z, double from, double *height, double normal_w[3]) {
  (void)context, (void)x, (void)z, (void)from;
  *height = 0;
  if (normal_w)
    memcpy(normal_w, (double[3]){0, 1, 0}, 3 * sizeof *normal_w);
  return true;
}

static const Ground ground = {.height = level};

// The target stands with bent knees; in the measured pose the root and a leg are elsewhere.
static void make_poses(const Skeleton *skeleton, Pose *target, Pose *measured) {
  *target = pose_bind(skeleton);
  for (int i = 0; i < skeleton->leg_count; i++) {
    target->rotation[skeleton->legs[i].hip] = quat_exp((vec3s){{-0.4f, 0, 0}});
    target->rotation[skeleton->legs[i].knee] = quat_exp((vec3s){{0.8f, 0, 0}});
    target->rotation[skeleton->legs[i].ankle] = quat_exp((vec3s){{-0.4f, 0, 0}});
  }
  *measured = *target;
  measured->position[0].x += 0.02f;
  measured->position[0].y -= 0.01f;
  measured->rotation[skeleton->legs[0].hip] = quat_exp((vec3s){{-0.43f, 0, 0.05f}});
}

static vec3s ankle_of(const Skeleton *skeleton, const Pose *pose, int leg) {
  ModelPose model;
  pose_to_model(skeleton, pose, &model);
  return model.position[skeleton->legs[leg].ankle];
}

// Blends with one weight for all joints, and locks the feet.
static void show(FootLock *foot_lock, const Skeleton *skeleton, float weight, bool stands, Pose *output) {
  Pose target, measured;
  float weights[BODY_MAX_PARTS];
  bool standing[SKELETON_MAX_LEGS];
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    weights[i] = weight;
  for (int i = 0; i < SKELETON_MAX_LEGS; i++)
    standing[i] = stands;
  make_poses(skeleton, &target, &measured);
  physics_blend(skeleton, &target, &measured, weights, output);
  foot_lock_apply(foot_lock, skeleton, &ground, &target, standing, (const bool[SKELETON_MAX_LEGS]){false}, DT, output);
}

static void test_planted_feet_stay_while_the_mix_changes(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  FootLock foot_lock;
  Pose target, measured, output;
  foot_lock_init(&foot_lock);
  make_poses(skeleton, &target, &measured);
  for (int i = 0; i <= 720; i++) {
    show(&foot_lock, skeleton, 0.9f * (float)(i < 120 ? i : i < 240 ? 240 - i : 0) / 120, true, &output);
    vec3s foot = ankle_of(skeleton, &output, 1), animated = ankle_of(skeleton, &target, 1);
    vec3s body = ankle_of(skeleton, &measured, 1);
    assert_true(hypotf(foot.x - animated.x, foot.z - animated.z) < 2e-4f);
    assert_true(foot.y > body.y - 2e-4f && foot.y < animated.y + 2e-4f); // as high as the blend has it
  }
  for (int i = 0; i < 240; i++)
    show(&foot_lock, skeleton, 0, false, &output);
  assert_memory_equal(&output.rotation[0], &target.rotation[0], (size_t)target.count * sizeof target.rotation[0]);
}

// A foot that came down in the middle of a hit stays where it came down, until it is lifted.
static void test_a_foot_stays_where_it_came_down(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  FootLock foot_lock;
  Pose target, measured, output;
  foot_lock_init(&foot_lock);
  make_poses(skeleton, &target, &measured);
  for (int i = 0; i < 24; i++)
    show(&foot_lock, skeleton, 0.8f, false, &output);
  vec3s place = ankle_of(skeleton, &output, 1);
  assert_true(glms_vec3_distance(place, ankle_of(skeleton, &target, 1)) > 0.01f);
  for (int i = 0; i <= 120; i++) {
    show(&foot_lock, skeleton, 0.8f * (float)(120 - i) / 120, true, &output);
    vec3s now = ankle_of(skeleton, &output, 1);
    assert_true(hypotf(now.x - place.x, now.z - place.z) < 1e-3f);
  }
  for (int i = 0; i < 240; i++)
    show(&foot_lock, skeleton, 0, true, &output);
  assert_true(fabsf(ankle_of(skeleton, &output, 1).y - ankle_of(skeleton, &target, 1).y) <
              1e-4f); // neither sunk nor raised
  assert_true(foot_lock.active[1]);
  vec3s last = ankle_of(skeleton, &output, 1);
  for (int i = 0; i < 240; i++) { // lifted: back to the animation, never fast
    show(&foot_lock, skeleton, 0, false, &output);
    vec3s now = ankle_of(skeleton, &output, 1);
    assert_true(glms_vec3_distance(now, last) < 0.3f * (float)DT);
    last = now;
  }
  assert_false(foot_lock.active[1]);
  assert_memory_equal(&output.rotation[0], &target.rotation[0], (size_t)target.count * sizeof target.rotation[0]);
}

// A leg whose shin is shorter than its thigh cannot fold up to its hip: when the body comes nearer to a planted foot
// than that, the leg stays folded.
static void test_a_leg_that_cannot_fold_further(void **state) {
  const Fixture *f = *state;
  static Skeleton skeleton;
  skeleton = f->body->skeleton;
  const Leg *leg = &skeleton.legs[0];
  skeleton.bind_position_l[leg->ankle] = glms_vec3_scale(skeleton.bind_position_l[leg->ankle], 0.4f);
  const float thigh = glms_vec3_norm(skeleton.bind_position_l[leg->knee]);
  const float shin = glms_vec3_norm(skeleton.bind_position_l[leg->ankle]);
  Pose target = pose_bind(&skeleton), output; // he sits on the ground, the foot ahead of the hip
  target.rotation[leg->hip] = quat_exp((vec3s){{-1.78f, 0, 0}});
  target.rotation[leg->knee] = quat_exp((vec3s){{2.8f, 0, 0}});
  target.position[0].y += 0.08f - ankle_of(&skeleton, &target, 0).y;
  const bool standing[SKELETON_MAX_LEGS] = {true}, turns[SKELETON_MAX_LEGS] = {false};
  FootLock foot_lock;
  foot_lock_init(&foot_lock);
  for (int i = 0; i < 480; i++) {
    output = target;
    output.position[0].z += i < 24 ? 0 : 0.035f;
    foot_lock_apply(&foot_lock, &skeleton, &ground, &target, standing, turns, DT, &output);
    ModelPose shown;
    pose_to_model(&skeleton, &output, &shown);
    const float distance = glms_vec3_distance(shown.position[leg->hip], shown.position[leg->ankle]);
    assert_true(i < 120 || fabsf(distance - (thigh - shin)) < 2e-3f);
  }
  assert_true(foot_lock.active[0]);
}

// A body that jolts in the very step in which a foot is released moves the foot by less than the jolt.
static void test_a_jolt_is_not_taken_for_motion(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  FootLock foot_lock;
  Pose target, measured, output;
  foot_lock_init(&foot_lock);
  make_poses(skeleton, &target, &measured);
  const bool standing[SKELETON_MAX_LEGS] = {true, true}, lifted[SKELETON_MAX_LEGS] = {false};
  for (int i = 0; i < 48; i++) {
    output = measured;
    foot_lock_apply(&foot_lock, skeleton, &ground, &target, i < 24 ? lifted : standing, lifted, DT, &output);
  }
  vec3s held = ankle_of(skeleton, &output, 0);
  Pose jolted = measured;
  jolted.rotation[skeleton->legs[0].hip] = quat_exp((vec3s){{-0.45f, 0, 0.05f}});
  float jolt = glms_vec3_distance(ankle_of(skeleton, &jolted, 0), ankle_of(skeleton, &measured, 0));
  assert_true(jolt > 0.01f);
  output = jolted;
  foot_lock_apply(&foot_lock, skeleton, &ground, &target, standing, lifted, DT, &output);
  for (int i = 0; i < 4; i++) { // 1/60 s
    output = measured;
    foot_lock_apply(&foot_lock, skeleton, &ground, &target, lifted, lifted, DT, &output);
  }
  assert_true(glms_vec3_distance(ankle_of(skeleton, &output, 0), held) < 0.7f * jolt);
}

// An animation that is displaced to where its body is takes held feet along with it, but not as they are shown.
static void test_a_rebase_moves_no_held_foot(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  FootLock foot_lock;
  Pose target, measured, output;
  foot_lock_init(&foot_lock);
  make_poses(skeleton, &target, &measured);
  const bool standing[SKELETON_MAX_LEGS] = {true, true}, turns[SKELETON_MAX_LEGS] = {false};
  output = target;
  foot_lock_apply(&foot_lock, skeleton, &ground, &target, standing, turns, DT, &output);
  const vec3s held = ankle_of(skeleton, &output, 0);
  const RootRebase rebase = {.pivot = {0.3, 0, -0.2}, .turn = 0.002, .shift = {0.0005, 0, -0.001}};
  for (int i = 0; i < 10; i++) {
    double place[3];
    vec3_to_doubles(target.position[0], place);
    root_rebase_point(&rebase, place);
    target.position[0] = vec3_from_doubles(place);
    target.rotation[0] = glms_quat_mul(glms_quat((float)rebase.turn, 0, 1, 0), target.rotation[0]);
    output = target;
    foot_lock_rebase(&foot_lock, skeleton, &target, &rebase);
    foot_lock_apply(&foot_lock, skeleton, &ground, &target, standing, turns, DT, &output);
  }
  assert_true(glms_vec3_distance(ankle_of(skeleton, &target, 0), held) > 0.009f);
  assert_true(glms_vec3_distance(ankle_of(skeleton, &output, 0), held) < 0.0005f);
}

// The knee's bend in a pose, rad.
static double knee_of(const Skeleton *skeleton, const Pose *pose) {
  const Leg *leg = &skeleton->legs[1];
  ModelPose model;
  pose_to_model(skeleton, pose, &model);
  return (double)glms_vec3_angle(glms_vec3_sub(model.position[leg->knee], model.position[leg->hip]),
                                 glms_vec3_sub(model.position[leg->ankle], model.position[leg->knee]));
}

// A held foot that stretches the leg straightens the knee, at 1.5 rad/s beside the blend; when the blend's own knee
// becomes straight, the shown one becomes straight, and does not bend again.
static void test_a_knee_bends_no_further_than_straight(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  const int hip = skeleton->legs[1].hip, knee = skeleton->legs[1].knee;
  FootLock foot_lock;
  foot_lock_init(&foot_lock);
  const bool standing[SKELETON_MAX_LEGS] = {true, true}, turns[SKELETON_MAX_LEGS] = {false};
  Pose target = pose_bind(skeleton);
  target.rotation[hip] = quat_exp((vec3s){{-1.2f, 0, 0}});
  target.rotation[knee] = quat_exp((vec3s){{0.5f, 0, 0}});
  Pose mixed = target, output;
  mixed.position[0].z -= 0.038f;
  double beside = 0;
  for (int i = 0; i < 120; i++) {
    const double before = beside;
    output = mixed;
    foot_lock_apply(&foot_lock, skeleton, &ground, &target, standing, turns, DT, &output);
    beside = knee_of(skeleton, &output) - knee_of(skeleton, &mixed);
    assert_true(fabs(beside - before) < 1.5 * DT + 1e-3);
    if (i > 0 && i < 20)
      assert_true(beside < before - 1.5 * DT + 1e-3);
  }
  assert_true(beside < -0.15);
  double last = knee_of(skeleton, &output);
  for (int i = 1; i <= 20; i++) {
    mixed.rotation[knee] = quat_exp((vec3s){{fmaxf(0.5f - 0.1f * (float)i, 0), 0, 0}});
    output = mixed;
    foot_lock_apply(&foot_lock, skeleton, &ground, &target, standing, turns, DT, &output);
    assert_true(knee_of(skeleton, &output) < last + 1e-3);
    last = knee_of(skeleton, &output);
  }
}

// The knee of a straight leg whose held foot comes nearer to its hip bends until the foot has its place, whatever
// rounding makes of the straight leg's length.
static void test_straight_legs_bend(void **state) {
  const Fixture *f = *state;
  const Skeleton *skeleton = &f->body->skeleton;
  const int hip = skeleton->legs[1].hip;
  const bool standing[SKELETON_MAX_LEGS] = {true, true}, turns[SKELETON_MAX_LEGS] = {false};
  for (int k = 0; k < 40; k++) {
    FootLock foot_lock;
    foot_lock_init(&foot_lock);
    Pose target = pose_bind(skeleton);
    target.rotation[hip] = quat_exp((vec3s){{-0.6f - 0.015f * (float)k, 0, 0}});
    Pose mixed = target, output;
    mixed.position[0].z += 0.03f;
    for (int i = 0; i < 120; i++) {
      output = mixed;
      foot_lock_apply(&foot_lock, skeleton, &ground, &target, standing, turns, DT, &output);
    }
    const double moved = (double)glms_vec3_distance(ankle_of(skeleton, &output, 1), ankle_of(skeleton, &target, 1));
    if (!(moved < 1e-4 && knee_of(skeleton, &output) > 0.3))
      fail_msg("%d: %.1f mm, %.2f rad", k, 1000 * moved, knee_of(skeleton, &output));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_planted_feet_stay_while_the_mix_changes),
      cmocka_unit_test(test_a_foot_stays_where_it_came_down),
      cmocka_unit_test(test_a_leg_that_cannot_fold_further),
      cmocka_unit_test(test_a_jolt_is_not_taken_for_motion),
      cmocka_unit_test(test_a_rebase_moves_no_held_foot),
      cmocka_unit_test(test_a_knee_bends_no_further_than_straight),
      cmocka_unit_test(test_straight_legs_bend),
  };
  return cmocka_run_group_tests(tests, fixture_set_up_body, fixture_tear_down_body);
}
