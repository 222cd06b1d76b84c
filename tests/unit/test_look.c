// The look layer: neck and head turn toward a direction, and leave the pose unchanged without one.
#include "anim/layers/look_at/look.h"
#include "tests/fixture.h"

static const double DEG = 3.14159265358979323846 / 180;

// A trunk that leans forward, a neck, a head: each bent a little.
static Skeleton make_skeleton(void) {
  Skeleton s = {.count = 4};
  static const char *const names[] = {"pelvis", "chest", "neck", "head"};
  for (int i = 0; i < s.count; i++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = i - 1;
    s.bind_position_l[i] = (vec3s){{0, 0.3f, 0}};
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  return s;
}

static Pose make_pose(const Skeleton *skeleton) {
  Pose pose = pose_bind(skeleton);
  for (int i = 0; i < pose.count; i++)
    pose.rotation[i] = quat_exp((vec3s){{0.1f * (float)i, 0.2f, -0.15f}});
  return pose;
}

static void test_straight_ahead_changes_nothing(void **state) {
  (void)state;
  Skeleton skeleton = make_skeleton();
  Pose pose = make_pose(&skeleton), before = pose;
  Look look;
  look_init(&look, &skeleton);
  assert_int_equal(look.count, 2);
  for (int i = 0; i < 1000; i++)
    look_step(&look, 1.0 / 240);
  assert_true(look.yaw == 0 && look.pitch == 0);
  look_apply(&look, &skeleton, &pose);
  assert_memory_equal(&pose, &before, sizeof pose);

  // And again after looking elsewhere and back.
  look.goal_yaw = 1;
  for (int i = 0; i < 240; i++)
    look_step(&look, 1.0 / 240);
  look.goal_yaw = 0;
  for (int i = 0; i < 1000; i++)
    look_step(&look, 1.0 / 240);
  look_apply(&look, &skeleton, &pose);
  assert_memory_equal(&pose, &before, sizeof pose);
}

// The head is turned by the whole angle against the root, the neck by half of it, nothing else moves.
static void test_shares_add_up(void **state) {
  (void)state;
  Skeleton skeleton = make_skeleton();
  Pose pose = make_pose(&skeleton);
  ModelPose before, after;
  pose_to_model(&skeleton, &pose, &before);
  Look look;
  look_init(&look, &skeleton);
  look.yaw = 50 * DEG;
  look.pitch = 30 * DEG;
  look_apply(&look, &skeleton, &pose);
  pose_to_model(&skeleton, &pose, &after);
  assert_memory_equal(&before.rotation[1], &after.rotation[1], sizeof after.rotation[1]);
  versors whole = look_rotation(look.yaw, look.pitch);
  versors half = quat_slerp(glms_quat_identity(), whole, 0.5f);
  assert_true(quat_angle_between(after.rotation[2], glms_quat_mul(half, before.rotation[2])) < 1e-3f);
  assert_true(quat_angle_between(after.rotation[3], glms_quat_mul(whole, before.rotation[3])) < 1e-3f);
}

// Forward goes to (sin yaw cos pitch, sin pitch, cos yaw cos pitch), and left stays level.
static void test_direction(void **state) {
  (void)state;
  double yaw = 40 * DEG, pitch = 25 * DEG;
  versors turn = look_rotation(yaw, pitch);
  vec3s forward = glms_quat_rotatev(turn, (vec3s){{0, 0, 1}}), left = glms_quat_rotatev(turn, (vec3s){{1, 0, 0}});
  vec3s expected = {{(float)(sin(yaw) * cos(pitch)), (float)sin(pitch), (float)(cos(yaw) * cos(pitch))}};
  assert_true(glms_vec3_distance(forward, expected) < 1e-6f);
  assert_true(fabsf(left.y) < 1e-6f);
}

// A critically damped spring from rest: (1 + w t) exp(-w t) of the way is left after t, w = 2 / 0.15 s.
static void test_angles_follow_smoothly(void **state) {
  (void)state;
  Skeleton skeleton = make_skeleton();
  Look look;
  look_init(&look, &skeleton);
  look.goal_yaw = 1;
  look.goal_pitch = -0.5;
  double w = 2 / 0.15;
  for (int i = 1; i <= 240; i++) {
    double before = look.yaw;
    look_step(&look, 1.0 / 240);
    double t = i / 240.0;
    assert_true(look.yaw > before && look.yaw <= 1);
    assert_true(fabs(look.yaw - (1 - (1 + w * t) * exp(-w * t))) < 2e-6);
    assert_true(fabs(look.pitch + 0.5 * look.yaw) < 2e-6);
  }
}

static void test_debug_shows_the_goal(void **state) {
  (void)state;
  Skeleton skeleton = make_skeleton();
  Look look;
  look_init(&look, &skeleton);
  look.goal_yaw = 30 * DEG;
  DebugDraw *draw = calloc(1, sizeof *draw);
  look_debug(&look, (vec3s){{1, 1.6f, 2}}, 60 * DEG, draw);
  assert_int_equal(draw->count, 3);
  assert_int_equal(draw->items[0].group, DEBUG_LOOK);
  assert_int_equal(draw->items[1].shape, DEBUG_POINT); // 2 m to the left: 60 and 30 degrees
  assert_true(fabsf(draw->items[1].a[0] - 3) < 1e-6f && fabsf(draw->items[1].a[1] - 1.6f) < 1e-6f);
  assert_true(fabsf(draw->items[1].a[2] - 2) < 1e-6f);

  skeleton.count = 2; // no neck, no head
  look_init(&look, &skeleton);
  debug_clear(draw);
  look_debug(&look, (vec3s){{0, 0, 0}}, 0, draw);
  assert_int_equal(look.count, 0);
  assert_int_equal(draw->count, 0);
  free(draw);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_straight_ahead_changes_nothing),
      cmocka_unit_test(test_shares_add_up),
      cmocka_unit_test(test_direction),
      cmocka_unit_test(test_angles_follow_smoothly),
      cmocka_unit_test(test_debug_shows_the_goal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
