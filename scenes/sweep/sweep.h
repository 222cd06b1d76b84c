// Runs the trials of a study: on this machine with a pool of processes, under mpirun or srun with those of all ranks.
//
// The study's folder: study.yaml and scene.yaml (what was run), trials.csv (rows as they come; at the end in order),
// trials.h5 (the same, at the end), summary.csv (see summary.h), sweep.json (how it was run: version, command, workers,
// wall time; the only file that hangs on them), traces/ (of the trials that keep one). A folder is new or empty, or has
// the same study and is gone on with; nothing else is touched.
//
// First all trials without a row are run. When the table is complete, the trials that keep a trace (study_kept) are run
// once more with it, and must come to the same row. Then the files of the end are written.
//
// A kill loses the trials under way, nothing else: rows are whole lines, appended and flushed to the disk at least once
// a second; traces get their names when they are whole.
#ifndef STAGGER_SCENES_SWEEP_SWEEP_H
#define STAGGER_SCENES_SWEEP_SWEEP_H

#include "scenes/sweep/study.h"

typedef struct SweepOptions {
  const char *study;
  const char *out; // the study's folder; NULL: the study's name in the working folder
  int jobs;        // workers of each rank; 0: as many as usable processors, under MPI SLURM_CPUS_PER_TASK or one
  long limit;      // trials to run this time, 0: all
  bool resume;     // go on with what the folder has, if it has anything
  bool retry;      // and run again what crashed, failed or was given up
  bool quiet;
  const char *command; // as it was typed, for provenance
} SweepOptions;

// As the command line's exit codes. Expectations of the scenes do not count: whether they held is a column (`ok`).
typedef enum SweepResult {
  SWEEP_DONE = 0,
  SWEEP_BAD_INPUT = 2,
  SWEEP_FAILED = 3, // trials crashed, failed, were stopped or given up, or results could not be written
  SWEEP_INTERRUPTED = 130
} SweepResult;

// Errors and the summary are printed here, under MPI by rank 0; the other ranks return SWEEP_DONE.
SweepResult sweep_run(const SweepOptions *options);

#endif
