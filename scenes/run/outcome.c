// Writes the results of a run: metrics, hits and warnings as JSON and as tables, and the verdict on each expectation.
#include "scenes/run/outcome.h"
#include "ragdoll/character/character_metrics.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double outcome_value(const Scene *scene, const Expect *expect) {
  double value = NAN;
  metrics_value(scene->characters[expect->character]->judged->metrics, expect->metric, &value);
  return value;
}

bool outcome_holds(const Scene *scene) {
  for (int i = 0; i < scene->def->expect_count; i++)
    if (!expect_holds(&scene->def->expects[i], outcome_value(scene, &scene->def->expects[i])))
      return false;
  return true;
}

// A problem that did not stop the run.
typedef struct Warning {
  const char *name, *text;
  long count;
} Warning;

enum { WARNING_COUNT = 7 };

static void collect_warnings(const Scene *scene, Warning warnings[WARNING_COUNT]) {
  const WorldWarnings *world = &scene->world->warnings;
  const Warning all[WARNING_COUNT] = {
      {"lcp_messages", "messages of the contact solver", world->lcp_messages},
      {"contacts_dropped", "contacts beyond the limit of a step", world->contacts_dropped},
      {"impulses_refused", "impulses refused", world->impulses_refused},
      {"drives_refused", "drive targets refused", world->drives_refused},
      {"events_dropped", "events beyond the limit at one time", scene->events.dropped},
      {"contacts_unrecorded", "contacts beyond the limit of a frame", recorder_dropped(scene->recorder)},
      {"trace_failed", "failures to write the trace", scene->record_failed},
  };
  memcpy(warnings, all, sizeof all);
}

// ---- JSON ----

static void add_number(cJSON *object, const char *name, double value) {
  if (isfinite(value))
    cJSON_AddNumberToObject(object, name, value);
  else
    cJSON_AddNullToObject(object, name);
}

static void add_character(cJSON *characters, const Character *character) {
  cJSON *values = cJSON_AddObjectToObject(characters, character->def->name);
  for (int i = 0; i < metric_row_count; i++) {
    if (strcmp(metric_rows[i].name, "realtime_factor") == 0)
      continue; // it concerns the run, not a character
    double value = NAN;
    metrics_value(character->judged->metrics, metric_rows[i].name, &value);
    add_number(values, metric_rows[i].name, value);
  }
  cJSON_AddStringToObject(values, "recovery_strategy", metrics_strategy(character->judged->metrics));
}

static void add_hits(cJSON *hits, const Character *character) {
  int count;
  const MetricsHit *records = metrics_hits(character->judged->metrics, &count);
  for (int i = 0; i < count; i++) {
    const MetricsHit *hit = &records[i];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "character", character->def->name);
    add_number(object, "time", hit->time);
    cJSON_AddStringToObject(object, "part", hit->part);
    add_number(object, "impulse", hit->impulse);
    cJSON_AddStringToObject(object, "recovery_strategy", hit->strategy);
    for (int k = METRIC_HIT_FIRST_EFFECT; k < METRIC_HIT_ROWS; k++)
      add_number(object, metric_hit_rows[k].name, metric_hit_figure(hit, k));
    cJSON_AddItemToArray(hits, object);
  }
}

static void add_responses(cJSON *list, const Character *character) {
  int count;
  const MetricsResponse *responses = metrics_responses(character->judged->metrics, &count);
  for (int i = 0; i < count; i++) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "character", character->def->name);
    add_number(object, "time", responses[i].time);
    cJSON_AddItemToObject(object, "from", cJSON_CreateDoubleArray(responses[i].from, 2));
    cJSON_AddItemToObject(object, "to", cJSON_CreateDoubleArray(responses[i].to, 2));
    add_number(object, "root_latency", responses[i].root_latency);
    add_number(object, "body_latency", responses[i].body_latency);
    cJSON_AddItemToArray(list, object);
  }
}

static void add_expects(cJSON *list, const Scene *scene) {
  for (int i = 0; i < scene->def->expect_count; i++) {
    const Expect *expect = &scene->def->expects[i];
    double value = outcome_value(scene, expect);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "text", expect->text);
    add_number(object, "value", value);
    cJSON_AddBoolToObject(object, "ok", expect_holds(expect, value));
    cJSON_AddItemToArray(list, object);
  }
}

char *outcome_json(const Scene *scene, const RunOutcome *outcome) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "scene", scene->def->name);
  add_number(root, "seed", scene->def->run.seed);
  cJSON_AddStringToObject(root, "status", outcome->status);
  add_number(root, "duration", scene->world->time);
  add_number(root, "realtime_factor", outcome->realtime_factor);
  cJSON *characters = cJSON_AddObjectToObject(root, "characters"), *hits = cJSON_AddArrayToObject(root, "hits");
  for (int i = 0; i < scene->character_count; i++) {
    add_character(characters, scene->characters[i]);
    add_hits(hits, scene->characters[i]);
  }
  cJSON *responses = cJSON_AddArrayToObject(root, "responses");
  for (int i = 0; i < scene->character_count; i++)
    add_responses(responses, scene->characters[i]);
  Warning warnings[WARNING_COUNT];
  collect_warnings(scene, warnings);
  cJSON *counts = cJSON_AddObjectToObject(root, "warnings");
  for (int i = 0; i < WARNING_COUNT; i++)
    add_number(counts, warnings[i].name, (double)warnings[i].count);
  add_expects(cJSON_AddArrayToObject(root, "expect"), scene);
  cJSON_AddBoolToObject(root, "ok", outcome_holds(scene) && strcmp(outcome->status, "complete") == 0);
  char *text = cJSON_Print(root);
  cJSON_Delete(root);
  return text;
}

// ---- Tables ----

// Prints a value in a column, "-" if it does not apply.
static void print_cell(FILE *out, int width, int digits, double value) {
  if (isnan(value))
    fprintf(out, " %*s", width, "-");
  else
    fprintf(out, " %*.*f", width, digits, value);
}

// The value shown in a column of the table; NULL: there are no more columns.
static const MetricHitRow *hit_column(int column) {
  for (int i = 0; i < METRIC_HIT_ROWS; i++)
    if (metric_hit_rows[i].column == column)
      return &metric_hit_rows[i];
  return NULL;
}

static void print_hits(FILE *out, const Character *character) {
  int count;
  const MetricsHit *hits = metrics_hits(character->judged->metrics, &count);
  const MetricHitRow *row;
  if (count == 0)
    return;
  fprintf(out, "\nHits on %s\n  %7s  %-12s", character->def->name, "time", "part");
  for (int k = 1; (row = hit_column(k)); k++)
    fprintf(out, " %*s", row->width, row->heading);
  fprintf(out, "  strategy\n  %7s  %-12s", "s", "");
  for (int k = 1; (row = hit_column(k)); k++)
    fprintf(out, " %*s", row->width, row->shown_unit);
  fputc('\n', out);
  for (int i = 0; i < count; i++) {
    fprintf(out, "  %7.3f  %-12s", hits[i].time, hits[i].part);
    for (int k = 1; (row = hit_column(k)); k++)
      print_cell(out, row->width, row->digits, metric_hit_figure(&hits[i], (int)(row - metric_hit_rows)));
    fprintf(out, "  %s\n", hits[i].strategy);
  }
}

// Prints the latency of every change of the intent.
static void print_responses(FILE *out, const Character *character) {
  int count;
  const MetricsResponse *responses = metrics_responses(character->judged->metrics, &count);
  if (count == 0)
    return;
  fprintf(out, "\nResponses of %s\n", character->def->name);
  fprintf(out, "  %7s  %7s %7s  %7s %7s %8s %8s\n", "time", "from", "m/s", "to", "m/s", "root", "body");
  fprintf(out, "  %7s  %7s %7s  %7s %7s %8s %8s\n", "s", "left", "forward", "left", "forward", "ms", "ms");
  for (int i = 0; i < count; i++) {
    const MetricsResponse *response = &responses[i];
    fprintf(out, "  %7.3f ", response->time);
    print_cell(out, 7, 2, response->from[0]);
    print_cell(out, 7, 2, response->from[1]);
    fputc(' ', out);
    print_cell(out, 7, 2, response->to[0]);
    print_cell(out, 7, 2, response->to[1]);
    print_cell(out, 8, 1, 1e3 * response->root_latency);
    print_cell(out, 8, 0, 1e3 * response->body_latency);
    fputc('\n', out);
  }
}

void outcome_metric_text(const MetricRow *row, double value, char *text, size_t size, const char **unit) {
  static const struct {
    const char *unit;
    int digits;
  } units[] = {{"s", 3},     {"m", 3},   {"mm", 1}, {"m/s", 2}, {"deg", 2}, {"N s", 2},
               {"N m s", 2}, {"N m", 1}, {"N", 1},  {"W", 1},   {"%", 2},   {"deg/s^2", 0}};
  bool is_bool = strcmp(row->unit, "bool") == 0;
  const char *name = is_bool || strcmp(row->unit, "-") == 0 ? "" : row->unit;
  if (strcmp(name, "m") == 0 && (strcmp(row->group, "Feet") == 0 || strcmp(row->group, "Output") == 0)) {
    name = "mm";
    value *= 1000;
  }
  if (unit)
    *unit = name;
  int digits = value == round(value) ? 0 : 2; // shares and counts
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(name, units[i].unit) == 0)
      digits = units[i].digits;
  if (isnan(value))
    snprintf(text, size, "-");
  else if (is_bool)
    snprintf(text, size, "%s", value != 0 ? "yes" : "no");
  else
    snprintf(text, size, "%.*f", digits, value);
}

// Prints metrics in groups; those that do not apply to the run are left out.
static void print_metrics(FILE *out, const Character *character) {
  const char *group = "", *strategy = metrics_strategy(character->judged->metrics);
  fprintf(out, "\nMetrics of %s\n", character->def->name);
  for (int i = 0; i < metric_row_count; i++) {
    const MetricRow *row = &metric_rows[i];
    double value = NAN;
    metrics_value(character->judged->metrics, row->name, &value);
    if (isnan(value))
      continue;
    if (strcmp(group, row->group) != 0)
      fprintf(out, " %s\n", row->group);
    group = row->group;
    char text[64];
    const char *unit;
    outcome_metric_text(row, value, text, sizeof text, &unit);
    fprintf(out, "  %-32s %12s%s%s\n", row->name, text, unit[0] != '\0' ? "  " : "", unit);
    if (strcmp(row->name, "hits") == 0 && strategy[0] != '\0')
      fprintf(out, "  %-32s %12s\n", "recovery_strategy", strategy);
  }
}

// Prints a value with six digits, or with as many as show why the expectation holds or does not: 40.0000001, not 40.
static void print_value(FILE *out, const Expect *expect, double value) {
  char text[32];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (expect_holds(expect, strtod(text, NULL)) == expect_holds(expect, value))
      break;
  }
  fprintf(out, "  is %s\n", text);
}

static void print_expect(FILE *out, const Scene *scene, const Expect *expect, const RunOutcome *outcome) {
  double value = outcome_value(scene, expect);
  fprintf(out, "  %s  %-44s", expect_holds(expect, value) ? "PASS" : "FAIL", expect->text);
  if (!isnan(value))
    print_value(out, expect, value);
  else if (strcmp(outcome->status, "complete") == 0)
    fprintf(out, "  does not apply to this run\n");
  else // "stopped: why"
    fprintf(out, "  not reached: the run was %.*s\n", (int)strcspn(outcome->status, ":"), outcome->status);
}

void outcome_failures(FILE *out, const Scene *scene, const RunOutcome *outcome) {
  for (int i = 0; i < scene->def->expect_count; i++) {
    const Expect *expect = &scene->def->expects[i];
    if (!expect_holds(expect, outcome_value(scene, expect)))
      print_expect(out, scene, expect, outcome);
  }
}

void outcome_table(FILE *out, const Scene *scene, const RunOutcome *outcome) {
  const SceneDef *def = scene->def;
  fprintf(out, "%s: %s\n", def->name, def->run.purpose[0] != '\0' ? def->run.purpose : "(no purpose given)");
  fprintf(out, "%s, %.3f s simulated, seed %d, %.1f times real time\n", outcome->status, scene->world->time,
          def->run.seed, outcome->realtime_factor);
  for (int i = 0; i < scene->character_count; i++) {
    print_hits(out, scene->characters[i]);
    print_responses(out, scene->characters[i]);
    print_metrics(out, scene->characters[i]);
  }

  Warning warnings[WARNING_COUNT];
  collect_warnings(scene, warnings);
  const char *title = "\nWarnings\n";
  for (int i = 0; i < WARNING_COUNT; i++) {
    if (warnings[i].count == 0)
      continue;
    fprintf(out, "%s  %ld %s\n", title, warnings[i].count, warnings[i].text);
    title = "";
  }

  if (def->expect_count > 0)
    fprintf(out, "\nExpectations\n");
  for (int i = 0; i < def->expect_count; i++)
    print_expect(out, scene, &def->expects[i], outcome);
}
