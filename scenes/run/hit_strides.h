// Where feet land after a hit, and how the body moves in its flights, in a run and in the same run without the hit: how
// far the hit moves the next landing, and which share of an error of velocity the next stance takes away.
#ifndef STAGGER_SCENES_RUN_HIT_STRIDES_H
#define STAGGER_SCENES_RUN_HIT_STRIDES_H

#include <stdbool.h>

#include "anim/skeleton.h"

enum { HIT_STRIDES_FLIGHTS = 8 };

// A body after a physics step. Horizontal: x and z, world.
typedef struct StrideSample {
  double time; // s
  int foot_count;
  double air_time[SKELETON_MAX_LEGS]; // s since the foot last carried load, 0: it does
  double place[SKELETON_MAX_LEGS][2]; // m, of its sole
  double velocity[2];                 // m/s, of the centre of mass
} StrideSample;

// A time in which no foot carries load.
typedef struct Flight {
  double start;       // s
  int foot;           // that carried load last
  double velocity[2]; // m/s, which nothing but the air changes
} Flight;

typedef struct StrideTracker {
  bool begun, flies;
  double air_time[SKELETON_MAX_LEGS]; // s: in the sample before
  bool landed[SKELETON_MAX_LEGS];
  double landing_time[SKELETON_MAX_LEGS], landing[SKELETON_MAX_LEGS][2]; // s, m: of the first landing of each foot
  Flight flights[HIT_STRIDES_FLIGHTS];
  int flight_count;
} StrideTracker;

// To be called after each step since the hit, for each of the two runs. The tracker is zero before.
void stride_tracker_step(StrideTracker *tracker, const StrideSample *sample);

// The first landing since the hit of a foot that was in the air for 0.05 s or more: its time, s, and how far across the
// heading (rad about up) it is from where the same foot lands without the hit, m, not negative. NAN: either run has
// none.
typedef struct PlacementShift {
  double time, shift;
} PlacementShift;

PlacementShift stride_placement(const StrideTracker *with, const StrideTracker *without, double heading);

// The share of the error of the velocity, against the run without the hit, that is gone in the second whole flight
// after the hit's end (s), of that in the first: 1 all, 0 none, below 0 it has grown. NAN where the first is less than
// 0.04 m/s, or the runs do not fly off the same feet.
typedef struct ErrorRemoved {
  double ahead, side;
} ErrorRemoved;

ErrorRemoved stride_error_removed(const StrideTracker *with, const StrideTracker *without, double heading, double end);

#endif
