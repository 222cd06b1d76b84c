// Part of the metrics, for metrics.c and metrics_rows.c only: frame-to-frame measurements on feet and poses.
#ifndef STAGGER_SIM_METRICS_METRICS_FRAMES_H
#define STAGGER_SIM_METRICS_METRICS_FRAMES_H

#include "sim/metrics/metrics.h"

enum { METRICS_POSE_COUNT = 3 }; // target, measured, output

// One foot of one pose.
typedef struct FootTracker {
  // The present stance.
  int planted_frames;
  double anchor[2]; // m, x and z of the sole two frames after touchdown
  double travel;    // m from the anchor in the last frame; counts once that frame is known to be two frames before
                    // lift-off
  double slip;      // m, largest travel in the frames that count

  // The previous frame.
  bool seen, low; // low: the whole sole is below the height of skating
  double sole[2]; // m
} FootTracker;

// All feet of one pose.
typedef struct FeetTracker {
  FootTracker feet[METRICS_MAX_FEET];
  double slip_sum, slip_max; // m
  int stances;
  long skating_frames, frames; // numbers of pairs of frames, counted for each foot
} FeetTracker;

// Frames of a stance in which the sole should lie flat.
typedef struct FlatFrames {
  double gap_max, angle_error2_sum; // m, rad^2
  long count;
  double time; // s
} FlatFrames;

// One flat phase of the animation.
typedef struct SoleStance {
  bool was_down;      // both ends of the sole have been on the ground
  FlatFrames pending; // since they were both on the ground or, if they never were, since the phase began
} SoleStance;

// The soles of one pose relative to the ground, and its knees.
//
// Feet roll: they land heel first and leave over the toes. An end that is up then floats no more than the animation's
// does, though a body rolls somewhat earlier or later. So ends and angles count only in flat phases: while the
// animation has both ends on its ground, from the first to the last frame in which both are on the true ground. If they
// never are, all frames of that time count; so do frames in which an end is up for more than a quarter of a second,
// since that is not rolling. Whether some point of the sole is on the ground, and how deep, is evaluated during the
// whole stance.
typedef struct SoleTracker {
  double penetration_max, float_max; // m, NAN before the first stance
  double angle_error2_sum;           // rad^2
  long flat_frames;
  SoleStance stances[METRICS_MAX_FEET];
  int knee_frames[METRICS_MAX_FEET];
  double knee_angle[METRICS_MAX_FEET], knee_speed[METRICS_MAX_FEET], knee_dt; // rad, rad/s, s: of the previous frame
  double knee_acceleration_max;                                               // rad/s^2, NAN before the third frame
} SoleTracker;

// Steps of the output pose that neither the target nor the measured pose made, and steps of the target alone.
typedef struct JumpTracker {
  int frames; // number of frames with this joint count, up to 3
  int joint_count;
  float root_position[METRICS_POSE_COUNT][3];
  float rotation[METRICS_POSE_COUNT][METRICS_MAX_JOINTS + 1][4];
  double angle_max, distance_max; // rad, m; NAN before the second frame

  // The target's last two steps, and the excess of a step over those before and after it; NAN before the fourth frame.
  double target_shift[2], target_turn[METRICS_MAX_JOINTS + 1][2]; // m, rad: the older one first
  double target_angle_max, target_distance_max;
} JumpTracker;

// Compares the output pose with the measured pose of the physical body.
//
// Rotations are those of the parts in the world. Angles between a joint and its parent would miss a body that tilts as
// a whole while the output pose is upright, because no joint differs then.
typedef struct ShownTracker {
  long parts;                             // number of parts compared so far, over all frames
  double angle_max, angle2_sum;           // rad, rad^2
  double distance_max, root_distance_max; // m
  double time;                            // s in which any part was beyond SHOWN_ANGLE or SHOWN_DISTANCE
} ShownTracker;

// dt: s since the previous frame, 0 in the first one.
void shown_tracker_frame(ShownTracker *tracker, const MetricsFrame *frame, double dt);

// dt: s since the previous frame, 0 in the first one. standing: the character has not fallen; otherwise it has no
// stances.
void feet_tracker_frame(FeetTracker *tracker, const MetricsFoot *feet, int count, double dt, bool standing);
void feet_tracker_finish(FeetTracker *tracker);

void sole_tracker_init(SoleTracker *tracker);
void sole_tracker_frame(SoleTracker *tracker, const MetricsFoot *feet, const MetricsPlan *plans, int count, double dt,
                        bool standing);
void sole_tracker_finish(SoleTracker *tracker);

void jump_tracker_init(JumpTracker *tracker);
void jump_tracker_frame(JumpTracker *tracker, const MetricsFrame *frame);

// Saves or restores.
void feet_tracker_state(FeetTracker *tracker, StateStream *stream);
void sole_tracker_state(SoleTracker *tracker, StateStream *stream);
void jump_tracker_state(JumpTracker *tracker, StateStream *stream);
void shown_tracker_state(ShownTracker *tracker, StateStream *stream);

#endif
