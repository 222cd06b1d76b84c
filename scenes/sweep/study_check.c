// Checks before a study is run that its scene accepts the values of its axes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/sweep/study_internal.h"

enum { MOST_CHECKED = 100 }; // largest number of values of an axis that are tried

bool study_blames(const char *assignment, const Error *cause) {
  char start[STUDY_OVERRIDE_SIZE + 16];
  int length = snprintf(start, sizeof start, "--set %s: ", assignment);
  return (size_t)length < sizeof start && strncmp(cause->text, start, (size_t)length) == 0;
}

bool study_assignment_error(const Node *node, const char *assignment, const Error *cause, Error *error) {
  const char *text = cause->text + (study_blames(assignment, cause) ? strlen("--set : ") + strlen(assignment) : 0);
  return node_error(node, error, "%s: %s", assignment, text);
}

// The values of an axis that are tried: all if there are few, otherwise the first and the last. Returns their number.
static int tried_values(const StudyAxis *axis, char values[MOST_CHECKED][PARAM_TEXT_SIZE]) {
  const StudyRandom *random = &axis->random;
  bool all = axis->count <= MOST_CHECKED;
  int count = all ? axis->count : 2;
  for (int i = 0; i < count; i++)
    snprintf(values[i], PARAM_TEXT_SIZE, "%s", axis->values[all || i == 0 ? i : axis->count - 1]);
  double drawn[] = {random->distribution == STUDY_NORMAL ? random->mean : NAN, random->low, random->high};
  for (int i = 0; i < 3 && axis->count == 0; i++)
    if (isfinite(drawn[i]))
      table_number_text(drawn[i], values[count++]);
  return count;
}

// The place in the file of the tried value `index` of `count`.
static const Node *value_node(const Node *axis, int index, int count) {
  const Node *list = axis->kind == NODE_LIST ? axis : node_find(axis, "values"), *random = node_find(axis, "random");
  if (list)
    return node_at(list, index > 0 && index == count - 1 ? list->count - 1 : index);
  if (random)
    return random;
  if (node_find(axis, "low")) // of a searched parameter
    return node_find(axis, index == 0 ? "low" : "high");
  const Node *end = node_find(axis, index == 0 ? "from" : "to");
  return index == 0 || index == count - 1 ? end : axis;
}

typedef struct Check {
  const StudyDef *study;
  const Node *root; // of the study
  char assignments[STUDY_MAX_AXES][STUDY_OVERRIDE_SIZE];
} Check;

static const Node *axis_node(const Check *check, int axis) {
  const StudyAxis *wanted = &check->study->axes[axis];
  return node_find(wanted->searched ? node_path(check->root, "optimise.parameters") : node_find(check->root, "axes"),
                   wanted->key);
}

static void assign(Check *check, int axis, const char *value) {
  snprintf(check->assignments[axis], STUDY_OVERRIDE_SIZE, "%s=%s", check->study->axes[axis].key, value);
}

// Whether the scene can be read with `set` and the axes [first, first + count).
static bool can_be_read(const Check *check, int first, int count, Error *cause) {
  const char *overrides[STUDY_MAX_OVERRIDES];
  int n = 0;
  for (int i = 0; i < check->study->set_count; i++)
    overrides[n++] = check->study->sets[i];
  for (int i = first; i < first + count; i++)
    overrides[n++] = check->assignments[i];
  SceneDef *variant = scene_def_variant(check->study->scene, overrides, n, cause);
  scene_def_free(variant);
  return variant != NULL;
}

// The axis that causes an error when the scene cannot be read with all of them: the first that fails alone, or else the
// first that fails together with those before it.
static int find_culprit(const Check *check, Error *cause) {
  const int count = check->study->axis_count;
  for (int i = 0; i < count; i++) {
    *cause = (Error){0};
    if (!can_be_read(check, i, 1, cause))
      return i;
  }
  int i = 0;
  while (i < count - 1 && can_be_read(check, 0, i + 1, cause))
    i++;
  if (i == count - 1)
    can_be_read(check, 0, count, cause);
  return i;
}

// Tries all values of an axis except the first, while the others have their first value.
static bool check_axis(Check *check, int axis, Error *error) {
  char values[MOST_CHECKED][PARAM_TEXT_SIZE];
  int count = tried_values(&check->study->axes[axis], values);
  bool good = true;
  for (int i = 1; i < count && good; i++) {
    Error cause = {0};
    assign(check, axis, values[i]);
    good = can_be_read(check, 0, check->study->axis_count, &cause);
    if (!good)
      study_assignment_error(value_node(axis_node(check, axis), i, count), check->assignments[axis], &cause, error);
  }
  assign(check, axis, values[0]);
  return good;
}

static bool check_axes(Check *check, Error *error) {
  const int count = check->study->axis_count;
  for (int i = 0; i < count; i++) {
    char values[MOST_CHECKED][PARAM_TEXT_SIZE];
    tried_values(&check->study->axes[i], values);
    assign(check, i, values[0]);
  }
  Error cause = {0};
  if (!can_be_read(check, 0, count, &cause)) {
    int i = find_culprit(check, &cause);
    return study_assignment_error(value_node(axis_node(check, i), 0, 2), check->assignments[i], &cause, error);
  }
  for (int i = 0; i < count; i++)
    if (!check_axis(check, i, error))
      return false;
  return true;
}

bool study_axes_check(const StudyDef *study, const Node *root, Error *error) {
  if (study->axis_count == 0)
    return true;
  Check check = {.study = study, .root = root};
  return check_axes(&check, error);
}
