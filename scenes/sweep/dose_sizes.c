// How often a larger hit has the larger response.
#include "scenes/sweep/dose_internal.h"

#include <math.h>

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

// Adds the pairs of one repeat to the tallies.
static void count_repeat(const DoseWork *work, int repeat, ShareTally *all, ShareTally *parts, ShareTally *gaps) {
  const DoseTable *dose = work->dose;
  const StudyDef *study = work->study;
  long up[DOSE_MOST_PARTS][DOSE_MOST_SIZES] = {{0}}, count[DOSE_MOST_PARTS][DOSE_MOST_SIZES] = {{0}};
  for (long trial = repeat; trial < study->trial_count; trial += study->run.repeats)
    for (int s = 0; s + 1 < dose->size_count; s++) {
      bool known = false;
      if (!dose_has_size(work, trial, s))
        continue;
      const int part = dose_axis_value(study, trial, work->part);
      const bool larger = rises(work, trial, s, &known);
      up[part][s] += known && larger;
      count[part][s] += known;
    }
  long all_up = 0, all_count = 0;
  for (int p = 0; p < dose->part_count; p++) {
    long part_up = 0, part_count = 0;
    for (int s = 0; s + 1 < dose->size_count; s++) {
      statistics_tally(&gaps[p * DOSE_MOST_SIZES + s], up[p][s], count[p][s]);
      part_up += up[p][s];
      part_count += count[p][s];
    }
    statistics_tally(&parts[p], part_up, part_count);
    all_up += part_up;
    all_count += part_count;
  }
  statistics_tally(all, all_up, all_count);
}

bool dose_compare_sizes(const DoseWork *work) {
  DoseTable *dose = work->dose;
  ShareTally all = {0}, parts[DOSE_MOST_PARTS] = {{0}}, gaps[DOSE_MOST_PARTS * DOSE_MOST_SIZES] = {{0}};
  for (int r = 0; r < work->study->run.repeats; r++)
    count_repeat(work, r, &all, parts, gaps);
  dose->rising = share_figure(&all);
  for (int p = 0; p < dose->part_count; p++) {
    dose->rising_of[p] = share_figure(&parts[p]);
    for (int s = 0; s + 1 < dose->size_count; s++)
      dose->rising_from[p][s] = share_figure(&gaps[p * DOSE_MOST_SIZES + s]);
  }
  return true;
}
