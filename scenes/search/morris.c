// Elementary effects of a study's axes on its metrics.
#include "scenes/search/morris.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/search/results.h"
#include "scenes/sweep/sweep_trials.h"
#include "sim/base/rng.h"

// ---- Trajectories ----

// The crossed axes in random order. Returns their number.
static int shuffle_axes(const StudyDef *study, Rng *rng, int axes[STUDY_MAX_AXES]) {
  int count = 0;
  for (int i = 0; i < study->axis_count; i++)
    if (study->axes[i].count > 0)
      axes[count++] = i;
  for (int i = count - 1; i > 0; i--) {
    const int other = rng_index(rng, i + 1), kept = axes[i];
    axes[i] = axes[other];
    axes[other] = kept;
  }
  return count;
}

// The value half of the axis away, up or down where both are possible.
static int changed_value(Rng *rng, int value, int count) {
  const int step = count / 2;
  const bool can_rise = value + step < count, can_fall = value - step >= 0;
  return can_rise && (!can_fall || rng_index(rng, 2) == 0) ? value + step : value - step;
}

void morris_trajectory(const StudyDef *study, int number, MorrisTrajectory *trajectory) {
  char consumer[48];
  snprintf(consumer, sizeof consumer, "morris %d", number);
  Rng rng = rng_make((uint64_t)study->run.seed, consumer);
  trajectory->steps = shuffle_axes(study, &rng, trajectory->axes);
  trajectory->cells[0] = 0;
  for (int i = 0; i < study->axis_count; i++)
    if (study->axes[i].count > 0)
      trajectory->cells[0] = study_cell_with(study, trajectory->cells[0], i, rng_index(&rng, study->axes[i].count));
  for (int i = 0; i < trajectory->steps; i++) {
    const int axis = trajectory->axes[i], count = study->axes[axis].count;
    const int before = study_cell_value(study, axis, trajectory->cells[i]), after = changed_value(&rng, before, count);
    trajectory->cells[i + 1] = study_cell_with(study, trajectory->cells[i], axis, after);
    trajectory->changes[i] = (double)(after - before) / (count - 1);
  }
}

// ---- Effects ----

// NAN: no repeat is complete and has the metric.
static double cell_mean(const StudyDef *study, const Table *table, int column, long cell) {
  const long first = cell * study->run.repeats;
  const int status = table_find(table, "status");
  double sum = 0;
  int count = 0;
  for (long row = table_row_from(table, (double)first);
       row < table->row_count && table_number(table, row, 0) < (double)(first + study->run.repeats); row++) {
    const double value = table_number(table, row, column);
    if (trial_is_bad(table_text(table, row, status)) || isnan(value))
      continue;
    sum += value;
    count++;
  }
  return count > 0 ? sum / count : NAN;
}

typedef struct Effects {
  double values[BOOTSTRAP_MOST_CLUSTERS];
  int count;
} Effects;

static void gather_effects(const StudyDef *study, const Table *table, int column, int axis, Effects *effects) {
  for (int number = 0; number < study->sensitivity.trajectories; number++) {
    MorrisTrajectory way;
    morris_trajectory(study, number, &way);
    for (int i = 0; i < way.steps; i++) {
      if (way.axes[i] != axis)
        continue;
      const double effect =
          (cell_mean(study, table, column, way.cells[i + 1]) - cell_mean(study, table, column, way.cells[i])) /
          way.changes[i];
      if (!isnan(effect))
        effects->values[effects->count++] = effect;
    }
  }
}

static double resampled_size(const void *context, const uint16_t *weights) {
  const Effects *effects = context;
  double sum = 0;
  for (int i = 0; i < effects->count; i++)
    sum += weights[i] * fabs(effects->values[i]);
  return sum / effects->count;
}

MorrisEffect morris_effect(const StudyDef *study, const Table *table, int column, int axis, Bootstrap *bootstrap) {
  MorrisEffect effect = {axis, 0, NAN, NAN, NAN, {NAN, NAN}};
  Effects effects = {.count = 0};
  gather_effects(study, table, column, axis, &effects);
  const int count = effect.count = effects.count;
  if (count == 0)
    return effect;
  double sum = 0, sizes = 0, squares = 0;
  for (int i = 0; i < count; i++) {
    sum += effects.values[i];
    sizes += fabs(effects.values[i]);
  }
  effect.mean = sum / count;
  effect.size = sizes / count;
  for (int i = 0; i < count; i++)
    squares += (effects.values[i] - effect.mean) * (effects.values[i] - effect.mean);
  effect.deviation = count > 1 ? sqrt(squares / (count - 1)) : NAN;
  effect.size_interval = bootstrap_statistic(bootstrap, count, resampled_size, &effects);
  return effect;
}

// ---- The method ----

static bool accepts(const StudyDef *study, Error *error) {
  if (study->optimise.parameter_count > 0)
    return error_set(error, "%s: has a table 'optimise', whose parameters only stagger optimise sets", study->path);
  return study->sensitivity.is_given ||
         error_set(error, "%s: has no table 'sensitivity', e.g. sensitivity: {trajectories: 10}", study->path);
}

static int compare_cells(const void *a, const void *b) {
  const long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

// All cells of all trajectories, each once.
static long *next(const StudyDef *study, const Table *table, long *count, Error *error) {
  const int trajectories = study->sensitivity.trajectories;
  long *cells = calloc((size_t)trajectories * (STUDY_MAX_AXES + 1), sizeof *cells);
  TrialList list = {.failed = !cells};
  size_t cell_count = 0;
  for (int number = 0; number < trajectories && cells; number++) {
    MorrisTrajectory way;
    morris_trajectory(study, number, &way);
    for (int i = 0; i <= way.steps; i++)
      cells[cell_count++] = way.cells[i];
  }
  if (cells)
    qsort(cells, cell_count, sizeof *cells, compare_cells);
  for (size_t i = 0; i < cell_count && !list.failed; i++)
    if (i == 0 || cells[i] != cells[i - 1])
      trial_list_cell(&list, study, table, cells[i]);
  free(cells);
  return trial_list_take(&list, count, error);
}

const SweepMethod sensitivity_method = {"sensitivity", accepts, next, NULL, morris_finish};

// ---- Results ----

static void begin_rows(Results *results) {
  results_column(results, "metric", "", TABLE_TEXT);
  results_column(results, "unit", "", TABLE_TEXT);
  results_column(results, "axis", "", TABLE_TEXT);
  static const char *const numbers[] = {"size", "low", "high", "mean", "deviation", "effects"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    results_column(results, numbers[i], "", TABLE_NUMBER);
}

// Largest sizes first; unknown ones last.
static int compare_effects(const void *a, const void *b) {
  const MorrisEffect *x = a, *y = b;
  if (isnan(x->size) || isnan(y->size) || x->size == y->size)
    return isnan(x->size) != isnan(y->size) ? (isnan(x->size) ? 1 : -1) : x->axis - y->axis;
  return x->size > y->size ? -1 : 1;
}

static void add_rows(Results *results, const StudyDef *study, const Table *table, int column, Bootstrap *bootstrap) {
  MorrisEffect effects[STUDY_MAX_AXES];
  int count = 0;
  for (int axis = 0; axis < study->axis_count; axis++)
    if (study->axes[axis].count > 0)
      effects[count++] = morris_effect(study, table, column, axis, bootstrap);
  qsort(effects, (size_t)count, sizeof *effects, compare_effects);
  for (int i = 0; i < count; i++) {
    const MorrisEffect *effect = &effects[i];
    results_text(results, table->columns[column].name);
    results_text(results, table->columns[column].unit);
    results_text(results, study->axes[effect->axis].name);
    const double numbers[] = {effect->size, effect->size_interval.low, effect->size_interval.high,
                              effect->mean, effect->deviation,         effect->count};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
      results_number(results, numbers[k]);
  }
}

bool morris_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error) {
  const StudyDef *study = folder->study;
  Results *results = calloc(1, sizeof *results);
  Bootstrap *bootstrap = bootstrap_create((uint64_t)study->run.seed);
  bool good = results && bootstrap;
  if (!good)
    error_set(error, "%s: out of memory", folder->path);
  if (good) {
    begin_rows(results);
    for (int column = table_find(table, "status") + 1; column < table->column_count; column++)
      if (table->columns[column].kind == TABLE_NUMBER)
        add_rows(results, study, table, column, bootstrap);
    if (!quiet)
      printf("Effects of whole axes, from %d trajectories: size, its 95 %% interval, mean with sign, deviation\n",
             study->sensitivity.trajectories);
    good = results_finish(results, folder, "sensitivity", quiet ? NULL : stdout, error);
  }
  bootstrap_destroy(bootstrap);
  free(results);
  return good;
}
