// The legs of a character that turns while it walks: a standing foot keeps the direction in which it landed while the
// body turns over it; a foot in the air is turned ahead by the angle that the body will turn until the middle of its
// stance. Without that the whole clip turns with the root: feet that friction holds end up in the path of the other
// feet, and the body trips over them.
#ifndef STAGGER_ANIM_PLANNER_BENT_LEGS_H
#define STAGGER_ANIM_PLANNER_BENT_LEGS_H

#include "anim/planner/moves.h"
#include "sim/base/state.h"

typedef struct BentLegs {
  double yaw[SKELETON_MAX_LEGS]; // rad about up through the hip, positive to the left, against the clip
} BentLegs;

// Lets dt (s) of a move pass, at a time (s) of its clip.
void bent_legs_step(BentLegs *legs, const Move *move, double time, double dt);

// Turns the legs of a pose in the root's frame.
void bent_legs_pose(const BentLegs *legs, const Skeleton *skeleton, Pose *pose);

// Saves or restores, for so many legs.
void bent_legs_state(BentLegs *legs, int count, StateStream *stream);

#endif
