// Part of the metrics, for metrics.c and metrics_rows.c only: how a head is accelerated, as crash tests measure it.
#ifndef STAGGER_SIM_METRICS_METRICS_HEAD_H
#define STAGGER_SIM_METRICS_METRICS_HEAD_H

#include "sim/metrics/metrics.h"

enum { HEAD_AXES = 3, HEAD_HIC_SIZE = 256 };

// The low-pass filter of a channel frequency class (CFC) by SAE J211-1: two poles (Butterworth), applied twice. J211
// applies the second pass backward, which removes the delay of the first; a filter that runs with the simulation
// applies both forward: the gain is the same at every frequency, the delay of the peak (0.2 ms for class 1000) does not
// matter here.
//
// Class 1000 passes 1 kHz and has its corner (-3 dB) at 1650 Hz; J211 samples at 10 kHz. A run of 240 steps a second
// contains nothing above 120 Hz: there the filter does not exist, and an acceleration is what the step makes of it, the
// change of velocity divided by 4.2 ms. A shorter blow than a step has a higher peak in truth. The filter acts in runs
// whose steps are shorter than 0.24 ms.
typedef struct CfcFilter {
  bool acts;         // the steps are short enough
  double a[3], b[3]; // of y = a0 x + a1 x' + a2 x'' + b1 y' + b2 y''; b[0] is unused
  double x[2][2];    // of each pass, the last two inputs
  double y[2][2];    // and outputs
} CfcFilter;

// class: 60, 180, 600, 1000; dt in s.
void cfc_filter_init(CfcFilter *filter, double class, double dt);
double cfc_filter_step(CfcFilter *filter, double x);

typedef struct HeadTracker {
  bool seen;
  double velocity[3], spin[3];                     // m/s, rad/s, one step earlier
  CfcFilter linear[HEAD_AXES], angular[HEAD_AXES]; // of accelerations
  double blow;                                     // s: time of the last hit; NAN before
  double acceleration_max, angular_max;            // m/s^2, rad/s^2
  double hit_acceleration_max, hit_angular_max;    // the same, soon after a hit
  double sum[HEAD_HIC_SIZE]; // g s: the integral of the acceleration; sample i at i % HEAD_HIC_SIZE
  int count;                 // samples so far
  double hic;
} HeadTracker;

void head_tracker_init(HeadTracker *tracker);
void head_tracker_hit(HeadTracker *tracker, double time);
void head_tracker_step(HeadTracker *tracker, const MetricsStep *step);

// Saves or restores.
void head_tracker_state(HeadTracker *tracker, StateStream *stream);

#endif
