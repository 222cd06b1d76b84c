// Shorter strides: a pose of a gait made into one of the same gait at a lower speed.
//
// People who walk more slowly take fewer steps a second and shorter ones; the ratio of the two, the walk ratio, hardly
// changes with speed (0.52 to 0.64 cm of step length for each step a minute). So both go with the root of the speed. A
// clip that is merely played more slowly keeps its long strides, which no body can balance.
#ifndef STAGGER_ANIM_LAYERS_STRIDE_H
#define STAGGER_ANIM_LAYERS_STRIDE_H

#include "anim/pose.h"

// Length of the strides at `speed` in shares of those of a clip whose own speed is `own` (m/s, > 0), 0.35 .. 1; speeds
// above the clip's count as its own. exponent: Clip.stride_exponent. The clip has to be played at speed / (own * share)
// for the feet not to slip.
double stride_share(double speed, double own, double exponent);

// Scales the strides of a pose in the root's frame by a share (0 .. 1): joints by their rotations from the bind pose,
// prints of feet along the root's way by their distance from where the bind pose has them, soles by their height above
// 3 cm, so that a foot that stands stays on the ground and one that swings still clears it. Feet and pelvis keep their
// sideways places, as people do not walk on narrower tracks when they walk more slowly. A share of 1 changes nothing.
void stride_scale(const Skeleton *skeleton, double share, Pose *pose);

#endif
