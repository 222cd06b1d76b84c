// Times from a change of the wanted velocity to the response of root and body.
#include "sim/metrics/metrics_response.h"

#include <math.h>

static const double FIRST_SIGN = 1e-6; // share of a change at which the root is taken to follow
static const double HALF = 0.5;        // share of a change at which the body has responded

static void horizontal(const double velocity[3], double out[2]) {
  out[0] = velocity[0];
  out[1] = velocity[2];
}

// Share of the change from one velocity to the wanted one that has been made: 0 none, 1 all.
static double share_made(const double from[2], const double to[2], const double now[2]) {
  double way[2] = {to[0] - from[0], to[1] - from[1]}, made[2] = {now[0] - from[0], now[1] - from[1]};
  double length2 = way[0] * way[0] + way[1] * way[1];
  return length2 > 0 ? (way[0] * made[0] + way[1] * made[1]) / length2 : 1;
}

static void begin_response(ResponseTracker *tracker, double time, const double wanted[2]) {
  tracker->following = tracker->count < METRICS_MAX_RESPONSES;
  if (!tracker->following) {
    tracker->beyond++;
    return;
  }
  tracker->responses[tracker->count++] = (MetricsResponse){.time = time,
                                                           .from = {tracker->wanted[0], tracker->wanted[1]},
                                                           .to = {wanted[0], wanted[1]},
                                                           .root_latency = NAN,
                                                           .body_latency = NAN};
}

static void follow_response(ResponseTracker *tracker, double time, const double root[2], const double body[2]) {
  MetricsResponse *response = &tracker->responses[tracker->count - 1];
  if (isnan(response->root_latency) && share_made(tracker->from_root, response->to, root) > FIRST_SIGN)
    response->root_latency = time - response->time;
  if (isnan(response->body_latency) && share_made(tracker->from_body, response->to, body) >= HALF)
    response->body_latency = time - response->time;
  tracker->following = isnan(response->root_latency) || isnan(response->body_latency);
}

void response_tracker_step(ResponseTracker *tracker, const MetricsStep *step) {
  double wanted[2], root[2], body[2];
  horizontal(step->wanted_velocity, wanted);
  horizontal(step->intended_velocity, root);
  horizontal(step->com_velocity, body);
  double change = hypot(wanted[0] - tracker->wanted[0], wanted[1] - tracker->wanted[1]);
  if (!tracker->started || change > RESPONSE_SMALLEST_CHANGE) {
    if (tracker->started)
      begin_response(tracker, step->time - step->dt, wanted);
    tracker->wanted[0] = wanted[0];
    tracker->wanted[1] = wanted[1];
    tracker->started = true;
  }
  if (tracker->following)
    follow_response(tracker, step->time, root, body);
  else
    for (int i = 0; i < 2; i++) {
      tracker->from_root[i] = root[i];
      tracker->from_body[i] = body[i];
    }
}

double response_root_latency_max(const ResponseTracker *tracker) {
  double most = NAN;
  for (int i = 0; i < tracker->count; i++)
    most = fmax(most, tracker->responses[i].root_latency);
  return most;
}

double response_body_latency_max(const ResponseTracker *tracker) {
  double most = NAN;
  for (int i = 0; i < tracker->count; i++)
    most = fmax(most, tracker->responses[i].body_latency);
  return most;
}

void response_tracker_state(ResponseTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->started, tracker->wanted, tracker->from_root, tracker->from_body, tracker->beyond,
        tracker->following);
  int count = state_count(stream, &tracker->count, METRICS_MAX_RESPONSES, sizeof *tracker->responses);
  for (int i = 0; i < count; i++) {
    MetricsResponse *response = &tracker->responses[i];
    STATE(stream, response->time, response->from, response->to, response->root_latency, response->body_latency);
  }
}
