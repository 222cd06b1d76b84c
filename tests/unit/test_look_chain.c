// The kinematics of looking: the gaze's spring with its limited speed, and a chain's shares of a turn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "anim/layers/look_at/look_chain.h"
#include "sim/base/numbers.h"

static const double DEG = RAD_PER_DEGREE;
static const double DT = 1.0 / 240;

enum { PELVIS, ABDOMEN, CHEST, NECK, HEAD, ARM, JOINTS };

// A trunk with a neck, a head and an arm. Its joints' frames are turned against the model's, as in imported skeletons.
static Skeleton make_skeleton(void) {
  static const char *const names[JOINTS] = {"pelvis", "abdomen", "chest", "neck", "head", "arm"};
  static const int parents[JOINTS] = {-1, PELVIS, ABDOMEN, CHEST, NECK, CHEST};
  Skeleton s = {.count = JOINTS};
  for (int i = 0; i < JOINTS; i++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = parents[i];
    s.bind_position_l[i] = (vec3s){{0.01f, 0.15f, 0.02f}};
    s.bind_rotation_l[i] = quat_exp((vec3s){{0.3f * (float)i, -0.4f, 0.2f}});
  }
  s.bind_position_l[PELVIS] = (vec3s){{0, 0.9f, 0}};
  return s;
}

static void is_near(vec3s v, float x, float y, float z) {
  assert_true(glms_vec3_distance(v, (vec3s){{x, y, z}}) < 1e-6f);
}

// A chain as it is made looks ahead from its last joint, with equal shares and no limits.
static void test_a_chain_looks_ahead_at_first(void **state) {
  (void)state;
  Skeleton skeleton = make_skeleton();
  const int joints[] = {CHEST, NECK, HEAD};
  LookChain chain = look_chain_make(&skeleton, joints, 3);
  Pose bind = pose_bind(&skeleton);
  ModelPose model;
  pose_to_model(&skeleton, &bind, &model);
  const versors head = model.rotation[HEAD];
  is_near(glms_quat_rotatev(head, chain.forward_l), 0, 0, 1);
  is_near(glms_quat_rotatev(head, chain.up_l), 0, 1, 0);
  is_near(chain.eyes_l, 0, 0, 0);
  for (int k = 0; k < 3; k++)
    assert_true(chain.joint[k] == joints[k] && fabs(chain.share[k] - 1.0 / 3) < 1e-15 &&
                chain.yaw_limit[k] == INFINITY && chain.pitch_limit[k] == INFINITY);
  look_chain_head(&chain, &skeleton, (vec3s){{0, 3, 4}}, (vec3s){{0.1f, 0.2f, 0.3f}}); // of the model's frame
  is_near(glms_quat_rotatev(head, chain.forward_l), 0, 0.6f, 0.8f);
  is_near(glms_quat_rotatev(head, chain.up_l), 0, 0.8f, -0.6f);
  is_near(glms_quat_rotatev(head, chain.eyes_l), 0.1f, 0.2f, 0.3f);
  look_chain_head(&chain, &skeleton, (vec3s){{0, -1, 0}}, GLMS_VEC3_ZERO); // straight down: any side is up
  assert_true(fabsf(glms_vec3_dot(chain.up_l, chain.forward_l)) < 1e-6f);
  assert_true(fabsf(glms_vec3_norm(chain.up_l) - 1) < 1e-6f);
}

// From rest and near enough it is a critically damped spring: (1 + w t) exp(-w t) is left after t. It arrives exactly.
static void test_spring(void **state) {
  (void)state;
  Gaze gaze = {0};
  const double damp = 0.15, w = 2 / damp;
  for (int i = 1; i <= 720; i++) {
    look_gaze_step(&gaze, 0.4, -0.2, damp, 360 * DEG, DT);
    double left = (1 + w * i * DT) * exp(-w * i * DT);
    assert_true(fabs(gaze.yaw - 0.4 * (1 - left)) < 2e-6 && fabs(gaze.pitch + 0.2 * (1 - left)) < 2e-6);
  }
  assert_true(gaze.yaw == 0.4 && gaze.pitch == -0.2 && gaze.yaw_velocity == 0 && gaze.pitch_velocity == 0);
}

// 30 Hz and 240 Hz agree, with and without a limited speed.
static void test_step_length(void **state) {
  (void)state;
  double largest = 0;
  Gaze fine = {0}, coarse = {0};
  for (int i = 0; i < 60; i++) {
    double goal = i < 20 ? 2.5 : i < 40 ? -0.2 : 0.3;
    look_gaze_step(&coarse, goal, goal / 3, 0.15, 360 * DEG, 1.0 / 30);
    for (int k = 0; k < 8; k++)
      look_gaze_step(&fine, goal, goal / 3, 0.15, 360 * DEG, 1.0 / 240);
    largest = fmax(largest, hypot(fine.yaw - coarse.yaw, fine.pitch - coarse.pitch));
  }
  print_message("30 Hz against 240 Hz: %.3f deg\n", largest / DEG);
  assert_true(largest < 0.02 * DEG);
}

// Shares are by weight; a joint at its limit leaves the rest to the others, and if none is left the head stays short.
static void test_shares_and_limits(void **state) {
  (void)state;
  Skeleton skeleton = make_skeleton();
  const int joints[] = {CHEST, NECK, HEAD};
  LookChain chain = look_chain_make(&skeleton, joints, 3);
  const double shares[] = {0.2, 0.3, 0.5}, yaw = 60 * DEG;
  memcpy(chain.share, shares, sizeof shares);
  for (int limited = 0; limited < 3; limited++) {
    Pose before = pose_bind(&skeleton), after = before;
    double expected[] = {12 * DEG, 30 * DEG, 60 * DEG}, side = 0;
    if (limited == 1) { // the head may 18: the others share 42 as 2 to 3
      chain.yaw_limit[2] = 18 * DEG;
      expected[0] = 16.8 * DEG;
      expected[1] = 42 * DEG;
    } else if (limited == 2) { // the neck 10: the chest takes the rest, as far as it may
      chain.yaw_limit[1] = 10 * DEG;
      chain.yaw_limit[0] = 20 * DEG;
      expected[0] = 20 * DEG;
      expected[1] = 30 * DEG;
      expected[2] = 48 * DEG;
    }
    look_chain_turn(&chain, &skeleton, 0, yaw, 0, &side, &after);
    ModelPose from, to;
    pose_to_model(&skeleton, &before, &from);
    pose_to_model(&skeleton, &after, &to);
    for (int k = 0; k < 3; k++) {
      versors turn = glms_quat_mul(to.rotation[joints[k]], glms_quat_conjugate(from.rotation[joints[k]]));
      vec3s turned = quat_log(turn);
      assert_true(fabs((double)turned.y - expected[k]) < 1e-5);
      assert_true(hypotf(turned.x, turned.z) < 1e-5f);
    }
    // Joints below the chest move with it, others stay.
    assert_memory_equal(&before.rotation[ABDOMEN], &after.rotation[ABDOMEN], sizeof(versors));
    assert_memory_equal(&before.rotation[ARM], &after.rotation[ARM], sizeof(versors));
    assert_memory_equal(before.position, after.position, sizeof before.position);
  }
}

// The path from an animated head that faces backward keeps its side until the other side is much shorter: the trunk
// does not swing to and fro.
static void test_animated_head_backward(void **state) {
  (void)state;
  Skeleton skeleton = make_skeleton();
  const int joints[] = {CHEST, NECK, HEAD};
  LookChain chain = look_chain_make(&skeleton, joints, 3);
  double side = 0;
  for (int i = 0; i < 720; i++) {
    Pose pose = pose_bind(&skeleton), before = pose;
    double facing = (i < 360 ? -170 : 180 + 15 * sin(0.1 * i)) * DEG; // of the whole body
    pose.rotation[0] = glms_quat_mul(quat_exp((vec3s){{0, (float)facing, 0}}), pose.rotation[0]);
    look_chain_turn(&chain, &skeleton, 0, 0, 0, &side, &pose);
    assert_true(side > 160 * DEG);
    assert_true(quat_angle_between(pose.rotation[CHEST], before.rotation[CHEST]) > 50 * (float)DEG);
  }
  Pose pose = pose_bind(&skeleton);
  pose.rotation[0] = glms_quat_mul(quat_exp((vec3s){{0, (float)(155 * DEG), 0}}), pose.rotation[0]);
  look_chain_turn(&chain, &skeleton, 0, 0, 0, &side, &pose);
  assert_true(fabs(side + 155 * DEG) < 1e-4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_chain_looks_ahead_at_first),
      cmocka_unit_test(test_spring),
      cmocka_unit_test(test_step_length),
      cmocka_unit_test(test_shares_and_limits),
      cmocka_unit_test(test_animated_head_backward),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
