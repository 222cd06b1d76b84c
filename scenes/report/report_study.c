// Writes the object STUDY of a report's data: axes, trials, and the results.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/report_data.h"
#include "scenes/report/report_json.h"

enum { MOST_ROWS = 20000 };

static bool add_values(cJSON *object, const StudyAxis *axis) {
  cJSON *values = cJSON_AddArrayToObject(object, "values");
  bool good = values != NULL;
  for (int i = 0; good && i < axis->count; i++)
    good = cJSON_AddItemToArray(values, axis->is_number ? cJSON_CreateNumber(strtod(axis->values[i], NULL))
                                                        : cJSON_CreateString(axis->values[i]));
  return good;
}

static bool add_axes(cJSON *object, const StudyDef *study) {
  cJSON *axes = cJSON_AddArrayToObject(object, "axes");
  bool good = axes != NULL;
  for (int i = 0; good && i < study->axis_count; i++) {
    const StudyAxis *axis = &study->axes[i];
    cJSON *entry = cJSON_CreateObject();
    good = entry && cJSON_AddItemToArray(axes, entry) && json_add_text(entry, "name", axis->name) &&
           json_add_text(entry, "key", axis->key) && json_add_text(entry, "unit", axis->unit) &&
           cJSON_AddBoolToObject(entry, "is_number", axis->is_number) && add_values(entry, axis) &&
           cJSON_AddBoolToObject(entry, "is_turn", direction_is_turn(axis)) &&
           cJSON_AddBoolToObject(entry, "random", axis->count == 0) != NULL;
  }
  return good;
}

static bool add_columns(cJSON *object, const StudyDef *study, const Table *table) {
  cJSON *columns = cJSON_AddArrayToObject(object, "columns");
  bool good = columns != NULL;
  for (int i = 0; good && i < table->column_count; i++) {
    cJSON *entry = cJSON_CreateObject();
    good = entry && cJSON_AddItemToArray(columns, entry) && json_add_text(entry, "name", study->columns[i].name) &&
           json_add_text(entry, "short", study_results_name(study, &study->columns[i])) &&
           json_add_text(entry, "unit", study->columns[i].unit) &&
           json_add_text(entry, "kind", study->columns[i].kind == TABLE_TEXT ? "text" : "number") &&
           json_add_text(entry, "doc", study_results_doc(&study->columns[i]));
  }
  return good;
}

static bool add_texts(cJSON *rows, const char *name, const Table *table, int column, long count) {
  cJSON *list = cJSON_AddArrayToObject(rows, name);
  bool good = list != NULL;
  for (long i = 0; good && i < count; i++)
    good = cJSON_AddItemToArray(list, cJSON_CreateString(table_text(table, i, column)));
  return good;
}

static bool add_numbers(cJSON *rows, const char *name, const Table *table, int column, long count) {
  float *values = malloc((size_t)count * sizeof *values + 1);
  for (long i = 0; values && i < count; i++)
    values[i] = (float)table_number(table, i, column);
  bool good = values && json_add_array(rows, name, ARRAY_F32, count, 0, 0, 1, values);
  free(values);
  return good;
}

static bool add_rows(cJSON *object, const StudyDef *study, const Table *table) {
  const long count = table->row_count < MOST_ROWS ? table->row_count : MOST_ROWS;
  cJSON *rows = cJSON_AddObjectToObject(object, "rows");
  bool good = rows != NULL;
  for (int i = 0; good && i < table->column_count; i++)
    good =
        (study->columns[i].kind == TABLE_TEXT ? add_texts : add_numbers)(rows, study->columns[i].name, table, i, count);
  return good && (count == table->row_count || json_add_number(object, "cut", (double)(table->row_count - count)));
}

// Results.

static bool add_measures(cJSON *object, const StudyResults *results) {
  cJSON *measures = cJSON_AddArrayToObject(object, "measures");
  bool good = measures && json_add_integers(object, "main", results->main, results->main_count);
  for (int m = 0; good && m < results->measure_count; m++) {
    cJSON *entry = cJSON_CreateObject();
    good = entry && cJSON_AddItemToArray(measures, entry) &&
           json_add_number(entry, "column", results->folder->summary->rows[m].column) &&
           json_add_text(entry, "label", study_results_label(results, m)) &&
           cJSON_AddBoolToObject(entry, "is_share", summary_is_share(study_results_column(results, m)));
  }
  return good;
}

// The figures of a measure; a grid over axes has the first four of them only.
static const char *const FIELDS[] = {"count", "value",     "low", "high",       "repeats",    "effective",
                                     "mean",  "deviation", "min", "quartile_1", "quartile_3", "max"};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0], GRID_FIELDS = 4 };

static double field_of(const SummaryRow *row, int field) {
  const ResultValue shown = study_results_value(row);
  const Sample *sample = &row->sample;
  const double fields[FIELD_COUNT] = {(double)row->count,  shown.value,          shown.interval.low,
                                      shown.interval.high, (double)row->repeats, row->effective,
                                      sample->mean,        sample->deviation,    sample->min,
                                      sample->quartile[0], sample->quartile[2],  sample->max};
  return fields[field];
}

static bool add_measure_results(cJSON *list, const StudyResults *results, const ResultGrid *grid, int measure,
                                double *scratch) {
  cJSON *entry = cJSON_CreateObject();
  bool good = entry && cJSON_AddItemToArray(list, entry);
  for (int f = 0; good && f < (grid->axis_count == 0 ? FIELD_COUNT : GRID_FIELDS); f++) {
    for (long g = 0; g < grid->group_count; g++)
      scratch[g] = field_of(study_results_row(results, grid, g, measure), f);
    good = json_add_list(entry, FIELDS[f], scratch, grid->group_count);
  }
  return good;
}

static bool add_bins(cJSON *entry, const ResultGrid *grid) {
  cJSON *bins = cJSON_AddArrayToObject(entry, "bins");
  bool good = bins != NULL;
  for (int i = 0; good && i < grid->sizes[0]; i++) {
    const double bin[] = {grid->bins[i].low, grid->bins[i].middle, grid->bins[i].high};
    good = cJSON_AddItemToArray(bins, cJSON_CreateDoubleArray(bin, 3));
  }
  return good;
}

static bool add_grid(cJSON *list, const StudyResults *results, const ResultGrid *grid) {
  cJSON *entry = cJSON_CreateObject(), *measures = NULL;
  double *scratch = calloc((size_t)grid->group_count + 1, sizeof *scratch);
  for (long g = 0; scratch && g < grid->group_count; g++)
    scratch[g] = (double)study_results_row(results, grid, g, 0)->trials;
  bool good = scratch && entry && cJSON_AddItemToArray(list, entry) &&
              json_add_integers(entry, "axes", grid->axes, grid->axis_count) &&
              json_add_integers(entry, "shape", grid->sizes, grid->axis_count) &&
              json_add_list(entry, "trials", scratch, grid->group_count) &&
              (measures = cJSON_AddArrayToObject(entry, "measures")) != NULL;
  if (good && grid->axis_count == 1 && results->folder->study->axes[grid->axes[0]].count == 0)
    good = add_bins(entry, grid);
  for (int m = 0; good && m < results->measure_count; m++)
    good = add_measure_results(measures, results, grid, m, scratch);
  free(scratch);
  return good;
}

static bool add_grids(cJSON *object, const StudyResults *results) {
  cJSON *list = cJSON_AddArrayToObject(object, "over");
  bool good = list != NULL;
  for (int i = 0; good && i < results->grid_count; i++)
    good = add_grid(list, results, &results->grids[i]);
  return good;
}

// Directions.

static bool add_direction_cells(cJSON *list, const DirectionTable *table) {
  static const char *const names[] = {"count", "successes", "low", "high", "told"};
  enum { NAMES = sizeof names / sizeof names[0], CELLS = DIRECTION_MOST_RINGS * DIRECTION_MOST_SECTORS };
  const int count = table->ring_count * table->sector_count;
  double values[CELLS];
  cJSON *entry = cJSON_CreateObject(), *strategies = cJSON_AddObjectToObject(entry, "strategies");
  bool good = entry && cJSON_AddItemToArray(list, entry) && strategies;
  for (int k = 0; good && k < NAMES + DIRECTION_STRATEGIES; k++) {
    for (int i = 0; i < count; i++) {
      const DirectionCell *cell = &table->cells[i];
      const double fields[] = {(double)cell->count, (double)cell->successes, cell->interval.low, cell->interval.high,
                               (double)cell->told};
      values[i] = k < NAMES ? fields[k] : (double)cell->strategies[k - NAMES];
    }
    good = k < NAMES ? json_add_list(entry, names[k], values, count)
                     : json_add_list(strategies, direction_strategies[k - NAMES], values, count);
  }
  return good;
}

static bool add_directions(cJSON *object, const StudyResults *results) {
  if (results->direction_count == 0)
    return true;
  const DirectionTable *all = results->directions[0];
  const DirectionAxes axes = direction_axes(results->folder->study);
  cJSON *entry = cJSON_AddObjectToObject(object, "directions"), *tables = NULL;
  bool good = entry && json_add_number(entry, "turn", axes.turn) &&
              json_add_number(entry, "outward", axes.outward < 0 ? NAN : (double)axes.outward) &&
              json_add_number(entry, "other", axes.other < 0 ? NAN : (double)axes.other) &&
              json_add_text(entry, "success", results->success) &&
              cJSON_AddBoolToObject(entry, "has_strategies", all->has_strategies) &&
              json_add_list(entry, "sectors", all->directions, all->sector_count) &&
              (tables = cJSON_AddArrayToObject(entry, "tables")) != NULL;
  for (int i = 0; good && i < results->direction_count; i++)
    good = add_direction_cells(tables, results->directions[i]);
  return good;
}

cJSON *report_study(const StudyResults *results, Error *error) {
  const StudyDef *study = results->folder->study;
  const Table *table = results->folder->table;
  cJSON *object = cJSON_CreateObject();
  if (object && json_add_number(object, "trials", (double)study->trial_count) &&
      json_add_number(object, "done", (double)table->row_count) &&
      json_add_number(object, "cells", (double)study->cell_count) &&
      json_add_number(object, "repeats", study->run.repeats) &&
      json_add_number(object, "incomplete", (double)results->incomplete) &&
      cJSON_AddBoolToObject(object, "repeats_alike", results->repeats_alike) && add_axes(object, study) &&
      add_columns(object, study, table) && add_rows(object, study, table) && add_measures(object, results) &&
      add_grids(object, results) && add_directions(object, results))
    return object;
  cJSON_Delete(object);
  error_set(error, "out of memory");
  return NULL;
}
