// Watches each hit until its recovery is certain: pose, velocity and balance relative to the undisturbed stride;
// determines the strategy.
#include "sim/metrics/metrics_hits.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/numbers.h"

#define HIT_ROW(field, unit, shown_unit, whole, heading, column, width, digits, doc)                                   \
  {#field, unit, shown_unit, offsetof(MetricsHit, field), whole, heading, column, width, digits, doc},
const MetricHitRow metric_hit_rows[] = {HIT_ROWS(HIT_ROW)};

static const double HIT_GAP = 0.025;                              // s: impulses closer than this belong to one hit
static const double CALM_TIME = 0.25;                             // s
static const double CALM_POSE_ERROR = 5;                          // deg RMS
static const double POSE_ERROR_TOLERANCE = 1;                     // deg
static const double CALM_VELOCITY_ERROR = 0.1;                    // m/s
static const double STANDING_SPEED = 0.1;                         // m/s: below this intended speed the character should
                                                                  // stand
static const double MARGIN_TOLERANCE = 0.01;                      // m
static const double WINDOW_MIN = 0.1;                             // s
static const double BLAME_TIME = 10;                              // s
static const double STRIDE_TIME_DEFAULT = 0.7;                    // s, a stride of running
static const double STRIDE_TIME_MIN = 0.2, STRIDE_TIME_MAX = 2.4; // s; the record must contain the longest
static const double RECORD_INTERVAL = 0.01;                       // s
static const double TIME_TOLERANCE = 1e-9;                        // s, rounding in sums of time steps

// From mildest to worst.
static const char *const strategies[] = {"ankle", "hip", "step", "steps", "fall"};
enum { STRATEGY_ANKLE, STRATEGY_HIP, STRATEGY_STEP, STRATEGY_STEPS, STRATEGY_FALL, STRATEGY_COUNT };

static double length2(const double v[2]) { return hypot(v[0], v[1]); }

static void drift_record_add(DriftRecord *record, double time, const double way[2], double margin, double pose_error) {
  const int slot = record->count % DRIFT_RECORD_SIZE;
  record->time[slot] = time;
  memcpy(record->way[slot], way, sizeof record->way[slot]);
  record->margin[slot] = margin;
  record->pose_error[slot] = pose_error;
  record->count++;
}

static double drift_record_end(const DriftRecord *record) {
  return record->count > 0 ? record->time[(record->count - 1) % DRIFT_RECORD_SIZE] : -INFINITY;
}

// Linear between samples, constant beyond the ends. The record must not be empty.
static void drift_record_at(const DriftRecord *record, double time, double way[2]) {
  const int oldest = record->count > DRIFT_RECORD_SIZE ? record->count - DRIFT_RECORD_SIZE : 0;
  int low = oldest, high = record->count - 1; // sample `low` is at or before the time, unless it is the oldest
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (record->time[middle % DRIFT_RECORD_SIZE] <= time)
      low = middle;
    else
      high = middle;
  }
  const int a = low % DRIFT_RECORD_SIZE, b = high % DRIFT_RECORD_SIZE;
  const double span = record->time[b] - record->time[a];
  const double share = span > 0 ? fmax(0, fmin(1, (time - record->time[a]) / span)) : 0;
  for (int k = 0; k < 2; k++)
    way[k] = record->way[a][k] + share * (record->way[b][k] - record->way[a][k]);
}

static double drift_record_lowest_margin(const DriftRecord *record, double since) {
  double lowest = NAN;
  const int count = record->count < DRIFT_RECORD_SIZE ? record->count : DRIFT_RECORD_SIZE;
  for (int i = 0; i < count; i++)
    if (record->time[i] >= since)
      lowest = fmin(lowest, record->margin[i]);
  return lowest;
}

static double drift_record_largest_pose_error(const DriftRecord *record, double since) {
  double largest = NAN;
  const int count = record->count < DRIFT_RECORD_SIZE ? record->count : DRIFT_RECORD_SIZE;
  for (int i = 0; i < count; i++)
    if (record->time[i] >= since)
      largest = fmax(largest, record->pose_error[i]);
  return largest;
}

// Makes the stride that has just ended the reference.
static void reference_take(StrideReference *reference, const DriftRecord *drift, double now, double stride_time) {
  reference->valid = true;
  reference->start = now - stride_time;
  reference->stride_time = stride_time;
  reference->record = *drift;
  reference->margin = fmin(0, drift_record_lowest_margin(drift, reference->start));
  reference->pose_error = fmax(0, drift_record_largest_pose_error(drift, reference->start));
  double first[2], last[2];
  drift_record_at(drift, reference->start, first);
  drift_record_at(drift, now, last);
  for (int k = 0; k < 2; k++)
    reference->stride_way[k] = last[k] - first[k];
}

// The drift of the repeated reference stride at a time.
static void reference_at(const StrideReference *reference, double time, double way[2]) {
  way[0] = way[1] = 0;
  if (!reference->valid)
    return;
  const double strides = floor((time - reference->start) / reference->stride_time);
  drift_record_at(&reference->record, time - strides * reference->stride_time, way);
  for (int k = 0; k < 2; k++)
    way[k] += strides * reference->stride_way[k];
}

// The drift relative to the reference, from a moment until now.
static void excess_way(const HitTracker *tracker, double since, const double since_way[2], double excess[2]) {
  double then[2], now[2];
  reference_at(&tracker->reference, since, then);
  reference_at(&tracker->reference, tracker->time, now);
  for (int k = 0; k < 2; k++)
    excess[k] = (tracker->way[k] - since_way[k]) - (now[k] - then[k]);
}

// The velocity error, m/s; see MetricsHit.
static double velocity_error(const HitTracker *tracker) {
  double since = tracker->start_time, since_way[2], excess[2];
  memcpy(since_way, tracker->start_way, sizeof since_way);
  if (tracker->time - tracker->stride_time > since) {
    since = tracker->time - tracker->stride_time;
    drift_record_at(&tracker->drift, since, since_way);
  }
  excess_way(tracker, since, since_way, excess);
  return length2(excess) / fmax(tracker->time - since, WINDOW_MIN);
}

static void hit_label(const HitTracker *tracker, MetricsHit *hit) {
  int strategy = tracker->margin_min < 0 ? STRATEGY_HIP : STRATEGY_ANKLE;
  if (hit->steps_taken > 0)
    strategy = hit->steps_taken == 1 ? STRATEGY_STEP : STRATEGY_STEPS;
  if (tracker->fell)
    strategy = STRATEGY_FALL;
  snprintf(hit->strategy, sizeof hit->strategy, "%s", strategies[strategy]);
}

static MetricsHit *last_hit(HitTracker *tracker) { return &tracker->hits[tracker->hit_count - 1]; }

static bool is_calm_for_long(const HitTracker *tracker) {
  return tracker->calm && tracker->time - tracker->calm_since >= CALM_TIME - TIME_TOLERANCE;
}

// 0 when the calm began right at the hit, up to rounding in sums of steps.
static double time_from(double start, double end) { return end - start > TIME_TOLERANCE ? end - start : 0; }

// Ends the watch of a hit: the state so far decides about recovery.
static void hit_close(HitTracker *tracker) {
  tracker->revocable = false;
  if (!tracker->active)
    return;
  MetricsHit *hit = last_hit(tracker);
  if (is_calm_for_long(tracker)) {
    hit->recovery_time = time_from(hit->time, tracker->calm_since);
    if (tracker->balance.known) // later steps belong to the gait
      hit->steps_taken = tracker->calm_steps;
    tracker->undisturbed_since = tracker->calm_since;
  }
  hit_label(tracker, hit);
  tracker->active = false;
}

// Recovery is certain, unless a fall revokes it.
static void hit_recover(HitTracker *tracker) {
  tracker->unrecovered = *last_hit(tracker);
  tracker->quiet_before = tracker->quiet;
  tracker->certain_since = tracker->time;
  hit_close(tracker);
  tracker->revocable = true;
}

// The character falls: the hit counts as not recovered.
static void hit_revoke(HitTracker *tracker) {
  *last_hit(tracker) = tracker->unrecovered;
  tracker->quiet = tracker->quiet_before;
  tracker->revocable = false;
  tracker->active = true;
  hit_label(tracker, last_hit(tracker));
}

static void hit_open(HitTracker *tracker, double time) {
  tracker->hit_count++;
  tracker->active = tracker->hit_count <= METRICS_MAX_HITS;
  if (!tracker->active)
    return;
  *last_hit(tracker) = (MetricsHit){.time = time, .recovery_time = NAN, .support_margin_min = NAN};
  tracker->start_time = tracker->time;
  memcpy(tracker->start_way, tracker->way, sizeof tracker->start_way);
  tracker->largest_impulse = -1;
  tracker->fell = false;
  tracker->steps_before = tracker->balance.steps;
  tracker->margin_min = NAN;
}

void hit_tracker_hit(HitTracker *tracker, double time, double impulse, const char *part) {
  const bool same = tracker->hit_count > 0 && time - tracker->last_impulse_time <= HIT_GAP + TIME_TOLERANCE;
  if (!same) {
    const bool undisturbed = !tracker->active && tracker->drift.count > 0;
    if (undisturbed && tracker->time - tracker->undisturbed_since >= tracker->stride_time - TIME_TOLERANCE) {
      drift_record_add(&tracker->drift, tracker->time, tracker->way, NAN, NAN);
      reference_take(&tracker->reference, &tracker->drift, tracker->time, tracker->stride_time);
    }
    hit_close(tracker);
    hit_open(tracker, time);
  }
  tracker->last_impulse_time = time;
  tracker->calm = false;
  if (!tracker->active)
    return;
  MetricsHit *hit = last_hit(tracker);
  hit->impulse += impulse;
  if (impulse > tracker->largest_impulse) {
    tracker->largest_impulse = impulse;
    snprintf(hit->part, sizeof hit->part, "%s", part ? part : "");
  }
}

static bool is_standing(const MetricsStep *step) {
  return hypot(step->intended_velocity[0], step->intended_velocity[2]) < STANDING_SPEED;
}

static void hit_accumulate(HitTracker *tracker, const MetricsStep *step, double pose_error, int steps) {
  MetricsHit *hit = tracker->active ? last_hit(tracker) : &tracker->unrecovered;
  double excess[2];
  excess_way(tracker, tracker->start_time, tracker->start_way, excess);
  const double force = length3(step->assist_force);
  hit->peak_pose_error = fmax(hit->peak_pose_error, pose_error);
  hit->peak_com_displacement = fmax(hit->peak_com_displacement, length2(excess));
  hit->peak_assist_force = fmax(hit->peak_assist_force, force);
  hit->assist_impulse += force * step->dt;
  hit->assist_angular_impulse += length3(step->assist_torque) * step->dt;
  hit->support_margin_min = fmin(hit->support_margin_min, step->support_margin);
  if (!step->balance.known)
    hit->steps_taken += steps;
  else if (step->balance.steps - tracker->steps_before > hit->steps_taken) // while getting up the count restarts from 0
    hit->steps_taken = step->balance.steps - tracker->steps_before;
  tracker->fell = tracker->fell || step->fallen;
  if (!step->balance.known)
    tracker->margin_min = hit->support_margin_min;
  else if (is_standing(step)) // in walking the extrapolated centre of mass is beyond the soles in every step
    tracker->margin_min = fmin(tracker->margin_min, step->balance.margin);
}

// While standing, an extrapolated centre of mass beyond the base of support is the sign of toppling: velocity does not
// show it, since a body that is about to topple or to return hardly moves. While walking or running it is part of the
// gait.
static bool is_off_balance(const HitTracker *tracker, const MetricsStep *step) {
  return is_standing(step) && step->support_margin < tracker->reference.margin - MARGIN_TOLERANCE;
}

// Ends the hit once a stride has been watched and all conditions have held for long enough.
static void hit_check_recovery(HitTracker *tracker, const MetricsStep *step, double pose_error, double before) {
  const double most_error = fmax(CALM_POSE_ERROR, tracker->reference.pose_error + POSE_ERROR_TOLERANCE);
  const bool calm = !step->fallen && pose_error < most_error && velocity_error(tracker) < CALM_VELOCITY_ERROR &&
                    !is_off_balance(tracker, step);
  if (calm && !tracker->calm) {
    tracker->calm_since = before;
    tracker->calm_steps = (int)last_hit(tracker)->steps_taken;
  }
  tracker->calm = calm;
  const double watched = tracker->time - tracker->last_impulse_time;
  if (is_calm_for_long(tracker) && watched >= tracker->stride_time - TIME_TOLERANCE)
    hit_recover(tracker);
}

static void quiet_step(QuietTime *quiet, double pose_error, double dt) {
  quiet->error2_time += pose_error * pose_error * dt;
  quiet->time += dt;
}

void hit_tracker_step(HitTracker *tracker, const MetricsStep *step, double pose_error, int steps) {
  if (tracker->drift.count == 0) {
    tracker->time = tracker->undisturbed_since = step->time - step->dt;
    drift_record_add(&tracker->drift, tracker->time, tracker->way, NAN, NAN);
    if (tracker->active)
      tracker->start_time = tracker->time;
  }
  tracker->balance = step->balance;
  if (!tracker->active || tracker->stride_time == 0)
    tracker->stride_time =
        step->stride_time > 0 ? fmax(STRIDE_TIME_MIN, fmin(STRIDE_TIME_MAX, step->stride_time)) : STRIDE_TIME_DEFAULT;

  const double before = tracker->time;
  tracker->time = step->time;
  tracker->way[0] += (step->com_velocity[0] - step->intended_velocity[0]) * step->dt;
  tracker->way[1] += (step->com_velocity[2] - step->intended_velocity[2]) * step->dt;
  if (tracker->time - drift_record_end(&tracker->drift) >= RECORD_INTERVAL - TIME_TOLERANCE)
    drift_record_add(&tracker->drift, tracker->time, tracker->way, step->support_margin, pose_error);

  if (!tracker->active)
    quiet_step(&tracker->quiet, pose_error, step->dt);
  if (tracker->active || tracker->revocable)
    hit_accumulate(tracker, step, pose_error, steps);
  if (tracker->revocable && tracker->time - tracker->certain_since > BLAME_TIME)
    tracker->revocable = false;
  if (tracker->revocable && step->fallen)
    hit_revoke(tracker);
  if (tracker->active)
    hit_check_recovery(tracker, step, pose_error, before);
}

void hit_tracker_finish(HitTracker *tracker) { hit_close(tracker); }

int hit_tracker_recorded(const HitTracker *tracker) {
  return tracker->hit_count < METRICS_MAX_HITS ? tracker->hit_count : METRICS_MAX_HITS;
}

const char *hit_tracker_worst_strategy(const HitTracker *tracker) {
  int worst = -1;
  for (int i = 0; i < hit_tracker_recorded(tracker); i++)
    for (int s = worst + 1; s < STRATEGY_COUNT; s++)
      if (strcmp(tracker->hits[i].strategy, strategies[s]) == 0)
        worst = s;
  return worst < 0 ? "" : strategies[worst];
}

// ---- Saving and restoring ----

static void record_state(DriftRecord *record, StateStream *stream) {
  state_int(stream, &record->count, 0, INT_MAX);
  STATE(stream, record->time, record->way, record->margin, record->pose_error);
}

static void reference_state(StrideReference *reference, StateStream *stream) {
  STATE(stream, reference->valid, reference->start, reference->stride_time, reference->stride_way, reference->margin,
        reference->pose_error);
  record_state(&reference->record, stream);
}

static void hit_state(MetricsHit *hit, StateStream *stream) {
#define HIT_STATE(field, ...) STATE(stream, hit->field);
  HIT_ROWS(HIT_STATE)
  state_text(stream, hit->part, sizeof hit->part);
  state_text(stream, hit->strategy, sizeof hit->strategy);
}

// Only recorded hits are written.
static void hits_state(HitTracker *tracker, StateStream *stream) {
  state_int(stream, &tracker->hit_count, 0, INT_MAX);
  int count = hit_tracker_recorded(tracker);
  for (int i = 0; i < count && !stream->failed; i++)
    hit_state(&tracker->hits[i], stream);
}

void hit_tracker_state(HitTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->time, tracker->way, tracker->undisturbed_since, tracker->stride_time, tracker->balance.known,
        tracker->balance.steps, tracker->balance.margin, tracker->quiet.error2_time, tracker->quiet.time);
  record_state(&tracker->drift, stream);
  reference_state(&tracker->reference, stream);
  STATE(stream, tracker->active, tracker->start_time, tracker->start_way, tracker->last_impulse_time,
        tracker->largest_impulse, tracker->calm, tracker->calm_since, tracker->calm_steps, tracker->steps_before,
        tracker->margin_min, tracker->fell);
  STATE(stream, tracker->revocable, tracker->certain_since, tracker->quiet_before.error2_time,
        tracker->quiet_before.time);
  hit_state(&tracker->unrecovered, stream);
  hits_state(tracker, stream);
}
