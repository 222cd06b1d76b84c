// Looks for settings that are allowed in a study but probably not intended: equal values, axes without effect.
#include "scenes/sweep/study_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "scenes/output/explanations.h"

// Whether two texts, each "KEY" or "KEY=VALUE", have the same key.
static bool same_key(const char *a, const char *b) {
  size_t length = strcspn(a, "=");
  return strcspn(b, "=") == length && strncmp(a, b, length) == 0;
}

static void warn_of_sets(const StudyDef *study, FILE *out) {
  for (int i = 0; i < study->set_count; i++) {
    const char *set = study->sets[i];
    for (int k = 0; k < study->axis_count; k++)
      if (same_key(set, study->axes[k].key))
        explained_printf(out, "%s: warning: set %s does nothing: the axis %s sets it in every trial", study->path, set,
                         study->axes[k].key);
    for (int k = i + 1; k < study->set_count; k++)
      if (same_key(set, study->sets[k]))
        explained_printf(out, "%s: warning: set %s does nothing: %s comes after it", study->path, set, study->sets[k]);
  }
}

static int compare_values(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool warn_of_values(const StudyDef *study, const StudyAxis *axis, FILE *out) {
  char **sorted = malloc((size_t)(axis->count + 1) * sizeof *sorted);
  if (!sorted)
    return false;
  memcpy(sorted, axis->values, (size_t)axis->count * sizeof *sorted);
  qsort(sorted, (size_t)axis->count, sizeof *sorted, compare_values);
  for (int first = 0, next; first < axis->count; first = next) {
    for (next = first + 1; next < axis->count && strcmp(sorted[next], sorted[first]) == 0;)
      next++;
    if (next - first > 1)
      explained_printf(out, "%s: warning: the axis %s has the value %s %d times: so many cells are the same trials",
                       study->path, axis->key, sorted[first], next - first);
  }
  free(sorted);
  return true;
}

// Whether a metric is one of the response to a hit.
static bool is_of_response(const char *column) {
  const char *dot = strrchr(column, '.');
  for (int i = 0; dot && i < metric_row_count; i++)
    if (strcmp(dot + 1, metric_rows[i].name) == 0)
      return strcmp(metric_rows[i].group, "Hit response") == 0;
  return false;
}

static void warn_of_responses(const StudyDef *study, FILE *out) {
  bool strikes = study->scene->event_count > 0 || study->scene->prop_count > 0;
  for (int i = 0; i < study->axis_count; i++)
    strikes = strikes || strncmp(study->axes[i].key, "events", 6) == 0 || strncmp(study->axes[i].key, "props", 5) == 0;
  if (study->run.responses && !strikes)
    explained_printf(out, "%s: warning: responses does nothing: the scene has no events, so nobody is hit",
                     study->path);
  for (int i = 0; i < study->column_count && !study->run.responses && study->names_metrics; i++)
    if (is_of_response(study->columns[i].name))
      explained_printf(out, "%s: warning: %s will be empty: it needs 'responses: true'", study->path,
                       study->columns[i].name);
}

bool study_warnings(const StudyDef *study, FILE *out) {
  bool good = true;
  warn_of_sets(study, out);
  warn_of_responses(study, out);
  for (int i = 0; i < study->axis_count && good; i++)
    good = study->axes[i].count == 0 || warn_of_values(study, &study->axes[i], out);
  return good;
}
