// How this process was started: alone, or as one of several by mpirun or srun.
#ifndef STAGGER_SCENES_SWEEP_LAUNCH_H
#define STAGGER_SCENES_SWEEP_LAUNCH_H

#include "sim/base/error.h"

// What the environment says about the launch.
typedef struct Launch {
  bool mpi;    // this process should be an MPI rank
  int tasks;   // number of processes started; 1 without a launcher
  int task;    // number of this one
  int workers; // default number of its workers
} Launch;

// Error: several tasks without MPI, each of which would do all of the work.
bool launch_read(Launch *launch, Error *error);

// After MPI has been started: whether it knows of all tasks. Otherwise there is an error.
bool launch_is_complete(const Launch *launch, Error *error);

#endif
