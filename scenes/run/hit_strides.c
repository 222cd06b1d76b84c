// Notes first landings and flights, and compares those of two runs.
#include "scenes/run/hit_strides.h"

#include <math.h>
#include <string.h>

static const double LEAST_AIR = 0.05;      // s: a foot that has been in the air for less has not swung
static const double LEAST_FLIGHT = 0.02;   // s: shorter ones are gaps between contacts
static const double LEAST_ERROR = 0.04;    // m/s: of smaller ones no share is computed
static const double TIME_TOLERANCE = 1e-9; // s, rounding in sums of time steps

static void note_landings(StrideTracker *tracker, const StrideSample *sample) {
  for (int i = 0; i < sample->foot_count; i++) {
    const bool lands = sample->air_time[i] == 0 && tracker->air_time[i] >= LEAST_AIR - TIME_TOLERANCE;
    if (!lands || tracker->landed[i])
      continue;
    tracker->landed[i] = true;
    tracker->landing_time[i] = sample->time;
    memcpy(tracker->landing[i], sample->place[i], sizeof tracker->landing[i]);
  }
}

static int last_foot(const StrideSample *sample) {
  int last = 0;
  for (int i = 1; i < sample->foot_count; i++)
    if (sample->air_time[i] < sample->air_time[last])
      last = i;
  return last;
}

static void note_flight(StrideTracker *tracker, const StrideSample *sample) {
  const int foot = last_foot(sample);
  const double age = sample->foot_count > 0 ? sample->air_time[foot] : 0;
  const bool flew = tracker->flies;
  tracker->flies = age >= LEAST_FLIGHT - TIME_TOLERANCE;
  if (!tracker->flies || flew || tracker->flight_count == HIT_STRIDES_FLIGHTS)
    return;
  Flight *flight = &tracker->flights[tracker->flight_count++];
  *flight = (Flight){.start = sample->time - age, .foot = foot};
  memcpy(flight->velocity, sample->velocity, sizeof flight->velocity);
}

void stride_tracker_step(StrideTracker *tracker, const StrideSample *sample) {
  if (tracker->begun)
    note_landings(tracker, sample);
  tracker->begun = true;
  note_flight(tracker, sample);
  memcpy(tracker->air_time, sample->air_time, sizeof tracker->air_time);
}

static double across(const double vector[2], double heading) {
  return vector[0] * cos(heading) - vector[1] * sin(heading);
}

static double along(const double vector[2], double heading) {
  return vector[0] * sin(heading) + vector[1] * cos(heading);
}

PlacementShift stride_placement(const StrideTracker *with, const StrideTracker *without, double heading) {
  int first = -1;
  for (int i = 0; i < SKELETON_MAX_LEGS; i++)
    if (with->landed[i] && (first < 0 || with->landing_time[i] < with->landing_time[first]))
      first = i;
  if (first < 0 || !without->landed[first])
    return (PlacementShift){NAN, NAN};
  const double *a = with->landing[first], *b = without->landing[first];
  const double shift[2] = {a[0] - b[0], a[1] - b[1]};
  return (PlacementShift){with->landing_time[first], fabs(across(shift, heading))};
}

static double share_removed(double first, double second) {
  return fabs(first) >= LEAST_ERROR ? 1 - second / first : NAN;
}

// The index of the first flight that begins then or later; the number of flights if none does.
static int flight_after(const StrideTracker *tracker, double time) {
  int i = 0;
  while (i < tracker->flight_count && tracker->flights[i].start < time - TIME_TOLERANCE)
    i++;
  return i;
}

ErrorRemoved stride_error_removed(const StrideTracker *with, const StrideTracker *without, double heading, double end) {
  const int i = flight_after(with, end), k = flight_after(without, end);
  if (i + 1 >= with->flight_count || k + 1 >= without->flight_count)
    return (ErrorRemoved){NAN, NAN};
  double error[2][2];
  for (int n = 0; n < 2; n++) {
    const Flight *a = &with->flights[i + n], *b = &without->flights[k + n];
    if (a->foot != b->foot)
      return (ErrorRemoved){NAN, NAN};
    for (int axis = 0; axis < 2; axis++)
      error[n][axis] = a->velocity[axis] - b->velocity[axis];
  }
  return (ErrorRemoved){.ahead = share_removed(along(error[0], heading), along(error[1], heading)),
                        .side = share_removed(across(error[0], heading), across(error[1], heading))};
}
