// Searches the largest withstood value of an axis in each case of a study.
#include "scenes/search/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "scenes/sweep/sweep_trials.h"

// ---- Cases and their values ----

static const StudyAxis *grown_axis(const StudyDef *study) { return &study->axes[study->threshold.axis_index]; }

long threshold_cases(const StudyDef *study) { return study->cell_count / grown_axis(study)->count; }

long threshold_cell(const StudyDef *study, long case_number, int value) {
  const int axis = study->threshold.axis_index;
  const long stride = study_cell_with(study, 0, axis, 1);
  const long first = case_number / stride * stride * grown_axis(study)->count + case_number % stride;
  return study_cell_with(study, first, axis, value);
}

static bool trial_withstood(const StudyDef *study, const Table *table, long row) {
  const StudyThreshold *threshold = &study->threshold;
  bool holds = !trial_is_bad(table_text(table, row, table_find(table, "status")));
  for (int i = 0; i < threshold->withstood_count && holds; i++)
    holds = study_where_holds(&threshold->withstood[i], table, row);
  return holds;
}

void threshold_read(const StudyDef *study, const Table *table, long case_number, ThresholdValue *values,
                    unsigned char *withstood) {
  const int repeats = study->run.repeats;
  for (int v = 0; v < grown_axis(study)->count; v++) {
    values[v] = (ThresholdValue){0};
    const long first = threshold_cell(study, case_number, v) * repeats;
    for (long row = table_row_from(table, (double)first);
         row < table->row_count && table_number(table, row, 0) < (double)(first + repeats); row++) {
      const bool holds = trial_withstood(study, table, row);
      values[v].trials++;
      values[v].withstood += holds;
      if (withstood)
        withstood[(long)v * repeats + (long)table_number(table, row, 0) - first] = holds;
    }
  }
}

// ---- The search ----

// So that 9 of 10 are a share of 0.9 in spite of rounding.
static bool share_wins(const StudyDef *study, long withstood, long trials) {
  return (double)withstood >= study->threshold.share * (double)trials - 1e-9;
}

ThresholdOutcome threshold_outcome(const StudyDef *study, const ThresholdValue *value) {
  if (value->trials < study->run.repeats)
    return THRESHOLD_UNTRIED;
  return share_wins(study, value->withstood, value->trials) ? THRESHOLD_WON : THRESHOLD_LOST;
}

// The smallest value that lost; the number of values: none.
static int first_loss(const StudyDef *study, const ThresholdValue *values) {
  int v = 0;
  while (v < grown_axis(study)->count && threshold_outcome(study, &values[v]) != THRESHOLD_LOST)
    v++;
  return v;
}

int threshold_index(const StudyDef *study, const ThresholdValue *values) {
  int v = first_loss(study, values) - 1;
  while (v >= 0 && threshold_outcome(study, &values[v]) != THRESHOLD_WON)
    v--;
  return v;
}

// The middle of the widest gap between tried values up to the threshold, -1: none is wider than `spacing`.
static int widest_gap(const StudyDef *study, const ThresholdValue *values, int threshold) {
  int middle = -1, widest = study->threshold.spacing;
  for (int v = 0, last = -1; v <= threshold; v++) {
    if (threshold_outcome(study, &values[v]) == THRESHOLD_UNTRIED)
      continue;
    if (v - last > widest) {
      widest = v - last;
      middle = last + widest / 2;
    }
    last = v;
  }
  return middle;
}

int threshold_next(const StudyDef *study, const ThresholdValue *values) {
  const int count = grown_axis(study)->count, lost = first_loss(study, values);
  const int won = threshold_index(study, values);
  if (lost == count && won < count - 1)
    return 2 * won + 1 < count - 1 ? (won < 0 ? 0 : 2 * won + 1) : count - 1;
  if (lost - won > 1)
    return won + (lost - won) / 2;
  return widest_gap(study, values, won);
}

// ---- Its interval ----

typedef struct Resampled {
  const StudyDef *study;
  const ThresholdValue *values;
  const unsigned char *withstood;
} Resampled;

// The threshold's index of a resample of the repeats, among the tried values.
static double resampled_index(const void *context, const uint16_t *weights) {
  const Resampled *resampled = context;
  const StudyDef *study = resampled->study;
  const int repeats = study->run.repeats;
  int index = -1;
  for (int v = 0; v < grown_axis(study)->count; v++) {
    if (threshold_outcome(study, &resampled->values[v]) == THRESHOLD_UNTRIED)
      continue;
    long withstood = 0;
    for (int r = 0; r < repeats; r++)
      withstood += weights[r] * resampled->withstood[(long)v * repeats + r];
    if (!share_wins(study, withstood, repeats))
      break;
    index = v;
  }
  return index;
}

bool threshold_interval(const StudyDef *study, const ThresholdValue *values, const unsigned char *withstood,
                        Bootstrap *bootstrap, int *low, int *high) {
  const Resampled resampled = {study, values, withstood};
  const Interval interval = bootstrap_statistic(bootstrap, study->run.repeats, resampled_index, &resampled);
  if (isnan(interval.low))
    return false;
  *low = (int)floor(interval.low);
  while (*low >= 0 && threshold_outcome(study, &values[*low]) == THRESHOLD_UNTRIED)
    --*low;
  *high = (int)ceil(interval.high) + 1;
  while (*high < grown_axis(study)->count && threshold_outcome(study, &values[*high]) == THRESHOLD_UNTRIED)
    ++*high;
  return true;
}

// ---- The method ----

static bool accepts(const StudyDef *study, Error *error) {
  if (study->optimise.parameter_count > 0)
    return error_set(error, "%s: has a table 'optimise', whose parameters only stagger optimise sets", study->path);
  return study->threshold.axis_index >= 0 ||
         error_set(error,
                   "%s: has no table 'threshold', which names the axis whose largest withstood value is searched, e.g. "
                   "threshold: {axis: impulse, withstood: man.fell == 0}",
                   study->path);
}

static long *next(const StudyDef *study, const Table *table, long *count, Error *error) {
  TrialList list = {0};
  ThresholdValue *values = calloc((size_t)grown_axis(study)->count, sizeof *values);
  list.failed = !values;
  for (long c = 0; c < threshold_cases(study) && !list.failed; c++) {
    threshold_read(study, table, c, values, NULL);
    const int v = threshold_next(study, values);
    if (v >= 0)
      trial_list_cell(&list, study, table, threshold_cell(study, c, v));
  }
  free(values);
  return trial_list_take(&list, count, error);
}

const SweepMethod threshold_method = {"threshold", accepts, next, NULL, threshold_finish};
