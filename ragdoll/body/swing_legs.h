// Legs in the air keep to their way in the world, not to the pelvis.
//
// Hung on a pelvis that leans forward, a swinging foot comes down before its time and short of its place. There
// friction holds it while its joints go on pushing it forward: the ground brakes the body, and what brakes far below
// the pelvis makes it lean more. So the hip of a leg that swings makes good what the pelvis is off by. A hip that is
// driven in the world while it swings: Yin, Loken, van de Panne (2007), SIMBICON, ACM Trans Graph 26(3):105, section 3.
#ifndef STAGGER_RAGDOLL_BODY_SWING_LEGS_H
#define STAGGER_RAGDOLL_BODY_SWING_LEGS_H

#include "ragdoll/body/drive.h"

// Turns the goals of the hips of those legs that swing ([the skeleton's legs]), so that the thighs reach their targets'
// rotations in the world. measured: the body in the world; wanted: the target for this same moment.
void swing_legs_lead(const Skeleton *skeleton, const bool swings[], const Pose *wanted, const Pose *measured,
                     JointGoal goals[]);

#endif
