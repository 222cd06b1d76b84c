// Poses of a body on a rig: a recorded motion that was retargeted comes back as it was; what no part stands for keeps
// its rest; legs of other proportions reach the body's ankles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>
#include <cmocka.h>

#include "anim/retarget/clip_import.h"
#include "anim/retarget/retarget_back.h"
#include "ragdoll/body/body_def.h"
#include "tests/unit/motion_fixture.h"

static const float RAD = (float)(GLM_PI / 180);

static FileSet files;
static BodyDef *body;
static Clip *walk;

static int load(void **state) {
  (void)state;
  Error error = {0};
  body = body_read(&files, "bodies/human.yaml", &error);
  walk = body ? clip_read(&files, "clips/walk.yaml", &body->skeleton, &error) : NULL;
  if (!walk)
    print_error("%s\n", error.text);
  return walk ? 0 : 1;
}

static int unload(void **state) {
  (void)state;
  clip_free(walk);
  body_free(body);
  files_free(&files);
  return 0;
}

static int find(const Motion *rig, const char *name) {
  for (int j = 0; j < rig->joint_count; j++)
    if (strcmp(rig->joints[j].name, name) == 0)
      return j;
  fail_msg("no joint %s", name);
  return -1;
}

static versors roll_of(int joint) {
  return quat_exp((vec3s){{0.3f * (float)(joint % 5), 0.7f * (float)(joint % 3), -0.4f * (float)(joint % 4)}});
}

// Gives every joint axes of its own, as rigs have them: world rotations are followed by a turn, and places stay.
static void roll_axes(const Motion *rig, vec3s *positions, versors *rotations) {
  for (int j = 0; j < rig->joint_count; j++) {
    const int parent = rig->joints[j].parent;
    const versors above = parent >= 0 ? glms_quat_conjugate(roll_of(parent)) : glms_quat_identity();
    positions[j] = glms_quat_rotatev(above, positions[j]);
    rotations[j] = glms_quat_normalize(glms_quat_mul(glms_quat_mul(above, rotations[j]), roll_of(j)));
  }
}

static void roll_rig(Motion *rig) {
  vec3s positions[MOTION_MAX_JOINTS];
  versors rotations[MOTION_MAX_JOINTS];
  for (int j = 0; j < rig->joint_count; j++) {
    positions[j] = rig->joints[j].bind_position_l;
    rotations[j] = rig->joints[j].bind_rotation_l;
  }
  roll_axes(rig, positions, rotations);
  for (int j = 0; j < rig->joint_count; j++) {
    rig->joints[j].bind_position_l = positions[j];
    rig->joints[j].bind_rotation_l = rotations[j];
  }
  for (int f = 0; f < rig->frame_count; f++)
    roll_axes(rig, rig->position_l + f * rig->joint_count, rig->rotation_l + f * rig->joint_count);
}

// Puts a joint without a meaning between another one and its parent, or below it when `above` is false.
static void insert_joint(Motion *rig, const char *name, const char *at, bool above, vec3s offset) {
  const int joint = find(rig, at), place = above ? joint : joint + 1, count = rig->joint_count;
  MotionJoint *joints = calloc((size_t)count + 1, sizeof *joints);
  vec3s *positions = calloc((size_t)(count + 1) * (size_t)rig->frame_count, sizeof *positions);
  versors *rotations = calloc((size_t)(count + 1) * (size_t)rig->frame_count, sizeof *rotations);
  for (int j = 0; j < count; j++) {
    const int to = j < place ? j : j + 1;
    joints[to] = rig->joints[j];
    joints[to].parent += joints[to].parent >= place ? 1 : 0;
    for (int f = 0; f < rig->frame_count; f++) {
      positions[f * (count + 1) + to] = rig->position_l[f * count + j];
      rotations[f * (count + 1) + to] = rig->rotation_l[f * count + j];
    }
  }
  MotionJoint *made = &joints[place];
  snprintf(made->name, sizeof made->name, "%s", name);
  made->parent = above ? joints[place + 1].parent : place - 1;
  made->bind_position_l = offset;
  made->bind_rotation_l = glms_quat_identity();
  if (above) {
    joints[place + 1].parent = place;
    joints[place + 1].bind_position_l = glms_vec3_sub(joints[place + 1].bind_position_l, offset);
  }
  for (int f = 0; f < rig->frame_count; f++) {
    positions[f * (count + 1) + place] = offset;
    rotations[f * (count + 1) + place] = glms_quat_identity();
    if (above)
      positions[f * (count + 1) + place + 1] = glms_vec3_sub(positions[f * (count + 1) + place + 1], offset);
  }
  free(rig->joints);
  free(rig->position_l);
  free(rig->rotation_l);
  rig->joints = joints;
  rig->position_l = positions;
  rig->rotation_l = rotations;
  rig->joint_count = count + 1;
}

typedef struct Fitted {
  RetargetMap map;
  RetargetBack *back;
} Fitted;

static void fit(Fitted *fitted, const Motion *rig) {
  Error error = {0};
  fitted->back = NULL;
  if (retarget_map(&fitted->map, rig, &body->skeleton, NULL, &error))
    fitted->back = retarget_back_create(rig, &fitted->map, &body->skeleton, &error);
  if (!fitted->back)
    fail_msg("%s", error.text);
}

static ModelPose place_clip(const Clip *clip, double time) {
  Pose pose;
  ModelPose model;
  vec3s position;
  versors rotation;
  clip_sample(clip, (float)time, &pose);
  clip_root_at(clip, time, &position, &rotation);
  pose_transform(&pose, position, rotation);
  pose_to_model(&body->skeleton, &pose, &model);
  return model;
}

// A rig's own motion, put onto the body and back, against the motion's own forward kinematics.
static void check_round_trip(float size, float arms, bool rolls) {
  Motion *motion = motion_from_clip(walk, 2, 60, size, arms, true);
  if (rolls)
    roll_rig(motion);
  const RetargetOptions options = retarget_options_default();
  Fitted fitted;
  RetargetRig rig;
  Error error = {0};
  fit(&fitted, motion);
  assert_float_equal(retarget_back_scale(fitted.back), 1 / size, 1e-4);
  assert_true(retarget_rig_init(&rig, motion, &fitted.map, &body->skeleton, &options, &error));
  vec3s want[SKELETON_MAX_JOINTS], got[SKELETON_MAX_JOINTS];
  versors want_turn[SKELETON_MAX_JOINTS], got_turn[SKELETON_MAX_JOINTS];
  float distance = 0, angle = 0;
  for (int f = 0; f < motion->frame_count; f += 3) {
    Pose pose;
    ModelPose model;
    retarget_rig_pose(&rig, f / motion->frame_rate, &pose);
    pose_to_model(&body->skeleton, &pose, &model);
    retarget_back_pose(fitted.back, &model, got, got_turn);
    motion_place(motion, f, want, want_turn);
    for (int j = 0; j < motion->joint_count; j++) {
      distance = fmaxf(distance, glms_vec3_distance(want[j], got[j]));
      angle = fmaxf(angle, quat_angle_between(want_turn[j], got_turn[j]));
    }
  }
  assert_true(distance < 1e-5f);
  assert_true(angle < 0.01f * RAD);
  retarget_rig_free(&rig);
  retarget_back_destroy(fitted.back);
  motion_free(motion);
}

static void test_a_motion_comes_back_as_it_was(void **state) {
  (void)state;
  check_round_trip(1, 0, false);
  check_round_trip(1.3f, 90 * RAD, false);
  check_round_trip(0.6f, 40 * RAD, true);
}

// Fingers, toes and twist bones keep their rest on whatever they hang; a joint between two of the trunk turns half.
static void test_bones_without_a_part(void **state) {
  (void)state;
  Motion *rig = motion_from_clip(walk, 1, 30, 1, 90 * RAD, false);
  insert_joint(rig, "x_thumb", "hand_l", false, (vec3s){{0, -0.1f, 0.02f}});
  insert_joint(rig, "x_tip", "foot_r", false, (vec3s){{0, -0.05f, 0.15f}});
  insert_joint(rig, "x_roll", "forearm_r", true, (vec3s){{-0.1f, 0, 0}});
  insert_joint(rig, "x_middle", "chest", true, (vec3s){{0, 0.05f, 0}});
  roll_rig(rig);
  Fitted fitted;
  fit(&fitted, rig);
  Pose pose = pose_bind(&body->skeleton);
  ModelPose model;
  const int abdomen = skeleton_find(&body->skeleton, "abdomen");
  pose.rotation[0] = quat_exp((vec3s){{0.1f, 0.5f, -0.2f}});
  pose.rotation[abdomen] = quat_exp((vec3s){{0.4f, 0.3f, 0}});
  pose.rotation[skeleton_find(&body->skeleton, "upper_arm_r")] = quat_exp((vec3s){{-0.5f, 0.2f, -0.3f}});
  pose.rotation[skeleton_find(&body->skeleton, "forearm_r")] = quat_exp((vec3s){{-0.9f, 0, 0}});
  pose.rotation[skeleton_find(&body->skeleton, "hand_l")] = quat_exp((vec3s){{0.3f, 0, 0.2f}});
  pose_to_model(&body->skeleton, &pose, &model);
  vec3s positions[MOTION_MAX_JOINTS];
  versors turns[MOTION_MAX_JOINTS];
  retarget_back_pose(fitted.back, &model, positions, turns);
  static const char *const still[] = {"x_thumb", "x_tip", "x_roll"};
  for (int i = 0; i < 3; i++) {
    const int joint = find(rig, still[i]), parent = rig->joints[joint].parent;
    const versors local = glms_quat_mul(glms_quat_conjugate(turns[parent]), turns[joint]);
    assert_true(quat_angle_between(local, rig->joints[joint].bind_rotation_l) < 1e-3f);
  }
  for (int j = 1; j < rig->joint_count; j++) // bones keep their length
    assert_float_equal(glms_vec3_distance(positions[j], positions[rig->joints[j].parent]),
                       glms_vec3_norm(rig->joints[j].bind_position_l), 1e-5);

  // Our abdomen is the rig's new joint, as the middle of three; the rig's abdomen turns half as much, in the world.
  vec3s rest_positions[MOTION_MAX_JOINTS];
  versors rest[MOTION_MAX_JOINTS], turn[3];
  retarget_place_rest(rig, rest_positions, rest);
  const int joints[3] = {find(rig, "pelvis"), find(rig, "abdomen"), find(rig, "x_middle")};
  for (int i = 0; i < 3; i++)
    turn[i] = glms_quat_mul(turns[joints[i]], glms_quat_conjugate(rest[joints[i]]));
  assert_float_equal(quat_angle_between(turn[0], turn[2]), 0.5f, 1e-3);
  assert_float_equal(quat_angle_between(turn[0], turn[1]), 0.25f, 1e-3);
  assert_float_equal(quat_angle_between(turn[1], turn[2]), 0.25f, 1e-3);
  RetargetDeviation deviation = {0};
  retarget_back_compare(fitted.back, &model, positions, turns, &deviation);
  assert_true(deviation.angle < 0.01 * (double)RAD && deviation.legs < 1e-5 && deviation.arms < 1e-5);
  retarget_back_destroy(fitted.back);
  motion_free(rig);
}

// Thighs shorter, shins longer: bones turn otherwise, but the ankles are where the body's are.
static void test_legs_of_other_proportions_reach_the_ankles(void **state) {
  (void)state;
  Motion *rig = motion_from_clip(walk, 1, 30, 1, 0, false);
  static const char *const ends[] = {"shin_l", "shin_r", "foot_l", "foot_r"};
  for (int i = 0; i < 4; i++) {
    const int joint = find(rig, ends[i]);
    MotionJoint *at = &rig->joints[joint];
    at->bind_position_l = glms_vec3_scale(at->bind_position_l, i < 2 ? 0.8f : 1.2f);
    for (int f = 0; f < rig->frame_count; f++)
      rig->position_l[f * rig->joint_count + joint] = at->bind_position_l;
  }
  Fitted fitted;
  fit(&fitted, rig);
  RetargetDeviation deviation = {0};
  vec3s positions[SKELETON_MAX_JOINTS];
  versors turns[SKELETON_MAX_JOINTS];
  const float scale = (float)retarget_back_scale(fitted.back);
  for (int f = 0; f < 20; f++) {
    const ModelPose pose = place_clip(walk, f * (double)walk->duration / 20);
    retarget_back_pose(fitted.back, &pose, positions, turns);
    retarget_back_compare(fitted.back, &pose, positions, turns, &deviation);
    for (int l = 0; l < 2; l++) {
      const Leg *leg = &body->skeleton.legs[l];
      const vec3s ours = glms_vec3_sub(pose.position[leg->ankle], pose.position[leg->hip]);
      const vec3s theirs =
          glms_vec3_sub(positions[fitted.map.source[leg->ankle]], positions[fitted.map.source[leg->hip]]);
      assert_true(glms_vec3_distance(glms_vec3_scale(theirs, scale), ours) < 1e-4f);
    }
  }
  assert_true(deviation.angle > 3 * (double)RAD && deviation.angle < 15 * (double)RAD);
  assert_true(deviation.ground < 1e-3);
  // An ankle beside the hip, along the knee's hinge, says nothing of the way in which the knee bends.
  const Pose bind = pose_bind(&body->skeleton);
  const Leg *leg = &body->skeleton.legs[0];
  ModelPose aside;
  pose_to_model(&body->skeleton, &bind, &aside);
  aside.position[leg->ankle] = glms_vec3_add(aside.position[leg->hip], (vec3s){{0.5f, 0, 0}});
  retarget_back_pose(fitted.back, &aside, positions, turns);
  const vec3s ours = glms_vec3_sub(aside.position[leg->knee], aside.position[leg->hip]);
  const vec3s theirs = glms_vec3_sub(positions[fitted.map.source[leg->knee]], positions[fitted.map.source[leg->hip]]);
  assert_true(glms_vec3_dot(glms_vec3_normalize(ours), glms_vec3_normalize(theirs)) > 0.99999f);
  retarget_back_destroy(fitted.back);
  motion_free(rig);
}

// Feet that hang on the root, for controls of their own, are put at the ends of the shins.
static void test_feet_that_hang_on_the_root(void **state) {
  (void)state;
  Motion *rig = motion_from_clip(walk, 1, 30, 1, 0, false);
  Fitted fitted;
  vec3s positions[SKELETON_MAX_JOINTS], plain[SKELETON_MAX_JOINTS];
  versors turns[SKELETON_MAX_JOINTS];
  const ModelPose pose = place_clip(walk, 0.3);
  fit(&fitted, rig);
  retarget_back_pose(fitted.back, &pose, plain, turns);
  retarget_back_destroy(fitted.back);
  static const char *const feet[] = {"foot_l", "foot_r"};
  vec3s rest_positions[SKELETON_MAX_JOINTS];
  versors rest[SKELETON_MAX_JOINTS];
  retarget_place_rest(rig, rest_positions, rest);
  for (int i = 0; i < 2; i++) {
    const int foot = find(rig, feet[i]);
    rig->joints[foot].bind_position_l = glms_vec3_sub(rest_positions[foot], rest_positions[0]);
    for (int f = 0; f < rig->frame_count; f++) {
      motion_place(rig, f, positions, turns);
      const versors back = glms_quat_conjugate(turns[0]);
      rig->position_l[f * rig->joint_count + foot] =
          glms_quat_rotatev(back, glms_vec3_sub(positions[foot], positions[0]));
      rig->rotation_l[f * rig->joint_count + foot] = glms_quat_mul(back, turns[foot]);
    }
    rig->joints[foot].parent = 0;
  }
  fit(&fitted, rig);
  retarget_back_pose(fitted.back, &pose, positions, turns);
  for (int i = 0; i < 2; i++) {
    const int foot = find(rig, feet[i]);
    assert_true(glms_vec3_distance(positions[foot], plain[foot]) < 1e-4f);
  }
  retarget_back_destroy(fitted.back);
  motion_free(rig);
}

// The soles of a rig with thick shoes stand on the ground on which the body's do.
static void test_soles_stand_on_the_ground(void **state) {
  (void)state;
  Motion *rig = motion_from_clip(walk, 1, 30, 1, 0, false);
  Fitted fitted;
  vec3s positions[SKELETON_MAX_JOINTS], raised[SKELETON_MAX_JOINTS];
  versors turns[SKELETON_MAX_JOINTS];
  const ModelPose pose = place_clip(walk, 0.3);
  fit(&fitted, rig);
  retarget_back_pose(fitted.back, &pose, positions, turns);
  retarget_back_destroy(fitted.back);
  const Leg *leg = &body->skeleton.legs[0];
  rig->vertex_count = 1;
  rig->vertices = calloc(1, sizeof *rig->vertices);
  rig->vertices[0] = (MotionVertex){leg->ankle, {{0, leg->sole_l.y - 0.04f, 0}}};
  fit(&fitted, rig);
  retarget_back_pose(fitted.back, &pose, raised, turns);
  for (int j = 0; j < rig->joint_count; j++) {
    assert_float_equal(raised[j].y - positions[j].y, 0.04, 1e-3);
    assert_float_equal(raised[j].x, positions[j].x, 1e-6);
  }
  retarget_back_destroy(fitted.back);
  motion_free(rig);
}

// A figure on four legs: its hands are never off the ground.
static void test_a_figure_that_stands_otherwise(void **state) {
  (void)state;
  Motion *rig = motion_from_clip(walk, 1, 30, 1, 0, false);
  static const char *const arms[] = {"forearm_l", "forearm_r", "hand_l", "hand_r"};
  for (int i = 0; i < 4; i++) {
    const int joint = find(rig, arms[i]);
    rig->joints[joint].bind_position_l.y = -0.7f;
    for (int f = 0; f < rig->frame_count; f++)
      rig->position_l[f * rig->joint_count + joint].y = -0.7f;
  }
  RetargetMap map;
  Error error = {0};
  assert_true(retarget_map(&map, rig, &body->skeleton, NULL, &error));
  assert_null(retarget_back_create(rig, &map, &body->skeleton, &error));
  assert_non_null(strstr(error.text, "its figure stands otherwise than 'human': its hands are never higher than"));
  motion_free(rig);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_motion_comes_back_as_it_was),
      cmocka_unit_test(test_bones_without_a_part),
      cmocka_unit_test(test_legs_of_other_proportions_reach_the_ankles),
      cmocka_unit_test(test_feet_that_hang_on_the_root),
      cmocka_unit_test(test_soles_stand_on_the_ground),
      cmocka_unit_test(test_a_figure_that_stands_otherwise),
  };
  return cmocka_run_group_tests(tests, load, unload);
}
