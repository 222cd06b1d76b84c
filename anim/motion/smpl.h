// The skeleton of SMPL (Loper et al. 2015), whose rotations AMASS' files have: SMPL, SMPL-H and SMPL-X begin with the
// same joints.
#ifndef STAGGER_ANIM_MOTION_SMPL_H
#define STAGGER_ANIM_MOTION_SMPL_H

// A joint of a skeleton that is known without a file. values: numbers of a frame: 4 for a quaternion (w, x, y, z), 1
// for an angle about z, 3 for a rotation vector, 0 for none.
typedef struct TableJoint {
  const char *name;
  int parent, values;
  float offset[3]; // m, in the parent's frame
} TableJoint;

// The first 22 have rotations; the two hands that follow are places alone. A file says nothing of places but by ten
// coefficients of a body model; these are of an average adult in a T-pose, to the cm. x left, y up, z ahead.
enum { SMPL_JOINTS = 24, SMPL_ROTATIONS = 22 };

extern const TableJoint smpl_joints[SMPL_JOINTS];

#endif
