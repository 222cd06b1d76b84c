// Inertialization: a transition without evaluating the old animation any longer. At the switch the offset between the
// shown pose and the new one, and its velocity, are taken down; from then on they decay by a quintic polynomial.
// Method: Bollo, Inertialization: high-performance animation transitions in Gears of War (GDC 2018). Three things
// differ from the talk, so that the shown velocity has no jump, whatever the offset: the offset and its velocity are
// vectors, for a velocity across the offset counts too; a velocity away from zero is kept; and the decay begins without
// acceleration, which also takes less of it (11.9 against 13.3 v0/s for an offset that just does not overshoot).
#ifndef STAGGER_ANIM_GRAPH_INERTIA_H
#define STAGGER_ANIM_GRAPH_INERTIA_H

#include "anim/pose.h"
#include "sim/base/state.h"

// A decaying vector (m, or a rotation vector in rad): its value and velocity at the beginning, gone after `time` with
// no jump in value, velocity and acceleration, at its beginning nor at its end.
typedef struct InertiaCurve {
  vec3s value, velocity; // at the beginning; unit and unit/s
  float time;            // s, when it is gone; 0: there never was any
} InertiaCurve;

// time: s, > 0; shortened where the velocity would carry the value through zero, though to no less than a third, since
// a velocity takes its time to go. The same in all directions, so that small offsets of either sign do the same: none
// goes further than 0.07 time |velocity| through zero, nor than 0.15 time |velocity| beyond its beginning.
InertiaCurve inertia_curve(vec3s value, vec3s velocity, float time);
vec3s inertia_value(const InertiaCurve *curve, float t); // t: s since the beginning, >= 0

typedef struct Inertia {
  int count;
  float age, time; // s; age >= time: nothing is left
  InertiaCurve position[SKELETON_MAX_JOINTS];
  InertiaCurve rotation[SKELETON_MAX_JOINTS]; // shown = exp(offset) * animation, in the parent's frame
} Inertia;

// Begins: shown and before are the last two shown poses, dt s apart; next and next_before the new animation at the same
// moments. time: s for which the offset lasts; 0: not at all. Without the poses before (NULL both) the offset begins at
// rest. Shown poses contain what an earlier transition still adds, so that one may interrupt another.
void inertia_begin(Inertia *inertia, const Pose *shown, const Pose *before, const Pose *next, const Pose *next_before,
                   float dt, float time);

// Lets dt pass since the last call (or since the moment of `shown`), then adds what is left of the offset to the new
// animation's pose of now. dt = 0 at the beginning gives the shown pose again. With nothing left the pose stays bit for
// bit.
void inertia_apply(Inertia *inertia, float dt, Pose *pose);

// Saves or restores, for poses of so many joints.
void inertia_state(Inertia *inertia, int joints, StateStream *stream);

#endif
