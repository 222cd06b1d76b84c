// Part of the metrics: what is measured from frame to frame, on feet and on poses. Only for metrics.c.
#ifndef STAGGER_SIM_METRICS_METRICS_FRAMES_H
#define STAGGER_SIM_METRICS_METRICS_FRAMES_H

#include "sim/metrics/metrics.h"

enum { METRICS_POSE_COUNT = 3 }; // target, measured, output

// One foot of one pose.
typedef struct FootTracker {
  // The stance under way.
  int planted_frames;
  double anchor[2]; // m, x and z of the sole two frames after touch-down
  double travel;    // m from the anchor in the last frame, not yet known to be two frames before lift-off
  double slip;      // m, largest travel of the frames that are

  // The frame before.
  bool seen, low; // low: the whole sole below the height of skating
  double sole[2]; // m
} FootTracker;

// All feet of one pose.
typedef struct FeetTracker {
  FootTracker feet[METRICS_MAX_FEET];
  double slip_sum, slip_max; // m
  int stances;
  long skating_frames, frames; // pairs of frames, each foot apart
} FeetTracker;

// Frames of a stance in which the sole is to lie flat.
typedef struct FlatFrames {
  double gap_max, angle_error2_sum; // m, rad^2
  long count;
  double time; // s
} FlatFrames;

// Of one flat phase of the animation.
typedef struct SoleStance {
  bool was_down;      // both ends of the sole have been on the ground
  FlatFrames pending; // since they were last, or, if they never were, since it began
} SoleStance;

// The soles of one pose against the ground, and its knees.
//
// Feet roll: heel first they come down, and over the toes they leave. An end that is up then floats no more than the
// animation's does, though a body rolls somewhat earlier or later. So ends and angles are judged only in flat phases:
// while the animation has both ends on its ground, from the first to the last frame in which they are on the true one.
// Where they never are all frames of that time count, and so does what is up for more than a quarter of a second: that
// is no rolling. Whether any of the sole is on the ground at all, and how deep in it, is judged throughout the stance.
typedef struct SoleTracker {
  double penetration_max, float_max; // m, NAN until a foot stood
  double angle_error2_sum;           // rad^2
  long flat_frames;
  SoleStance stances[METRICS_MAX_FEET];
  int knee_frames[METRICS_MAX_FEET];
  double knee_angle[METRICS_MAX_FEET], knee_speed[METRICS_MAX_FEET], knee_dt; // rad, rad/s, s: the frame before
  double knee_acceleration_max;                                               // rad/s^2, NAN until three frames
} SoleTracker;

// Steps of the output pose that neither target nor measured made, and steps of the target alone.
typedef struct JumpTracker {
  int frames; // of that many joints; counted up to 3
  int joint_count;
  float root_position[METRICS_POSE_COUNT][3];
  float rotation[METRICS_POSE_COUNT][METRICS_MAX_JOINTS + 1][4];
  double angle_max, distance_max; // rad, m; NAN until two frames

  // The target's last two steps, and what one of them was beyond those before and after it; NAN until four frames.
  double target_shift[2], target_turn[METRICS_MAX_JOINTS + 1][2]; // m, rad: the older one first
  double target_angle_max, target_distance_max;
} JumpTracker;

// How far the output pose is from the measured one: from where the physical body is.
//
// Rotations are those of the parts in the world. Angles between a joint and its parent would miss a body that tilts as
// one block under an upright picture of it, which is the largest lie that the output can tell: no joint is off then.
typedef struct ShownTracker {
  long parts;                             // compared so far: of each frame all
  double angle_max, angle2_sum;           // rad, rad^2
  double distance_max, root_distance_max; // m
  double time;                            // s, with any part beyond SHOWN_ANGLE or SHOWN_DISTANCE
} ShownTracker;

// dt: s since the frame before, 0 in the first one.
void shown_tracker_frame(ShownTracker *tracker, const MetricsFrame *frame, double dt);

// dt: s since the frame before, 0 in the first one. standing: not down; a body on the ground has no stances.
void feet_tracker_frame(FeetTracker *tracker, const MetricsFoot *feet, int count, double dt, bool standing);
void feet_tracker_finish(FeetTracker *tracker);

void sole_tracker_init(SoleTracker *tracker);
void sole_tracker_frame(SoleTracker *tracker, const MetricsFoot *feet, const MetricsPlan *plans, int count, double dt,
                        bool standing);
void sole_tracker_finish(SoleTracker *tracker);

void jump_tracker_init(JumpTracker *tracker);
void jump_tracker_frame(JumpTracker *tracker, const MetricsFrame *frame);

// Save or restore.
void feet_tracker_state(FeetTracker *tracker, StateStream *stream);
void sole_tracker_state(SoleTracker *tracker, StateStream *stream);
void jump_tracker_state(JumpTracker *tracker, StateStream *stream);
void shown_tracker_state(ShownTracker *tracker, StateStream *stream);

#endif
