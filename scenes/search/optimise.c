// Runs generation after generation of candidates, by the costs of those before.
#include "scenes/search/optimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scenes/sweep/sweep_trials.h"

static int first_parameter(const StudyDef *study) { return study->axis_count - study->optimise.parameter_count; }

static long cells_of_candidate(const StudyDef *study) { return study->cell_count / study->optimise.candidates; }

// ---- Units ----

// Reflects a number into 0 to 1.
static double reflect(double unit) {
  const double along = fmod(fabs(unit), 2);
  return along > 1 ? 2 - along : along;
}

void optimise_values(const StudyDef *study, const CmaVector point, double *values) {
  for (int i = 0; i < study->optimise.parameter_count; i++) {
    const StudyParameter *range = &study->optimise.parameters[i];
    const double unit = reflect(point[i]);
    const double value = range->scale != 0 ? range->low * pow(range->high / range->low, unit)
                                           : range->low + unit * (range->high - range->low);
    values[i] = fmin(fmax(value, range->low), range->high); // rounding may exceed the limits
  }
}

static void start_point(const StudyDef *study, double *point) {
  for (int i = 0; i < study->optimise.parameter_count; i++) {
    const StudyParameter *range = &study->optimise.parameters[i];
    point[i] = range->scale != 0 ? log(range->start / range->low) / log(range->high / range->low)
                                 : (range->start - range->low) / (range->high - range->low);
  }
}

// ---- Costs ----

static double term(const StudyCost *cost, const Table *table, long row) {
  double value = table_number(table, row, cost->column);
  if (isnan(value))
    value = cost->missing;
  if (cost->has_goal) {
    const double above = value - cost->goal;
    value = cost->side == 0 ? fabs(above) : fmax(0, cost->side == 1 ? above : -above); // as in the row: both, above
  }
  return cost->weight * value;
}

double optimise_row_cost(const StudyDef *study, const Table *table, long row) {
  if (trial_is_bad(table_text(table, row, table_find(table, "status"))))
    return study->optimise.failure;
  double sum = 0;
  for (int i = 0; i < study->optimise.cost_count; i++)
    sum += term(&study->optimise.costs[i], table, row);
  return sum;
}

static bool has_point(const StudyDef *study, const Table *table, long row, const double *values, Error *error) {
  const int first = table_find(table, study->axes[first_parameter(study)].name);
  for (int i = 0; i < study->optimise.parameter_count; i++)
    if (table_number(table, row, first + i) != values[i])
      return error_set(error, "trial %ld: %s is %.17g, the search has %.17g there: the rows are of another one",
                       (long)table_number(table, row, 0), table->columns[first + i].name,
                       table_number(table, row, first + i), values[i]);
  return true;
}

// The mean cost of a point's trials. False: rows are missing, or, with an error, a row has another point.
static bool point_cost(const Optimisation *state, const StudyDef *study, const Table *table, int point, double *cost,
                       Error *error) {
  const long trials = cells_of_candidate(study) * study->run.repeats, first = (state->first + point) * trials;
  const long row = table_row_from(table, (double)first);
  double values[STUDY_MAX_AXES], sum = 0;
  optimise_values(study, state->points[point], values);
  for (long i = 0; i < trials; i++) {
    if (row + i >= table->row_count || table_number(table, row + i, 0) != (double)(first + i) ||
        !has_point(study, table, row + i, values, error))
      return false;
    sum += optimise_row_cost(study, table, row + i);
  }
  *cost = sum / (double)trials;
  return true;
}

// ---- Generations ----

static void begin_search(Optimisation *state, const StudyDef *study, const double *start) {
  const StudyOptimise *optimise = &study->optimise;
  cma_init(&state->cma, optimise->parameter_count, start, optimise->deviation, optimise->population << state->restart,
           (uint64_t)study->run.seed + (uint64_t)state->restart);
  cma_ask(&state->cma, state->points);
}

void optimise_begin(Optimisation *state, const StudyDef *study) {
  memset(state, 0, sizeof *state);
  state->best = -1;
  state->best_cost = INFINITY;
  CmaVector start = {0};
  start_point(study, start);
  begin_search(state, study, start);
  memcpy(state->points[0], start, sizeof start);
}

static void restart(Optimisation *state, const StudyDef *study) {
  CmaVector start = {0};
  Rng rng = rng_make((uint64_t)study->run.seed + (uint64_t)++state->restart, "optimise restart");
  for (int i = 0; i < study->optimise.parameter_count; i++)
    start[i] = rng_unit(&rng);
  begin_search(state, study, start);
}

static void keep_best(Optimisation *state, const StudyDef *study) {
  for (int k = 0; k < state->cma.points; k++) {
    if (!(state->costs[k] < state->best_cost))
      continue;
    state->best_cost = state->costs[k];
    state->best = state->first + k;
    optimise_values(study, state->points[k], state->best_values);
  }
}

static void begin_generation(Optimisation *state, const StudyDef *study) {
  const StudyOptimise *optimise = &study->optimise;
  const bool converged = cma_spread(&state->cma) <= optimise->tolerance || cma_is_degenerate(&state->cma);
  state->ended = state->generation == optimise->generations || state->best_cost <= optimise->target ||
                 (converged && state->restart == optimise->restarts);
  if (!state->ended && converged)
    restart(state, study);
  else if (!state->ended)
    cma_ask(&state->cma, state->points);
}

bool optimise_step(Optimisation *state, const StudyDef *study, const Table *table, Error *error) {
  for (int k = 0; k < state->cma.points; k++)
    if (!point_cost(state, study, table, k, &state->costs[k], error))
      return false;
  keep_best(state, study);
  cma_tell(&state->cma, (const CmaVector *)state->points, state->costs);
  state->first += state->cma.points;
  state->generation++;
  begin_generation(state, study);
  return true;
}

// ---- The method ----

static bool accepts(const StudyDef *study, Error *error) {
  return study->optimise.parameter_count > 0 ||
         error_set(error,
                   "%s: has no table 'optimise', which names the parameters that are varied and their cost, e.g. "
                   "optimise: {parameters: {world.friction: {low: 0, high: 1}}, cost: [{metric: man.fell}]}",
                   study->path);
}

static bool is_there(const Optimisation *state, long candidate) {
  return candidate >= state->first && candidate < state->first + state->cma.points;
}

static long *next(const StudyDef *study, const Table *table, long *count, Error *error) {
  Optimisation *state = malloc(sizeof *state);
  TrialList list = {.failed = !state};
  Error cause = {0};
  if (state) {
    optimise_begin(state, study);
    while (!state->ended && optimise_step(state, study, table, &cause)) {
    }
    const long cells = cells_of_candidate(study), end = (state->first + state->cma.points) * cells;
    for (long cell = state->first * cells; !state->ended && cell < end && !list.failed; cell++)
      trial_list_cell(&list, study, table, cell);
  }
  free(state);
  if (cause.text[0] == '\0')
    return trial_list_take(&list, count, error);
  free(list.trials);
  *error = cause;
  return NULL;
}

// Goes on from the state to a candidate's generation by the rows in the folder. False: they are not all there yet.
static bool reach(Optimisation *state, const StudyDef *study, const char *folder, long candidate, Error *error) {
  SweepFolder place = {.study = study, .lock = -1, .rows = -1};
  snprintf(place.path, sizeof place.path, "%s", folder);
  Table *table = sweep_folder_read(&place, error);
  bool good = table && table_sort(table, error);
  while (good && !is_there(state, candidate))
    good = !state->ended && optimise_step(state, study, table, error);
  table_free(table);
  return good;
}

// The state stays between trials, which are mostly of the same generation. On a network's disk the rows of other hosts
// may be seen with a delay.
static bool place(StudyDef *study, const char *folder, long trial, Error *error) {
  enum { TRIES = 100, PAUSE_NS = 100000000 };
  static Optimisation state;
  const long candidate = trial / study->run.repeats / cells_of_candidate(study);
  if (state.cma.points == 0 || candidate < state.first)
    optimise_begin(&state, study);
  for (int i = 0; !is_there(&state, candidate) && i < TRIES && error->text[0] == '\0'; i++) {
    if (i > 0)
      nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    reach(&state, study, folder, candidate, error);
  }
  if (!is_there(&state, candidate))
    return error->text[0] != '\0'
               ? false
               : error_set(error, "%s: the rows of the generations before are not seen there", folder);
  optimise_values(study, state.points[candidate - state.first], study->optimise.point);
  return true;
}

const SweepMethod optimise_method = {"optimise", accepts, next, place, optimise_finish};
