// Turns the rotations of a human body into those of SMPL's joints.
#include "scenes/export/smpl_pose.h"

#include <math.h>
#include <string.h>

#include "anim/motion/smpl.h"

// Joints of SMPL and the parts that they move. A limb also has the next joint and part, which tell where it points in
// the T-pose and in the bind pose; others are the same in both. The neck turns the whole head, the highest joint of the
// spine the chest, whose joint is at the same height; hands go on where forearms point.
typedef struct SmplPart {
  const char *joint, *part, *next_joint, *next_part;
} SmplPart;

static const SmplPart smpl_parts[] = {
    {"Pelvis", "pelvis", NULL, NULL},
    {"Spine1", "abdomen", NULL, NULL},
    {"Spine3", "chest", NULL, NULL},
    {"Neck", "head", NULL, NULL},
    {"L_Hip", "thigh_l", "L_Knee", "shin_l"},
    {"R_Hip", "thigh_r", "R_Knee", "shin_r"},
    {"L_Knee", "shin_l", "L_Ankle", "foot_l"},
    {"R_Knee", "shin_r", "R_Ankle", "foot_r"},
    {"L_Ankle", "foot_l", NULL, NULL},
    {"R_Ankle", "foot_r", NULL, NULL},
    {"L_Shoulder", "upper_arm_l", "L_Elbow", "forearm_l"},
    {"R_Shoulder", "upper_arm_r", "R_Elbow", "forearm_r"},
    {"L_Elbow", "forearm_l", "L_Wrist", "hand_l"},
    {"R_Elbow", "forearm_r", "R_Wrist", "hand_r"},
    {"L_Wrist", "hand_l", "L_Wrist", "hand_l"},
    {"R_Wrist", "hand_r", "R_Wrist", "hand_r"},
};
enum { PARTS = sizeof smpl_parts / sizeof smpl_parts[0] };

static const float LEAST_BONE = 0.01f; // m, below which a limb points nowhere

bool smpl_pose_fits(const BodyDef *body) {
  const Skeleton *skeleton = &body->skeleton;
  for (int i = 0; i < PARTS; i++) {
    const char *next = smpl_parts[i].next_part;
    if (skeleton_find(skeleton, smpl_parts[i].part) < 0)
      return false;
    const int end = next ? skeleton_find(skeleton, next) : 0;
    if (end < 0 || (next && glms_vec3_norm(skeleton->bind_position_l[end]) < LEAST_BONE))
      return false;
  }
  return true;
}

static const SmplPart *part_of(const char *joint) {
  for (int i = 0; i < PARTS; i++)
    if (strcmp(smpl_parts[i].joint, joint) == 0)
      return &smpl_parts[i];
  return NULL;
}

static vec3s t_pose_offset(const char *joint) {
  int j = 0;
  while (strcmp(smpl_joints[j].name, joint) != 0)
    j++;
  return (vec3s){{smpl_joints[j].offset[0], smpl_joints[j].offset[1], smpl_joints[j].offset[2]}};
}

// The rotation from the T-pose to the bind pose.
static versors to_bind(const Skeleton *skeleton, const SmplPart *part) {
  if (!part->next_joint)
    return glms_quat_identity();
  const vec3s bind = skeleton->bind_position_l[skeleton_find(skeleton, part->next_part)];
  return quat_shortest_arc(glms_vec3_normalize(t_pose_offset(part->next_joint)), glms_vec3_normalize(bind));
}

void smpl_pose_of(const TraceMotion *motion, int frame, float trans[3], float poses[SMPL_POSE_SIZE]) {
  const Skeleton *skeleton = &motion->body->skeleton;
  const versors z_up = quat_exp((vec3s){{(float)M_PI_2, 0, 0}});
  vec3s positions[SKELETON_MAX_JOINTS];
  versors rotations[SKELETON_MAX_JOINTS], world[SMPL_ROTATIONS];
  trace_motion_place(motion, frame, positions, rotations);
  memset(poses, 0, SMPL_POSE_SIZE * sizeof *poses);
  for (int j = 0; j < SMPL_ROTATIONS; j++) {
    const SmplPart *part = part_of(smpl_joints[j].name);
    const versors parent = j > 0 ? world[smpl_joints[j].parent] : glms_quat_conjugate(z_up);
    world[j] = part ? glms_quat_mul(rotations[skeleton_find(skeleton, part->part)], to_bind(skeleton, part)) : parent;
    const vec3s turn = quat_log(glms_quat_mul(glms_quat_conjugate(parent), world[j]));
    memcpy(&poses[3 * j], turn.raw, sizeof turn);
  }
  const vec3s pelvis = positions[skeleton_find(skeleton, "pelvis")];
  memcpy(trans, (const float[]){pelvis.x, -pelvis.z, pelvis.y}, 3 * sizeof *trans);
}
