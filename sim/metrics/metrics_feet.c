// Evaluates foot placement: height of swings relative to the plan, jumps of feet, and jitter of standing feet.
#include "sim/metrics/metrics_feet.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"

static const double SWING_BEGIN = 0.1, SWING_END = 0.9; // of a swing's time
static const double JUMP_TIME = 1.0 / 60;               // s
static const double STILL_SPEED = 0.1;                  // m/s
static const double STILL_TURN_RATE = 0.1;              // rad/s
static const double STILL_TIME = 1;                     // s
static const double JITTER_WINDOW = 1;                  // s
static const double ON_GROUND = 0.005;                  // m
static const double TIME_TOLERANCE = 1e-9;              // s, rounding in sums of time steps

static int foot_count(const MetricsFrame *frame) {
  return frame->foot_count < METRICS_MAX_FEET ? frame->foot_count : METRICS_MAX_FEET;
}

static double clearance(const MetricsFoot *foot) {
  return fmin(fmin(foot->heel_clearance, foot->toe_clearance), foot->sole_clearance);
}

bool foot_touches(const MetricsFoot *foot) { return fabs(clearance(foot)) <= ON_GROUND; }

void swing_tracker_frame(SwingTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet, bool standing) {
  for (int i = 0; i < foot_count(frame) && standing; i++) {
    const MetricsPlan *plan = &frame->plans[i];
    const bool swings = plan->known && !frame->output_feet[i].standing;
    if (swings && plan->progress >= SWING_BEGIN && plan->progress <= SWING_END)
      tracker->loss_max = fmax(fmax(0, plan->clearance - clearance(&feet[i])), tracker->loss_max);
  }
}

static double distance(const double a[3], const double b[3]) {
  const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  return length3(way);
}

void foot_jump_tracker_frame(FootJumpTracker *tracker, const MetricsFrame *frame, double dt, bool standing) {
  for (int i = 0; i < foot_count(frame); i++) {
    const MetricsPlan *plan = &frame->plans[i];
    const double *sole = frame->output_feet[i].sole;
    const bool judged = standing && plan->known && !plan->physical;
    if (judged && tracker->seen[i] && dt > 0) {
      const double beyond = distance(tracker->sole[i], sole) - distance(tracker->animated[i], plan->animated);
      tracker->distance_max = fmax(fmax(0, beyond) * JUMP_TIME / dt, tracker->distance_max);
    }
    tracker->seen[i] = judged;
    memcpy(tracker->sole[i], sole, sizeof tracker->sole[i]);
    memcpy(tracker->animated[i], plan->animated, sizeof tracker->animated[i]);
  }
}

void still_watch_step(StillWatch *watch, const MetricsStep *step, bool standing) {
  const double velocity[2] = {step->intended_velocity[0], step->intended_velocity[2]};
  watch->still = standing && length_2d(velocity) < STILL_SPEED && fabs(step->intended_turn_rate) < STILL_TURN_RATE;
  if (!watch->still)
    watch->since = step->time;
}

void still_watch_hit(StillWatch *watch, double time) { watch->since = fmax(watch->since, time); }

bool still_watch_settled(const StillWatch *watch, double time) {
  return watch->still && time - watch->since >= STILL_TIME - TIME_TOLERANCE;
}

// m RMS about the mean.
static double window_jitter(const JitterWindow *window) {
  const double mean = length3(window->sum) / window->samples;
  return sqrt(fmax(0, window->square_sum / window->samples - mean * mean));
}

static void window_frame(StandingTracker *tracker, JitterWindow *window, const double ankle[3], double time) {
  if (window->samples > 0 && time - window->start >= JITTER_WINDOW - TIME_TOLERANCE) {
    tracker->jitter_max = fmax(window_jitter(window), tracker->jitter_max);
    window->samples = 0;
  }
  if (window->samples == 0) {
    *window = (JitterWindow){.start = time};
    memcpy(window->origin, ankle, sizeof window->origin);
  }
  window->samples++;
  for (int k = 0; k < 3; k++) {
    const double way = ankle[k] - window->origin[k];
    window->sum[k] += way;
    window->square_sum += way * way;
  }
}

void standing_tracker_frame(StandingTracker *tracker, const MetricsFrame *frame, const MetricsFoot *feet,
                            const bool supported[], bool settled) {
  bool any = false, all = true;
  for (int i = 0; i < foot_count(frame); i++) {
    if (!settled || !feet[i].planted)
      tracker->windows[i].samples = 0;
    else
      window_frame(tracker, &tracker->windows[i], feet[i].ankle, frame->time);
    if (frame->plans[i].known && frame->output_feet[i].standing) {
      any = true;
      all = all && supported[i];
    }
  }
  tracker->frames += settled && any;
  tracker->supported_frames += settled && any && all;
}

void foot_jump_tracker_state(FootJumpTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->seen, tracker->sole, tracker->animated, tracker->distance_max);
}

void standing_tracker_state(StandingTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->jitter_max, tracker->frames, tracker->supported_frames);
  for (int i = 0; i < METRICS_MAX_FEET; i++) {
    JitterWindow *window = &tracker->windows[i];
    STATE(stream, window->samples, window->start, window->origin, window->sum, window->square_sum);
  }
}
