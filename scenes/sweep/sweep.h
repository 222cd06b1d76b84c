// Runs the trials of a study: on this machine with a pool of processes, under mpirun or srun with those of all ranks.
//
// The study's folder: study.yaml and scene.yaml (what was run), trials.csv (rows as they come; at the end in order),
// trials.h5 (the same, at the end), summary.csv (see summary.h), sweep.json (how it was run: version, command, workers,
// wall time; the only file that hangs on them), traces/ (of the trials that keep one).
//
// A kill loses the trials under way, nothing else: rows are whole lines, appended and flushed to the disk at least once
// a second.
#ifndef STAGGER_SCENES_SWEEP_SWEEP_H
#define STAGGER_SCENES_SWEEP_SWEEP_H

#include "scenes/sweep/study.h"

typedef struct SweepOptions {
  const char *study;
  const char *out; // the study's folder; NULL: the study's name in the working folder
  int jobs;        // workers of each rank; 0: as many as processors, under MPI one
  long limit;      // trials to run this time, 0: all
  bool resume;     // go on with what the folder has
  bool quiet;
  const char *command; // as it was typed, for provenance
} SweepOptions;

// Returns an exit code of the command line (scenes/cli/cli.h): 0 done, 1 an expectation of a trial did not hold, 2 bad
// input, 3 trials crashed, failed or were stopped, or results could not be written, 130 interrupted. Errors and the
// summary are printed here.
int sweep_run(const SweepOptions *options);

#endif
