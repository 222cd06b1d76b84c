// Counts strides from touchdown to touchdown and sums their times, lengths and shares of stance.
#include "sim/metrics/metrics_gait.h"

#include <math.h>
#include <string.h>

#include "sim/base/stride.h"

static const double SHORTEST_WAY = 0.03;   // m: a foot that only rocks lands in place
static const double TIME_TOLERANCE = 1e-9; // s, rounding in sums of time steps
enum { FEWEST_STRIDES = 3 };

static void stride_close(GaitTracker *tracker, const StrideTracker *stride, const double place[2], double time) {
  const double way = hypot(place[0] - stride->place[0], place[1] - stride->place[1]);
  if (time - stride->start > STRIDE_LONGEST + TIME_TOLERANCE || way < SHORTEST_WAY)
    return;
  tracker->strides++;
  tracker->time += time - stride->start;
  tracker->stance += stride->stance;
  tracker->double_support += stride->double_support;
  tracker->way += way;
  tracker->root_range += stride->highest - stride->lowest;
}

static void stride_open(StrideTracker *stride, const double place[2], double height, double time) {
  stride->open = true;
  stride->start = time;
  memcpy(stride->place, place, sizeof stride->place);
  stride->stance = stride->double_support = 0;
  stride->lowest = stride->highest = height;
}

// The time since the previous frame is counted with that frame's state.
static void stride_go_on(StrideTracker *stride, bool all_stood, double height, double dt) {
  stride->stance += stride->standing ? dt : 0;
  stride->double_support += all_stood ? dt : 0;
  stride->lowest = fmin(stride->lowest, height);
  stride->highest = fmax(stride->highest, height);
}

void gait_tracker_frame(GaitTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet, double height,
                        double dt, bool standing) {
  tracker->foot_count = frame->foot_count < METRICS_MAX_FEET ? frame->foot_count : METRICS_MAX_FEET;
  bool all_stood = true;
  for (int i = 0; i < tracker->foot_count; i++)
    all_stood = all_stood && tracker->feet[i].standing;
  for (int i = 0; i < tracker->foot_count; i++) {
    StrideTracker *stride = &tracker->feet[i];
    const double place[2] = {feet[i].sole[0], feet[i].sole[2]};
    const bool now = standing && feet[i].standing;
    stride->open = stride->open && standing;
    if (stride->open)
      stride_go_on(stride, all_stood, height, dt);
    const bool touched_down = stride->seen && now && !stride->standing;
    if (touched_down && frame->time - stride->lifted >= STRIDE_SHORTEST_SWING - TIME_TOLERANCE) {
      if (stride->open)
        stride_close(tracker, stride, place, frame->time);
      stride_open(stride, place, height, frame->time);
    }
    if (!now && (stride->standing || !stride->seen))
      stride->lifted = frame->time;
    stride->standing = now;
    stride->seen = standing;
  }
}

static double per_stride(const GaitTracker *tracker, double value) {
  return tracker->strides >= FEWEST_STRIDES ? value / tracker->strides : NAN;
}

static double per_time(const GaitTracker *tracker, double value) {
  return tracker->strides >= FEWEST_STRIDES ? value / tracker->time : NAN;
}

double gait_stance_share(const GaitTracker *tracker) { return per_time(tracker, tracker->stance); }

double gait_double_support_share(const GaitTracker *tracker) {
  return tracker->foot_count == 2 ? per_time(tracker, tracker->double_support) : NAN;
}

double gait_cadence(const GaitTracker *tracker) {
  return tracker->strides >= FEWEST_STRIDES ? stride_cadence(tracker->foot_count, tracker->strides, tracker->time)
                                            : NAN;
}

double gait_step_length(const GaitTracker *tracker) {
  return per_stride(tracker, tracker->foot_count > 0 ? tracker->way / tracker->foot_count : 0);
}

double gait_root_range(const GaitTracker *tracker) { return per_stride(tracker, tracker->root_range); }

void gait_tracker_state(GaitTracker *tracker, StateStream *stream) {
  state_int(stream, &tracker->foot_count, 0, METRICS_MAX_FEET);
  STATE(stream, tracker->strides, tracker->time, tracker->stance, tracker->double_support, tracker->way,
        tracker->root_range);
  for (int i = 0; i < METRICS_MAX_FEET; i++) {
    StrideTracker *foot = &tracker->feet[i];
    STATE(stream, foot->seen, foot->standing, foot->lifted, foot->open, foot->start, foot->place, foot->stance,
          foot->double_support, foot->lowest, foot->highest);
  }
}
