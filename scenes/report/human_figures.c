// Finds the bands that fit a scene, and holds the metrics of a run or of a study's trials against them.
#include "scenes/report/human_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/run/hit_response.h"
#include "scenes/sweep/statistics.h"

static const double ROUNDING = 1e-9; // relative: of a metric times its scale

static HumanFigures *create(const SceneDef *def, int characters, bool is_study, Error *error) {
  HumanFigures *figures = calloc(1, sizeof *figures);
  HumanFigure *list = calloc((size_t)characters * (size_t)human_band_count, sizeof *list);
  if (!figures || !list) {
    free(figures);
    free(list);
    error_set(error, "out of memory for the figures of people");
    return NULL;
  }
  figures->list = list;
  figures->is_study = is_study;
  param_write_row(param_find(&protocol_params, "name"), &def->protocol, figures->protocol, sizeof figures->protocol);
  return figures;
}

void human_figures_free(HumanFigures *figures) {
  if (!figures)
    return;
  free(figures->list);
  free(figures);
}

static bool is_inside(const HumanBand *band, double value) {
  const double tolerance = ROUNDING * fabs(value);
  return value >= band->low - tolerance && value <= band->high + tolerance;
}

static void add_figure(HumanFigures *figures, HumanFigure figure) {
  if (!isfinite(figure.value))
    return;
  figure.fits = is_inside(figure.band, figure.value);
  figures->list[figures->count++] = figure;
  if (figure.band->confidence == HUMAN_RECALLED)
    return;
  figures->counted++;
  figures->fitting += figure.fits;
}

// ---- Runs ----

// The metrics that need the run without its first hit.
static bool run_beside_twin(SceneDef *def, HitResponse *response, Error *error) {
  HitResponseWatch *watch = hit_response_watch(def, response, error);
  Scene *scene = watch ? scene_create(def, error) : NULL;
  for (long step = 0; scene && step < def->step_count && scene_step(scene); step++)
    hit_response_step(watch, scene);
  const bool good = scene != NULL;
  hit_response_end(watch);
  scene_destroy(scene);
  return good;
}

static bool needs_twin(const SceneDef *def) {
  for (int i = 0; i < human_band_count; i++)
    if (human_bands[i].twin && human_band_fits(&human_bands[i], def->protocol.name))
      return true;
  return false;
}

// NULL, without an error: nothing needs it, or nobody is hit.
static Metrics *measure_response(SceneDef *def, int *character, Error *error) {
  HitResponse *response = calloc(1, sizeof *response);
  Metrics *metrics = NULL;
  if (!response)
    error_set(error, "out of memory for the run without the hit");
  else if (run_beside_twin(def, response, error) && response->frame_count > 0) {
    const MetricsHitResponse found = hit_response_metrics(response);
    metrics = metrics_create(1);
    *character = response->character;
    if (metrics)
      metrics_set_hit_response(metrics, &found);
  }
  free(response);
  return metrics;
}

// response: NULL, or with the metrics that the run itself does not have.
static double metric_of(const ReportCharacter *character, const Metrics *response, const char *name) {
  double value = report_run_metric(character, name);
  if (isnan(value) && response)
    metrics_value(response, name, &value);
  return value;
}

static bool condition_holds(const HumanBand *band, double value) {
  return !band->when || (value >= band->when_low && value <= band->when_high);
}

HumanFigures *human_figures_run(const ReportRun *run, bool rerun, Error *error) {
  HumanFigures *figures = create(run->def, run->character_count, false, error);
  if (!figures)
    return NULL;
  int struck = -1;
  Error cause = {0};
  Metrics *response = rerun && needs_twin(run->def) ? measure_response(run->def, &struck, &cause) : NULL;
  for (int i = 0; i < run->character_count; i++) {
    const ReportCharacter *character = &run->characters[i];
    for (int k = 0; k < human_band_count; k++) {
      const HumanBand *band = &human_bands[k];
      const Metrics *also = band->twin && i == struck ? response : NULL;
      if (band->kind != HUMAN_VALUE || !human_band_fits(band, run->def->protocol.name) ||
          !condition_holds(band, band->when ? metric_of(character, also, band->when) : 0))
        continue;
      const double value = band->scale * metric_of(character, also, band->metric);
      add_figure(figures, (HumanFigure){.band = band,
                                        .character = character->def->name,
                                        .value = value,
                                        .low = NAN,
                                        .high = NAN,
                                        .count = 1,
                                        .inside = is_inside(band, value)});
    }
  }
  metrics_destroy(response);
  if (cause.text[0] == '\0')
    return figures;
  *error = cause;
  human_figures_free(figures);
  return NULL;
}

// ---- Studies ----

// The column of a character's metric, -1: the study does not keep it.
static int column_of(const StudyDef *study, const Table *table, const char *character, const char *metric) {
  char name[TABLE_NAME_SIZE];
  snprintf(name, sizeof name, "%s.%s", character, metric);
  const int column = table_find(table, name);
  return column < 0 && study->scene->character_count == 1 ? table_find(table, metric) : column;
}

// Values of a study's trials: [row_count], NAN where there is none.
typedef struct Values {
  double *list;
  long count; // of those that are finite, which stand first in `sorted`
  double *sorted;
} Values;

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void take_values(Values *values, const Table *table, const HumanBand *band, int column, int when) {
  values->count = 0;
  for (long row = 0; row < table->row_count; row++) {
    const bool holds = condition_holds(band, when < 0 ? NAN : table_number(table, row, when));
    values->list[row] = holds ? band->scale * table_number(table, row, column) : NAN;
    if (isfinite(values->list[row]))
      values->sorted[values->count++] = values->list[row];
  }
  qsort(values->sorted, (size_t)values->count, sizeof *values->sorted, compare_numbers);
}

// Of the falls, or of all trials where the study does not keep `fell`.
static double share_of_falls(const Values *values, const Table *table, int fell) {
  long falls = 0, with = 0;
  for (long row = 0; row < table->row_count; row++) {
    if (fell >= 0 && table_number(table, row, fell) != 1)
      continue;
    falls++;
    with += isfinite(values->list[row]);
  }
  return falls > 0 ? (double)with / (double)falls : NAN;
}

// The column of the blow's size.
static int size_column(const StudyDef *study, const Table *table) {
  static const char end[] = "impulse";
  for (int i = 0; i < study->axis_count; i++) {
    const char *key = study->axes[i].key;
    const size_t length = strlen(key);
    if (length >= sizeof end - 1 && strcmp(key + length - (sizeof end - 1), end) == 0)
      return table_find(table, study->axes[i].name);
  }
  return -1;
}

// The squared correlation over trials that have both; NAN below three of them, or where one does not vary.
static double fit_on_size(const Values *values, const Table *table, int size) {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (long row = 0; size >= 0 && row < table->row_count; row++) {
    const double a = table_number(table, row, size), b = values->list[row];
    if (!isfinite(a) || !isfinite(b))
      continue;
    n += 1;
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  const double sx = n * xx - x * x, sy = n * yy - y * y, sxy = n * xy - x * y;
  return n >= 3 && sx > 0 && sy > 0 ? sxy * sxy / (sx * sy) : NAN;
}

static HumanFigure study_figure(const HumanBand *band, const Values *values, const Table *table, int fell, int size) {
  HumanFigure figure = {.band = band, .low = NAN, .high = NAN, .count = values->count};
  if (band->kind == HUMAN_SHARE) {
    figure.value = share_of_falls(values, table, fell);
  } else if (band->kind == HUMAN_MOST) {
    figure.value = values->count > 0 ? values->sorted[values->count - 1] : NAN;
  } else if (band->kind == HUMAN_FIT) {
    figure.value = fit_on_size(values, table, size);
  } else {
    figure.value = statistics_quantile(values->sorted, values->count, 0.5);
    figure.low = statistics_quantile(values->sorted, values->count, 0.1);
    figure.high = statistics_quantile(values->sorted, values->count, 0.9);
  }
  for (long i = 0; band->kind == HUMAN_VALUE && i < values->count; i++)
    figure.inside += is_inside(band, values->sorted[i]);
  return figure;
}

static void add_character(HumanFigures *figures, const StudyDef *study, const Table *table, const char *character,
                          Values *values) {
  const int fell = column_of(study, table, character, "fell"), size = size_column(study, table);
  for (int k = 0; k < human_band_count; k++) {
    const HumanBand *band = &human_bands[k];
    const int column = column_of(study, table, character, band->metric);
    const int when = band->when ? column_of(study, table, character, band->when) : -1;
    if (column < 0 || !human_band_fits(band, study->scene->protocol.name))
      continue;
    take_values(values, table, band, column, when);
    HumanFigure figure = study_figure(band, values, table, fell, size);
    figure.character = character;
    add_figure(figures, figure);
  }
}

HumanFigures *human_figures_study(const StudyDef *study, const Table *table, Error *error) {
  HumanFigures *figures = create(study->scene, study->scene->character_count, true, error);
  double *memory = calloc((size_t)(2 * table->row_count + 1), sizeof *memory);
  if (!figures || !memory) {
    free(memory);
    human_figures_free(figures);
    error_set(error, "out of memory for the figures of people");
    return NULL;
  }
  Values values = {.list = memory, .sorted = memory + table->row_count};
  for (int i = 0; i < study->scene->character_count; i++)
    add_character(figures, study, table, study->scene->characters[i].name, &values);
  free(memory);
  return figures;
}
