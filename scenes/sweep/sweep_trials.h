// Running the trials of a study, and running some again with a trace. Rank 0.
#ifndef STAGGER_SCENES_SWEEP_SWEEP_TRIALS_H
#define STAGGER_SCENES_SWEEP_SWEEP_TRIALS_H

#include "scenes/sweep/ranks.h"
#include "scenes/sweep/sweep_folder.h"

typedef enum TrialsEnd { TRIALS_DONE, TRIALS_INTERRUPTED, TRIALS_FAILED } TrialsEnd;

// What people are told at the end: the first lines, and of how many.
enum { COMPLAINTS_SHOWN = 5 };

typedef struct Complaints {
  char lines[COMPLAINTS_SHOWN][512];
  long count;
} Complaints;

void sweep_complain(Complaints *complaints, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What workers need; their jobs are trials, and trials + trial_count to run a trial with its trace.
typedef struct TrialsContext {
  const StudyDef *study;
  char folder[512];
} TrialsContext;

// Of a pool, with a TrialsContext.
void trials_work(void *context, long job, char *text, size_t size);

typedef struct Trials {
  SweepFolder *folder;
  Ranks *ranks;
  bool quiet;
  Complaints complaints; // of traces whose trial did not come to the same row
  long run, traced;      // how many were
  long without_trace;    // that died when they were run again, as before, and left none
} Trials;

// Whether a trial of that status went wrong, and whether it is worth another try.
bool trial_is_bad(const char *status);
bool trial_can_be_retried(const char *status);

// Runs up to `limit` (0: all) trials that have no row in the table and appends their rows to the folder's.
TrialsEnd trials_run(Trials *trials, const Table *table, long limit, Error *error);

// Runs the kept trials of a complete, sorted table again with their traces, unless these are there. Trials that die or
// come to another row leave parts of traces, see sweep_folder_remove_parts.
TrialsEnd trials_trace(Trials *trials, const Table *table, Error *error);

#endif
