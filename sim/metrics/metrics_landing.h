// Part of the metrics, for metrics.c and metrics_rows.c only: how the first fall lands, by hands, pelvis and head.
#ifndef STAGGER_SIM_METRICS_METRICS_LANDING_H
#define STAGGER_SIM_METRICS_METRICS_LANDING_H

#include "sim/metrics/metrics.h"

// The descent begins when the pelvis comes down faster than 0.2 m/s, and is over as soon as it does not, unless
// something other than the feet has touched the ground by then: a knee that bends is no fall. Times count from there,
// touches until 1 s after the first of them. Speeds are those of the step before a touch, which the ground has not
// changed yet.
typedef struct LandingTracker {
  bool descends, lands, over;
  double descent, first_touch;       // s: its beginning; the first touch of hands, pelvis, head or anything but feet
  double hand_time, pelvis_time;     // s; NAN: not yet
  double hand_speed, pelvis_speed;   // m/s downward, NAN: not yet
  double head_speed, reach_speed;    // m/s; reach_speed: the largest of a hand past the chest until a hand touches
  double knee, hip;                  // rad, as the pelvis touches; NAN: not yet
  double hand_before[METRICS_HANDS]; // m/s downward, one step earlier
  double pelvis_before, head_before; // the same
} LandingTracker;

void landing_tracker_init(LandingTracker *tracker);
void landing_tracker_step(LandingTracker *tracker, const MetricsStep *step);

// s from the beginning of the descent until a hand or the pelvis touches the ground; NAN: it did not.
double landing_time_to_hand(const LandingTracker *tracker);
double landing_time_to_pelvis(const LandingTracker *tracker);

// s from the first touch of a hand to that of the pelvis, negative: the pelvis came first. NAN: one of them never came.
double landing_hand_lead(const LandingTracker *tracker);

// Saves or restores.
void landing_tracker_state(LandingTracker *tracker, StateStream *stream);

#endif
