// Lists of trials to run next.
#include "scenes/sweep/method.h"

#include <stdlib.h>

void trial_list_add(TrialList *list, long trial) {
  if (list->count == list->capacity) {
    const long capacity = 2 * list->capacity + 64;
    long *grown = realloc(list->trials, (size_t)capacity * sizeof *grown);
    list->failed = list->failed || !grown;
    if (!grown)
      return;
    list->trials = grown;
    list->capacity = capacity;
  }
  list->trials[list->count++] = trial;
}

int trial_list_cell(TrialList *list, const StudyDef *study, const Table *table, long cell) {
  const long first = cell * study->run.repeats;
  long row = table_row_from(table, (double)first);
  int rows = 0;
  for (long trial = first; trial < first + study->run.repeats; trial++) {
    const bool has_row = row < table->row_count && table_number(table, row, 0) == (double)trial;
    if (!has_row)
      trial_list_add(list, trial);
    row += has_row;
    rows += has_row;
  }
  return rows;
}

long *trial_list_take(TrialList *list, long *count, Error *error) {
  long *trials = list->trials ? list->trials : calloc(1, sizeof *trials);
  *count = list->count;
  if (trials && !list->failed)
    return trials;
  error_set(error, "out of memory for %ld trials", list->count);
  free(trials);
  return NULL;
}
