// What drawn landings and flights of bodies on one to eight feet come to, and what of two such runs is compared, to
// nine digits.
#include "tests/unit/small_scene.h"

#include "scenes/run/hit_strides.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"

typedef struct Drill {
  const char *name;
  int feet;
  double stride, flight; // s: from a landing to the next one of a foot; the largest share of it that no foot stands
} Drill;

static const Drill DRILLS[] = {{"hops on one", 1, 0.5, 0.8}, {"walks", 2, 0.6, 0},    {"runs", 2, 0.5, 0.35},
                               {"trots", 4, 0.4, 0.2},       {"creeps", 8, 0.9, 0.1}, {"no feet", 0, 1, 0}};
enum { DRILL_COUNT = sizeof DRILLS / sizeof *DRILLS };

enum { LANDINGS, FLIGHTS, PLACEMENT, REMOVED, SUMS };
static const char *const NAMES[SUMS] = {"landings", "flights", "placement", "error removed"};
static const double OUTCOMES[DRILL_COUNT][SUMS] = {
    {0.56477444442, 4.5759106229, -0.051765776813, -0.57507297605},
    {0.56542895245, 2.5655573024, -0.038664584498, -1.5339529838},
    {0.52433679291, 4.0939872538, -0.085199653638, -0.84055384509},
    {0.93963133727, 2.450102479, -0.11713438319, -1.6673700021},
    {0.39071722546, -0.20682842915, -0.09552522961, -1.8927699418},
    {0, 0, -1.1832236207, -1.877053028},
};

static const double DT = 0.01; // s

// Times in the air are whole steps, as they are counted: so that those at the limits occur.
static void go(StrideTracker *tracker, const Drill *drill, Rng *rng) {
  double period[SKELETON_MAX_LEGS] = {0}, phase[SKELETON_MAX_LEGS] = {0};
  StrideSample sample = {.foot_count = drill->feet};
  memset(tracker, 0, sizeof *tracker);
  for (int i = 0; i < drill->feet; i++) {
    period[i] = round(rng_range(rng, 0.8, 1.2) * drill->stride / DT);
    phase[i] = (double)rng_index(rng, 100);
  }
  const double swing = drill->flight > 0 ? 0.5 + drill->flight / 2 : 0.4;
  for (int step = 0; step < 250; step++) {
    sample.time = step * DT;
    for (int i = 0; i < drill->feet; i++) {
      const double of_stride = fmod(step + phase[i], period[i]), left = of_stride - (1 - swing) * period[i];
      sample.air_time[i] = left > 0 ? ceil(left) * DT : 0;
      if (rng_index(rng, 40) == 0)
        sample.air_time[i] = 0; // it touches the ground on its way
      for (int k = 0; k < 2; k++)
        sample.place[i][k] = rng_range(rng, -1, 1);
    }
    for (int k = 0; k < 2; k++)
      sample.velocity[k] = rng_range(rng, -0.1, 0.1) * (step % 3);
    stride_tracker_step(tracker, &sample);
  }
}

static double told(double value) { return isnan(value) ? -3 : value / (1 + 0.1 * fabs(value)); }

static void add(const StrideTracker *tracker, DrillSum sums[SUMS]) {
  for (int i = 0; i < SKELETON_MAX_LEGS; i++) {
    drill_add(&sums[LANDINGS], tracker->landed[i]);
    drill_add(&sums[LANDINGS], tracker->landing_time[i]);
    drill_add_all(&sums[LANDINGS], tracker->landing[i], 2);
  }
  drill_add(&sums[FLIGHTS], tracker->flight_count);
  for (int i = 0; i < tracker->flight_count; i++) {
    const Flight *flight = &tracker->flights[i];
    const double values[] = {flight->start, flight->foot, flight->velocity[0], flight->velocity[1]};
    drill_add_all(&sums[FLIGHTS], values, 4);
  }
}

// As it was, but for the velocities, and some landings that are missing or elsewhere.
static void disturb(StrideTracker *tracker, Rng *rng) {
  for (int i = 0; i < SKELETON_MAX_LEGS; i++) {
    tracker->landed[i] = tracker->landed[i] && rng_index(rng, 8) > 0;
    for (int k = 0; k < 2; k++)
      tracker->landing[i][k] += rng_range(rng, -0.1, 0.1);
  }
  for (int i = 0; i < tracker->flight_count; i++) {
    tracker->flights[i].foot = rng_index(rng, 12) ? tracker->flights[i].foot : 3;
    for (int k = 0; k < 2; k++)
      tracker->flights[i].velocity[k] += rng_range(rng, -0.1, 0.1);
  }
}

static void run(const Drill *drill, double means[SUMS]) {
  enum { RUNS = 400 };
  Rng rng = rng_make(1, drill->name);
  for (int n = 0; n < RUNS; n++) {
    DrillSum sums[SUMS] = {{0}};
    StrideTracker with, without;
    go(&with, drill, &rng);
    add(&with, sums);
    without = with;
    disturb(&without, &rng);
    if (n % 5 == 0)
      go(&without, drill, &rng);
    const double heading = rng_range(&rng, -4, 4);
    const PlacementShift shift = stride_placement(&with, &without, heading);
    drill_add(&sums[PLACEMENT], told(shift.time));
    drill_add(&sums[PLACEMENT], told(shift.shift));
    for (int i = 0; i < 4; i++) {
      const double end = i < with.flight_count ? with.flights[i].start : 0.3 * i;
      const ErrorRemoved removed = stride_error_removed(&with, &without, heading, end);
      drill_add(&sums[REMOVED], told(removed.ahead));
      drill_add(&sums[REMOVED], told(removed.side));
    }
    for (int k = 0; k < SUMS; k++)
      means[k] += sums[k].sum / RUNS;
  }
}

static void drills_come_to(void **state) {
  (void)state;
  DRILLS_COME_TO(run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drills_come_to)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
