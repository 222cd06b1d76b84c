// Evaluates feet and poses from frame to frame: slip and skating of stances, penetration and gaps of soles, jumps of
// joints.
#include "sim/metrics/metrics_frames.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"

static const double SKATE_HEIGHT = 0.05; // m
static const double SKATE_SPEED = 0.2;   // m/s
static const double LIFTED = 0.003;      // m: an end of a sole that is higher in the animation is off its ground
static const double ROLL_TIME = 0.25;    // s: a body rolls ahead of its animation for a shorter time than this
static const double DOWN = 0.005;        // m: an end of a sole that is lower than this is on the ground
// A part of the output pose looks like the same part of the body while it is closer than this.
static const double SHOWN_ANGLE = 8 * RAD_PER_DEGREE, SHOWN_DISTANCE = 0.04; // rad, m
enum { TARGET, MEASURED, OUTPUT };

static double sole_travel(const double sole[3], const double from[2]) {
  return hypot(sole[0] - from[0], sole[2] - from[1]);
}

static void stance_close(FeetTracker *tracker, FootTracker *foot) {
  // With four frames, touchdown + 2 and lift-off - 2 are the same frame.
  if (foot->planted_frames >= 4) {
    tracker->slip_sum += foot->slip;
    tracker->slip_max = fmax(tracker->slip_max, foot->slip);
    tracker->stances++;
  }
  foot->planted_frames = 0;
}

static void stance_frame(FootTracker *foot, const double sole[3]) {
  foot->planted_frames++;
  if (foot->planted_frames == 3) {
    foot->anchor[0] = sole[0];
    foot->anchor[1] = sole[2];
    foot->travel = foot->slip = 0;
  } else if (foot->planted_frames > 3) {
    // The foot still stands, so the previous frame is at least two frames before lift-off.
    foot->slip = fmax(foot->slip, foot->travel);
    foot->travel = sole_travel(sole, foot->anchor);
  }
}

void feet_tracker_frame(FeetTracker *tracker, const MetricsFoot *feet, int count, double dt, bool standing) {
  for (int i = 0; i < count && i < METRICS_MAX_FEET; i++) {
    FootTracker *foot = &tracker->feet[i];
    const MetricsFoot *now = &feet[i];
    if (now->planted && standing)
      stance_frame(foot, now->sole);
    else
      stance_close(tracker, foot);

    const bool low = standing && fmax(now->heel_clearance, now->toe_clearance) < SKATE_HEIGHT;
    if (foot->seen && standing && dt > 0) {
      tracker->frames++;
      if (low && foot->low && sole_travel(now->sole, foot->sole) > SKATE_SPEED * dt)
        tracker->skating_frames++;
    }
    foot->seen = standing;
    foot->low = low;
    foot->sole[0] = now->sole[0];
    foot->sole[1] = now->sole[2];
  }
}

void feet_tracker_finish(FeetTracker *tracker) {
  for (int i = 0; i < METRICS_MAX_FEET; i++)
    stance_close(tracker, &tracker->feet[i]);
}

void sole_tracker_init(SoleTracker *tracker) {
  *tracker = (SoleTracker){.penetration_max = NAN, .float_max = NAN, .knee_acceleration_max = NAN};
}

// Includes the sole's ends and angle in those frames.
static void count_flat(SoleTracker *tracker, FlatFrames *frames) {
  if (frames->count == 0)
    return;
  tracker->float_max = fmax(frames->gap_max, tracker->float_max);
  tracker->angle_error2_sum += frames->angle_error2_sum;
  tracker->flat_frames += frames->count;
  *frames = (FlatFrames){.count = 0};
}

static void flat_frame(SoleTracker *tracker, SoleStance *stance, const MetricsFoot *foot, double dt) {
  const bool down = foot->gap <= DOWN;
  if (down && !stance->was_down)
    stance->pending = (FlatFrames){.count = 0}; // both ends are on the ground
  stance->was_down = stance->was_down || down;
  stance->pending.gap_max = fmax(foot->gap, stance->pending.gap_max);
  stance->pending.angle_error2_sum += foot->angle_error * foot->angle_error;
  stance->pending.count++;
  stance->pending.time += dt;
  if (down || (stance->was_down && stance->pending.time > ROLL_TIME))
    count_flat(tracker, &stance->pending);
}

// Whether the animation has the foot flat; without a plan, whether the foot lies flat.
static bool is_flat(const MetricsFoot *foot, const MetricsPlan *plan) {
  return plan->known ? fmax(plan->heel, plan->toe) < LIFTED : foot->planted;
}

static void judge_sole(SoleTracker *tracker, SoleStance *stance, const MetricsFoot *foot, const MetricsPlan *plan,
                       double dt) {
  const bool animation_stands = !plan->known || fmin(plan->heel, plan->toe) < LIFTED;
  tracker->penetration_max = fmax(foot->depth, tracker->penetration_max);
  tracker->float_max = fmax(animation_stands ? foot->lift : 0, tracker->float_max);
  if (is_flat(foot, plan))
    flat_frame(tracker, stance, foot, dt);
}

static void flat_phase_ends(SoleTracker *tracker, SoleStance *stance) {
  if (!stance->was_down)
    count_flat(tracker, &stance->pending);
  *stance = (SoleStance){.was_down = false}; // otherwise the foot was rolling
}

void sole_tracker_finish(SoleTracker *tracker) {
  for (int i = 0; i < METRICS_MAX_FEET; i++)
    if (tracker->stances[i].pending.time > ROLL_TIME) // otherwise it may be rolling
      count_flat(tracker, &tracker->stances[i].pending);
}

void sole_tracker_frame(SoleTracker *tracker, const MetricsFoot *feet, const MetricsPlan *plans, int count, double dt,
                        bool standing) {
  for (int i = 0; i < count && i < METRICS_MAX_FEET; i++) {
    const MetricsFoot *foot = &feet[i];
    if (foot->standing && standing)
      judge_sole(tracker, &tracker->stances[i], foot, &plans[i], dt);
    if (!standing || !is_flat(foot, &plans[i]))
      flat_phase_ends(tracker, &tracker->stances[i]);

    const double speed = dt > 0 ? (foot->knee_angle - tracker->knee_angle[i]) / dt : 0;
    if (dt > 0 && tracker->knee_frames[i] >= 2) {
      const double acceleration = fabs(speed - tracker->knee_speed[i]) / (0.5 * (dt + tracker->knee_dt));
      tracker->knee_acceleration_max = fmax(acceleration, tracker->knee_acceleration_max);
    }
    tracker->knee_angle[i] = foot->knee_angle;
    tracker->knee_speed[i] = speed;
    tracker->knee_frames[i] = dt > 0 ? tracker->knee_frames[i] + 1 : 1;
  }
  tracker->knee_dt = dt;
}

// Angle in rad between two rotations, accurate for small angles, too. The quaternions need not have length 1.
static double rotation_change(const float a[4], const float b[4]) {
  if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3])
    return 0;
  const double ax = a[0], ay = a[1], az = a[2], aw = a[3], bx = b[0], by = b[1], bz = b[2], bw = b[3];
  const double w = aw * bw + ax * bx + ay * by + az * bz;
  const double x = aw * bx - ax * bw - ay * bz + az * by;
  const double y = aw * by - ay * bw - az * bx + ax * bz;
  const double z = aw * bz - az * bw - ax * by + ay * bx;
  const double sine = sqrt(x * x + y * y + z * z), cosine = fabs(w);
  if (!(sine < 0.1 * cosine))
    return 2 * atan2(sine, cosine);
  const double t = sine / cosine, t2 = t * t; // the series of the arc tangent, as accurate and faster
  return 2 * t * (1 - t2 * (1.0 / 3 - t2 * (1.0 / 5 - t2 * (1.0 / 7 - t2 * (1.0 / 9 - t2 / 11)))));
}

static double position_change(const float a[3], const float b[3]) {
  const double x = (double)b[0] - (double)a[0], y = (double)b[1] - (double)a[1], z = (double)b[2] - (double)a[2];
  return sqrt(x * x + y * y + z * z);
}

static double beyond(const double change[METRICS_POSE_COUNT]) {
  return max_d(change[OUTPUT] - max_d(change[TARGET], change[MEASURED]), 0);
}

void jump_tracker_init(JumpTracker *tracker) {
  tracker->frames = 0;
  tracker->angle_max = tracker->distance_max = NAN;
  tracker->target_angle_max = tracker->target_distance_max = NAN;
}

// How much the middle one of three steps exceeds both others, which become the last two. A joint that moves fast,
// starts or stops makes neighbouring steps of similar size; one that jumps does not.
static double lone_step(double steps[2], double now) {
  const double lone = max_d(steps[1] - max_d(steps[0], now), 0);
  steps[0] = steps[1];
  steps[1] = now;
  return lone;
}

// Whether the body itself is shown, as in the frame before.
static bool shows_body(const JumpTracker *tracker, const MetricsFrame *frame, int joint_count) {
  const size_t size = (size_t)joint_count * sizeof tracker->rotation[0][0];
  return memcmp(frame->rotation[OUTPUT], frame->rotation[MEASURED], size) == 0 &&
         memcmp(tracker->rotation[OUTPUT], tracker->rotation[MEASURED], size) == 0;
}

void jump_tracker_frame(JumpTracker *tracker, const MetricsFrame *frame) {
  const int joint_count = frame->joint_count < METRICS_MAX_JOINTS + 1 ? frame->joint_count : METRICS_MAX_JOINTS + 1;
  double change[METRICS_POSE_COUNT];
  if (tracker->joint_count != joint_count)
    tracker->frames = 0;
  if (tracker->frames > 0) {
    const bool judged = tracker->frames > 2;
    for (int p = 0; p < METRICS_POSE_COUNT; p++)
      change[p] = position_change(tracker->root_position[p], frame->root_position[p]);
    tracker->distance_max = fmax(beyond(change), tracker->distance_max);
    const double shift = lone_step(tracker->target_shift, change[TARGET]);
    tracker->target_distance_max = fmax(judged ? shift : NAN, tracker->target_distance_max);
    const bool same = shows_body(tracker, frame, joint_count);
    for (int joint = 0; joint < joint_count; joint++) {
      for (int p = 0; p < (same ? OUTPUT : METRICS_POSE_COUNT); p++)
        change[p] = rotation_change(tracker->rotation[p][joint], frame->rotation[p][joint]);
      if (same)
        change[OUTPUT] = change[MEASURED];
      tracker->angle_max = fmax(beyond(change), tracker->angle_max);
      const double turn = lone_step(tracker->target_turn[joint], change[TARGET]);
      tracker->target_angle_max = fmax(judged ? turn : NAN, tracker->target_angle_max);
    }
  }
  for (int p = 0; p < METRICS_POSE_COUNT; p++) {
    memcpy(tracker->root_position[p], frame->root_position[p], sizeof tracker->root_position[p]);
    memcpy(tracker->rotation[p], frame->rotation[p], (size_t)joint_count * sizeof tracker->rotation[p][0]);
  }
  tracker->frames += tracker->frames < 3;
  tracker->joint_count = joint_count;
}

void shown_tracker_frame(ShownTracker *tracker, const MetricsFrame *frame, double dt) {
  enum { BODY, SHOWN };
  bool beyond = false;
  for (int i = 0; i < frame->part_count; i++) {
    const double angle = rotation_change(frame->part_rotation[BODY][i], frame->part_rotation[SHOWN][i]);
    const double distance = position_change(frame->part_position[BODY][i], frame->part_position[SHOWN][i]);
    tracker->angle_max = max_d(angle, tracker->angle_max);
    tracker->distance_max = max_d(distance, tracker->distance_max);
    if (i == 0)
      tracker->root_distance_max = max_d(distance, tracker->root_distance_max);
    tracker->angle2_sum += angle * angle;
    beyond = beyond || angle > SHOWN_ANGLE || distance > SHOWN_DISTANCE;
  }
  tracker->parts += frame->part_count;
  tracker->time += beyond ? dt : 0;
}

// ---- Saving and restoring ----

void feet_tracker_state(FeetTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->slip_sum, tracker->slip_max, tracker->stances, tracker->skating_frames, tracker->frames);
  for (int i = 0; i < METRICS_MAX_FEET; i++) {
    FootTracker *foot = &tracker->feet[i];
    STATE(stream, foot->planted_frames, foot->anchor, foot->travel, foot->slip, foot->seen, foot->low, foot->sole);
  }
}

void sole_tracker_state(SoleTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->penetration_max, tracker->float_max, tracker->angle_error2_sum, tracker->flat_frames,
        tracker->knee_frames, tracker->knee_angle, tracker->knee_speed, tracker->knee_dt,
        tracker->knee_acceleration_max);
  for (int i = 0; i < METRICS_MAX_FEET; i++) {
    SoleStance *stance = &tracker->stances[i];
    STATE(stream, stance->was_down, stance->pending.gap_max, stance->pending.angle_error2_sum, stance->pending.count,
          stance->pending.time);
  }
}

void jump_tracker_state(JumpTracker *tracker, StateStream *stream) {
  state_int(stream, &tracker->frames, 0, INT_MAX);
  state_int(stream, &tracker->joint_count, 0, METRICS_MAX_JOINTS + 1);
  STATE(stream, tracker->root_position, tracker->rotation, tracker->angle_max, tracker->distance_max,
        tracker->target_shift, tracker->target_turn, tracker->target_angle_max, tracker->target_distance_max);
}

void shown_tracker_state(ShownTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->parts, tracker->angle_max, tracker->angle2_sum, tracker->distance_max,
        tracker->root_distance_max, tracker->time);
}
