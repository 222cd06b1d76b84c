// Part of the metrics, for metrics.c and metrics_rows.c only: the first step after a blow, and what momentum and joints
// do from then on.
#ifndef STAGGER_SIM_METRICS_METRICS_REACTION_H
#define STAGGER_SIM_METRICS_METRICS_REACTION_H

#include "sim/metrics/metrics.h"

// A foot that touched down in the last physics step, away from where it had stood.
typedef struct FootStep {
  int foot;      // -1: none did
  double lifted; // s: time at which it had left the ground
  double length; // m, horizontal, from where it had stood
} FootStep;

// The first foot that lands away from where it stood, whenever it left the ground. NAN: none yet.
typedef struct FootStrike {
  double time;          // s from the onset
  double length, width; // m, as of the first step
  double ahead, side;   // m: margins of stability along and across the heading
} FootStrike;

// The onset is that of the scene's protocol, or the first hit.
typedef struct ReactionTracker {
  bool planned; // the onset is the protocol's
  double onset; // s, NAN: not yet known
  bool begun;
  int balance_steps;                                  // MetricsBalance.steps at the onset
  int steps;                                          // since then
  double lift_off, touch_down, length, width, margin; // s from the onset, m: of the first step, NAN: none yet
  FootStrike strike;
  double lean, cable_force;              // rad; share of the weight: as a cable let go, NAN: none did
  double momentum_max;                   // N m s
  double absorbed[METRICS_JOINT_GROUPS]; // J
} ReactionTracker;

void reaction_tracker_init(ReactionTracker *tracker);
void reaction_tracker_plan(ReactionTracker *tracker, double onset); // s
void reaction_tracker_hit(ReactionTracker *tracker, double time);
void reaction_tracker_step(ReactionTracker *tracker, const MetricsStep *step, const FootStep *taken);
bool reaction_tracker_follows(const ReactionTracker *tracker, double time);
bool reaction_tracker_awaits_strike(const ReactionTracker *tracker);

// Saves or restores.
void reaction_tracker_state(ReactionTracker *tracker, StateStream *stream);

// The first foot that is caught by an obstacle as it swings. Its swing would have lasted as long as the swing before
// it, of either foot. "Elevating": the same swing takes the foot on by more than 0.1 m over the place at which it was
// caught; "lowering": it is put down before. The strategies are those of Eng, Winter and Patla 1994, Exp. Brain Res.
// 102:339, told apart by where the foot lands.
typedef struct TripTracker {
  double swing_time; // s: duration of the last whole swing; NAN before
  int foot;          // that was caught, -1: none was
  bool landed;
  double share;            // of its swing
  double place[2], way[2]; // m: where it was caught; unit: where the body went to
  double elevates;         // 1 or 0, NAN: it has not landed
} TripTracker;

void trip_tracker_init(TripTracker *tracker);
// unloaded_since: [foot] s, of feet without load.
void trip_tracker_step(TripTracker *tracker, const MetricsStep *step, const double unloaded_since[],
                       const bool was_loaded[]);
void trip_tracker_state(TripTracker *tracker, StateStream *stream);

#endif
