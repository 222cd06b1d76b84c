// Part of the metrics: strides. Only for metrics.c.
#ifndef STAGGER_SIM_METRICS_METRICS_GAIT_H
#define STAGGER_SIM_METRICS_METRICS_GAIT_H

#include "sim/metrics/metrics.h"

// The stride of one foot under way.
typedef struct StrideTracker {
  bool seen, standing;           // the frame before
  double lifted;                 // s: when it last left the ground
  bool open;                     // since its touch-down
  double start;                  // s
  double place[2];               // m, x and z of its sole then
  double stance, double_support; // s
  double lowest, highest;        // m, of the root
} StrideTracker;

// All feet of one pose. A stride goes from a foot's touch-down, after 0.05 s or more in the air, to its next one; of
// walking and running alike, whether the foot lands on its heel or its toe. None are: one of more than 3 s, in which
// the character stood; one of less than 3 cm, in which the foot rocked in place; one in which the character went down.
typedef struct GaitTracker {
  StrideTracker feet[METRICS_MAX_FEET];
  int foot_count;
  int strides; // of all feet
  // Sums over them.
  double time, stance, double_support; // s; double_support: with all feet on the ground
  double way, root_range;              // m: way from touch-down to touch-down, horizontally; vertical range of the root
} GaitTracker;

// feet: of the pose. height: m of a root above the ground under it. standing: not down.
void gait_tracker_frame(GaitTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet, double height,
                        double dt, bool standing);

// NAN with less than three strides. Steps of the whole character: a stride of each foot is a step.
double gait_stance_share(const GaitTracker *tracker);
double gait_double_support_share(const GaitTracker *tracker); // of two feet, else NAN
double gait_cadence(const GaitTracker *tracker);              // steps/min
double gait_step_length(const GaitTracker *tracker);          // m
double gait_root_range(const GaitTracker *tracker);           // m

// Saves or restores.
void gait_tracker_state(GaitTracker *tracker, StateStream *stream);

#endif
