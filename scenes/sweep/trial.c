// Runs one trial: applies its values to the study's scene, runs it to the end, and writes its row.
#include "scenes/sweep/trial.h"
#include "ragdoll/character/character_metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/run/outcome.h"
#include "scenes/sweep/study_internal.h"

enum {
  STATUS_SIZE = 400, // of a status in the table
  STEPS_BETWEEN_QUESTIONS = 16
};

// ---- Lines ----

typedef struct Line {
  char *text;
  size_t size;
} Line;

static void add_plan(const StudyDef *study, long trial, Line line) {
  line.text[0] = '\0';
  StudyTrial plan;
  study_trial(study, trial, &plan);
  table_add_number(line.text, line.size, (double)plan.trial);
  table_add_number(line.text, line.size, (double)plan.cell);
  table_add_number(line.text, line.size, plan.repeat);
  table_add_number(line.text, line.size, plan.seed);
  for (int i = 0; i < study->axis_count; i++) {
    char value[PARAM_TEXT_SIZE];
    study_value(study, i, trial, value);
    table_add_text(line.text, line.size, value);
  }
}

// The planned cell of a column before `status`: a text, or a number as text. Texts are as table_add_text writes them.
static void planned_cell(const StudyDef *study, const StudyTrial *plan, int column, char text[PARAM_TEXT_SIZE]) {
  const long numbers[TRIAL_PLAN_COLUMNS] = {plan->trial, plan->cell, plan->repeat, plan->seed};
  if (column < TRIAL_PLAN_COLUMNS)
    snprintf(text, PARAM_TEXT_SIZE, "%ld", numbers[column]);
  else
    study_value(study, column - TRIAL_PLAN_COLUMNS, plan->trial, text);
  for (char *c = text; *c != '\0'; c++)
    *c = (char)((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c);
}

bool trial_fits_plan(const StudyDef *study, const Table *table, long row, char *difference, size_t size) {
  StudyTrial plan;
  study_trial(study, (long)table_number(table, row, 0), &plan);
  for (int column = 0; column < TRIAL_PLAN_COLUMNS + study->axis_count; column++) {
    char planned[PARAM_TEXT_SIZE], number[TABLE_CELL_SIZE];
    if (column >= TRIAL_PLAN_COLUMNS && study->axes[column - TRIAL_PLAN_COLUMNS].searched)
      continue; // what was searched there depends on the rows before
    planned_cell(study, &plan, column, planned);
    bool is_text = study->columns[column].kind == TABLE_TEXT;
    const char *found = is_text ? table_text(table, row, column) : number;
    table_number_text(table_number(table, row, column), number);
    if (is_text ? strcmp(found, planned) == 0 : table_number(table, row, column) == strtod(planned, NULL))
      continue;
    snprintf(difference, size, "%s of trial %ld is '%.60s', the study has '%.60s' there", study->columns[column].name,
             plan.trial, found, planned);
    return false;
  }
  return true;
}

static void add_outcome(const char *status, bool ok, double time, Line line) {
  char text[STATUS_SIZE];
  size_t end = sizeof text - 1;
  if (snprintf(text, sizeof text, "%s", status) > (int)end) { // not cut within a UTF-8 character
    while (end > 0 && ((unsigned char)status[end] & 0xc0) == 0x80)
      end--;
    text[end] = '\0';
  }
  table_add_text(line.text, line.size, text);
  table_add_number(line.text, line.size, ok);
  table_add_number(line.text, line.size, time);
}

// scene: NULL: no metrics.
static void add_metrics(const StudyDef *study, const Scene *scene, Line line) {
  for (int i = TRIAL_PLAN_COLUMNS + study->axis_count + TRIAL_OUTCOME_COLUMNS; i < study->column_count; i++) {
    const TableColumn *column = &study->columns[i];
    StudyMetric metric;
    const Metrics *metrics = NULL;
    if (scene && study_metric_find(study->scene, column->name, NULL, &metric, NULL) &&
        metric.character < scene->character_count)
      metrics = scene->characters[metric.character]->judged->metrics;
    double value = NAN;
    if (column->kind == TABLE_TEXT)
      table_add_text(line.text, line.size, metrics ? metrics_strategy(metrics) : "");
    else if (!metrics || metrics_value(metrics, metric.name, &value))
      table_add_number(line.text, line.size, value);
  }
}

void trial_lost(const StudyDef *study, long trial, const char *status, char *text, size_t size) {
  Line line = {text, size};
  add_plan(study, trial, line);
  add_outcome(status, false, NAN, line);
  add_metrics(study, NULL, line);
}

// ---- Running ----

typedef struct Run {
  SceneDef *def;
  Scene *scene;
  TraceWriter *trace;
  char *part;              // path of the trace while it is written
  HitResponseWatch *watch; // NULL: the response to the hit is not measured
  HitResponse *response;
} Run;

static SceneDef *read_variant(const StudyDef *study, long trial, Error *error) {
  StudyTrial plan;
  study_trial(study, trial, &plan);
  const char *overrides[STUDY_MAX_OVERRIDES];
  int count = 0;
  for (int i = 0; i < study->set_count; i++)
    overrides[count++] = study->sets[i];
  for (int i = 0; i < plan.override_count; i++)
    overrides[count++] = plan.overrides[i];
  return scene_def_variant(study->scene, overrides, count, error);
}

static bool open_trace(Run *run, const char *path, Error *error) {
  size_t size = strlen(path) + sizeof TRIAL_PART;
  run->part = malloc(size);
  if (!run->part)
    return error_set(error, "%s: out of memory", path);
  snprintf(run->part, size, "%s" TRIAL_PART, path);
  TraceInfo info = scene_trace_info(run->def);
  run->trace = trace_create(run->part, &info, error);
  return run->trace && scene_record(run->scene, run->trace, error);
}

static bool prepare(Run *run, const StudyDef *study, long trial, const char *trace, Error *error) {
  run->def = read_variant(study, trial, error);
  run->scene = run->def ? scene_create(run->def, error) : NULL;
  if (run->scene && study->run.responses && !(run->watch = hit_response_watch(run->def, run->response, error)))
    return false;
  return run->scene && (!trace || open_trace(run, trace, error));
}

static void set_response(const Run *run) {
  if (!run->watch || run->response->frame_count == 0)
    return;
  const MetricsHitResponse metrics = hit_response_metrics(run->response);
  metrics_set_hit_response(run->scene->characters[run->response->character]->judged->metrics, &metrics);
}

// Steps the scene to its end. False: keep_going ended it. status: how the run ended.
static bool simulate(const Run *run, bool (*keep_going)(void), char status[STATUS_SIZE]) {
  const World *world = run->scene->world;
  snprintf(status, STATUS_SIZE, "complete");
  for (long step = 0; world->steps < run->def->step_count; step++) {
    if (keep_going && step % STEPS_BETWEEN_QUESTIONS == 0 && !keep_going())
      return false;
    if (!scene_step(run->scene)) {
      snprintf(status, STATUS_SIZE, "stopped: %s", world->stopped ? world->stop_reason : "the trace cannot be written");
      break;
    }
    if (run->watch)
      hit_response_step(run->watch, run->scene);
  }
  set_response(run);
  scene_finish(run->scene);
  return true;
}

static bool close_trace(Run *run, const char *path, const char *status, Error *error) {
  bool good = trace_close(run->trace, status, error);
  run->trace = NULL;
  return good && (rename(run->part, path) == 0 || error_set(error, "%s: cannot be written", path));
}

static void run_free(Run *run) {
  if (run->trace)
    trace_close(run->trace, "interrupted", NULL);
  if (run->part)
    unlink(run->part); // does not exist any more if the run succeeded
  free(run->part);
  hit_response_end(run->watch);
  scene_destroy(run->scene);
  scene_def_free(run->def);
}

bool trial_run(const StudyDef *study, long trial, const char *trace, bool (*keep_going)(void), char *text, size_t size,
               HitResponse *response) {
  static HitResponse unused;
  Run run = {.response = response ? response : &unused};
  *run.response = (HitResponse){.frame_count = 0};
  Error error = {0};
  char status[STATUS_SIZE];
  Line line = {text, size};
  bool finished = true;
  if (prepare(&run, study, trial, trace, &error)) {
    finished = simulate(&run, keep_going, status);
    bool good = !finished || !trace || close_trace(&run, trace, status, &error);
    if (finished && good) {
      add_plan(study, trial, line);
      add_outcome(status, strcmp(status, "complete") == 0 && outcome_holds(run.scene), run.scene->world->time, line);
      add_metrics(study, run.scene, line);
    }
  }
  if (finished && error.text[0] != '\0') {
    char failure[ERROR_TEXT_SIZE + 16];
    snprintf(failure, sizeof failure, "failed: %s", error.text);
    trial_lost(study, trial, failure, text, size);
  }
  run_free(&run);
  return finished;
}
