// Part of the metrics, for metrics.c and metrics_rows.c only: strides.
#ifndef STAGGER_SIM_METRICS_METRICS_GAIT_H
#define STAGGER_SIM_METRICS_METRICS_GAIT_H

#include "sim/metrics/metrics.h"

// The present stride of one foot.
typedef struct StrideTracker {
  bool seen, standing;           // in the previous frame
  double lifted;                 // s: when it last left the ground
  bool open;                     // a touchdown has begun a stride
  double start;                  // s
  double place[2];               // m, x and z of its sole then
  double stance, double_support; // s
  double lowest, highest;        // m, of the root
} StrideTracker;

// All feet of one pose. A stride is from a foot's touchdown, after 0.05 s or more in the air, to its next one, in
// walking and running, on heel or toe. Not counted: strides of more than 3 s, in which the character stood; of less
// than 3 cm, in which the foot rocked in place; and those in which the character fell.
typedef struct GaitTracker {
  StrideTracker feet[METRICS_MAX_FEET];
  int foot_count;
  int strides; // of all feet
  // Sums over the strides.
  double time, stance, double_support; // s; double_support: with all feet on the ground
  double way, root_range;              // m: horizontal distance from touchdown to touchdown; vertical range of the root
} GaitTracker;

// feet: of the pose. height: m of a root above the ground under it. standing: the character has not fallen.
void gait_tracker_frame(GaitTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet, double height,
                        double dt, bool standing);

// NAN for fewer than three strides. For steps of the whole character, each stride of a foot is a step.
double gait_stance_share(const GaitTracker *tracker);
double gait_double_support_share(const GaitTracker *tracker); // for two feet, otherwise NAN
double gait_cadence(const GaitTracker *tracker);              // steps/min
double gait_step_length(const GaitTracker *tracker);          // m
double gait_root_range(const GaitTracker *tracker);           // m

// Saves or restores.
void gait_tracker_state(GaitTracker *tracker, StateStream *stream);

#endif
