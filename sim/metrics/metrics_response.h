// Latencies: for each change of the wanted velocity, the time until the leading root begins to follow, and until the
// body has made half of the change.
#ifndef STAGGER_SIM_METRICS_METRICS_RESPONSE_H
#define STAGGER_SIM_METRICS_METRICS_RESPONSE_H

#include "sim/metrics/metrics.h"

// Smaller changes of the wanted velocity belong to the previous one: a held key changes it a little in every step.
#define RESPONSE_SMALLEST_CHANGE 0.2 // m/s

typedef struct ResponseTracker {
  bool started;
  double wanted[2];                  // m/s, before the present step
  double from_root[2], from_body[2]; // m/s, at the time of the change
  MetricsResponse responses[METRICS_MAX_RESPONSES];
  int count;      // recorded ones
  long beyond;    // number of those for which there is no room
  bool following; // the last one is still in progress
} ResponseTracker;

void response_tracker_step(ResponseTracker *tracker, const MetricsStep *step);

// Longest latencies; NAN without any response.
double response_root_latency_max(const ResponseTracker *tracker);
double response_body_latency_max(const ResponseTracker *tracker);

// Saves or restores.
void response_tracker_state(ResponseTracker *tracker, StateStream *stream);

#endif
