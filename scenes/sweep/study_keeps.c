// Decides which trials of a study keep their trace.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/sweep/study_internal.h"

static const char *const kinds[] = {"repeats", "trials", "where", "highest", "lowest"}; // as in StudyKeepKind
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0], MOST_DEFAULT = 1000 };

static const char FORMS[] = "expected one of {repeats: 1}, {trials: [0, 17]}, {where: column op value, most: 10}, "
                            "{highest: column, most: 3}, {lowest: column, most: 3}";

// ---- Reading ----

static bool read_trials(StudyKeep *keep, long trial_count, const Node *list, Error *error) {
  if (list->kind != NODE_LIST)
    return node_error(list, error, "'trials' must be a list of trials, e.g. [0, 17]");
  keep->trials = calloc((size_t)list->count + 1, sizeof *keep->trials);
  if (!keep->trials)
    return node_error(list, error, "out of memory");
  for (const Node *item = list->first; item; item = item->next) {
    int trial;
    if (!node_int(item, &trial, error))
      return false;
    if (trial < 0 || trial >= trial_count)
      return node_error(item, error, "there is no trial %d, allowed are 0 to %ld", trial, trial_count - 1);
    keep->trials[keep->trial_count++] = trial;
  }
  return true;
}

static bool read_ranked(StudyKeep *keep, const StudyDef *study, const Node *node, Error *error) {
  char name[PARAM_TEXT_SIZE];
  if (!node_text(node, name, sizeof name, error))
    return false;
  keep->where.column = study_column_find(study, name, node, error);
  return keep->where.column >= 0 && (study->columns[keep->where.column].kind == TABLE_NUMBER ||
                                     node_error(node, error, "'%s' is a column of texts, which have no order", name));
}

static bool read_most(StudyKeep *keep, const Node *map, Error *error) {
  keep->most = keep->kind == KEEP_WHERE ? MOST_DEFAULT : 1;
  const Node *node = node_find(map, "most");
  if (!node)
    return true;
  if (keep->kind == KEEP_REPEATS || keep->kind == KEEP_TRIALS)
    return node_key_error(node, error, "'most' belongs to 'where', 'highest' and 'lowest'");
  int most;
  if (!node_int(node, &most, error))
    return false;
  keep->most = most;
  return most >= 1 || node_error(node, error, "'most' is %d, allowed are whole numbers from 1", most);
}

static bool read_keep(StudyKeep *keep, const StudyDef *study, const Node *map, Error *error) {
  static const char *const keys[] = {"repeats", "trials", "where", "highest", "lowest", "most", NULL};
  if (map->kind != NODE_MAP)
    return node_error(map, error, "%s", FORMS);
  if (!node_check_keys(map, keys, error))
    return false;
  const Node *node = NULL;
  int given = 0;
  for (int i = 0; i < KIND_COUNT; i++)
    if (node_find(map, kinds[i])) {
      node = node_find(map, kinds[i]);
      keep->kind = (StudyKeepKind)i;
      given++;
    }
  if (given != 1)
    return node_error(map, error, "%s", FORMS);
  if (!read_most(keep, map, error))
    return false;
  switch (keep->kind) {
  case KEEP_REPEATS:
    return node_int(node, &keep->repeats, error) &&
           (keep->repeats >= 1 ||
            node_error(node, error, "'repeats' is %d, allowed are whole numbers from 1", keep->repeats));
  case KEEP_TRIALS:
    return read_trials(keep, study->trial_count, node, error);
  case KEEP_WHERE:
    return study_where_read(study, node, &keep->where, error);
  case KEEP_HIGHEST:
  case KEEP_LOWEST:
    return read_ranked(keep, study, node, error);
  }
  return false;
}

bool study_keeps_read(StudyDef *study, const Node *list, Error *error) {
  if (!list)
    return true;
  if (list->kind != NODE_LIST)
    return node_error(list, error, "'traces' must be a list; each item says which trials keep their trace");
  if (list->count > STUDY_MAX_KEEPS)
    return node_error(list, error, "%d items, allowed are up to %d", list->count, STUDY_MAX_KEEPS);
  for (const Node *item = list->first; item; item = item->next)
    if (!read_keep(&study->keeps[study->keep_count++], study, item, error))
      return false;
  return true;
}

// ---- Choosing ----

typedef struct Candidate {
  double value; // smaller values are preferred
  long trial;
} Candidate;

static int compare_candidates(const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  if (x->value < y->value || x->value > y->value)
    return x->value < y->value ? -1 : 1;
  return (x->trial > y->trial) - (x->trial < y->trial);
}

// Whether a rule applies to a row, and the value for its order.
static bool is_candidate(const StudyDef *study, const StudyKeep *keep, const Table *table, long row, double *value) {
  long trial = (long)table_number(table, row, 0);
  *value = 0;
  switch (keep->kind) {
  case KEEP_REPEATS:
    return trial % study->run.repeats < keep->repeats;
  case KEEP_TRIALS:
    for (int i = 0; i < keep->trial_count; i++)
      if (keep->trials[i] == trial)
        return true;
    return false;
  case KEEP_WHERE:
    return study_where_holds(&keep->where, table, row);
  case KEEP_HIGHEST:
  case KEEP_LOWEST:
    *value = table_number(table, row, keep->where.column);
    *value = keep->kind == KEEP_HIGHEST ? -*value : *value;
    return !isnan(*value);
  }
  return false;
}

// Marks the trials that one rule keeps.
static void mark(const StudyDef *study, const StudyKeep *keep, const Table *table, Candidate *candidates, bool *kept) {
  long count = 0;
  for (long row = 0; row < table->row_count; row++) {
    double trial = table_number(table, row, 0), value;
    if (trial >= 0 && trial < (double)study->trial_count && is_candidate(study, keep, table, row, &value))
      candidates[count++] = (Candidate){value, (long)trial};
  }
  qsort(candidates, (size_t)count, sizeof *candidates, compare_candidates);
  bool limited = keep->kind != KEEP_REPEATS && keep->kind != KEEP_TRIALS;
  for (long i = 0; i < count && (!limited || i < keep->most); i++)
    kept[candidates[i].trial] = true;
}

long *study_kept(const StudyDef *study, const Table *table, int *count, Error *error) {
  *count = 0;
  if (study->keep_count == 0)
    return NULL;
  bool *kept = calloc((size_t)study->trial_count, sizeof *kept);
  Candidate *candidates = calloc((size_t)table->row_count + 1, sizeof *candidates);
  long *trials = NULL;
  if (kept && candidates) {
    for (int i = 0; i < study->keep_count; i++)
      mark(study, &study->keeps[i], table, candidates, kept);
    for (long i = 0; i < study->trial_count; i++)
      *count += kept[i];
    trials = calloc((size_t)*count + 1, sizeof *trials);
  }
  if (!trials)
    error_set(error, "%s: no memory to choose among %ld trials", study->path, study->trial_count);
  int next = 0;
  for (long i = 0; i < study->trial_count && trials; i++)
    if (kept[i])
      trials[next++] = i;
  free(kept);
  free(candidates);
  if (*count > 0 && trials)
    return trials;
  free(trials);
  *count = 0;
  return NULL;
}
