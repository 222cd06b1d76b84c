// Writes bodies as models of MuJoCo.
#ifndef STAGGER_RAGDOLL_BODY_BODY_MJCF_H
#define STAGGER_RAGDOLL_BODY_BODY_MJCF_H

#include "ragdoll/body/body_def.h"
#include "sim/base/text_buffer.h"

// The text of an MJCF file (https://mujoco.readthedocs.io, XML reference) with the body on level ground, in MuJoCo's
// frame: X forward, Y left, Z up; m, kg, rad. To nine digits the same are masses, inertias, joints' places and axes,
// shapes, limits, strengths, stiffness, damping, armature and which parts may touch; sites NAME_heel and NAME_toe mark
// the soles of the legs. What differs: a ball joint is three hinges, the two of the swing before that of the twist, so
// that ranges limit these angles, not swing and twist; axes that are locked have no hinge; a motor's strength limits
// each axis, not the norm over them, which stands as a number of <custom>; damping is that of the joint, outside the
// strength; there are no reflexes, no stiffness by torque and none in space.
void body_write_mjcf(const BodyDef *body, TextBuffer *text);

#endif
