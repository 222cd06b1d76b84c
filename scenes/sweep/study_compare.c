// Reads the table `compare` of a study.
#include "scenes/sweep/bootstrap.h"
#include "scenes/sweep/study_internal.h"

PARAM_TABLE(study_compare_params, StudyCompare, STUDY_COMPARE_PARAMS, "compare",
            "The comparison of two values of an axis, by stagger compare STUDY.")

bool study_compare_read(StudyDef *study, const Node *map, Error *error) {
  StudyCompare *compare = &study->compare;
  param_defaults(&study_compare_params, compare);
  compare->axis_index = -1;
  if (!map)
    return true;
  if (map->kind != NODE_MAP)
    return node_error(map, error, "'compare' must be a map, e.g. {axis: controller, metric: man.fell}");
  if (!param_read(&study_compare_params, compare, map, NULL, error))
    return false;
  const Node *axis = node_find(map, "axis"), *metric = node_find(map, "metric");
  if (!axis || !metric)
    return node_error(map, error, "'%s' is missing: 'axis' and 'metric' belong together", axis ? "metric" : "axis");
  const int repeats = study->run.repeats;
  if (repeats < BOOTSTRAP_LEAST_CLUSTERS || repeats > BOOTSTRAP_MOST_CLUSTERS)
    return node_error(map, error, "%d 'repeats' of the study, allowed for a comparison are %d to %d", repeats,
                      BOOTSTRAP_LEAST_CLUSTERS, BOOTSTRAP_MOST_CLUSTERS);
  const int index = study_axis_find(study, compare->axis, axis, error);
  if (index < 0)
    return false;
  if (study->axes[index].count != 2)
    return node_error(axis, error, "'%s' has %d values, a comparison is of two", compare->axis,
                      study->axes[index].count);
  compare->column = study_column_find(study, compare->metric, metric, error);
  if (compare->column < 0)
    return false;
  if (study->columns[compare->column].kind != TABLE_NUMBER)
    return node_error(metric, error, "'%s' is a column of texts", compare->metric);
  compare->axis_index = index;
  return true;
}
