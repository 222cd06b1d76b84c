// Puts poses of a body back onto the rig of another program: the inverse of retargeting. Every bone of the rig gets the
// direction and the rotation that retargeting would read from it; bones that no part stands for (fingers, toes, twist
// bones, collar bones) keep their rest pose, and those between two matched bones of the trunk share the turn.
#ifndef STAGGER_ANIM_RETARGET_RETARGET_BACK_H
#define STAGGER_ANIM_RETARGET_RETARGET_BACK_H

#include "anim/retarget/retarget.h"

typedef struct RetargetBack RetargetBack;

// rig, map (of retarget_map) and skeleton must outlive the result. A rig that was read with its skin
// (MotionOptions.skin) stands with its own soles where the body's are, otherwise with its ankles. NULL and an error: no
// memory, legs without a length, a body without two legs, a figure that stands otherwise than it.
RetargetBack *retarget_back_create(const Motion *rig, const RetargetMap *map, const Skeleton *skeleton, Error *error);
void retarget_back_destroy(RetargetBack *back); // NULL is fine

// Lengths of the body for one of the rig, by their legs.
double retarget_back_scale(const RetargetBack *back);

// Whether poses move a joint of the rig. Joints that do not move stand above or beside all matched ones.
bool retarget_back_moves(const RetargetBack *back, int joint);

// Places all joints of the rig, [joint_count], for a pose of the body in the world: positions in m of the rig, so the
// body's divided by the scale, in the body's world. Legs reach the body's ankles by the rig's own bones. Joints that do
// not move are carried along with the hips.
void retarget_back_pose(const RetargetBack *back, const ModelPose *body_w, vec3s *positions, versors *rotations);

// How far a rig that was placed is from the body, whose lengths are divided by the scale.
typedef struct RetargetDeviation {
  double angle;  // rad: largest angle between a limb's bone, or a rotation of the trunk, the head or a foot, and the
                 // body's
  double legs;   // m of the rig: largest distance of a knee or an ankle from the body's, both as seen from the hip
  double arms;   // m of the rig: the same of elbows and wrists, as seen from the shoulder
  double ground; // m of the rig: largest difference in height of a foot over the ground
} RetargetDeviation;

// Raises the values to those of this pose.
void retarget_back_compare(const RetargetBack *back, const ModelPose *body_w, const vec3s *positions,
                           const versors *rotations, RetargetDeviation *deviation);

#endif
