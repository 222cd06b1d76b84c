// The shown pose: animation and physics mixed joint by joint, with planted feet kept where the blend of both feet is.
#ifndef STAGGER_RAGDOLL_SHOWN_PHYSICS_BLEND_H
#define STAGGER_RAGDOLL_SHOWN_PHYSICS_BLEND_H

#include "anim/pose.h"

// output = target where the weight is 0, measured where it is 1 (both bit for bit), between otherwise. weights: one for
// each joint, entry 0 for the root. Legs that are partly physical get their foot put back by IK to the mean of the two
// feet by the ankle's weight, so that mixing angles neither lifts nor sinks it.
void physics_blend(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, const float *weights,
                   Pose *output_w);

// The two poses that weights mix.
typedef struct BlendPair {
  const Pose *target_w, *measured_w;
} BlendPair;

// Moves weights toward their goals (both one for each joint), so that the change of weight alone turns no joint of the
// shown pose by more than `turn` rad and shifts its root by no more than `shift` m. Judged by the smaller of the
// differences before and after the step: a blow shows at once, since target and measured were close before it. The root
// and the legs share the largest of their goals.
void physics_blend_follow(const Skeleton *skeleton, const BlendPair *before, const BlendPair *now, const float *goals,
                          float turn, float shift, float *weights);

// What looks alike: the animation stands for the body only where each part is that close to it.
#define PHYSICS_BLEND_DISTANCE 0.04              // m
#define PHYSICS_BLEND_ANGLE (8 * RAD_PER_DEGREE) // rad

// The least share of physics of each joint, so that no part is shown farther from the body than what looks alike: by
// how far the animation's part is from the body's in the world. It changes no faster than the two poses do. The root
// and the legs have one share, and what hangs on a joint is shown with it.
void physics_blend_least(const Skeleton *skeleton, const Pose *target_w, const Pose *measured_w, float *weights);

#endif
