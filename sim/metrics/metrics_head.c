// Differentiates the velocities of the head, filters them as SAE J211 does, and finds their peaks and the HIC.
#include "sim/metrics/metrics_head.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/support.h"

static const double HEAD_CLASS = 1000;    // channel frequency class of head accelerations
static const double CLASS_RATIO = 2.0775; // corner of one pass, Hz, divided by the class
static const double BLOW_TIME = 0.1;      // s for which a hit's effect on the head is watched
static const double HIC_TIME = 0.015;     // s: longest interval
static const double HIC_POWER = 2.5;
static const double TIME_TOLERANCE = 1e-9; // s, rounding in sums of time steps

// ---- Filter ----

void cfc_filter_init(CfcFilter *filter, double class, double dt) {
  *filter = (CfcFilter){.acts = 2 * CLASS_RATIO * class * dt < 1};
  const double w = tan(M_PI * CLASS_RATIO * class * dt);
  const double divisor = 1 + M_SQRT2 * w + w * w;
  filter->a[0] = filter->a[2] = w * w / divisor;
  filter->a[1] = 2 * filter->a[0];
  filter->b[1] = -2 * (w * w - 1) / divisor;
  filter->b[2] = (-1 + M_SQRT2 * w - w * w) / divisor;
}

double cfc_filter_step(CfcFilter *filter, double x) {
  if (!filter->acts)
    return x;
  const double *a = filter->a, *b = filter->b;
  for (int pass = 0; pass < 2; pass++) {
    double *in = filter->x[pass], *out = filter->y[pass];
    const double y = a[0] * x + a[1] * in[0] + a[2] * in[1] + b[1] * out[0] + b[2] * out[1];
    in[1] = in[0];
    in[0] = x;
    out[1] = out[0];
    out[0] = y;
    x = y;
  }
  return x;
}

// ---- Tracker ----

void head_tracker_init(HeadTracker *tracker) {
  *tracker = (HeadTracker){.blow = NAN,
                           .acceleration_max = NAN,
                           .angular_max = NAN,
                           .hit_acceleration_max = NAN,
                           .hit_angular_max = NAN,
                           .hic = NAN};
}

void head_tracker_hit(HeadTracker *tracker, double time) { tracker->blow = time; }

// The magnitude of the filtered rate of change of a velocity, which it updates.
static double acceleration_of(CfcFilter filters[], const double now[3], double before[3], double dt) {
  double rate[3];
  for (int k = 0; k < HEAD_AXES; k++) {
    rate[k] = cfc_filter_step(&filters[k], (now[k] - before[k]) / dt);
    before[k] = now[k];
  }
  return length3(rate);
}

// The largest (t2 - t1) (mean acceleration in g from t1 to t2)^2.5 of intervals that end now.
static void hic_step(HeadTracker *tracker, double g, double dt) {
  const int last = tracker->count;
  const double before = last > 0 ? tracker->sum[(last - 1) % HEAD_HIC_SIZE] : 0;
  const double now = before + g * dt;
  for (int i = 1; i * dt <= HIC_TIME + TIME_TOLERANCE && i < HEAD_HIC_SIZE && i <= last + 1; i++) {
    const double then = i == last + 1 ? 0 : tracker->sum[(last - i) % HEAD_HIC_SIZE];
    const double mean = fmax(0, now - then) / (i * dt);
    if (!(i * dt * mean * mean * sqrt(mean) < 0.999 * tracker->hic)) // else it is not the largest, which needs no power
      tracker->hic = fmax(tracker->hic, i * dt * pow(mean, HIC_POWER));
  }
  tracker->sum[last % HEAD_HIC_SIZE] = now;
  tracker->count = last + 1 < INT_MAX ? last + 1 : HEAD_HIC_SIZE;
}

static void start(HeadTracker *tracker, const MetricsStep *step) {
  for (int k = 0; k < HEAD_AXES; k++) {
    cfc_filter_init(&tracker->linear[k], HEAD_CLASS, step->dt);
    cfc_filter_init(&tracker->angular[k], HEAD_CLASS, step->dt);
  }
  memcpy(tracker->velocity, step->head.velocity, sizeof tracker->velocity);
  memcpy(tracker->spin, step->head.spin, sizeof tracker->spin);
  tracker->seen = true;
}

void head_tracker_step(HeadTracker *tracker, const MetricsStep *step) {
  if (!step->head.known)
    return;
  if (!tracker->seen) {
    start(tracker, step);
    return;
  }
  const double linear = acceleration_of(tracker->linear, step->head.velocity, tracker->velocity, step->dt);
  const double angular = acceleration_of(tracker->angular, step->head.spin, tracker->spin, step->dt);
  tracker->acceleration_max = fmax(tracker->acceleration_max, linear);
  tracker->angular_max = fmax(tracker->angular_max, angular);
  if (step->time - tracker->blow <= BLOW_TIME + TIME_TOLERANCE) {
    tracker->hit_acceleration_max = fmax(tracker->hit_acceleration_max, linear);
    tracker->hit_angular_max = fmax(tracker->hit_angular_max, angular);
  }
  hic_step(tracker, linear / STANDARD_GRAVITY, step->dt);
}

// ---- Saving and restoring ----

static void filter_state(CfcFilter *filter, StateStream *stream) {
  STATE(stream, filter->acts, filter->a, filter->b, filter->x, filter->y);
}

void head_tracker_state(HeadTracker *tracker, StateStream *stream) {
  for (int k = 0; k < HEAD_AXES; k++) {
    filter_state(&tracker->linear[k], stream);
    filter_state(&tracker->angular[k], stream);
  }
  STATE(stream, tracker->seen, tracker->velocity, tracker->spin, tracker->blow, tracker->acceleration_max,
        tracker->angular_max, tracker->hit_acceleration_max, tracker->hit_angular_max, tracker->sum, tracker->hic);
  state_int(stream, &tracker->count, 0, INT_MAX);
}
