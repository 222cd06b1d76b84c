// Reads planners (format: scenes/planners/README.md).
#include <stdlib.h>
#include <string.h>

#include "anim/planner/planner.h"

// Reads a list of increasing numbers within [low, high].
static bool read_levels(const Node *map, const char *key, double low, double high, int most, PlannerLevels *levels,
                        Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    return node_error(map, error, "'%s' is missing here", key);
  if (node->kind != NODE_LIST || node->count < 1 || node->count > most)
    return node_error(node, error, "'%s' must be a list of 1 to %d numbers", key, most);
  if (!node_reals(node, levels->values, node->count, error))
    return false;
  levels->count = node->count;
  for (int i = 0; i < levels->count; i++)
    if (levels->values[i] < low || levels->values[i] > high || (i > 0 && levels->values[i] <= levels->values[i - 1]))
      return node_error(node_at(node, i), error, "the numbers of '%s' must rise and lie in %g .. %g", key, low, high);
  return true;
}

static const Node *section(const Node *map, const char *key, Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    node_error(map, error, "'%s' is missing here", key);
  else if (node->kind != NODE_MAP)
    node_error(node, error, "'%s' must be a map of keys and values", key);
  return node && node->kind == NODE_MAP ? node : NULL;
}

// Connects the controller: its inputs must be sensed values, its outputs turn and speed.
static bool connect_fuzzy(PlannerDef *def, const Node *fuzzy, Error *error) {
  static const char *const outputs[] = {"turn", "speed", NULL};
  const Node *inputs = node_find(fuzzy, "inputs");
  if (!node_check_keys(inputs, sense_input_names, error) ||
      !node_check_keys(node_find(fuzzy, "outputs"), outputs, error))
    return false;
  for (int i = 0; i < def->fuzzy.input_count; i++)
    for (int k = 0; k < SENSE_INPUT_COUNT; k++)
      if (strcmp(def->fuzzy.inputs[i].name, sense_input_names[k]) == 0)
        def->sources[i] = (SenseInput)k;
  def->turn_output = fuzzy_output(&def->fuzzy, "turn");
  def->speed_output = fuzzy_output(&def->fuzzy, "speed");
  if (def->turn_output >= 0 && def->speed_output >= 0)
    return true;
  return node_error(node_find(fuzzy, "outputs"), error, "a planner needs the outputs turn (deg/s) and speed (m/s)");
}

static bool read_count(const Node *map, const char *key, int *count, Error *error) {
  const Node *node = node_find(map, key);
  if (!node)
    return node_error(map, error, "'%s' is missing here", key);
  if (!node_int(node, count, error))
    return false;
  return (*count >= 1 && *count <= 64) || node_error(node, error, "'%s' must be 1 to 64", key);
}

// Reads the levels into which the table over the whole state divides sensed values.
static bool read_direct(PlannerDef *def, const Node *map, Error *error) {
  static const char *const keys[] = {"goal_sectors", "goal_distances", "obstacle_sectors", "obstacle_distances", NULL};
  const Node *direct = section(map, "direct", error);
  return direct && node_check_keys(direct, keys, error) &&
         read_count(direct, "goal_sectors", &def->goal_sectors, error) &&
         read_count(direct, "obstacle_sectors", &def->obstacle_sectors, error) &&
         read_levels(direct, "goal_distances", 0, 1000, PLANNER_MAX_LEVELS, &def->goal_borders, error) &&
         read_levels(direct, "obstacle_distances", 0, 1000, PLANNER_MAX_LEVELS, &def->obstacle_borders, error);
}

static bool read_def(PlannerDef *def, const Node *map, const Skeleton *skeleton, MoveClipFinder *find, void *context,
                     Error *error) {
  static const char *const keys[] = {"planner", "sense",    "fuzzy", "demand", "limits", "moves",
                                     "blends",  "training", "field", "direct", NULL};
  static const char *const demand_keys[] = {"turn", "speed", NULL};
  if (!node_check_keys(map, keys, error))
    return false;
  const Node *name = node_find(map, "planner");
  if (!name)
    return node_error(map, error, "'planner', the name of the planner, is missing here");
  MoveLimits limits;
  if (!node_text(name, def->name, sizeof def->name, error) || !node_check_name(name, def->name, error) ||
      !param_read_section(&sense_params, &def->sense, map, error) ||
      !param_read_section(&move_limit_params, &limits, map, error))
    return false;
  const Node *fuzzy = section(map, "fuzzy", error), *demand = fuzzy ? section(map, "demand", error) : NULL;
  if (!demand || !fuzzy_read(&def->fuzzy, fuzzy, error) || !connect_fuzzy(def, fuzzy, error))
    return false;
  if (!node_check_keys(demand, demand_keys, error) ||
      !read_levels(demand, "turn", -360, 360, PLANNER_MAX_LEVELS, &def->turns, error) ||
      !read_levels(demand, "speed", -10, 10, PLANNER_MAX_LEVELS, &def->speeds, error) ||
      !read_levels(map, "blends", 0.02, 2, PLANNER_MAX_BLENDS, &def->blends, error) || !read_direct(def, map, error))
    return false;
  const Node *moves = node_find(map, "moves");
  if (!moves)
    return node_error(map, error, "'moves' is missing here");
  return moves_read(&def->moves, moves, &limits, skeleton, find, context, error);
}

PlannerDef *planner_def_read(FileSet *files, const char *name, const Skeleton *skeleton, MoveClipFinder *find,
                             void *context, Error *error) {
  const File *file = files_read(files, name, error);
  Document document;
  if (!file || !document_read(&document, name, file, error))
    return NULL;
  PlannerDef *def = calloc(1, sizeof *def);
  if (!def)
    error_set(error, "no memory for the planner %s", name);
  else if (!read_def(def, document.root, skeleton, find, context, error)) {
    planner_def_free(def);
    def = NULL;
  }
  document_free(&document);
  return def;
}

void planner_def_free(PlannerDef *def) {
  if (def)
    moves_free(&def->moves);
  free(def);
}
