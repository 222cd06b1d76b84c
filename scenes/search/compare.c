// Compares two values of an axis in pairs of trials, block by block until it is decided.
#include "scenes/search/compare.h"

#include <math.h>
#include <stdlib.h>

#include "scenes/search/results.h"
#include "scenes/sweep/sweep_trials.h"

static const StudyAxis *compared_axis(const StudyDef *study) { return &study->axes[study->compare.axis_index]; }

// ---- Pairs ----

// Sums over the pairs of a repeat.
typedef struct PairSum {
  double first, second;
  long pairs;
} PairSum;

// A column in a trial; NAN: there is no such row, the trial was not complete, or it does not apply.
static double value_in(const Table *table, long trial, int column) {
  const long row = table_row_of(table, trial);
  if (row < 0 || trial_is_bad(table_text(table, row, table_find(table, "status"))))
    return NAN;
  return table_number(table, row, column);
}

static PairSum sum_pairs(const StudyDef *study, const Table *table, int column, int repeat) {
  PairSum sum = {0};
  for (long cell = 0; cell < study->cell_count; cell++) {
    if (study_cell_value(study, study->compare.axis_index, cell) != 0)
      continue;
    const long other = study_cell_with(study, cell, study->compare.axis_index, 1);
    const double first = value_in(table, cell * study->run.repeats + repeat, column);
    const double second = value_in(table, other * study->run.repeats + repeat, column);
    if (isnan(first) || isnan(second))
      continue;
    sum.first += first;
    sum.second += second;
    sum.pairs++;
  }
  return sum;
}

static bool has_all_rows(const StudyDef *study, const Table *table, int repeat) {
  for (long cell = 0; cell < study->cell_count; cell++)
    if (table_row_of(table, cell * study->run.repeats + repeat) < 0)
      return false;
  return true;
}

// ---- Looks ----

typedef struct Differences {
  double of_repeat[BOOTSTRAP_MOST_CLUSTERS]; // only of repeats with a pair
  int count;
} Differences;

static double resampled_mean(const void *context, const uint16_t *weights) {
  const Differences *differences = context;
  double sum = 0;
  for (int i = 0; i < differences->count; i++)
    sum += weights[i] * differences->of_repeat[i];
  return sum / differences->count;
}

// stretch: of the interval about the difference.
static CompareResult decide(const Comparison *look, double margin, double stretch) {
  const double low = look->difference - stretch * (look->difference - look->interval.low);
  const double high = look->difference + stretch * (look->interval.high - look->difference);
  if (isnan(low) || isnan(high))
    return COMPARE_OPEN;
  if (high < -margin)
    return COMPARE_LOWER;
  if (low > margin)
    return COMPARE_HIGHER;
  return margin > 0 && low >= -margin && high <= margin ? COMPARE_ALIKE : COMPARE_OPEN;
}

Comparison compare_look(const StudyDef *study, const Table *table, int column, int repeats, bool is_last,
                        Bootstrap *bootstrap) {
  Comparison look = {.repeats = repeats, .difference = NAN, .interval = {NAN, NAN}};
  Differences differences = {.count = 0};
  double sum = 0;
  for (int repeat = 0; repeat < repeats; repeat++) {
    const PairSum pairs = sum_pairs(study, table, column, repeat);
    if (pairs.pairs == 0)
      continue;
    look.first += pairs.first;
    look.second += pairs.second;
    look.pairs += pairs.pairs;
    sum += differences.of_repeat[differences.count++] = (pairs.second - pairs.first) / (double)pairs.pairs;
  }
  look.first = look.pairs > 0 ? look.first / (double)look.pairs : NAN;
  look.second = look.pairs > 0 ? look.second / (double)look.pairs : NAN;
  if (differences.count == 0)
    return look;
  look.difference = sum / differences.count;
  look.interval = bootstrap_statistic(bootstrap, differences.count, resampled_mean, &differences);
  look.result = decide(&look, study->compare.margin, is_last ? 1 : COMPARE_CAUTION);
  return look;
}

Comparison compare_decide(const StudyDef *study, const Table *table, Bootstrap *bootstrap, int *missing) {
  const int all = study->run.repeats;
  Comparison look = {.difference = NAN, .interval = {NAN, NAN}};
  *missing = 0;
  for (int seen = 0; look.repeats < all && look.result == COMPARE_OPEN;) {
    // A last block that would be too short to change much is part of the one before.
    const int next = look.repeats + 2 * study->compare.block > all ? all : look.repeats + study->compare.block;
    while (seen < next && has_all_rows(study, table, seen))
      seen++;
    if (seen < next) {
      *missing = next;
      return look;
    }
    look = compare_look(study, table, study->compare.column, next, next == all, bootstrap);
  }
  return look;
}

// ---- The method ----

static bool accepts(const StudyDef *study, Error *error) {
  if (study->optimise.parameter_count > 0)
    return error_set(error, "%s: has a table 'optimise', whose parameters only stagger optimise sets", study->path);
  return study->compare.axis_index >= 0 ||
         error_set(error,
                   "%s: has no table 'compare', which names an axis of two values and the metric that decides, e.g. "
                   "compare: {axis: controller, metric: man.fell}",
                   study->path);
}

static long *next(const StudyDef *study, const Table *table, long *count, Error *error) {
  TrialList list = {0};
  int missing = 0;
  Bootstrap *bootstrap = bootstrap_create((uint64_t)study->run.seed);
  list.failed = !bootstrap;
  if (bootstrap)
    compare_decide(study, table, bootstrap, &missing);
  bootstrap_destroy(bootstrap);
  for (long cell = 0; cell < study->cell_count; cell++)
    for (int repeat = 0; repeat < missing && !list.failed; repeat++) {
      const long trial = cell * study->run.repeats + repeat;
      if (table_row_of(table, trial) < 0)
        trial_list_add(&list, trial);
    }
  return trial_list_take(&list, count, error);
}

const SweepMethod compare_method = {"compare", accepts, next, NULL, compare_finish};

// ---- Results ----

static const char *const result_names[] = {"undecided", "lower", "higher", "alike"}; // as in CompareResult

static void begin_rows(Results *results) {
  results_column(results, "metric", "", TABLE_TEXT);
  results_column(results, "unit", "", TABLE_TEXT);
  static const char *const numbers[] = {"first", "second", "difference", "low", "high", "repeats", "pairs"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    results_column(results, numbers[i], "", TABLE_NUMBER);
  results_column(results, "result", "", TABLE_TEXT);
}

// decides: whether this is the metric of the table `compare`; the results of others are no decisions.
static void add_row(Results *results, const TableColumn *column, const Comparison *look, bool decides) {
  results_text(results, column->name);
  results_text(results, column->unit);
  const double numbers[] = {look->first,         look->second,          look->difference,   look->interval.low,
                            look->interval.high, (double)look->repeats, (double)look->pairs};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    results_number(results, numbers[i]);
  results_text(results, decides ? result_names[look->result] : "");
}

static void print_answer(const StudyDef *study, const Comparison *decision) {
  const StudyAxis *axis = compared_axis(study);
  const char *metric = study->columns[study->compare.column].name;
  printf("%s, second minus first: %s\n  first:  %s\n  second: %s\n", metric, axis->name, axis->values[0],
         axis->values[1]);
  static const char *const answers[] = {"not decided", "lower for the second", "higher for the second",
                                        "alike within the margin"};
  printf("%s: %s, after %d of %d repeats.\n", metric, answers[decision->result], decision->repeats, study->run.repeats);
}

bool compare_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error) {
  const StudyDef *study = folder->study;
  Results *results = calloc(1, sizeof *results);
  Bootstrap *bootstrap = bootstrap_create((uint64_t)study->run.seed);
  bool good = results && bootstrap;
  if (!good)
    error_set(error, "%s: out of memory", folder->path);
  if (good) {
    int missing;
    const Comparison decision = compare_decide(study, table, bootstrap, &missing);
    begin_rows(results);
    for (int column = table_find(table, "status") + 1; column < table->column_count; column++) {
      if (table->columns[column].kind != TABLE_NUMBER)
        continue;
      const bool decides = column == study->compare.column;
      const Comparison look =
          decides ? decision : compare_look(study, table, column, decision.repeats, true, bootstrap);
      add_row(results, &table->columns[column], &look, decides);
    }
    good = results_finish(results, folder, "compare", quiet ? NULL : stdout, error);
    if (good && !quiet)
      print_answer(study, &decision);
  }
  bootstrap_destroy(bootstrap);
  free(results);
  return good;
}
