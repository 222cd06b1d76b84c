// The shown pose: animation and physics mixed joint by joint, with planted feet kept where the mix of both feet is.
#ifndef STAGGER_RAGDOLL_PHYSICS_BLEND_H
#define STAGGER_RAGDOLL_PHYSICS_BLEND_H

#include "anim/pose.h"

// output = target where the weight is 0, measured where it is 1 (both bit for bit), between otherwise. weights: one for
// each joint, entry 0 for the root. Legs that are partly physical get their foot put back by IK to the mean of the two
// feet by the ankle's weight, so that mixing angles neither lifts nor sinks it.
void physics_blend(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, const float *weights,
                   Pose *output_w);

// Moves weights toward their goals (both one for each joint), so that the change of weight alone turns no joint of the
// shown pose by more than `turn` rad and shifts its root by no more than `shift` m: hits show at once, while target and
// measured are still close, and nothing ever pops. The root and the legs share the largest of their goals.
void physics_blend_follow(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, const float *goals,
                          float turn, float shift, float *weights);

#endif
