// The columns of a study's table: those of every table, one for each axis, and the metrics.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "scenes/sweep/study_internal.h"
#include "scenes/sweep/trial.h"
#include "sim/metrics/metrics.h"

static const char STRATEGY[] = "recovery_strategy", REAL_TIME[] = "realtime_factor";

// The columns of every table; those of the axes are between seed and status.
static const TableColumn plan_columns[TRIAL_PLAN_COLUMNS] = {
    {"trial", "", TABLE_NUMBER}, {"cell", "", TABLE_NUMBER}, {"repeat", "", TABLE_NUMBER}, {"seed", "", TABLE_NUMBER}};
static const TableColumn outcome_columns[TRIAL_OUTCOME_COLUMNS] = {
    {"status", "", TABLE_TEXT}, {"ok", "bool", TABLE_NUMBER}, {"time", "s", TABLE_NUMBER}};
static const char *unit_of(const MetricRow *row) { return strcmp(row->unit, "-") == 0 ? "" : row->unit; }

bool study_metric_find(const SceneDef *scene, const char *text, const Node *node, StudyMetric *metric, Error *error) {
  char character[PARAM_TEXT_SIZE];
  const char *dot = strchr(text, '.'), *name = dot ? dot + 1 : text;
  *metric = (StudyMetric){.name = STRATEGY, .unit = "", .is_text = true};
  if (!dot && scene->character_count > 1)
    return node_error(node, error, "'%s': with several characters, say whose metric it is: '%s.%s'", text,
                      scene->characters[0].name, text);
  if (dot) {
    snprintf(character, sizeof character, "%.*s", (int)(dot - text), text);
    metric->character = lookup_character(character, scene->characters, scene->character_count, node, error);
    if (metric->character < 0)
      return false;
  }
  if (strcmp(name, REAL_TIME) == 0)
    return node_error(node, error, "%s depends on the machine, so it cannot be a column of a study", REAL_TIME);
  if (strcmp(name, STRATEGY) == 0)
    return true;
  const char *names[metric_row_count + 1];
  for (int i = 0; i < metric_row_count; i++) {
    names[i] = metric_rows[i].name;
    if (strcmp(name, names[i]) != 0)
      continue;
    metric->name = names[i];
    metric->unit = unit_of(&metric_rows[i]);
    metric->is_text = false;
    return true;
  }
  names[metric_row_count] = STRATEGY;
  const char *close = closest_name(name, names, metric_row_count + 1);
  if (close)
    return node_error(node, error, "there is no metric '%s', did you mean '%s'?", name, close);
  return node_error(node, error, "there is no metric '%s'; 'stagger reference' lists them", name);
}

static void add_column(StudyDef *study, const char *name, const char *unit, TableKind kind) {
  TableColumn *column = &study->columns[study->column_count++];
  *column = (TableColumn){.kind = kind};
  snprintf(column->name, sizeof column->name, "%s", name);
  snprintf(column->unit, sizeof column->unit, "%s", unit);
}

static void add_metric(StudyDef *study, int character, const char *metric, const char *unit, bool is_text) {
  char name[TABLE_NAME_SIZE];
  snprintf(name, sizeof name, "%s.%s", study->scene->characters[character].name, metric);
  add_column(study, name, unit, is_text ? TABLE_TEXT : TABLE_NUMBER);
}

static void add_all_metrics(StudyDef *study) {
  for (int c = 0; c < study->scene->character_count; c++) {
    for (int i = 0; i < metric_row_count; i++)
      if (strcmp(metric_rows[i].name, REAL_TIME) != 0)
        add_metric(study, c, metric_rows[i].name, unit_of(&metric_rows[i]), false);
    add_metric(study, c, STRATEGY, "", true);
  }
}

// Whether the name of the newest column is unique.
static bool is_new(const StudyDef *study) {
  const int last = study->column_count - 1;
  for (int i = 0; i < last; i++)
    if (strcmp(study->columns[i].name, study->columns[last].name) == 0)
      return false;
  return true;
}

static bool add_named_metrics(StudyDef *study, const Node *metrics, Error *error) {
  for (const Node *item = metrics->first; item; item = item->next) {
    char text[PARAM_TEXT_SIZE];
    StudyMetric metric;
    if (!node_text(item, text, sizeof text, error) || !study_metric_find(study->scene, text, item, &metric, error))
      return false;
    add_metric(study, metric.character, metric.name, metric.unit, metric.is_text);
    if (!is_new(study))
      return node_error(item, error, "there is a column '%s' already", study->columns[study->column_count - 1].name);
  }
  return true;
}

bool trial_has_column(const char *name) {
  for (int i = 0; i < TRIAL_PLAN_COLUMNS; i++)
    if (strcmp(name, plan_columns[i].name) == 0)
      return true;
  for (int i = 0; i < TRIAL_OUTCOME_COLUMNS; i++)
    if (strcmp(name, outcome_columns[i].name) == 0)
      return true;
  return false;
}

bool trial_columns(StudyDef *study, const Node *metrics, Error *error) {
  if (metrics && (metrics->kind != NODE_LIST || metrics->count == 0))
    return node_error(metrics, error, "'metrics' must be a list of metrics, e.g. [man.fell]; without it all are kept");
  const int all = study->scene->character_count * metric_row_count; // without realtime_factor, with the strategy
  const int metric_count = metrics ? metrics->count : all;
  if (metric_count > STUDY_MAX_METRICS && metrics)
    return node_error(metrics, error, "%d metrics, allowed are up to %d", metric_count, STUDY_MAX_METRICS);
  if (metric_count > STUDY_MAX_METRICS)
    return error_set(error,
                     "%s: all metrics of all characters are %d, allowed are up to %d: name those to keep in "
                     "'metrics'",
                     study->path, metric_count, STUDY_MAX_METRICS);
  const int count = TRIAL_PLAN_COLUMNS + study->axis_count + TRIAL_OUTCOME_COLUMNS + metric_count;
  study->columns = calloc((size_t)count, sizeof *study->columns);
  if (!study->columns)
    return error_set(error, "%s: out of memory", study->path);
  for (int i = 0; i < TRIAL_PLAN_COLUMNS; i++)
    study->columns[study->column_count++] = plan_columns[i];
  for (int i = 0; i < study->axis_count; i++) {
    const StudyAxis *axis = &study->axes[i];
    add_column(study, axis->name, axis->unit, axis->is_number ? TABLE_NUMBER : TABLE_TEXT);
  }
  for (int i = 0; i < TRIAL_OUTCOME_COLUMNS; i++)
    study->columns[study->column_count++] = outcome_columns[i];
  study->names_metrics = metrics != NULL;
  if (metrics)
    return add_named_metrics(study, metrics, error);
  add_all_metrics(study);
  return true;
}
