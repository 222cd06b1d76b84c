// Follows the first fall from its descent to the touches of hands, pelvis and head.
#include "sim/metrics/metrics_landing.h"

#include <math.h>

static const double DESCENT_SPEED = 0.2; // m/s
static const double LANDING_TIME = 1;    // s after the first touch

void landing_tracker_init(LandingTracker *tracker) {
  *tracker = (LandingTracker){.hand_time = NAN,
                              .pelvis_time = NAN,
                              .hand_speed = NAN,
                              .pelvis_speed = NAN,
                              .head_speed = NAN,
                              .reach_speed = NAN,
                              .knee = NAN,
                              .hip = NAN};
}

// Whether the body comes down; the descent begins anew while nothing has touched the ground.
static void watch_descent(LandingTracker *tracker, const MetricsStep *step) {
  const bool comes_down = step->landing.pelvis_speed > DESCENT_SPEED;
  if (!comes_down) {
    landing_tracker_init(tracker);
  } else if (!tracker->descends) {
    tracker->descends = true;
    tracker->descent = step->time - step->dt;
  }
}

static void watch_hands(LandingTracker *tracker, const MetricsStep *step) {
  const MetricsLanding *landing = &step->landing;
  if (!isnan(tracker->hand_time))
    return;
  for (int i = 0; i < METRICS_HANDS; i++) {
    tracker->reach_speed = fmax(landing->reach_speed[i], tracker->reach_speed);
    if (!landing->hand_touches[i])
      continue;
    tracker->hand_time = step->time;
    tracker->hand_speed = fmax(tracker->hand_before[i], tracker->hand_speed);
  }
}

static void watch_pelvis_and_head(LandingTracker *tracker, const MetricsStep *step) {
  const MetricsLanding *landing = &step->landing;
  if (landing->pelvis_touches && isnan(tracker->pelvis_time)) {
    tracker->pelvis_time = step->time;
    tracker->pelvis_speed = tracker->pelvis_before;
    tracker->knee = landing->knee;
    tracker->hip = landing->hip;
  }
  if (landing->head_touches && isnan(tracker->head_speed))
    tracker->head_speed = tracker->head_before;
}

static bool touches(const MetricsStep *step) {
  const MetricsLanding *landing = &step->landing;
  bool hand = false;
  for (int i = 0; i < METRICS_HANDS; i++)
    hand = hand || landing->hand_touches[i];
  return hand || landing->pelvis_touches || landing->head_touches || step->fallen;
}

void landing_tracker_step(LandingTracker *tracker, const MetricsStep *step) {
  const MetricsLanding *landing = &step->landing;
  if (!landing->known || tracker->over)
    return;
  if (!tracker->lands)
    watch_descent(tracker, step);
  if (tracker->descends) {
    if (!tracker->lands && touches(step)) {
      tracker->lands = true;
      tracker->first_touch = step->time;
    }
    watch_hands(tracker, step);
    watch_pelvis_and_head(tracker, step);
    tracker->over = tracker->lands && step->time - tracker->first_touch > LANDING_TIME;
  }
  for (int i = 0; i < METRICS_HANDS; i++)
    tracker->hand_before[i] = landing->hand_speed[i];
  tracker->pelvis_before = landing->pelvis_speed;
  tracker->head_before = landing->head_speed;
}

double landing_time_to_hand(const LandingTracker *tracker) { return tracker->hand_time - tracker->descent; }

double landing_time_to_pelvis(const LandingTracker *tracker) { return tracker->pelvis_time - tracker->descent; }

double landing_hand_lead(const LandingTracker *tracker) { return tracker->pelvis_time - tracker->hand_time; }

void landing_tracker_state(LandingTracker *tracker, StateStream *stream) {
  STATE(stream, tracker->descends, tracker->lands, tracker->over, tracker->descent, tracker->first_touch,
        tracker->hand_time, tracker->pelvis_time, tracker->hand_speed, tracker->pelvis_speed, tracker->head_speed,
        tracker->reach_speed, tracker->knee, tracker->hip, tracker->hand_before, tracker->pelvis_before,
        tracker->head_before);
}
