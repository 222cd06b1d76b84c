// Runs the trials of a study: on this machine with a pool of processes; under mpirun or srun with the pools of all
// ranks.
//
// The trials are chosen and their results written by a method, see method.h.
//
// The study's folder: study.yaml and scene.yaml (what was run), trials.csv (rows as they arrive; sorted at the end),
// trials.h5 (the same, at the end), summary.csv (see summary.h), sweep.json (how it was run: version, command, workers,
// wall time; the only file that depends on these), traces/ (of the trials that keep one). The folder must be new or
// empty, or have the same study, which is then continued; nothing else is overwritten.
//
// First the trials of the method that have no row are run. When it wants no more, the trials that keep a trace
// (study_kept) are run again with it, and must give the same row. Then the final files are written: trials.h5 and those
// of the method.
//
// If the process is killed, only trials in progress are lost: rows are whole lines, appended and flushed to the disk at
// least once a second; traces get their names when they are complete.
#ifndef STAGGER_SCENES_SWEEP_SWEEP_H
#define STAGGER_SCENES_SWEEP_SWEEP_H

#include "scenes/sweep/study.h"

typedef struct SweepOptions {
  const struct SweepMethod *method;
  const char *study;
  const char *out; // the study's folder; NULL: the study's name, in the working folder
  int jobs;        // workers of each rank; 0: the number of usable processors; under MPI SLURM_CPUS_PER_TASK or one
  long limit;      // number of trials to run now, 0: all
  bool resume;     // continue with the folder's rows, if it has any
  bool retry;      // also run trials again that crashed, failed or were given up
  bool quiet;
  const char *command; // command line, for provenance
} SweepOptions;

// Equal to the command line's exit codes. Expectations of the scenes do not matter here; whether they hold is a column
// (`ok`).
typedef enum SweepResult {
  SWEEP_DONE = 0,
  SWEEP_BAD_INPUT = 2,
  SWEEP_FAILED = 3, // trials crashed, failed, were stopped or given up, or results could not be written
  SWEEP_INTERRUPTED = 130
} SweepResult;

// Prints errors and the summary, under MPI on rank 0; the other ranks return SWEEP_DONE.
SweepResult sweep_run(const SweepOptions *options);

#endif
