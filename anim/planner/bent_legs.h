// The legs of a character that turns while it walks. A standing foot keeps the direction in which it landed while the
// body turns over it; a foot in the air is turned ahead by the angle that the body will turn until the middle of the
// foot's stance. Otherwise the whole clip would turn with the root, and feet held by friction would end up in the path
// of the other feet, so that the body trips over them.
#ifndef STAGGER_ANIM_PLANNER_BENT_LEGS_H
#define STAGGER_ANIM_PLANNER_BENT_LEGS_H

#include "anim/planner/moves.h"
#include "sim/base/state.h"

typedef struct BentLegs {
  double yaw[SKELETON_MAX_LEGS]; // rad about up through the hip, positive to the left, relative to the clip
} BentLegs;

// Advances by dt (s) of a move, at a time (s) of its clip.
void bent_legs_step(BentLegs *legs, const Move *move, double time, double dt);

// Turns the legs of a pose in the root's frame.
void bent_legs_pose(const BentLegs *legs, const Skeleton *skeleton, Pose *pose);

// Saves or restores the state of `count` legs.
void bent_legs_state(BentLegs *legs, int count, StateStream *stream);

#endif
