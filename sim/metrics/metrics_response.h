// How soon what is wanted shows: for each change of the wanted velocity, when the leading root begins to follow, and
// when the body has made half of the change.
#ifndef STAGGER_SIM_METRICS_METRICS_RESPONSE_H
#define STAGGER_SIM_METRICS_METRICS_RESPONSE_H

#include "sim/metrics/metrics.h"

// Smaller changes of the wanted velocity belong to the one before: keys that are held change it a little every step.
#define RESPONSE_SMALLEST_CHANGE 0.2 // m/s

typedef struct ResponseTracker {
  bool started;
  double wanted[2];                  // m/s, before the present step
  double from_root[2], from_body[2]; // m/s, when the change came
  MetricsResponse responses[METRICS_MAX_RESPONSES];
  int count;      // recorded
  long beyond;    // more than there is room for
  bool following; // the last one is not over
} ResponseTracker;

void response_tracker_step(ResponseTracker *tracker, const MetricsStep *step);

// Longest latencies; NAN without any response.
double response_root_latency_max(const ResponseTracker *tracker);
double response_body_latency_max(const ResponseTracker *tracker);

// Saves or restores.
void response_tracker_state(ResponseTracker *tracker, StateStream *stream);

#endif
