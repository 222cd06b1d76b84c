// The metrics of a run: passes steps and frames to trackers. metrics_rows.c computes each metric from what they found.
#include "sim/metrics/metrics_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"

static const double TOUCH_DOWN_GAP = 0.05; // s without load before a touchdown counts, since contacts may be
                                           // interrupted briefly
static const double STEP_LENGTH = 0.03;    // m: a foot that only rocks lands in place; a step moves it farther
static const double PATH_INTERVAL = 0.7;   // s between points of the path, so that the sway within a stride does not
                                           // count
static const double STANDING_TIME = 1;     // s
static const double STANDING_HEIGHT = 0.8; // of the height before the fall
static const double UPRIGHT_HEIGHT = 0.9;  // of the mean height so far: when lower, the body is falling, and its
                                           // height is not averaged
static const double TIME_TOLERANCE = 1e-9; // s, rounding in sums of time steps

const MetricsHitResponse metrics_no_hit_response = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                                                    NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};

// In one step: the number of feet that touched down, and how many of them did so away from their former place.
typedef struct TouchDowns {
  int all, away;
  FootStep step; // the first of those
} TouchDowns;

Metrics *metrics_create(double mass) {
  Metrics *metrics = calloc(1, sizeof *metrics);
  if (!metrics)
    return NULL;
  metrics->mass = mass;
  metrics->support_margin_min = NAN;
  metrics->realtime_factor = metrics->graph_refusals = NAN;
  metrics->goals_reached = metrics->goal_clearance_min = NAN;
  metrics->goal_stuck_time = metrics->clip_changes = NAN;
  metrics->hit_response = metrics_no_hit_response;
  metrics->fall.settle_time_max = metrics->fall.get_up_time_max = NAN;
  metrics->fall.rise_start = metrics->fall.rise_time = NAN;
  landing_tracker_init(&metrics->landing);
  head_tracker_init(&metrics->head);
  reaction_tracker_init(&metrics->reaction);
  trip_tracker_init(&metrics->trip);
  sole_tracker_init(&metrics->measured_soles);
  sole_tracker_init(&metrics->output_soles);
  metrics->measured_swings.loss_max = metrics->output_swings.loss_max = NAN;
  metrics->measured_standing.jitter_max = metrics->output_standing.jitter_max = NAN;
  metrics->foot_jumps.distance_max = NAN;
  jump_tracker_init(&metrics->jumps);
  return metrics;
}

void metrics_destroy(Metrics *metrics) { free(metrics); }

// RMS pose error over the joints, deg.
static double pose_error_of(const MetricsStep *step) {
  double sum = 0;
  for (int i = 0; i < step->joint_count; i++)
    sum += (double)step->joint_error[i] * (double)step->joint_error[i];
  return step->joint_count > 0 ? degrees(sqrt(sum / step->joint_count)) : 0;
}

// Detects falls and recoveries from them.
static void fall_step(FallTracker *fall, const MetricsStep *step) {
  const double height = step->com[1] - step->ground_height;
  if (step->fallen) {
    if (!fall->down)
      fall->start_time = step->time;
    if (!fall->fell)
      fall->first_time = step->time;
    fall->fell = fall->down = true;
    fall->last_fallen = step->time;
    if (fall->height_time == 0)
      fall->height = height; // it never stood: any height counts
  } else if (fall->down) {
    const bool quiet = step->time - fall->last_fallen >= STANDING_TIME - TIME_TOLERANCE;
    if (quiet && height > STANDING_HEIGHT * fall->height) {
      fall->down = false;
      fall->get_up_time_max = fmax(step->time - fall->start_time, fall->get_up_time_max);
      fall->rise_time = step->time - STANDING_TIME - fall->rise_start;
    }
  } else if (fall->height_time == 0 || height > UPRIGHT_HEIGHT * fall->height) {
    fall->height_time += step->dt;
    fall->height += (height - fall->height) * (fall->height_time > 0 ? step->dt / fall->height_time : 1);
  }
}

// The phases between falling and standing, and the assist meanwhile.
static void lying_step(FallTracker *fall, const MetricsStep *step) {
  if (step->settled && !fall->settled && fall->down)
    fall->settle_time_max = fmax(step->time - fall->start_time, fall->settle_time_max);
  if (step->rising) {
    const double force = length3(step->assist_force);
    if (!fall->rising) {
      fall->attempts++;
      fall->rise_start = step->time - step->dt;
    }
    fall->help_impulse += force * step->dt;
    fall->help_max = fmax(fall->help_max, force);
  }
  fall->settled = step->settled;
  fall->rising = step->rising;
  fall->depth_max = fmax(fall->depth_max, step->depth);
}

// Before the loads are updated.
static void watch_trip(TripTracker *trip, const Load loads[], const MetricsStep *step) {
  double unloaded_since[METRICS_MAX_FEET];
  bool was_loaded[METRICS_MAX_FEET];
  for (int i = 0; i < METRICS_MAX_FEET; i++) {
    unloaded_since[i] = loads[i].unloaded_since;
    was_loaded[i] = loads[i].loaded || !loads[i].seen;
  }
  trip_tracker_step(trip, step, unloaded_since, was_loaded);
}

static TouchDowns count_touch_downs(Load loads[], const MetricsStep *step) {
  TouchDowns count = {.step = {.foot = -1}};
  for (int i = 0; i < step->foot_count && i < METRICS_MAX_FEET; i++) {
    Load *load = &loads[i];
    const double *place = step->foot_place[i];
    const bool loaded = step->foot_loaded[i];
    if (load->seen && loaded && !load->loaded && step->time - load->unloaded_since >= TOUCH_DOWN_GAP - TIME_TOLERANCE) {
      const double length = hypot(place[0] - load->stood[0], place[1] - load->stood[1]);
      count.all++;
      if (length > STEP_LENGTH && count.away++ == 0)
        count.step = (FootStep){.foot = i, .lifted = load->unloaded_since, .length = length};
    }
    if (!loaded && (load->loaded || !load->seen))
      load->unloaded_since = step->time;
    if (loaded || !load->seen)
      memcpy(load->stood, place, sizeof load->stood);
    load->loaded = loaded;
    load->seen = true;
  }
  return count;
}

// Length of the path through points a stride apart.
static void path_step(Metrics *metrics, const MetricsStep *step) {
  metrics->com[0] = step->com[0];
  metrics->com[1] = step->com[2];
  const double *point = metrics->path_point;
  const bool due = step->time - metrics->path_point_time >= PATH_INTERVAL - TIME_TOLERANCE;
  if (metrics->started && !due)
    return;
  if (metrics->started)
    metrics->path += hypot(metrics->com[0] - point[0], metrics->com[1] - point[1]);
  memcpy(metrics->path_point, metrics->com, sizeof metrics->path_point);
  metrics->path_point_time = step->time;
}

void metrics_step(Metrics *metrics, const MetricsStep *step) {
  if (!metrics->started) {
    metrics->start_time = step->time - step->dt;
    // Extrapolated to the beginning of the first step, so that speed times duration is the distance.
    metrics->path_point[0] = metrics->com[0] = step->com[0] - step->com_velocity[0] * step->dt;
    metrics->path_point[1] = metrics->com[1] = step->com[2] - step->com_velocity[2] * step->dt;
    metrics->path_point_time = metrics->start_time;
    metrics->started = true;
  }
  metrics->time = step->time;
  metrics->duration = step->time - metrics->start_time;
  path_step(metrics, step);
  response_tracker_step(&metrics->responses, step);

  fall_step(&metrics->fall, step);
  lying_step(&metrics->fall, step);
  landing_tracker_step(&metrics->landing, step);
  const bool standing = !metrics->fall.down;
  still_watch_step(&metrics->still, step, standing);
  head_tracker_step(&metrics->head, step);
  watch_trip(&metrics->trip, metrics->loads, step);
  const TouchDowns touch_downs = count_touch_downs(metrics->loads, step);
  const FootStep no_step = {.foot = -1};
  reaction_tracker_step(&metrics->reaction, step, standing ? &touch_downs.step : &no_step);
  if (standing) {
    metrics->steps_taken += touch_downs.all;
    metrics->support_margin_min = fmin(metrics->support_margin_min, step->support_margin);
  }

  const double pose_error = pose_error_of(step);
  metrics->error2_time += pose_error * pose_error * step->dt;
  metrics->pose_error_max = fmax(metrics->pose_error_max, pose_error);

  const double force = length3(step->assist_force), turning = length3(step->assist_torque);
  metrics->assist_impulse += force * step->dt;
  metrics->assist_angular_impulse += turning * step->dt;
  metrics->assist_force_max = fmax(metrics->assist_force_max, force);
  metrics->assist_torque_max = fmax(metrics->assist_torque_max, turning);
  metrics->energy += step->power * step->dt;
  for (int i = 0; i < step->joint_count; i++) {
    const double torque[3] = {step->joint_torque[i][0], step->joint_torque[i][1], step->joint_torque[i][2]};
    metrics->torque_max = max_d(length3(torque), metrics->torque_max);
  }

  hit_tracker_step(&metrics->hits, step, pose_error, standing ? touch_downs.away : 0);
}

// Tracks standing and walking: of the body by its loads, of the output pose by the animation's plan.
static void watch_feet(Metrics *metrics, const MetricsFrame *frame, double dt, bool standing) {
  const bool settled = still_watch_settled(&metrics->still, frame->time);
  bool loaded[METRICS_MAX_FEET], touching[METRICS_MAX_FEET];
  for (int i = 0; i < frame->foot_count && i < METRICS_MAX_FEET; i++) {
    loaded[i] = frame->measured_feet[i].standing;
    touching[i] = foot_touches(&frame->output_feet[i]);
  }
  standing_tracker_frame(&metrics->measured_standing, frame, frame->measured_feet, loaded, settled);
  standing_tracker_frame(&metrics->output_standing, frame, frame->output_feet, touching, settled);

  enum { MEASURED = 1, OUTPUT };
  const double measured_height = (double)frame->root_position[MEASURED][1] - frame->ground_height;
  const double output_height = (double)frame->root_position[OUTPUT][1] - frame->ground_height;
  gait_tracker_frame(&metrics->measured_gait, frame, frame->measured_feet, measured_height, dt, standing);
  gait_tracker_frame(&metrics->output_gait, frame, frame->output_feet, output_height, dt, standing);
}

void metrics_frame(Metrics *metrics, const MetricsFrame *frame) {
  const double dt = metrics->framed ? frame->time - metrics->frame_time : 0;
  const bool standing = !metrics->fall.down && !frame->lost;
  metrics->framed = true;
  metrics->frame_time = frame->time;
  feet_tracker_frame(&metrics->measured_feet, frame->measured_feet, frame->foot_count, dt, standing);
  feet_tracker_frame(&metrics->output_feet, frame->output_feet, frame->foot_count, dt, standing);
  sole_tracker_frame(&metrics->measured_soles, frame->measured_feet, frame->plans, frame->foot_count, dt, standing);
  sole_tracker_frame(&metrics->output_soles, frame->output_feet, frame->plans, frame->foot_count, dt, standing);
  swing_tracker_frame(&metrics->measured_swings, frame, frame->measured_feet, standing);
  swing_tracker_frame(&metrics->output_swings, frame, frame->output_feet, standing);
  foot_jump_tracker_frame(&metrics->foot_jumps, frame, dt, standing);
  watch_feet(metrics, frame, dt, standing);
  jump_tracker_frame(&metrics->jumps, frame);
  shown_tracker_frame(&metrics->shown, frame, dt);
}

void metrics_hit(Metrics *metrics, double time, double impulse, const char *part) {
  hit_tracker_hit(&metrics->hits, time, impulse, part);
  head_tracker_hit(&metrics->head, time);
  reaction_tracker_hit(&metrics->reaction, time);
  still_watch_hit(&metrics->still, time);
}

void metrics_set_onset(Metrics *metrics, double time) { reaction_tracker_plan(&metrics->reaction, time); }

bool metrics_follows_reaction(const Metrics *metrics, double time) {
  return reaction_tracker_follows(&metrics->reaction, time);
}

bool metrics_awaits_strike(const Metrics *metrics) { return reaction_tracker_awaits_strike(&metrics->reaction); }

void metrics_release(Metrics *metrics, double lean, double force) {
  metrics->reaction.lean = lean;
  metrics->reaction.cable_force = force;
}

void metrics_refusal(Metrics *metrics, FootRefusal reason) { metrics->refusals[reason]++; }

void metrics_set_graph_refusals(Metrics *metrics, long count) { metrics->graph_refusals = (double)count; }

void metrics_set_plan(Metrics *metrics, int goals, double clearance, long changes, double stuck_time) {
  metrics->goals_reached = goals;
  metrics->goal_clearance_min = clearance;
  metrics->clip_changes = (double)changes;
  metrics->goal_stuck_time = stuck_time;
}

void metrics_set_realtime_factor(Metrics *metrics, double factor) { metrics->realtime_factor = factor; }

void metrics_set_hit_response(Metrics *metrics, const MetricsHitResponse *response) {
  metrics->hit_response = *response;
}

void metrics_finish(Metrics *metrics) {
  hit_tracker_finish(&metrics->hits);
  feet_tracker_finish(&metrics->measured_feet);
  feet_tracker_finish(&metrics->output_feet);
  sole_tracker_finish(&metrics->measured_soles);
  sole_tracker_finish(&metrics->output_soles);
}

const MetricsHit *metrics_hits(const Metrics *metrics, int *count) {
  *count = hit_tracker_recorded(&metrics->hits);
  return metrics->hits.hits;
}

const MetricsResponse *metrics_responses(const Metrics *metrics, int *count) {
  *count = metrics->responses.count;
  return metrics->responses.responses;
}

const char *metrics_strategy(const Metrics *metrics) { return hit_tracker_worst_strategy(&metrics->hits); }

// ---- Saving and restoring ----

static void falls_state(FallTracker *fall, StateStream *stream) {
  STATE(stream, fall->fell, fall->down, fall->first_time, fall->start_time, fall->last_fallen, fall->height,
        fall->height_time, fall->get_up_time_max, fall->rise_start, fall->rise_time);
  STATE(stream, fall->settled, fall->rising, fall->settle_time_max, fall->attempts, fall->help_impulse, fall->help_max,
        fall->depth_max);
}

static void sums_state(Metrics *metrics, StateStream *stream) {
  STATE(stream, metrics->steps_taken);
  state_bytes(stream, &metrics->refusals[1], sizeof metrics->refusals - sizeof metrics->refusals[0]);
  STATE(stream, metrics->error2_time, metrics->pose_error_max, metrics->assist_impulse, metrics->assist_angular_impulse,
        metrics->assist_force_max, metrics->assist_torque_max, metrics->torque_max, metrics->energy,
        metrics->support_margin_min);
  STATE(stream, metrics->path, metrics->path_point, metrics->path_point_time, metrics->com, metrics->graph_refusals,
        metrics->goals_reached, metrics->goal_clearance_min, metrics->goal_stuck_time, metrics->clip_changes);
  for (int i = 0; i < METRICS_MAX_FEET; i++) {
    Load *load = &metrics->loads[i];
    STATE(stream, load->seen, load->loaded, load->unloaded_since, load->stood);
  }
}

static void frames_state(Metrics *metrics, StateStream *stream) {
  STATE(stream, metrics->framed, metrics->frame_time, metrics->measured_swings.loss_max,
        metrics->output_swings.loss_max, metrics->still.still, metrics->still.since);
  feet_tracker_state(&metrics->measured_feet, stream);
  feet_tracker_state(&metrics->output_feet, stream);
  sole_tracker_state(&metrics->measured_soles, stream);
  sole_tracker_state(&metrics->output_soles, stream);
  standing_tracker_state(&metrics->measured_standing, stream);
  standing_tracker_state(&metrics->output_standing, stream);
  gait_tracker_state(&metrics->measured_gait, stream);
  gait_tracker_state(&metrics->output_gait, stream);
  foot_jump_tracker_state(&metrics->foot_jumps, stream);
  jump_tracker_state(&metrics->jumps, stream);
  shown_tracker_state(&metrics->shown, stream);
}

void metrics_state(Metrics *metrics, StateStream *stream) {
  state_section(stream, "metrics", 6);
  STATE(stream, metrics->started, metrics->start_time, metrics->time, metrics->duration);
  falls_state(&metrics->fall, stream);
  landing_tracker_state(&metrics->landing, stream);
  head_tracker_state(&metrics->head, stream);
  reaction_tracker_state(&metrics->reaction, stream);
  trip_tracker_state(&metrics->trip, stream);
  hit_tracker_state(&metrics->hits, stream);
  response_tracker_state(&metrics->responses, stream);
  sums_state(metrics, stream);
  frames_state(metrics, stream);
}
