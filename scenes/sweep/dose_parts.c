// How responses differ by the part that is struck: distances, and part-dependence.
#include "scenes/sweep/dose_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"

// Sums over the trials of one repeat.
typedef struct Pairs {
  double distance, size;
  long pairs, sizes;
} Pairs;

// The ratio of mean distance and mean size, of all repeats.
static DoseFigure ratio_figure(const Pairs *repeats, int count) {
  Pairs sum = {0};
  int clusters = 0;
  for (int i = 0; i < count; i++) {
    sum.distance += repeats[i].distance;
    sum.size += repeats[i].size;
    sum.pairs += repeats[i].pairs;
    sum.sizes += repeats[i].sizes;
    clusters += repeats[i].pairs > 0;
  }
  if (sum.pairs == 0 || !(sum.size > 0))
    return dose_unknown;
  const double scale = (double)sum.sizes / (double)sum.pairs, ratio = sum.distance / sum.size * scale;
  DoseFigure figure = {ratio, NAN, NAN, sum.pairs};
  double spread = 0;
  for (int i = 0; i < count; i++)
    spread += pow(repeats[i].distance * scale - ratio * repeats[i].size, 2);
  if (clusters >= 2) {
    const double error = sqrt(spread * clusters / (clusters - 1)) / sum.size;
    const double reach = statistics_student(clusters - 1) * error;
    figure.low = ratio - reach;
    figure.high = ratio + reach;
  }
  return figure;
}

// The distance of the responses of two trials, deg; NAN: one has none.
static double distance_of(const DoseWork *work, long a, long b) {
  ResponseFrames frames[2];
  if (!dose_response(work, a, 0, &frames[0]) || !dose_response(work, b, 1, &frames[1]))
    return NAN;
  return response_distance(&frames[0], &frames[1]) / RAD_PER_DEGREE;
}

static void add_size(const DoseWork *work, long trial, int part, Pairs *pairs) {
  const double size = work->dose->chosen[part] ? dose_response_size(work, trial) : NAN;
  if (!isfinite(size))
    return;
  pairs->size += size;
  pairs->sizes++;
}

static void add_distance(const DoseWork *work, double distance, int a, int b, Pairs *pairs) {
  if (!isfinite(distance) || !work->dose->chosen[a] || !work->dose->chosen[b])
    return;
  pairs->distance += distance;
  pairs->pairs++;
}

// Compares the trials that differ from one, which struck the first part, only in the part.
static void compare_trials(const DoseWork *work, long first, Pairs *front, Pairs *around, double *sums, long *counts) {
  const DoseTable *dose = work->dose;
  const bool ahead = dose_is_front(work, first);
  for (int a = 0; a < dose->part_count; a++) {
    const long trial = dose_with_value(work->study, first, work->part, a);
    add_size(work, trial, a, around);
    if (ahead)
      add_size(work, trial, a, front);
    for (int b = a + 1; b < dose->part_count; b++) {
      const double distance = distance_of(work, trial, dose_with_value(work->study, first, work->part, b));
      add_distance(work, distance, a, b, around);
      if (!ahead || !isfinite(distance))
        continue;
      add_distance(work, distance, a, b, front);
      sums[a * DOSE_MOST_PARTS + b] += distance;
      counts[a * DOSE_MOST_PARTS + b]++;
    }
  }
}

bool dose_compare_parts(const DoseWork *work) {
  DoseTable *dose = work->dose;
  const StudyDef *study = work->study;
  const int repeats = study->run.repeats;
  Pairs *front = calloc((size_t)repeats, sizeof *front), *around = calloc((size_t)repeats, sizeof *around);
  bool good = front && around;
  for (int s = 0; s < dose->size_count && good; s++) {
    double sums[DOSE_MOST_PARTS * DOSE_MOST_PARTS] = {0};
    long counts[DOSE_MOST_PARTS * DOSE_MOST_PARTS] = {0};
    memset(front, 0, (size_t)repeats * sizeof *front);
    memset(around, 0, (size_t)repeats * sizeof *around);
    for (long trial = 0; trial < study->trial_count; trial++)
      if (dose_axis_value(study, trial, work->part) == 0 && dose_has_size(work, trial, s))
        compare_trials(work, trial, &front[trial % repeats], &around[trial % repeats], sums, counts);
    dose->front[s] = ratio_figure(front, repeats);
    dose->around[s] = ratio_figure(around, repeats);
    for (int a = 0; a < dose->part_count; a++)
      for (int b = a + 1; b < dose->part_count; b++) {
        const int i = a * DOSE_MOST_PARTS + b;
        dose->distance[s][a][b] = dose->distance[s][b][a] = counts[i] > 0 ? sums[i] / (double)counts[i] : NAN;
      }
  }
  free(front);
  free(around);
  return good;
}
