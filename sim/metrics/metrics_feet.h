// Part of the metrics: what foot placement is judged by. Swings, jumps, and feet of who stands still. Only for
// metrics.c.
#ifndef STAGGER_SIM_METRICS_METRICS_FEET_H
#define STAGGER_SIM_METRICS_METRICS_FEET_H

#include "sim/metrics/metrics.h"

// How much nearer to the ground one pose's feet swing than the animation's do to its own ground.
//
// A swing counts from 10 % to 90 % of its time. Right at its ends a foot leaves and meets ground whose height and slope
// are its own, and its clearance is that of a foot that stands: penetration and float judge it. In between it may trip:
// low in mid-swing, and over the edge on which it is about to land.
//
// Clearance: the smallest that heel, middle and toe have above the ground, each over the ground right under it. So a
// sole that keeps parallel to a slope keeps its clearance, and one that straddles an edge does not.
typedef struct SwingTracker {
  double loss_max; // m, NAN until a swing was seen
} SwingTracker;

// How far the soles of the output jump where the animation's do not.
typedef struct FootJumpTracker {
  bool seen[METRICS_MAX_FEET];
  double sole[METRICS_MAX_FEET][3], animated[METRICS_MAX_FEET][3]; // m, the frame before
  double distance_max;                                             // m per 1/60 s, NAN until two frames
} FootJumpTracker;

// Since when the character stands still, unhit.
typedef struct StillWatch {
  bool still;
  double since; // s: last time that it moved or was hit
} StillWatch;

// The second under way of a foot that stands.
typedef struct JitterWindow {
  int samples;
  double start;              // s
  double origin[3];          // m: the first place of the ankle; the sums count from there
  double sum[3], square_sum; // m, m^2
} JitterWindow;

// Feet of one pose of who stands still.
typedef struct StandingTracker {
  JitterWindow windows[METRICS_MAX_FEET];
  double jitter_max; // m RMS of the worst window, NAN until there was one
  long frames, supported_frames;
} StandingTracker;

void swing_tracker_frame(SwingTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet, bool standing);

// dt: s since the frame before, 0 in the first one. standing: not down.
void foot_jump_tracker_frame(FootJumpTracker *tracker, const MetricsFrame *frame, double dt, bool standing);

void still_watch_step(StillWatch *watch, const MetricsStep *step, bool standing);
void still_watch_hit(StillWatch *watch, double time);
// Whether it has stood still for 1 s.
bool still_watch_settled(const StillWatch *watch, double time);

// settled: see still_watch_settled. supported: which feet of the pose are on the ground.
void standing_tracker_frame(StandingTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet,
                            const bool supported[], bool settled);

// Whether some of the sole is on the ground, within 5 mm.
bool foot_touches(const MetricsFoot *foot);

// Save or restore.
void foot_jump_tracker_state(FootJumpTracker *tracker, StateStream *stream);
void standing_tracker_state(StandingTracker *tracker, StateStream *stream);

#endif
