// A human body's motion as rotations of SMPL's joints, as AMASS (Mahmood et al. 2019) has them.
#ifndef STAGGER_SCENES_EXPORT_SMPL_POSE_H
#define STAGGER_SCENES_EXPORT_SMPL_POSE_H

#include "scenes/description/trace_motion.h"

// 52 joints as in SMPL-H: those of the body, then the fingers, which do not move.
enum { SMPL_POSE_SIZE = 3 * 52 };

// Whether the body has the parts of bodies/human.yaml, by their names, and limbs of some length.
bool smpl_pose_fits(const BodyDef *body);

// One frame. poses: rotation vectors, rad, of the pelvis in the world and of the others in their parent's frame; trans:
// place of the pelvis' joint, m, both in AMASS' frame with z up, in which Stagger's x, y and z are x, z and -y. A limb
// points where the body's limb does, from SMPL's T-pose; SMPL's joints that the body has not stay straight. The place
// of SMPL's own pelvis depends on its shape and lies some 0.2 m from its origin: a body model has to add that.
void smpl_pose_of(const TraceMotion *motion, int frame, float trans[3], float poses[SMPL_POSE_SIZE]);

#endif
