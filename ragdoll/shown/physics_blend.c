// Mixes animation and physics joint by joint, and solves the legs so that planted feet are where the blend of both has
// them.
#include "ragdoll/shown/physics_blend.h"

#include <math.h>
#include <string.h>

#include "anim/ik.h"
#include "sim/base/numbers.h"

// Whether the joints from the root to the ankle are neither all animation nor all physics.
static bool is_mixed(const Skeleton *skeleton, const Leg *leg, const float *weights) {
  bool animated = true, physical = true;
  for (int joint = leg->ankle; joint >= 0; joint = skeleton->parent[joint]) {
    if (weights[joint] != 0)
      animated = false;
    if (weights[joint] != 1)
      physical = false;
  }
  return !animated && !physical;
}

// A mixed leg that is all but straight bends its knee little while it is shorter than its two by less than this.
static const float SOFT_LENGTH = 0.016f; // m
static const float STRAIGHT = 0.93f;     // share of its whole length from which on a leg counts as such, more and more

// The ankle on its line from the hip, somewhat farther when that bends the knee less: the mean of two straight legs
// that point apart is shorter than they are, and a straight knee that begins to bend turns by 5 deg for a millimetre. A
// straight leg that would be shorter by s becomes so by s^2 / (s + SOFT_LENGTH). length: of the leg by the blend of its
// joints' angles, whole: stretched, m.
static vec3s soften(vec3s hip, vec3s ankle, float length, float whole) {
  vec3s way = glms_vec3_sub(ankle, hip);
  float wanted = glms_vec3_norm(way), shorter = length - wanted;
  float straight = fminf((length / whole - STRAIGHT) / (1 - STRAIGHT), 1);
  if (!(shorter > 0 && wanted > 0 && straight > 0))
    return ankle;
  float soft = length - shorter * shorter / (shorter + straight * SOFT_LENGTH);
  return glms_vec3_add(hip, glms_vec3_scale(way, soft / wanted));
}

void physics_blend(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, const float *weights,
                   Pose *output_w) {
  pose_blend(target_w, measured_w, 0, weights, output_w);
  bool mixed = false;
  for (int i = 0; i < skeleton->leg_count; i++)
    mixed = mixed || is_mixed(skeleton, &skeleton->legs[i], weights);
  if (!mixed)
    return;
  ModelPose target, measured, output;
  pose_legs_to_model(skeleton, target_w, &target);
  pose_legs_to_model(skeleton, measured_w, &measured);
  pose_legs_to_model(skeleton, output_w, &output);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    if (!is_mixed(skeleton, leg, weights))
      continue;
    float weight = weights[leg->ankle];
    vec3s ankle = glms_vec3_lerp(target.position[leg->ankle], measured.position[leg->ankle], weight);
    versors foot = quat_slerp(target.rotation[leg->ankle], measured.rotation[leg->ankle], weight);
    vec3s hip = output.position[leg->hip];
    ankle =
        soften(hip, ankle, glms_vec3_distance(hip, output.position[leg->ankle]), skeleton_leg_length(skeleton, leg));
    leg_reach(skeleton, leg, ankle, foot, output_w);
  }
}

// Pelvis and legs carry the body together: with different shares a planted foot would be out of a mixed leg's reach, so
// they share one weight. Marks them.
static void find_carriers(const Skeleton *skeleton, bool carries[SKELETON_MAX_JOINTS]) {
  memset(carries, 0, SKELETON_MAX_JOINTS * sizeof *carries);
  carries[0] = true;
  for (int i = 0; i < skeleton->leg_count; i++)
    for (int joint = skeleton->legs[i].ankle; joint > 0; joint = skeleton->parent[joint])
      carries[joint] = true;
}

// The largest change of a joint's weight within the limits of turn and shift of the shown pose.
static float allowed_change(const BlendPair *before, const BlendPair *now, int joint, float turn, float shift) {
  float angle = fminf(quat_angle_between(before->target_w->rotation[joint], before->measured_w->rotation[joint]),
                      quat_angle_between(now->target_w->rotation[joint], now->measured_w->rotation[joint]));
  float most = angle > turn ? turn / angle : 1;
  if (joint > 0)
    return most;
  float distance = fminf(glms_vec3_distance(before->target_w->position[0], before->measured_w->position[0]),
                         glms_vec3_distance(now->target_w->position[0], now->measured_w->position[0]));
  return distance > shift ? fminf(most, shift / distance) : most;
}

// Share of the turn that legs may use: two straight legs that point apart also bend their knees when they are mixed.
static const float LEGS_SHARE = 0.8f;

static float toward(float weight, float goal, float most) {
  float change = goal - weight;
  return fabsf(change) <= most ? goal : weight + copysignf(most, change);
}

// Where the body is closer to the animation than this share of what looks alike, the animation is shown.
static const float CLOSE = 0.2f;

// The least share of physics at a distance and an angle from the animation. As the body goes away from the animation,
// what is shown goes away at most 1.6 times as fast.
static float least_share(float distance, float angle) {
  const float off = fmaxf(distance / (float)PHYSICS_BLEND_DISTANCE, angle / (float)PHYSICS_BLEND_ANGLE);
  const float rest = 1 - fmaxf(0, fminf((off - CLOSE) / (1 - CLOSE), 1));
  return 1 - rest * rest;
}

// m: how far the root of the animation would carry a part of the body from where it is: a tail's end is far from it.
static float carried_off(const ModelPose *target, const ModelPose *measured, int part) {
  const versors turn = glms_quat_mul(target->rotation[0], glms_quat_conjugate(measured->rotation[0]));
  const vec3s arm = glms_vec3_sub(measured->position[part], measured->position[0]);
  const vec3s carried = glms_vec3_add(target->position[0], glms_quat_rotatev(turn, arm));
  return glms_vec3_distance(carried, measured->position[part]);
}

void physics_blend_least(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, float *weights) {
  bool carries[SKELETON_MAX_JOINTS];
  ModelPose target, measured;
  float carriers = 0;
  find_carriers(skeleton, carries);
  pose_to_model(skeleton, target_w, &target);
  pose_to_model(skeleton, measured_w, &measured);
  for (int i = skeleton->count - 1; i >= 0; i--) {
    weights[i] = least_share(glms_vec3_distance(target.position[i], measured.position[i]),
                             quat_angle_between(target.rotation[i], measured.rotation[i]));
    carriers = fmaxf(carriers, carries[i] ? weights[i] : least_share(carried_off(&target, &measured, i), 0));
  }
  for (int i = skeleton->count - 1; i > 0; i--) { // children come after their parents
    const int parent = skeleton->parent[i];
    if (carries[i])
      weights[i] = carriers;
    else if (!carries[parent])
      weights[parent] = fmaxf(weights[parent], weights[i]);
  }
  weights[0] = carriers;
}

void physics_blend_follow(const Skeleton *skeleton, const BlendPair *before, const BlendPair *now, const float *goals,
                          float turn, float shift, float *weights) {
  bool carries[SKELETON_MAX_JOINTS];
  float carriers_goal = 0, carriers_most = 1;
  find_carriers(skeleton, carries);
  for (int i = 0; i < skeleton->count; i++)
    if (carries[i])
      carriers_goal = fmaxf(carriers_goal, goals[i]);
  for (int i = 0; i < skeleton->count; i++) {
    float goal = carries[i] ? carriers_goal : goals[i];
    if (goal == weights[i])
      continue;
    float most = allowed_change(before, now, i, carries[i] ? LEGS_SHARE * turn : turn, shift);
    if (carries[i])
      carriers_most = fminf(carriers_most, most);
    else
      weights[i] = toward(weights[i], goal, most);
  }
  for (int i = 0; i < skeleton->count; i++)
    if (carries[i])
      weights[i] = toward(weights[i], carriers_goal, carriers_most);
}
