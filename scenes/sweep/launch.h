// How this process was started: alone, or as one of several by mpirun or srun.
#ifndef STAGGER_SCENES_SWEEP_LAUNCH_H
#define STAGGER_SCENES_SWEEP_LAUNCH_H

#include "sim/base/error.h"

// What a launcher has told by the environment.
typedef struct Launch {
  bool mpi;    // this process is to be a rank
  int tasks;   // processes that were started; 1 without a launcher
  int task;    // which of them this one is
  int workers; // that it should have when nobody says how many
} Launch;

// Errors: several tasks without MPI, in which each would run the whole sweep.
bool launch_read(Launch *launch, Error *error);

#endif
