// Reads the table `threshold` of a study.
#include <stdlib.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "scenes/sweep/bootstrap.h"
#include "scenes/sweep/study_internal.h"

PARAM_TABLE(study_threshold_params, StudyThreshold, STUDY_THRESHOLD_PARAMS, "threshold",
            "The search for the largest value of an axis that is withstood, by stagger threshold.")

int study_axis_find(const StudyDef *study, const char *name, const Node *node, Error *error) {
  const char *names[STUDY_MAX_AXES];
  for (int i = 0; i < study->axis_count; i++)
    names[i] = study->axes[i].name;
  Error cause = {0};
  int axis = lookup_name("axis", name, " in this study", names, study->axis_count, &cause);
  if (axis < 0)
    node_error(node, error, "%s", cause.text);
  return axis;
}

// Checks that the values of an axis are numbers that grow.
static bool check_growing(const StudyAxis *axis, const Node *node, Error *error) {
  bool growing = axis->count >= 2 && axis->is_number;
  for (int i = 1; i < axis->count && growing; i++)
    growing = strtod(axis->values[i], NULL) > strtod(axis->values[i - 1], NULL);
  return growing || node_error(node, error, "the values of '%s' must be two or more numbers, each above the one before",
                               axis->name);
}

// One condition, or a list of them.
static bool read_conditions(const StudyDef *study, StudyThreshold *threshold, const Node *node, Error *error) {
  const bool is_list = node->kind == NODE_LIST;
  if (is_list && (node->count == 0 || node->count > STUDY_MAX_CONDITIONS))
    return node_error(node, error, "%d conditions, allowed are 1 to %d", node->count, STUDY_MAX_CONDITIONS);
  for (const Node *item = is_list ? node->first : node; item; item = is_list ? item->next : NULL)
    if (!study_where_read(study, item, &threshold->withstood[threshold->withstood_count++], error))
      return false;
  return true;
}

bool study_threshold_read(StudyDef *study, const Node *map, Error *error) {
  static const char *const other_keys[] = {"withstood", NULL};
  StudyThreshold *threshold = &study->threshold;
  param_defaults(&study_threshold_params, threshold);
  threshold->axis_index = -1;
  if (!map)
    return true;
  if (map->kind != NODE_MAP)
    return node_error(map, error, "'threshold' must be a map, e.g. {axis: impulse, withstood: man.fell == 0}");
  if (!param_read(&study_threshold_params, threshold, map, other_keys, error))
    return false;
  const Node *axis = node_find(map, "axis"), *withstood = node_find(map, "withstood");
  if (!axis || !withstood)
    return node_error(map, error, "'%s' is missing: 'axis' and 'withstood' belong together",
                      axis ? "withstood" : "axis");
  threshold->axis_index = study_axis_find(study, threshold->axis, axis, error);
  if (threshold->axis_index < 0 || !check_growing(&study->axes[threshold->axis_index], axis, error))
    return false;
  if (study->run.repeats > BOOTSTRAP_MOST_CLUSTERS)
    return node_error(map, error, "%d 'repeats' of the study, allowed for a threshold are 1 to %d", study->run.repeats,
                      BOOTSTRAP_MOST_CLUSTERS);
  return read_conditions(study, threshold, withstood, error);
}
