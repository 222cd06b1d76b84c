// What a command makes of a study's plan: which of its trials are run, and what is written of their results. `stagger
// sweep` runs all of them; the commands of scenes/search run batches, each chosen by the results of those before. What
// they have in common (processes, folder, table, traces, --resume) is in sweep.c.
#ifndef STAGGER_SCENES_SWEEP_METHOD_H
#define STAGGER_SCENES_SWEEP_METHOD_H

#include "scenes/sweep/sweep_folder.h"

typedef struct SweepMethod {
  const char *name; // of the command, and in sweep.json

  // Whether the study has what the command needs.
  bool (*accepts)(const StudyDef *study, Error *error);

  // The trials to run next, from the sorted table of all rows so far; none of them has a row. It depends on study and
  // table alone, so that a search that is continued, or made again, runs the same trials. The caller frees the list.
  // *count 0: no more are needed. NULL: no memory, with an error.
  long *(*next)(const StudyDef *study, const Table *table, long *count, Error *error);

  // Sets the study's searched parameters to their values in a trial, from the rows in the folder that they depend on,
  // which are there before the trial is run. Called by workers. NULL: nothing is searched.
  bool (*place)(StudyDef *study, const char *folder, long trial, Error *error);

  // Writes the results of the complete table into the folder; prints them unless quiet.
  bool (*finish)(const SweepFolder *folder, const Table *table, bool quiet, Error *error);
} SweepMethod;

extern const SweepMethod sweep_method; // all trials, and a summary

// A list of trials that have no row yet, for `next`. Zero-initialise.
typedef struct TrialList {
  long *trials;
  long count, capacity;
  bool failed; // no memory
} TrialList;

void trial_list_add(TrialList *list, long trial);

// Adds the trials of a cell that have no row in the sorted table. Returns how many rows it has.
int trial_list_cell(TrialList *list, const StudyDef *study, const Table *table, long cell);

// The list for `next`; frees it and sets an error if there was no memory.
long *trial_list_take(TrialList *list, long *count, Error *error);

#endif
