#include "ragdoll/physics_blend.h"

#include <math.h>

#include "anim/ik.h"

// Whether the way from the root to the ankle is neither all animation nor all physics.
static bool is_mixed(const Skeleton *skeleton, const Leg *leg, const float *weights) {
  bool animated = true, physical = true;
  for (int joint = leg->ankle; joint >= 0; joint = skeleton->parent[joint]) {
    if (weights[joint] != 0) animated = false;
    if (weights[joint] != 1) physical = false;
  }
  return !animated && !physical;
}

void physics_blend(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, const float *weights,
                   Pose *output_w) {
  pose_blend(target_w, measured_w, 0, weights, output_w);
  bool mixed = false;
  for (int i = 0; i < skeleton->leg_count; i++) mixed = mixed || is_mixed(skeleton, &skeleton->legs[i], weights);
  if (!mixed) return;
  ModelPose target, measured;
  pose_to_model(skeleton, target_w, &target);
  pose_to_model(skeleton, measured_w, &measured);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    if (!is_mixed(skeleton, leg, weights)) continue;
    float weight = weights[leg->ankle];
    vec3s ankle = glms_vec3_lerp(target.position[leg->ankle], measured.position[leg->ankle], weight);
    versors foot = quat_slerp(target.rotation[leg->ankle], measured.rotation[leg->ankle], weight);
    leg_reach(skeleton, leg, ankle, foot, output_w);
  }
}

void physics_blend_follow(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, const float *goals,
                          float turn, float shift, float *weights) {
  for (int i = 0; i < skeleton->count; i++) {
    float change = goals[i] - weights[i];
    if (change == 0) continue;
    float angle = quat_angle_between(target_w->rotation[i], measured_w->rotation[i]);
    float most = angle > 0 ? turn / angle : 1;
    float distance = i == 0 ? glms_vec3_distance(target_w->position[0], measured_w->position[0]) : 0;
    if (distance > 0) most = fminf(most, shift / distance);
    weights[i] = fabsf(change) <= most ? goals[i] : weights[i] + copysignf(most, change);
  }
}
