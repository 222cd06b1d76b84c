// Goals for swinging legs: the thighs follow the target's rotation in the world, whatever the pelvis does.
#include "ragdoll/body/swing_legs.h"

static versors world_rotation(const Skeleton *skeleton, const Pose *pose_w, int joint) {
  vec3s position;
  versors rotation;
  pose_joint_transform(skeleton, pose_w, joint, &position, &rotation);
  return rotation;
}

void swing_legs_lead(const Skeleton *skeleton, const bool swings[], const Pose *wanted, const Pose *measured,
                     JointGoal goals[]) {
  for (int i = 0; i < skeleton->leg_count; i++) {
    if (!swings[i])
      continue;
    int hip = skeleton->legs[i].hip, pelvis = skeleton->parent[hip];
    versors to_pelvis = glms_quat_conjugate(world_rotation(skeleton, measured, pelvis));
    versors amends = glms_quat_mul(to_pelvis, world_rotation(skeleton, wanted, pelvis));
    goals[hip].rotation = glms_quat_normalize(glms_quat_mul(amends, goals[hip].rotation));
  }
}
