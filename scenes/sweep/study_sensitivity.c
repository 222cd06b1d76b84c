// Reads the table `sensitivity` of a study.
#include "scenes/sweep/study_internal.h"

PARAM_TABLE(study_sensitivity_params, StudySensitivity, STUDY_SENSITIVITY_PARAMS, "sensitivity",
            "What the axes of a study do to its metrics, by stagger sensitivity.")

bool study_sensitivity_read(StudyDef *study, const Node *map, Error *error) {
  StudySensitivity *sensitivity = &study->sensitivity;
  param_defaults(&study_sensitivity_params, sensitivity);
  sensitivity->is_given = map != NULL;
  if (!map)
    return true;
  if (map->kind != NODE_MAP)
    return node_error(map, error, "'sensitivity' must be a map, e.g. {trajectories: 10}");
  int crossed = 0;
  for (int i = 0; i < study->axis_count; i++) {
    crossed += study->axes[i].count > 0;
    if (study->axes[i].count == 1)
      return node_error(map, error, "the axis '%s' has one value, effects need two or more", study->axes[i].name);
  }
  if (crossed == 0)
    return node_error(map, error, "the study has no axis whose effects could be seen");
  return param_read(&study_sensitivity_params, sensitivity, map, NULL, error);
}
