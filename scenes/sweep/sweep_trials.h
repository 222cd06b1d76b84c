// Runs the trials of a study on rank 0, and some of them again with a trace.
#ifndef STAGGER_SCENES_SWEEP_SWEEP_TRIALS_H
#define STAGGER_SCENES_SWEEP_SWEEP_TRIALS_H

#include "scenes/sweep/ranks.h"
#include "scenes/sweep/sweep_folder.h"

typedef enum TrialsEnd { TRIALS_DONE, TRIALS_INTERRUPTED, TRIALS_FAILED } TrialsEnd;

// Complaints printed at the end: the first lines, and the total number.
enum { COMPLAINTS_SHOWN = 5 };

typedef struct Complaints {
  char lines[COMPLAINTS_SHOWN][512];
  long count;
} Complaints;

void sweep_complain(Complaints *complaints, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Data for the workers; their jobs are trial numbers, plus trial_count for a trial with its trace.
typedef struct TrialsContext {
  StudyDef *study;
  const struct SweepMethod *method;
  char folder[512];
} TrialsContext;

// The pool's work function, with a TrialsContext.
void trials_work(void *context, long job, char *text, size_t size);

typedef struct Trials {
  const TrialsContext *context;
  SweepFolder *folder;
  Ranks *ranks;
  bool quiet;
  Complaints complaints; // about traced trials whose row differs from the first
  long run, traced;      // numbers of trials run, and run again with a trace
  long without_trace;    // number of trials that died again when they were repeated, and have no trace
} Trials;

// Whether a status means that the trial failed, and whether the trial should be tried again.
bool trial_is_bad(const char *status);
bool trial_can_be_retried(const char *status);

// Runs these trials, which have no row yet, and appends their rows to the folder's table.
TrialsEnd trials_run(Trials *trials, long *list, long count, Error *error);

// Repeats the kept trials of a complete, sorted table with their traces, unless these exist. Trials that die or give
// another row leave partial traces, see sweep_folder_remove_parts.
TrialsEnd trials_trace(Trials *trials, const Table *table, Error *error);

#endif
