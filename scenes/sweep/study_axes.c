// The axes of a study: the values of a parameter.
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ragdoll/body/body_measure.h"
#include "scenes/sweep/study_internal.h"
#include "scenes/sweep/summary.h"
#include "sim/base/rng.h"

#define SPACED_PARAMS(ROW, T)                                                                                          \
  ROW(T, REAL, from, "0", -1e12, 1e12, "", "First value.")                                                             \
  ROW(T, REAL, to, "0", -1e12, 1e12, "", "Last value.")                                                                \
  ROW(T, INT, steps, "2", 2, 100000, "-", "How many values, with both ends.")                                          \
  ROW(T, CHOICE, scale, "linear", 0, 0, "linear|log", "Equal steps, or equal factors.")

typedef struct Spaced {
  SPACED_PARAMS(PARAM_FIELD, Spaced)
} Spaced;

enum { SCALE_LINEAR, SCALE_LOG };

PARAM_TABLE(spaced_params, Spaced, SPACED_PARAMS, "", "Evenly spaced values of an axis.")
PARAM_TABLE(study_random_params, StudyRandom, STUDY_RANDOM_PARAMS, "random", "Random values of an axis.")

static const char FORMS[] = "expected a list of values, {from, to, steps}, {values: [...]} or {random: {...}}";

// ---- A value as YAML in one line ----

typedef struct Line {
  char *text;
  size_t length, size;
} Line;

static void put(Line *line, const char *text) {
  for (; *text != '\0'; text++, line->length++)
    if (line->length + 1 < line->size)
      line->text[line->length] = *text;
}

static void put_quoted(Line *line, const char *text) {
  put(line, "\"");
  for (const char *c = text; *c != '\0'; c++) {
    char sign[8];
    unsigned char byte = (unsigned char)*c;
    snprintf(sign, sizeof sign, byte < ' ' || byte == 0x7f ? "\\x%02x" : *c == '"' || *c == '\\' ? "\\%c" : "%c", byte);
    put(line, sign);
  }
  put(line, "\"");
}

static void put_text(Line *line, const char *text, bool quoted, bool in_flow) {
  if (quoted || (in_flow && text[strcspn(text, ",?:[]{}#")] != '\0'))
    put_quoted(line, text);
  else
    put(line, text);
}

// Recursive; a document has at most 32 levels.
static void put_node(Line *line, const Node *node, bool in_flow) {
  if (node->kind == NODE_SCALAR) {
    put_text(line, node->text, node->quoted, in_flow);
    return;
  }
  put(line, node->kind == NODE_LIST ? "[" : "{");
  for (const Node *child = node->first; child; child = child->next) {
    if (node->kind == NODE_MAP) {
      put_text(line, child->key, false, true);
      put(line, ": ");
    }
    put_node(line, child, true);
    put(line, child->next ? ", " : "");
  }
  put(line, node->kind == NODE_LIST ? "]" : "}");
}

// Formats numbers as in tables, also those given as 1/240.
static bool value_text(const Node *node, char text[PARAM_TEXT_SIZE], bool *is_number, Error *error) {
  double number;
  *is_number = node_real(node, &number, NULL);
  if (*is_number) {
    table_number_text(number, text);
    return true;
  }
  Line line = {.text = text, .size = PARAM_TEXT_SIZE};
  put_node(&line, node, false);
  if (line.length >= line.size)
    return node_error(node, error, "the value is %zu bytes long, at most %d are allowed", line.length,
                      PARAM_TEXT_SIZE - 1);
  text[line.length] = '\0';
  return true;
}

// ---- Values ----

static bool make_room(StudyAxis *axis, int count, const Node *node, Error *error) {
  axis->values = calloc((size_t)count, sizeof *axis->values);
  axis->count = axis->values ? count : 0;
  return axis->values || node_error(node, error, "out of memory");
}

static bool keep_value(StudyAxis *axis, int index, const char *text, const Node *node, Error *error) {
  axis->values[index] = strdup(text);
  return axis->values[index] || node_error(node, error, "out of memory");
}

static bool keep_number(StudyAxis *axis, int index, double value, const Node *node, Error *error) {
  char text[TABLE_CELL_SIZE];
  table_number_text(value, text);
  return keep_value(axis, index, text, node, error);
}

static bool read_list(StudyAxis *axis, const Node *list, Error *error) {
  if (list->kind != NODE_LIST)
    return node_error(list, error, "'values' must be a list");
  if (list->count == 0 || list->count > STUDY_MAX_VALUES)
    return node_error(list, error, "%d values, allowed are 1 to %d", list->count, STUDY_MAX_VALUES);
  if (!make_room(axis, list->count, list, error))
    return false;
  axis->is_number = true;
  int index = 0;
  for (const Node *item = list->first; item; item = item->next) {
    char text[PARAM_TEXT_SIZE];
    bool is_number;
    if (!value_text(item, text, &is_number, error) || !keep_value(axis, index++, text, item, error))
      return false;
    axis->is_number = axis->is_number && is_number;
  }
  return true;
}

// The decimal number with the fewest digits within the rounding error of a sum of numbers of that size, so that 0.4 to
// 1 in four steps contains 0.8, not 0.7999999999999999.
static double tidy(double value, double size) {
  const double error = 4 * DBL_EPSILON * size;
  if (fabs(value) <= error)
    return 0;
  for (int digits = 1; digits < 17; digits++) {
    char text[TABLE_CELL_SIZE];
    snprintf(text, sizeof text, "%.*g", digits, value);
    double rounded = strtod(text, NULL);
    if (fabs(rounded - value) <= error)
      return rounded;
  }
  return value;
}

// Value `index` of n + 1, exact at both ends.
static double spaced_value(const Spaced *spaced, int index) {
  const int n = spaced->steps - 1;
  const double from = spaced->from, to = spaced->to;
  if (index == 0 || index == n)
    return index == 0 ? from : to;
  if (spaced->scale == SCALE_LOG)
    return from * pow(to / from, (double)index / n);
  return tidy((from * (n - index) + to * index) / n, fmax(fabs(from), fabs(to)));
}

static bool read_spaced(StudyAxis *axis, const Spaced *spaced, const Node *map, Error *error) {
  static const char *const needed[] = {"from", "to", "steps"};
  for (int i = 0; i < 3; i++)
    if (!node_find(map, needed[i]))
      return node_error(map, error, "'%s' is missing: 'from', 'to' and 'steps' belong together", needed[i]);
  if (spaced->from == spaced->to)
    return node_error(node_find(map, "to"), error, "'to' is the same as 'from'; one value is a list, [%g]", spaced->to);
  if (spaced->scale == SCALE_LOG && (spaced->from <= 0 || spaced->to <= 0))
    return node_error(node_find(map, spaced->from <= 0 ? "from" : "to"), error,
                      "with 'scale: log' both ends must be above 0");
  if (!make_room(axis, spaced->steps, map, error))
    return false;
  axis->is_number = true;
  for (int i = 0; i < spaced->steps; i++)
    if (!keep_number(axis, i, spaced_value(spaced, i), map, error))
      return false;
  return true;
}

// ---- Random values ----

static double draw(const StudyRandom *random, Rng *rng) {
  double value;
  switch ((StudyDistribution)random->distribution) {
  case STUDY_UNIFORM:
    return rng_range(rng, random->low, random->high);
  case STUDY_LOG_UNIFORM:
    value = exp(rng_range(rng, log(random->low), log(random->high)));
    return fmin(fmax(value, random->low), random->high); // rounding may exceed the limits
  case STUDY_NORMAL:
    do // terminates: at least one draw in 26 is within the limits, see check_random
      value = random->mean + random->deviation * rng_normal(rng);
    while (value < random->low || value > random->high);
    return value;
  }
  return NAN;
}

void study_axis_draw(const StudyAxis *axis, int seed, long trial, char value[PARAM_TEXT_SIZE]) {
  char consumer[PARAM_TEXT_SIZE + 48];
  snprintf(consumer, sizeof consumer, "axis %s trial %ld", axis->key, trial);
  Rng rng = rng_make((uint64_t)seed, consumer);
  table_number_text(draw(&axis->random, &rng), value);
}

// Checks which rows a distribution requires and which it does not use.
static bool check_random(StudyRandom *random, const Node *map, Error *error) {
  static const char *const distributions[] = {"uniform", "log_uniform", "normal"};
  bool normal = random->distribution == STUDY_NORMAL;
  const char *needed[] = {normal ? "mean" : "low", normal ? "deviation" : "high"};
  for (int i = 0; i < 2; i++)
    if (!node_find(map, needed[i]))
      return node_error(map, error, "'%s' is missing: a distribution %s needs '%s' and '%s'", needed[i],
                        distributions[random->distribution], needed[0], needed[1]);
  const Node *mean = node_find(map, "mean"), *deviation = node_find(map, "deviation");
  const Node *low = node_find(map, "low"), *high = node_find(map, "high");
  if (!normal && (mean || deviation))
    return node_key_error(mean ? mean : deviation, error, "'mean' and 'deviation' belong to a normal one");
  random->low = low ? random->low : -INFINITY;
  random->high = high ? random->high : INFINITY;
  if (low && high && random->low >= random->high)
    return node_error(high, error, "'high' is %g, but it must be above 'low', %g", random->high, random->low);
  if (random->distribution == STUDY_LOG_UNIFORM && random->low <= 0)
    return node_error(low, error, "a log_uniform distribution needs a 'low' above 0");
  if (!normal)
    return true;
  if (random->deviation <= 0)
    return node_error(deviation, error, "'deviation' must be above 0");
  if (random->mean < random->low || random->mean > random->high)
    return node_error(mean, error, "'mean' must lie between 'low' and 'high', beyond which values are drawn again");
  if (random->high - random->low < random->deviation / 10)
    return node_error(high, error, "'low' and 'high' must be at least a tenth of 'deviation' apart");
  return true;
}

static bool read_random(StudyAxis *axis, int seed, const Node *map, Error *error) {
  StudyRandom *random = &axis->random;
  param_defaults(&study_random_params, random);
  if (!param_read(&study_random_params, random, map, NULL, error) || !check_random(random, map, error))
    return false;
  axis->is_number = true;
  if (random->count == 0)
    return true;
  if (!make_room(axis, random->count, map, error))
    return false;
  char consumer[PARAM_TEXT_SIZE + 8];
  snprintf(consumer, sizeof consumer, "axis %s", axis->key);
  Rng rng = rng_make((uint64_t)seed, consumer);
  for (int i = 0; i < axis->count; i++)
    if (!keep_number(axis, i, draw(random, &rng), map, error))
      return false;
  return true;
}

// ---- An axis ----

static bool read_map(StudyAxis *axis, int seed, const Node *map, Error *error) {
  static const char *const other_keys[] = {"values", "random", "name", NULL};
  Spaced spaced;
  param_defaults(&spaced_params, &spaced);
  if (!param_read(&spaced_params, &spaced, map, other_keys, error))
    return false;
  const Node *values = node_find(map, "values"), *random = node_find(map, "random");
  bool is_spaced = false;
  for (int i = 0; i < spaced_params.count; i++)
    is_spaced = is_spaced || node_find(map, spaced_params.rows[i].name);
  if ((values != NULL) + (random != NULL) + is_spaced != 1)
    return node_error(map, error, "%s", FORMS);
  return values   ? read_list(axis, values, error)
         : random ? read_random(axis, seed, random, error)
                  : read_spaced(axis, &spaced, map, error);
}

// The unit of the parameter with that path, "" when there is none.
static const char *unit_of_key(const char *key) {
  char path[PARAM_TEXT_SIZE];
  snprintf(path, sizeof path, "%s", key);
  char *dot = strrchr(path, '.'), *row_name = dot ? dot + 1 : path;
  const ParamTable *table = !dot ? &run_params : NULL;
  if (dot)
    *dot = '\0';
  for (int i = 0; i < scene_section_count && dot; i++)
    if (strcmp(path, scene_sections[i].key) == 0)
      table = scene_sections[i].table;
  char *item = dot ? strchr(path, '.') : NULL; // the index of a list's item
  char *section = item ? strchr(item + 1, '.') : NULL;
  for (int i = 0; i < character_section_count && section && strncmp(path, "characters.", 11) == 0; i++)
    if (strcmp(section + 1, character_sections[i].key) == 0)
      table = character_sections[i].table;
  if (section && strcmp(section, ".body") == 0 && strncmp(path, "characters.", 11) == 0)
    table = &measure_params;
  if (item && !section && strncmp(path, "events.", 7) == 0)
    table = &event_params;
  const Param *row = table ? param_find(table, row_name) : NULL;
  return !row || row->type == PARAM_CHOICE || strcmp(row->unit, "-") == 0 ? "" : row->unit;
}

static bool check_key(const Node *axis, Error *error) {
  const char *key = axis->key;
  if (strcmp(key, "seed") == 0)
    return node_key_error(axis, error, "seeds come from 'seed' and 'repeats' of the study");
  for (const char *c = key; *c != '\0'; c++)
    if (!isgraph((unsigned char)*c) || *c == '=' || *c == '/' || key[0] == '-')
      return node_key_error(axis, error, "'%s' is not the path of a parameter, as in events.0.impulse", key);
  return true;
}

static bool name_axis(StudyAxis *axis, const Node *node, Error *error) {
  const Node *name = node_find(node, "name");
  if (name)
    return node_text(name, axis->name, sizeof axis->name, error) && node_check_name(name, axis->name, error);
  if (strlen(axis->key) >= sizeof axis->name)
    return node_key_error(node, error, "the axis needs a 'name' for its column: its key is longer than %d bytes",
                          TABLE_NAME_SIZE - 1);
  memcpy(axis->name, axis->key, strlen(axis->key) + 1);
  return true;
}

// Checks that the newest axis has a unique name.
static bool check_name(const StudyDef *study, const Node *node, Error *error) {
  const int last = study->axis_count - 1;
  const char *name = study->axes[last].name;
  bool taken = trial_has_column(name) || summary_has_column(name);
  for (int i = 0; i < last; i++)
    taken = taken || strcmp(study->axes[i].name, name) == 0;
  const Node *given = node_find(node, "name");
  return !taken || node_key_error(given ? given : node, error, "there is a column '%s' already", name);
}

bool study_axis_begin(StudyDef *study, const Node *node, Error *error) {
  StudyAxis *axis = &study->axes[study->axis_count++];
  if (!check_key(node, error))
    return false;
  snprintf(axis->key, sizeof axis->key, "%s", node->key);
  snprintf(axis->unit, sizeof axis->unit, "%s", unit_of_key(axis->key));
  return true;
}

bool study_axis_name(StudyDef *study, const Node *node, Error *error) {
  return name_axis(&study->axes[study->axis_count - 1], node, error) && check_name(study, node, error);
}

static bool read_axis(StudyDef *study, const Node *node, Error *error) {
  if (!study_axis_begin(study, node, error))
    return false;
  StudyAxis *axis = &study->axes[study->axis_count - 1];
  if (node->kind == NODE_SCALAR)
    return node_error(node, error, "%s", FORMS);
  return (node->kind == NODE_LIST ? read_list(axis, node, error) : read_map(axis, study->run.seed, node, error)) &&
         study_axis_name(study, node, error);
}

bool study_axes_read(StudyDef *study, const Node *map, Error *error) {
  if (!map)
    return true;
  if (map->kind != NODE_MAP)
    return node_error(map, error, "'axes' must be a map of parameters and their values");
  if (map->count > STUDY_MAX_AXES)
    return node_error(map, error, "%d axes, allowed are up to %d", map->count, STUDY_MAX_AXES);
  for (const Node *node = map->first; node; node = node->next)
    if (!read_axis(study, node, error))
      return false;
  return true;
}
