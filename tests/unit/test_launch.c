// What processes know of their launchers: number of tasks, their own number and workers, by what Open MPI, MPICH and
// Slurm put into the environment; and which launches are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/sweep/launch.h"
#include "scenes/sweep/mpi_link.h"

static const char *const NAMES[] = {
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",           "PMI_RANK", "PMIX_RANK",
    "SLURM_STEP_NUM_TASKS", "SLURM_PROCID",         "SLURM_CPUS_PER_TASK"};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES };

static void launches_are_understood(void **state) {
  (void)state;
  static const struct {
    const char *environment[NAME_COUNT]; // in the order of the names
    bool mpi;
    int tasks, task, workers; // workers 0: as many as there are processors
  } cases[] = {
      {{NULL}, false, 1, 0, 0},
      {{"4", "2"}, true, 4, 2, 1},
      {{"4", "2", NULL, NULL, NULL, NULL, NULL, "3"}, true, 4, 2, 3},
      {{NULL, NULL, "8", "7"}, true, 8, 7, 1},
      {{NULL, NULL, NULL, NULL, "5", "6", "1", "2"}, true, 6, 5, 2},
      {{NULL, NULL, NULL, NULL, NULL, "1", "0", "16"}, false, 1, 0, 0},
      {{"2", "1", "9", "8", "7", "6", "5"}, true, 2, 1, 1}, // the first that there is
      {{"", "x", "3", "1"}, true, 3, 1, 1},                 // what is no number does not count
      {{"4", "-1", NULL, "2"}, true, 4, 2, 1},
      {{"4x", "3", "5", NULL}, true, 5, 3, 1},
      {{"4", "0", NULL, NULL, NULL, NULL, NULL, "0"}, true, 4, 0, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int k = 0; k < NAME_COUNT; k++) {
      unsetenv(NAMES[k]);
      if (cases[i].environment[k])
        setenv(NAMES[k], cases[i].environment[k], 1);
    }
    Launch launch;
    Error error = {0};
    const bool good = launch_read(&launch, &error), built = link_is_built();
    if (good != (built || cases[i].tasks == 1) || launch.mpi != (cases[i].mpi && built) ||
        launch.tasks != cases[i].tasks || launch.task != cases[i].task ||
        (cases[i].workers > 0 ? launch.workers != cases[i].workers : launch.workers < 1))
      fail_msg("case %d: %d tasks, number %d, %d workers: %s", (int)i, launch.tasks, launch.task, launch.workers,
               error.text);
    if (!good)
      assert_non_null(strstr(error.text, "tasks were started, but this stagger is built without MPI"));
  }
}

// Tasks of srun that do not know of each other would all do the same.
static void tasks_without_mpi_are_refused(void **state) {
  (void)state;
  Launch launch;
  Error error = {0};
  for (int k = 0; k < NAME_COUNT; k++)
    unsetenv(NAMES[k]);
  setenv("SLURM_STEP_NUM_TASKS", "3", 1);
  setenv("SLURM_PROCID", "2", 1);
  assert_false(launch_read(&launch, &error));
  assert_true(launch.tasks == 3 && launch.task == 2 && !launch.mpi);
  assert_non_null(
      strstr(error.text, link_is_built() ? "srun has started 3 tasks without MPI" : "3 tasks were started"));
  const Launch alone = {.tasks = 1}, two = {.tasks = 2};
  error = (Error){0};
  assert_true(launch_is_complete(&alone, &error));
  assert_false(launch_is_complete(&two, &error));
  assert_non_null(strstr(error.text, "2 tasks were started, but MPI knows of one"));
  unsetenv("SLURM_STEP_NUM_TASKS");
  unsetenv("SLURM_PROCID");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_are_understood),
      cmocka_unit_test(tasks_without_mpi_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
