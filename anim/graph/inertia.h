// Inertialization: a transition that does not evaluate the old animation any longer. At the switch the offset between
// the shown pose and the new one, and its velocity, are stored; from then on they decay by a quintic polynomial.
// Method: Bollo, Inertialization: high-performance animation transitions in Gears of War (GDC 2018). Three things
// differ from the talk, so that the shown velocity has no jump for any offset: offset and velocity are vectors,
// since a velocity perpendicular to the offset counts too; a velocity away from zero is kept; and the decay begins with
// zero acceleration, which also lowers the peak acceleration (11.9 instead of 13.3 v0/s for an offset that just does
// not overshoot).
#ifndef STAGGER_ANIM_GRAPH_INERTIA_H
#define STAGGER_ANIM_GRAPH_INERTIA_H

#include "anim/pose.h"
#include "sim/base/state.h"

// A decaying vector (m, or a rotation vector in rad), given by its value and velocity at the beginning. It is zero
// after `time`; value, velocity and acceleration are continuous at both ends.
typedef struct InertiaCurve {
  vec3s value, velocity; // at the beginning; unit and unit/s
  float time;            // s until it is zero; 0: there is no offset
} InertiaCurve;

// time: s, > 0. It is shortened where the velocity would carry the value through zero, but to no less than a third,
// since a velocity needs time to decay. All components are treated alike, so that small offsets of either sign behave
// alike: none goes further than 0.07 time |velocity| through zero, nor than 0.15 time |velocity| beyond its beginning.
InertiaCurve inertia_curve(vec3s value, vec3s velocity, float time);
vec3s inertia_value(const InertiaCurve *curve, float t); // t: s since the beginning, >= 0

typedef struct Inertia {
  int count;
  float age, time; // s; age >= time: the offset has decayed
  InertiaCurve position[SKELETON_MAX_JOINTS];
  InertiaCurve rotation[SKELETON_MAX_JOINTS]; // shown = exp(offset) * animation, in the parent's frame
} Inertia;

// Begins a transition. shown and before are the last two shown poses, dt s apart; next and next_before are the new
// animation at the same moments. time: duration in s; 0: no offset. Without earlier poses (both NULL) the offset begins
// with zero velocity. Shown poses include the offset of an earlier transition, so one may interrupt another.
void inertia_begin(Inertia *inertia, const Pose *shown, const Pose *before, const Pose *next, const Pose *next_before,
                   float dt, float time);

// Advances by dt since the last call (or since the moment of `shown`), then adds the remaining offset to the new
// animation's present pose. dt = 0 at the beginning reproduces the shown pose. When nothing remains, the pose is
// unchanged to the bit.
void inertia_apply(Inertia *inertia, float dt, Pose *pose);

// Saves or restores the offsets of `joints` joints.
void inertia_state(Inertia *inertia, int joints, StateStream *stream);

#endif
