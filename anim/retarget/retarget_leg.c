// Legs whose ankles are universal joints, as people's nearly are: the foot cannot turn about the shin, so a leg turns
// as a whole to give its foot a heading.
#include <math.h>

#include "anim/retarget/retarget_internal.h"

static const float TURNS_WHOLLY = 0.5f, TURNS_NOT = 1.2f; // rad of bend of the knee (29 and 69 deg)

Foot retarget_foot(const Skeleton *skeleton, const Pose *pose, int ankle) {
  Foot foot = {.rotation = glms_quat_identity()};
  for (int i = ankle; i >= 0; i = skeleton->parent[i]) {
    foot.position = glms_vec3_add(pose->position[i], glms_quat_rotatev(pose->rotation[i], foot.position));
    foot.rotation = glms_quat_mul(pose->rotation[i], foot.rotation);
  }
  foot.rotation = glms_quat_normalize(foot.rotation);
  return foot;
}

bool retarget_ankle_is_universal(const RetargetLimits *limits, const Leg *leg) {
  return limits && limits->twist_axis[leg->ankle] == 1 &&
         limits->range[leg->ankle][1][0] == limits->range[leg->ankle][1][1];
}

void retarget_turn_leg(const Skeleton *skeleton, const Leg *leg, versors foot, float share, Pose *pose) {
  for (int i = 0; i < 4; i++) {
    versors q = glms_quat_mul(glms_quat_conjugate(skeleton->bind_rotation_l[leg->ankle]), pose->rotation[leg->ankle]);
    float yaw = share * atan2f(2 * (q.x * q.z + q.y * q.w), 1 - 2 * (q.y * q.y + q.z * q.z)); // yaw of q = Rx Rz Ry
    Foot thigh = retarget_foot(skeleton, pose, leg->hip), ankle = retarget_foot(skeleton, pose, leg->ankle);
    vec3s axis = glms_vec3_sub(thigh.position, ankle.position);
    if (glms_vec3_norm(axis) < 1e-4f)
      return;
    versors turn = quat_exp(glms_vec3_scale(glms_vec3_normalize(axis), yaw));
    versors parent = glms_quat_mul(thigh.rotation, glms_quat_conjugate(pose->rotation[leg->hip]));
    pose->rotation[leg->hip] =
        glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(parent), glms_quat_mul(turn, thigh.rotation)));
    Foot shin = retarget_foot(skeleton, pose, leg->knee);
    pose->rotation[leg->ankle] = glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(shin.rotation), foot));
    if (share < 1)
      return; // each further turn would bring the rest of the heading, too
  }
}

void retarget_turn_legs(const Skeleton *skeleton, const RetargetLimits *limits, Pose *pose) {
  for (int l = 0; l < skeleton->leg_count; l++) {
    const Leg *leg = &skeleton->legs[l];
    if (!retarget_ankle_is_universal(limits, leg))
      continue;
    float bend = quat_angle_between(pose->rotation[leg->knee], skeleton->bind_rotation_l[leg->knee]);
    float t = fminf(fmaxf((TURNS_NOT - bend) / (TURNS_NOT - TURNS_WHOLLY), 0), 1);
    versors foot = retarget_foot(skeleton, pose, leg->ankle).rotation;
    retarget_turn_leg(skeleton, leg, foot, t * t * (3 - 2 * t), pose);
  }
}
