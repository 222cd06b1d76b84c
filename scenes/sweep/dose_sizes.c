// How often a larger hit has the larger response.
#include "scenes/sweep/dose_internal.h"

#include <math.h>
#include <stdlib.h>

static DoseFigure share_figure(const ShareTally *tally) {
  const Interval interval = statistics_share_interval(tally);
  if (tally->count == 0)
    return dose_unknown;
  return (DoseFigure){(double)tally->successes / (double)tally->count, interval.low, interval.high, tally->count};
}

// Whether the response to the next size is larger than that of a trial of a size; *known: both are there.
static bool rises(const DoseWork *work, long trial, int size, bool *known) {
  const double smaller = dose_response_size(work, trial);
  const double larger =
      dose_response_size(work, dose_with_value(work->study, trial, work->size, work->size_order[size + 1]));
  *known = isfinite(smaller) && isfinite(larger);
  return larger > smaller;
}

// Pairs of neighbouring sizes of a part, and how many of them rise: from a size on, and in a direction.
typedef struct Steps {
  long up[DOSE_MOST_SIZES], count[DOSE_MOST_SIZES];
  long up_toward[DOSE_MOST_DIRECTIONS], count_toward[DOSE_MOST_DIRECTIONS];
} Steps;

// Tallies of these over the repeats.
typedef struct StepTally {
  ShareTally all, from[DOSE_MOST_SIZES], toward[DOSE_MOST_DIRECTIONS];
} StepTally;

static void add_pair(const DoseWork *work, long trial, int size, Steps *steps) {
  bool known = false;
  const bool larger = rises(work, trial, size, &known);
  if (!known)
    return;
  steps->up[size] += larger;
  steps->count[size]++;
  if (work->dose->direction_count == 0)
    return;
  const int direction = dose_axis_value(work->study, trial, work->direction);
  steps->up_toward[direction] += larger;
  steps->count_toward[direction]++;
}

static void count_steps(const DoseWork *work, int part, int repeat, Steps *steps) {
  const StudyDef *study = work->study;
  for (long trial = repeat; trial < study->trial_count; trial += study->run.repeats)
    for (int s = 0; s + 1 < work->dose->size_count; s++)
      if (dose_axis_value(study, trial, work->part) == part && dose_has_size(work, trial, s))
        add_pair(work, trial, s, steps);
}

// Adds the pairs of one repeat to the tallies of the parts and of all of them.
static void tally_repeat(const DoseWork *work, int repeat, StepTally *parts, ShareTally *all) {
  const DoseTable *dose = work->dose;
  long up = 0, count = 0;
  for (int p = 0; p < dose->part_count; p++) {
    Steps steps = {0};
    count_steps(work, p, repeat, &steps);
    long part_up = 0, part_count = 0;
    for (int s = 0; s + 1 < dose->size_count; s++) {
      statistics_tally(&parts[p].from[s], steps.up[s], steps.count[s]);
      part_up += steps.up[s];
      part_count += steps.count[s];
    }
    for (int d = 0; d < dose->direction_count; d++)
      statistics_tally(&parts[p].toward[d], steps.up_toward[d], steps.count_toward[d]);
    statistics_tally(&parts[p].all, part_up, part_count);
    up += part_up;
    count += part_count;
  }
  statistics_tally(all, up, count);
}

bool dose_compare_sizes(const DoseWork *work) {
  DoseTable *dose = work->dose;
  ShareTally all = {0};
  StepTally *parts = calloc(DOSE_MOST_PARTS, sizeof *parts);
  if (!parts)
    return false;
  for (int r = 0; r < work->study->run.repeats; r++)
    tally_repeat(work, r, parts, &all);
  dose->rising = share_figure(&all);
  for (int p = 0; p < dose->part_count; p++) {
    dose->rising_of[p] = share_figure(&parts[p].all);
    for (int s = 0; s + 1 < dose->size_count; s++)
      dose->rising_from[p][s] = share_figure(&parts[p].from[s]);
    for (int d = 0; d < dose->direction_count; d++)
      dose->rising_toward[p][d] = share_figure(&parts[p].toward[d]);
  }
  free(parts);
  return true;
}
