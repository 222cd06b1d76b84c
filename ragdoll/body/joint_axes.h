// The axes about which a joint can rotate.
#ifndef STAGGER_RAGDOLL_BODY_JOINT_AXES_H
#define STAGGER_RAGDOLL_BODY_JOINT_AXES_H

#include "ragdoll/body/body_def.h"

// Whether the joint can rotate about an axis: a hinge about its twist axis, a universal joint about the two others.
bool joint_turns(const JointDef *joint, int axis);

#endif
