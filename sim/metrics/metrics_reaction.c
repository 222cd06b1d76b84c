// Follows a body from the blow: its first step, its angular momentum and the work that its joints take up; and the
// first foot that an obstacle catches.
#include "sim/metrics/metrics_reaction.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/support.h"

static const double TIME_TOLERANCE = 1e-9;             // s, rounding in sums of time steps
static const double ELEVATED = 0.1;                    // m: about half a foot, whose toes are caught
static const double SWING_MIN = 0.15, SWING_MAX = 1.5; // s: of a swing that tells how long the next one would last
static const double WALKING_SPEED = 0.2;               // m/s: at less nobody trips

// ---- The reaction ----

void reaction_tracker_init(ReactionTracker *tracker) {
  *tracker =
      (ReactionTracker){.onset = NAN, .lift_off = NAN, .touch_down = NAN, .length = NAN, .width = NAN, .margin = NAN};
  tracker->strike = (FootStrike){NAN, NAN, NAN, NAN, NAN};
  tracker->lean = tracker->cable_force = NAN;
}

void reaction_tracker_plan(ReactionTracker *tracker, double onset) {
  tracker->planned = true;
  tracker->onset = onset;
}

void reaction_tracker_hit(ReactionTracker *tracker, double time) {
  if (isnan(tracker->onset))
    tracker->onset = time;
}

// How far a foot stands to the left of the other one, across the body's heading, m; NAN: it has not two feet.
static double stands_left(const MetricsStep *step, int foot) {
  if (step->foot_count != 2)
    return NAN;
  const double *place = step->foot_place[foot], *other = step->foot_place[1 - foot];
  return (place[0] - other[0]) * cos(step->heading) - (place[1] - other[1]) * sin(step->heading);
}

// A swing that began before the blow is no answer to it.
static void take_first_step(ReactionTracker *tracker, const MetricsStep *step, const FootStep *taken) {
  if (taken->foot < 0 || taken->lifted < tracker->onset - TIME_TOLERANCE || !isnan(tracker->touch_down))
    return;
  tracker->lift_off = taken->lifted - tracker->onset;
  tracker->touch_down = step->time - tracker->onset;
  tracker->length = taken->length;
  tracker->width = fabs(stands_left(step, taken->foot));
  tracker->margin = step->support_margin;
}

bool reaction_tracker_awaits_strike(const ReactionTracker *tracker) {
  return tracker->begun && isnan(tracker->strike.time);
}

// How far the foremost corner of a sole in a direction, a unit vector, is beyond the extrapolated centre of mass, m.
static double margin_along(const MetricsStep *step, int foot, const double direction[2]) {
  double xcom[3], most = -INFINITY;
  support_extrapolated_com(step->com, step->com_velocity, step->ground_height, xcom);
  for (int i = 0; i < 4; i++) {
    const double *corner = step->foot_corner[foot][i];
    most = fmax(most, (corner[0] - xcom[0]) * direction[0] + (corner[1] - xcom[2]) * direction[1]);
  }
  return most;
}

static void take_strike(ReactionTracker *tracker, const MetricsStep *step, const FootStep *taken) {
  if (taken->foot < 0 || !isnan(tracker->strike.time))
    return;
  const double s = sin(step->heading), c = cos(step->heading);
  FootStrike *strike = &tracker->strike;
  strike->time = step->time - tracker->onset;
  strike->length = taken->length;
  const double left = stands_left(step, taken->foot), way = copysign(1, left);
  strike->width = fabs(left);
  strike->ahead = margin_along(step, taken->foot, (double[2]){s, c});
  if (!isnan(left))
    strike->side = margin_along(step, taken->foot, (double[2]){way * c, -way * s});
}

// While a body gets up, its own count begins anew: what it has reached remains.
static void count_steps(ReactionTracker *tracker, const MetricsStep *step, const FootStep *taken) {
  if (!step->balance.known)
    tracker->steps += taken->foot >= 0;
  else if (step->balance.steps - tracker->balance_steps > tracker->steps)
    tracker->steps = step->balance.steps - tracker->balance_steps;
}

// The step that begins at the onset is the first one that shows it.
bool reaction_tracker_follows(const ReactionTracker *tracker, double time) {
  return tracker->begun || (!isnan(tracker->onset) && time > tracker->onset + TIME_TOLERANCE);
}

void reaction_tracker_step(ReactionTracker *tracker, const MetricsStep *step, const FootStep *taken) {
  if (!tracker->begun) {
    tracker->begun = reaction_tracker_follows(tracker, step->time);
    if (!tracker->begun) {
      tracker->balance_steps = step->balance.steps;
      return;
    }
  }
  count_steps(tracker, step, taken);
  take_first_step(tracker, step, taken);
  take_strike(tracker, step, taken);
  tracker->momentum_max = fmax(tracker->momentum_max, length3(step->angular_momentum));
  for (int i = 0; i < METRICS_JOINT_GROUPS; i++)
    tracker->absorbed[i] += step->absorbed_power[i] * step->dt;
}

void reaction_tracker_state(ReactionTracker *tracker, StateStream *stream) {
  FootStrike *strike = &tracker->strike;
  STATE(stream, tracker->planned, tracker->onset, tracker->begun, tracker->balance_steps, tracker->steps,
        tracker->lift_off, tracker->touch_down, tracker->length, tracker->width, tracker->margin);
  STATE(stream, strike->time, strike->length, strike->width, strike->ahead, strike->side);
  STATE(stream, tracker->lean, tracker->cable_force, tracker->momentum_max, tracker->absorbed);
}

// ---- Trips ----

void trip_tracker_init(TripTracker *tracker) {
  *tracker = (TripTracker){.swing_time = NAN, .foot = -1, .share = NAN, .elevates = NAN};
}

static void catch_foot(TripTracker *tracker, const MetricsStep *step, int foot, double swing) {
  const double speed = hypot(step->com_velocity[0], step->com_velocity[2]);
  if (speed < WALKING_SPEED || isnan(tracker->swing_time))
    return;
  tracker->foot = foot;
  tracker->share = fmin(1, swing / tracker->swing_time);
  memcpy(tracker->place, step->foot_place[foot], sizeof tracker->place);
  tracker->way[0] = step->com_velocity[0] / speed;
  tracker->way[1] = step->com_velocity[2] / speed;
}

static void land_foot(TripTracker *tracker, const double place[2]) {
  const double advance =
      (place[0] - tracker->place[0]) * tracker->way[0] + (place[1] - tracker->place[1]) * tracker->way[1];
  tracker->landed = true;
  tracker->elevates = advance > ELEVATED;
}

void trip_tracker_step(TripTracker *tracker, const MetricsStep *step, const double unloaded_since[],
                       const bool was_loaded[]) {
  for (int i = 0; i < step->foot_count && i < METRICS_MAX_FEET; i++) {
    const bool loaded = step->foot_loaded[i];
    const double swing = step->time - unloaded_since[i];
    if (tracker->foot == i && !tracker->landed && loaded)
      land_foot(tracker, step->foot_place[i]);
    if (tracker->foot < 0 && !loaded && step->foot_caught[i])
      catch_foot(tracker, step, i, swing);
    if (loaded && !was_loaded[i] && swing >= SWING_MIN && swing <= SWING_MAX)
      tracker->swing_time = swing;
  }
}

void trip_tracker_state(TripTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->swing_time, tracker->landed, tracker->share, tracker->place, tracker->way, tracker->elevates);
  state_int(stream, &tracker->foot, -1, METRICS_MAX_FEET - 1);
}
