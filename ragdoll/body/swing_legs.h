// Swinging legs keep the target's path in the world instead of following the pelvis.
//
// If the pelvis leans forward and the leg follows it, a swinging foot comes down too early and too short. Friction then
// holds the foot while the joints continue to push it forward: the ground brakes the body, and braking far below the
// pelvis makes it lean more. So the hip of a swinging leg compensates for the pelvis' deviation. Hips that are driven
// in the world during swing: Yin, Loken, van de Panne (2007), SIMBICON, ACM Trans Graph 26(3):105, section 3.
#ifndef STAGGER_RAGDOLL_BODY_SWING_LEGS_H
#define STAGGER_RAGDOLL_BODY_SWING_LEGS_H

#include "ragdoll/body/drive.h"

// Changes the goals of the hips of swinging legs ([the skeleton's legs]) so that the thighs reach their targets'
// rotations in the world. measured: the body in the world; wanted: the target for the same moment.
void swing_legs_lead(const Skeleton *skeleton, const bool swings[], const Pose *wanted, const Pose *measured,
                     JointGoal goals[]);

#endif
