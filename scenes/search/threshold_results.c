// Writes what a search for thresholds has found.
#include <math.h>
#include <stdlib.h>

#include "scenes/search/results.h"
#include "scenes/search/threshold.h"

typedef struct Finish {
  const StudyDef *study;
  const StudyAxis *axis;
  int grown; // index of the axis
  ThresholdValue *values;
  unsigned char *withstood;
  Bootstrap *bootstrap;
  Results cases, tried;
  double weakest; // smallest threshold; -INFINITY: in some case the smallest value lost
} Finish;

static void begin_cases(Finish *finish) {
  Results *cases = &finish->cases;
  const char *unit = finish->axis->unit;
  results_column(cases, "case", "", TABLE_NUMBER);
  results_axis_columns(cases, finish->study, finish->grown);
  results_column(cases, finish->axis->name, unit, TABLE_NUMBER);
  results_column(cases, "low", unit, TABLE_NUMBER);
  results_column(cases, "high", unit, TABLE_NUMBER);
  results_column(cases, "share", "", TABLE_NUMBER);
  results_column(cases, "lost_at", unit, TABLE_NUMBER);
  results_column(cases, "share_lost", "", TABLE_NUMBER);
  results_column(cases, "islands", "", TABLE_NUMBER);
  results_column(cases, "values", "", TABLE_NUMBER);
  results_column(cases, "trials", "", TABLE_NUMBER);
  results_column(cases, "result", "", TABLE_TEXT);
}

static void begin_tried(Finish *finish) {
  Results *tried = &finish->tried;
  results_column(tried, "case", "", TABLE_NUMBER);
  results_axis_columns(tried, finish->study, -1);
  results_column(tried, "trials", "", TABLE_NUMBER);
  results_column(tried, "withstood", "", TABLE_NUMBER);
  results_column(tried, "share", "", TABLE_NUMBER);
  results_column(tried, "share_low", "", TABLE_NUMBER);
  results_column(tried, "share_high", "", TABLE_NUMBER);
  results_column(tried, "won", "bool", TABLE_NUMBER);
}

static double number_at(const Finish *finish, int value) {
  return value >= 0 && value < finish->axis->count ? strtod(finish->axis->values[value], NULL) : NAN;
}

static double share_at(const Finish *finish, int value) {
  return value >= 0 && value < finish->axis->count
             ? (double)finish->values[value].withstood / finish->values[value].trials
             : NAN;
}

static bool was_tried(const Finish *finish, int value) {
  return threshold_outcome(finish->study, &finish->values[value]) != THRESHOLD_UNTRIED;
}

static void add_tried(Finish *finish, long case_number) {
  Results *tried = &finish->tried;
  for (int v = 0; v < finish->axis->count; v++) {
    if (!was_tried(finish, v))
      continue;
    const ThresholdValue *value = &finish->values[v];
    const Interval interval = statistics_wilson(value->withstood, value->trials);
    results_number(tried, (double)case_number);
    results_axis_cells(tried, finish->study, -1, threshold_cell(finish->study, case_number, v));
    results_number(tried, value->trials);
    results_number(tried, value->withstood);
    results_number(tried, share_at(finish, v));
    results_number(tried, interval.low);
    results_number(tried, interval.high);
    results_number(tried, threshold_outcome(finish->study, value) == THRESHOLD_WON);
  }
}

// Figures of a case besides its threshold.
typedef struct Counts {
  int lost, islands, values; // index of the smallest value that lost
  long trials;
} Counts;

static Counts count_values(const Finish *finish) {
  Counts counts = {.lost = finish->axis->count};
  for (int v = finish->axis->count - 1; v >= 0; v--) {
    const ThresholdOutcome outcome = threshold_outcome(finish->study, &finish->values[v]);
    counts.lost = outcome == THRESHOLD_LOST ? v : counts.lost;
    counts.values += outcome != THRESHOLD_UNTRIED;
    counts.trials += finish->values[v].trials;
  }
  for (int v = counts.lost; v < finish->axis->count; v++)
    counts.islands += threshold_outcome(finish->study, &finish->values[v]) == THRESHOLD_WON;
  return counts;
}

static void add_case(Finish *finish, long case_number) {
  const StudyDef *study = finish->study;
  Results *cases = &finish->cases;
  const Counts counts = count_values(finish);
  const int found = threshold_index(study, finish->values);
  int low = -1, high = finish->axis->count;
  threshold_interval(study, finish->values, finish->withstood, finish->bootstrap, &low, &high);
  results_number(cases, (double)case_number);
  results_axis_cells(cases, study, finish->grown, threshold_cell(study, case_number, 0));
  results_number(cases, number_at(finish, found));
  results_number(cases, number_at(finish, low));
  results_number(cases, number_at(finish, high));
  results_number(cases, share_at(finish, found));
  results_number(cases, number_at(finish, counts.lost));
  results_number(cases, share_at(finish, counts.lost));
  results_number(cases, counts.islands);
  results_number(cases, counts.values);
  results_number(cases, (double)counts.trials);
  results_text(cases, found < 0 ? "below" : counts.lost == finish->axis->count ? "beyond" : "found");
  finish->weakest = fmin(finish->weakest, found < 0 ? -INFINITY : number_at(finish, found));
}

static void print_question(const Finish *finish) {
  const StudyThreshold *threshold = &finish->study->threshold;
  const char *unit = finish->axis->unit;
  printf(unit[0] != '\0' ? "Largest %s (%s)" : "Largest %s", finish->axis->name, unit);
  printf(" that %g %% of %d repeats withstand:", 100 * threshold->share, finish->study->run.repeats);
  for (int i = 0; i < threshold->withstood_count; i++) {
    char text[2 * PARAM_TEXT_SIZE];
    study_where_text(finish->study, &threshold->withstood[i], text, sizeof text);
    printf("%s %s", i > 0 ? " and" : "", text);
  }
  putchar('\n');
}

static void print_answer(const Finish *finish) {
  if (isfinite(finish->weakest))
    printf("All %ld case%s withstand %g.\n", threshold_cases(finish->study),
           threshold_cases(finish->study) == 1 ? "" : "s", finish->weakest);
  else
    printf("Where the result is 'below' not even %s is withstood.\n", finish->axis->values[0]);
}

static bool finish_all(Finish *finish, const SweepFolder *folder, const Table *table, bool quiet, Error *error) {
  begin_cases(finish);
  begin_tried(finish);
  for (long c = 0; c < threshold_cases(finish->study); c++) {
    threshold_read(finish->study, table, c, finish->values, finish->withstood);
    add_case(finish, c);
    add_tried(finish, c);
  }
  if (!quiet)
    print_question(finish);
  const bool tried = results_finish(&finish->tried, folder, "threshold_values", NULL, error);
  const bool cases = results_finish(&finish->cases, folder, "threshold", quiet ? NULL : stdout, error);
  if (!quiet && cases)
    print_answer(finish);
  return tried && cases;
}

bool threshold_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error) {
  const StudyDef *study = folder->study;
  Finish *finish = calloc(1, sizeof *finish);
  bool good = finish != NULL;
  if (finish) {
    finish->study = study;
    finish->grown = study->threshold.axis_index;
    finish->axis = &study->axes[finish->grown];
    finish->weakest = INFINITY;
    const size_t count = (size_t)finish->axis->count;
    finish->values = calloc(count, sizeof *finish->values);
    finish->withstood = calloc(count * (size_t)study->run.repeats, 1);
    finish->bootstrap = bootstrap_create((uint64_t)study->run.seed);
    good = finish->values && finish->withstood && finish->bootstrap;
  }
  if (good)
    good = finish_all(finish, folder, table, quiet, error);
  else
    error_set(error, "%s: out of memory", folder->path);
  if (finish) {
    free(finish->values);
    free(finish->withstood);
    bootstrap_destroy(finish->bootstrap);
  }
  free(finish);
  return good;
}
