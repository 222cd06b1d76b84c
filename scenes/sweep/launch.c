// Determines from the environment whether mpirun or srun has started this process, with which number, and how many
// there are.
#define _GNU_SOURCE // sched_getaffinity

#include "scenes/sweep/launch.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "scenes/sweep/mpi_link.h"
#include "scenes/sweep/pool.h"

// An integer in the environment; -1: there is none.
static int environment_number(const char *name) {
  const char *text = getenv(name);
  char *end;
  long number = text ? strtol(text, &end, 10) : -1;
  return text && end != text && *end == '\0' && number >= 0 && number <= INT_MAX ? (int)number : -1;
}

// The value of the first of these names that the environment has.
static int first_number(const char *const *names, int count, int otherwise) {
  for (int i = 0; i < count; i++) {
    int number = environment_number(names[i]);
    if (number >= 0)
      return number;
  }
  return otherwise;
}

// Number of processors available to this process: batch systems and containers may restrict them.
static int usable_processors(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > POOL_MAX_WORKERS ? POOL_MAX_WORKERS : count;
}

bool launch_read(Launch *launch, Error *error) {
  // Set by Open MPI's mpirun, by the PMI of MPICH and of Slurm, and by srun for any of them.
  static const char *const tasks[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
  static const char *const task[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  *launch = (Launch){
      .mpi = getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK"),
      .tasks = first_number(tasks, 3, 1),
  };
  launch->task = launch->mpi || launch->tasks > 1 ? first_number(task, 4, 0) : 0;
  launch->workers = launch->mpi ? environment_number("SLURM_CPUS_PER_TASK") : usable_processors();
  if (launch->workers < 1)
    launch->workers = 1; // mpirun starts a rank for each processor
  if (!link_is_built()) {
    launch->mpi = false;
    return launch->tasks == 1 ||
           error_set(error,
                     "%d tasks were started, but this stagger is built without MPI: start one, with --jobs, or build "
                     "it where CMake finds MPI",
                     launch->tasks);
  }
  return launch->mpi || launch->tasks == 1 ||
         error_set(error,
                   "srun has started %d tasks without MPI, each of which would do all of the work: use srun "
                   "--mpi=pmix ('srun --mpi=list' tells what there is), mpirun, or one task",
                   launch->tasks);
}

bool launch_is_complete(const Launch *launch, Error *error) {
  return link_count() > 1 || launch->tasks == 1 ||
         error_set(error,
                   "%d tasks were started, but MPI knows of one: is mpirun that of the MPI that stagger is built with?",
                   launch->tasks);
}
