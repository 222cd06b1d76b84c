// The object STUDY of a report's data: axes, trials and their summary.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/report_data.h"
#include "scenes/report/report_json.h"

enum { MOST_ROWS = 20000, MOST_SUMMARY_ROWS = 20000 };

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
           cJSON_AddBoolToObject(entry, "random", axis->count == 0) != NULL;
  }
  return good;
}

const char *report_column_doc(const char *column) {
  static const struct {
    const char *name, *doc;
  } own[] = {
      {"trial", "Its number in the study's plan."},
      {"cell", "Which combination of the crossed axes' values it has."},
      {"repeat", "Which one of its cell, from 0."},
      {"seed", "All random numbers of the trial come from it."},
      {"status", "How it ended."},
      {"ok", "It is complete and the scene's expectations held."},
      {"time", "Simulated time."},
  };
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (strcmp(column, own[i].name) == 0)
      return own[i].doc;
  const char *dot = strrchr(column, '.');
  for (int i = 0; dot && i < metric_row_count; i++)
    if (strcmp(metric_rows[i].name, dot + 1) == 0)
      return metric_rows[i].doc;
  return dot && strcmp(dot, ".recovery_strategy") == 0 ? "How the worst hit was taken." : "";
}

static bool add_columns(cJSON *object, const StudyDef *study, const Table *table) {
  cJSON *columns = cJSON_AddArrayToObject(object, "columns");
  bool good = columns != NULL;
  for (int i = 0; good && i < table->column_count; i++) {
    cJSON *entry = cJSON_CreateObject();
    good = entry && cJSON_AddItemToArray(columns, entry) && json_add_text(entry, "name", study->columns[i].name) &&
           json_add_text(entry, "unit", study->columns[i].unit) &&
           json_add_text(entry, "kind", study->columns[i].kind == TABLE_TEXT ? "text" : "number") &&
           json_add_text(entry, "doc", report_column_doc(study->columns[i].name));
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

static bool add_summary_row(cJSON *list, const SummaryRow *row) {
  static const char *const scopes[] = {"all", "axis", "cell"};
  const Sample *sample = &row->sample;
  cJSON *entry = cJSON_CreateObject();
  bool good = entry && cJSON_AddItemToArray(list, entry) && json_add_text(entry, "scope", scopes[row->scope]) &&
              json_add_number(entry, "column", row->column) && json_add_text(entry, "label", row->label) &&
              json_add_number(entry, "trials", (double)row->trials) &&
              json_add_number(entry, "count", (double)row->count) &&
              json_add_number(entry, "repeats", (double)row->repeats);
  if (good && row->scope == SUMMARY_AXIS)
    good = json_add_number(entry, "axis", row->axis) && json_add_number(entry, "value", row->value);
  if (good && row->scope == SUMMARY_CELL)
    good = json_add_number(entry, "cell", (double)row->cell);
  if (good && isfinite(row->share))
    return json_add_number(entry, "share", row->share) &&
           json_add_number(entry, "share_low", row->share_interval.low) &&
           json_add_number(entry, "share_high", row->share_interval.high) &&
           json_add_number(entry, "effective", row->effective);
  return good && json_add_number(entry, "median", sample->quartile[1]) &&
         json_add_number(entry, "median_low", sample->median.low) &&
         json_add_number(entry, "median_high", sample->median.high) && json_add_number(entry, "mean", sample->mean) &&
         json_add_number(entry, "deviation", sample->deviation) && json_add_number(entry, "min", sample->min) &&
         json_add_number(entry, "max", sample->max) && json_add_number(entry, "quartile_1", sample->quartile[0]) &&
         json_add_number(entry, "quartile_3", sample->quartile[2]);
}

// Adds the summary of all trials and of the axes; of the cells only if there are not too many rows.
static bool add_summary(cJSON *object, const Summary *summary) {
  cJSON *list = cJSON_AddArrayToObject(object, "summary");
  bool good = list != NULL;
  const bool cells = summary->count <= MOST_SUMMARY_ROWS;
  for (int i = 0; good && i < summary->count && (cells || summary->rows[i].scope != SUMMARY_CELL); i++)
    good = add_summary_row(list, &summary->rows[i]);
  return good;
}

static bool add_statuses(cJSON *object, const Table *table, const Summary *summary) {
  const int status = table_find(table, "status");
  cJSON *list = cJSON_AddArrayToObject(object, "statuses");
  bool good = list != NULL;
  for (int i = 0; good && i < summary->count && summary->rows[i].scope == SUMMARY_ALL; i++) {
    const SummaryRow *row = &summary->rows[i];
    if (row->column != status)
      continue;
    cJSON *pair = cJSON_CreateArray();
    good = pair && cJSON_AddItemToArray(list, pair) && cJSON_AddItemToArray(pair, cJSON_CreateString(row->label)) &&
           cJSON_AddItemToArray(pair, cJSON_CreateNumber(round(row->share * (double)row->count)));
  }
  return good;
}

cJSON *report_study(const StudyDef *study, const Table *table, const Summary *summary, Error *error) {
  cJSON *object = cJSON_CreateObject();
  if (object && json_add_number(object, "trials", (double)study->trial_count) &&
      json_add_number(object, "done", (double)table->row_count) &&
      json_add_number(object, "cells", (double)study->cell_count) &&
      json_add_number(object, "repeats", study->run.repeats) && add_axes(object, study) &&
      add_columns(object, study, table) && add_rows(object, study, table) && add_summary(object, summary) &&
      add_statuses(object, table, summary))
    return object;
  cJSON_Delete(object);
  error_set(error, "out of memory");
  return NULL;
}
