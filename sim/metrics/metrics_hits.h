// Part of the metrics, for metrics.c and metrics_rows.c only: records of hits and of the recovery from them.
#ifndef STAGGER_SIM_METRICS_METRICS_HITS_H
#define STAGGER_SIM_METRICS_METRICS_HITS_H

#include "sim/metrics/metrics.h"

enum { DRIFT_RECORD_SIZE = 256 };

// Horizontal drift of the centre of mass relative to the intended motion (x and z, m), margin of stability (m) and pose
// error (deg RMS) over the last 2.5 s.
typedef struct DriftRecord {
  double time[DRIFT_RECORD_SIZE], way[DRIFT_RECORD_SIZE][2], margin[DRIFT_RECORD_SIZE], pose_error[DRIFT_RECORD_SIZE];
  int count; // samples so far; sample i is at i % DRIFT_RECORD_SIZE
} DriftRecord;

// One undisturbed stride, repeated forever.
typedef struct StrideReference {
  bool valid;
  double start, stride_time; // s
  double stride_way[2];      // m gained in each stride
  double margin;             // m, lowest of the stride, at most 0; valid even before there is a reference
  double pose_error;         // deg RMS, largest of the stride
  DriftRecord record;
} StrideReference;

// Pose error while no hit is watched.
typedef struct QuietTime {
  double error2_time, time; // deg^2 s, s
} QuietTime;

typedef struct HitTracker {
  double time, way[2];      // s, m: of the last step
  double undisturbed_since; // s: start of the run, or recovery from the last hit
  double stride_time;       // s: duration of the watch and of the window for velocities
  MetricsBalance balance;   // of the last step
  DriftRecord drift;
  StrideReference reference;
  QuietTime quiet;

  // The last hit.
  bool active;                     // watched: its recovery is not certain yet
  double start_time, start_way[2]; // s, m: of the last step before it
  double last_impulse_time;        // s
  double largest_impulse;          // N s
  bool calm;
  double calm_since; // s
  int calm_steps;    // number of steps taken until then
  int steps_before;  // MetricsBalance.steps at the time of the hit
  double margin_min; // m: its sign distinguishes the ankle from the hip strategy
  bool fell;

  // What a fall would revoke.
  bool revocable;
  double certain_since;   // s: when recovery was certain
  MetricsHit unrecovered; // the hit's figures without that recovery, so far
  QuietTime quiet_before; // as it was before that recovery

  int hit_count; // number of all hits; the first METRICS_MAX_HITS are recorded
  MetricsHit hits[METRICS_MAX_HITS];
} HitTracker;

void hit_tracker_hit(HitTracker *tracker, double time, double impulse, const char *part);
// pose_error: deg RMS over joints; steps: number of touchdowns in this step away from the foot's former place.
void hit_tracker_step(HitTracker *tracker, const MetricsStep *step, double pose_error, int steps);
void hit_tracker_finish(HitTracker *tracker);

int hit_tracker_recorded(const HitTracker *tracker);
// The worst strategy of all hits, "" when there are none.
const char *hit_tracker_worst_strategy(const HitTracker *tracker);

// Saves or restores.
void hit_tracker_state(HitTracker *tracker, StateStream *stream);

#endif
