// Part of the metrics, for metrics.c and metrics_rows.c only: the quality of foot placement. Swings, jumps, and feet of
// a character that stands still.
#ifndef STAGGER_SIM_METRICS_METRICS_FEET_H
#define STAGGER_SIM_METRICS_METRICS_FEET_H

#include "sim/metrics/metrics.h"

// How much lower the feet of a pose swing above the ground than the animation's feet above the animation's own ground.
//
// A swing counts from 10 % to 90 % of its time. At its ends the foot leaves and meets ground with its own height and
// slope, and its clearance is that of a standing foot, which penetration and float evaluate. Between them the foot may
// trip when it is low in mid-swing or over the edge on which it is about to land.
//
// Clearance: the smallest height of heel, middle and toe, each above the ground vertically under it. A sole parallel to
// a slope thus keeps its clearance; a sole across an edge does not.
typedef struct SwingTracker {
  double loss_max; // m, NAN until a swing was seen
} SwingTracker;

// How far the soles of the output pose jump where the animation's do not.
typedef struct FootJumpTracker {
  bool seen[METRICS_MAX_FEET];
  double sole[METRICS_MAX_FEET][3], animated[METRICS_MAX_FEET][3]; // m, of the previous frame
  double distance_max;                                             // m per 1/60 s, NAN before the second frame
} FootJumpTracker;

// How long the character has been standing still without a hit.
typedef struct StillWatch {
  bool still;
  double since; // s: time of the last motion or hit
} StillWatch;

// The present window (1 s) of a standing foot.
typedef struct JitterWindow {
  int samples;
  double start;              // s
  double origin[3];          // m: first position of the ankle; the sums are relative to it
  double sum[3], square_sum; // m, m^2
} JitterWindow;

// The feet of one pose while the character stands still.
typedef struct StandingTracker {
  JitterWindow windows[METRICS_MAX_FEET];
  double jitter_max; // m RMS of the worst window, NAN before the first one
  long frames, supported_frames;
} StandingTracker;

void swing_tracker_frame(SwingTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet, bool standing);

// dt: s since the previous frame, 0 in the first one. standing: the character has not fallen.
void foot_jump_tracker_frame(FootJumpTracker *tracker, const MetricsFrame *frame, double dt, bool standing);

void still_watch_step(StillWatch *watch, const MetricsStep *step, bool standing);
void still_watch_hit(StillWatch *watch, double time);
// Whether it has stood still for 1 s.
bool still_watch_settled(const StillWatch *watch, double time);

// settled: see still_watch_settled. supported: which feet of the pose are on the ground.
void standing_tracker_frame(StandingTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet,
                            const bool supported[], bool settled);

// Whether some point of the sole is within 5 mm of the ground.
bool foot_touches(const MetricsFoot *foot);

// Saves or restores.
void foot_jump_tracker_state(FootJumpTracker *tracker, StateStream *stream);
void standing_tracker_state(StandingTracker *tracker, StateStream *stream);

#endif
