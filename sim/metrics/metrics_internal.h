// What metrics.c keeps of a run, from which metrics_rows.c computes each metric.
#ifndef STAGGER_SIM_METRICS_METRICS_INTERNAL_H
#define STAGGER_SIM_METRICS_METRICS_INTERNAL_H

#include <math.h>

#include "sim/metrics/metrics.h"
#include "sim/metrics/metrics_feet.h"
#include "sim/metrics/metrics_frames.h"
#include "sim/metrics/metrics_gait.h"
#include "sim/metrics/metrics_head.h"
#include "sim/metrics/metrics_hits.h"
#include "sim/metrics/metrics_landing.h"
#include "sim/metrics/metrics_reaction.h"
#include "sim/metrics/metrics_response.h"

// A foot's load, for detecting touchdowns.
typedef struct Load {
  bool seen, loaded;
  double unloaded_since; // s
  double stood[2];       // m: where it last carried load
} Load;

typedef struct FallTracker {
  bool fell, down;
  double first_time, start_time, last_fallen; // s
  double height, height_time;                 // m, s: mean height while upright, and the time of averaging
  double get_up_time_max;                     // s, NAN before
  double rise_start, rise_time;               // s: of the last attempt to get up; NAN before
  bool settled, rising;                       // in the last step
  double settle_time_max;                     // s, NAN before
  int attempts;
  double help_impulse, help_max; // N s, N: of the assist while the character gets up
  double depth_max;              // m
} FallTracker;

struct Metrics {
  double mass; // kg
  bool started;
  double start_time, time, duration; // s

  FallTracker fall;
  LandingTracker landing;
  HeadTracker head;
  ReactionTracker reaction;
  TripTracker trip;
  HitTracker hits;
  ResponseTracker responses;
  Load loads[METRICS_MAX_FEET];
  int steps_taken, refusals[FOOT_REFUSAL_COUNT]; // by FootRefusal; entry 0 is not used

  double error2_time;                            // deg^2 s
  double pose_error_max;                         // deg RMS
  double assist_impulse, assist_angular_impulse; // N s, N m s
  double assist_force_max, assist_torque_max;    // N, N m
  double torque_max, energy;                     // N m, J
  double support_margin_min;                     // m

  double path, path_point[2], path_point_time, com[2]; // m, m, s, m: length up to the last point; horizontal positions
  double realtime_factor, graph_refusals;
  MetricsHitResponse hit_response;
  double goals_reached, goal_clearance_min, goal_stuck_time, clip_changes;

  bool framed;
  double frame_time; // s
  FeetTracker measured_feet, output_feet;
  SoleTracker measured_soles, output_soles;
  SwingTracker measured_swings, output_swings;
  StillWatch still;
  StandingTracker measured_standing, output_standing;
  GaitTracker measured_gait, output_gait;
  FootJumpTracker foot_jumps;
  JumpTracker jumps;
  ShownTracker shown;
};

static inline double degrees(double radians) { return radians * (180 / M_PI); }

#endif
