// Writes what a search for good parameters has found.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/run/scene_save.h"
#include "scenes/search/optimise.h"
#include "scenes/search/results.h"
#include "scenes/sweep/statistics.h"

typedef struct Finish {
  const StudyDef *study;
  Optimisation state;
  Results generations;
  double first_cost; // of `start`
} Finish;

static const StudyAxis *parameter(const StudyDef *study, int index) {
  return &study->axes[study->axis_count - study->optimise.parameter_count + index];
}

static void begin_generations(Finish *finish) {
  static const char *const columns[] = {"generation", "restart", "candidates", "cost", "median_cost", "spread", "best"};
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    results_column(&finish->generations, columns[i], "", TABLE_NUMBER);
  for (int i = 0; i < finish->study->optimise.parameter_count; i++)
    results_column(&finish->generations, parameter(finish->study, i)->name, parameter(finish->study, i)->unit,
                   TABLE_NUMBER);
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// points, restart, spread: of the generation that the step has completed.
static void add_generation(Finish *finish, int points, int restart, double spread) {
  const Optimisation *state = &finish->state;
  double sorted[CMA_MOST_POINTS];
  memcpy(sorted, state->costs, (size_t)points * sizeof *sorted);
  qsort(sorted, (size_t)points, sizeof *sorted, compare_numbers);
  const double numbers[] = {
      state->generation - 1, restart, (double)state->first, sorted[0], statistics_quantile(sorted, points, 0.5), spread,
      state->best_cost};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    results_number(&finish->generations, numbers[i]);
  for (int i = 0; i < finish->study->optimise.parameter_count; i++)
    results_number(&finish->generations, state->best_values[i]);
}

static bool add_generations(Finish *finish, const Table *table, Error *error) {
  Optimisation *state = &finish->state;
  begin_generations(finish);
  for (optimise_begin(state, finish->study); !state->ended;) {
    const int points = state->cma.points, restart = state->restart;
    const double spread = cma_spread(&state->cma);
    if (!optimise_step(state, finish->study, table, error))
      return false;
    if (state->generation == 1)
      finish->first_cost = state->costs[0];
    add_generation(finish, points, restart, spread);
  }
  return true;
}

// The study's scene with `set` and the best values, as `stagger run` takes it.
static bool save_best(const Finish *finish, const SweepFolder *folder, Error *error) {
  const StudyDef *study = finish->study;
  static char texts[STUDY_MAX_AXES][STUDY_OVERRIDE_SIZE];
  const char *assignments[STUDY_MAX_SETS + STUDY_MAX_AXES];
  int count = 0;
  for (int i = 0; i < study->set_count; i++)
    assignments[count++] = study->sets[i];
  for (int i = 0; i < study->optimise.parameter_count; i++) {
    char number[TABLE_CELL_SIZE];
    table_number_text(finish->state.best_values[i], number);
    snprintf(texts[i], sizeof texts[i], "%s=%s", parameter(study, i)->key, number);
    assignments[count++] = texts[i];
  }
  char path[SWEEP_PATH_SIZE];
  sweep_folder_path(folder->path, "best.yaml", path);
  return scene_save(study->scene, assignments, count, path, error);
}

static void print_answer(const Finish *finish, const SweepFolder *folder) {
  const Optimisation *state = &finish->state;
  printf("Lowest cost %.6g, by candidate %ld of %ld; %.6g at the start.\n", state->best_cost, state->best, state->first,
         finish->first_cost);
  for (int i = 0; i < finish->study->optimise.parameter_count; i++)
    printf("  %s = %.6g\n", parameter(finish->study, i)->key, state->best_values[i]);
  printf("%s/best.yaml is the scene with these values.\n", folder->path);
}

bool optimise_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error) {
  Finish *finish = calloc(1, sizeof *finish);
  if (!finish)
    return error_set(error, "%s: out of memory", folder->path);
  finish->study = folder->study;
  bool good = add_generations(finish, table, error);
  if (good)
    good = results_finish(&finish->generations, folder, "optimise", quiet ? NULL : stdout, error) &&
           save_best(finish, folder, error);
  else
    text_free(&finish->generations.csv);
  if (good && !quiet)
    print_answer(finish, folder);
  free(finish);
  return good;
}
