// Reads the table `optimise` of a study.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/sweep/study_internal.h"

PARAM_TABLE(study_optimise_params, StudyOptimise, STUDY_OPTIMISE_PARAMS, "optimise",
            "The search for values of parameters with a small cost, by stagger optimise.")
PARAM_TABLE(study_parameter_params, StudyParameter, STUDY_PARAMETER_PARAMS, "", "A parameter that is varied.")
PARAM_TABLE(study_cost_params, StudyCost, STUDY_COST_PARAMS, "", "A term of the cost.")

enum { LEAST_POPULATION = 4 };

// ---- Parameters ----

static bool check_parameter(StudyParameter *parameter, const Node *map, Error *error) {
  const Node *low = node_find(map, "low"), *high = node_find(map, "high"), *start = node_find(map, "start");
  if (!low || !high)
    return node_error(map, error, "'%s' is missing: a parameter has the range from 'low' to 'high'",
                      low ? "high" : "low");
  if (parameter->low >= parameter->high)
    return node_error(high, error, "'high' is %g, but it must be above 'low', %g", parameter->high, parameter->low);
  const bool is_log = parameter->scale != 0;
  if (is_log && parameter->low <= 0)
    return node_error(low, error, "with 'scale: log' both ends must be above 0");
  if (!start)
    parameter->start =
        is_log ? sqrt(parameter->low * parameter->high) : parameter->low + (parameter->high - parameter->low) / 2;
  return (parameter->start >= parameter->low && parameter->start <= parameter->high) ||
         node_error(start, error, "'start' is %g, allowed are %g to %g", parameter->start, parameter->low,
                    parameter->high);
}

static bool read_parameter(StudyDef *study, const Node *map, Error *error) {
  StudyParameter *parameter = &study->optimise.parameters[study->optimise.parameter_count++];
  if (!study_axis_begin(study, map, error))
    return false;
  if (map->kind != NODE_MAP)
    return node_error(map, error, "expected a range, e.g. {low: 0, high: 1, start: 0.5}");
  param_defaults(&study_parameter_params, parameter);
  if (!param_read(&study_parameter_params, parameter, map, NULL, error) || !check_parameter(parameter, map, error))
    return false;
  StudyAxis *axis = &study->axes[study->axis_count - 1];
  axis->searched = axis->is_number = true;
  param_defaults(&study_random_params, &axis->random);
  axis->random.low = parameter->low;
  axis->random.high = parameter->high;
  return study_axis_name(study, map, error);
}

static bool read_parameters(StudyDef *study, const Node *map, const Node *table, Error *error) {
  if (!map || map->kind != NODE_MAP || map->count == 0)
    return node_error(
        map ? map : table, error,
        "'parameters' must be a map of parameters and their ranges, e.g. {world.friction: {low: 0, high: 1}}");
  if (study->axis_count + map->count > STUDY_MAX_AXES)
    return node_error(map, error, "%d axes and parameters, allowed are up to %d", study->axis_count + map->count,
                      STUDY_MAX_AXES);
  for (const Node *node = map->first; node; node = node->next)
    if (!read_parameter(study, node, error))
      return false;
  return true;
}

bool study_optimise_read(StudyDef *study, const Node *map, Error *error) {
  static const char *const other_keys[] = {"parameters", "cost", NULL};
  StudyOptimise *optimise = &study->optimise;
  param_defaults(&study_optimise_params, optimise);
  optimise->candidates = 1;
  if (!map)
    return true;
  if (map->kind != NODE_MAP)
    return node_error(map, error, "'optimise' must be a map with 'parameters' and 'cost'");
  if (!param_read(&study_optimise_params, optimise, map, other_keys, error) ||
      !read_parameters(study, node_find(map, "parameters"), map, error))
    return false;
  if (optimise->population == 0)
    optimise->population = LEAST_POPULATION + (int)floor(3 * log(optimise->parameter_count));
  const long largest = (long)optimise->population << optimise->restarts;
  const Node *node = node_find(map, optimise->restarts > 0 ? "restarts" : "population");
  if (optimise->population < LEAST_POPULATION || largest > 4096)
    return node_error(node ? node : map, error, "%ld candidates of a generation, allowed are %d to 4096", largest,
                      LEAST_POPULATION);
  optimise->candidates = optimise->generations * largest;
  return true;
}

// ---- Costs ----

static bool read_cost(StudyDef *study, const Node *map, Error *error) {
  StudyCost *cost = &study->optimise.costs[study->optimise.cost_count++];
  if (map->kind != NODE_MAP)
    return node_error(map, error, "expected a term of the cost, e.g. {metric: man.fell, weight: 10}");
  param_defaults(&study_cost_params, cost);
  if (!param_read(&study_cost_params, cost, map, NULL, error))
    return false;
  const Node *metric = node_find(map, "metric"), *side = node_find(map, "side");
  if (!metric)
    return node_error(map, error, "'metric' is missing");
  cost->has_goal = node_find(map, "goal") != NULL;
  if (side && !cost->has_goal)
    return node_key_error(side, error, "'side' belongs to 'goal'");
  cost->column = study_column_find(study, cost->metric, metric, error);
  return cost->column >= 0 && (study->columns[cost->column].kind == TABLE_NUMBER ||
                               node_error(metric, error, "'%s' is a column of texts", cost->metric));
}

bool study_costs_read(StudyDef *study, const Node *map, Error *error) {
  const Node *list = node_find(map, "cost");
  if (!map)
    return true;
  if (!list || list->kind != NODE_LIST || list->count == 0 || list->count > STUDY_MAX_COSTS)
    return node_error(list ? list : map, error, "'cost' must be a list of 1 to %d terms, e.g. [{metric: man.fell}]",
                      STUDY_MAX_COSTS);
  for (const Node *node = list->first; node; node = node->next)
    if (!read_cost(study, node, error))
      return false;
  return true;
}
