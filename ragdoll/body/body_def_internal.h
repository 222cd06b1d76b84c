// Parts of bodies' descriptions, private to the files that make a BodyDef.
#ifndef STAGGER_RAGDOLL_BODY_BODY_DEF_INTERNAL_H
#define STAGGER_RAGDOLL_BODY_BODY_DEF_INTERNAL_H

#include "ragdoll/body/body_def.h"

// Sets all that follows from the body's parts: its skeleton without the legs, its mass, which parts collide, which
// carry, the warnings. To be called again when parts have changed.
void body_derive(BodyDef *body);

// Makes a part its own mirror image in the plane x = 0; name, parent and twin stay.
void body_mirror_part(PartDef *part);

// Moves a part's joint to a place (m) and scales the part about it along x, y and z. mass: factor of its mass.
void body_scale_part(PartDef *part, const double place[3], const double scale[3], double mass);

// Scales strength, stiffness and damping as for a body whose torques and times are larger by these factors.
void body_scale_drive(JointDef *joint, double torque, double time);

// Height of the highest point of all shapes in the bind pose, m.
double body_top(const BodyDef *body);

#endif
