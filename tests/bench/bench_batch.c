// Steps of 1, 16 and 256 copies of a standing man a second, by one and by two threads (`copies_16_threads_2`), with the
// reduced and the exact solver, by the clock. Both numbers of threads take turns; `copies_16_two_threads` is how many
// times the steps of one thread two make, turn by turn, and `copies_16_two_alone` how many times by the processor time
// of their work: on a machine that does nothing else the clock says about the same. A rollout stores a view after every
// 8 steps. Prints CSV: median and smallest of several turns.
#include <stdbool.h>

#include <stagger/stagger.h>

#include "tests/bench/measure.h"

enum { TURNS = 7, TURN_STEPS = 1024, THREADS = 2, EVERY = 8 };

static const int sizes[] = {1, 16, 256};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static _Noreturn void stop(StaggerError *error) {
  fprintf(stderr, "bench_batch: %s\n", stagger_error_text(error));
  exit(1);
}

// s of one of the system's clocks. By CLOCK_MONOTONIC two threads need half the time of one.
static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static StaggerBatch *open_batch(const char *solver, int copies, int threads) {
  char override[64];
  StaggerError *error = NULL;
  snprintf(override, sizeof override, "world.solver=%s", solver);
  const char *const overrides[] = {"events=[]", "expect=[]", override};
  StaggerBatch *batch = stagger_batch_open("stand_push", overrides, 3, copies, threads, &error);
  if (!batch)
    stop(error);
  stagger_batch_step(batch, 2, NULL);
  return batch;
}

static double time_steps(StaggerBatch *batch, int steps) {
  const double from = seconds_of(CLOCK_MONOTONIC);
  stagger_batch_step(batch, steps, NULL);
  return seconds_of(CLOCK_MONOTONIC) - from;
}

static double time_rollout(StaggerBatch *batch, int steps) {
  StaggerError *error = NULL;
  const int copies = stagger_batch_count(batch), moments = steps / EVERY > 0 ? steps / EVERY : 1;
  const size_t size = (size_t)copies * (size_t)moments * 3 * sizeof(double);
  void *com = malloc(size);
  const StaggerRollout wanted = {.count = copies,
                                 .moments = moments,
                                 .every = steps / moments,
                                 .views = (const char *const[]){"com/position"},
                                 .outputs = (void *const[]){com},
                                 .output_sizes = &size,
                                 .view_count = 1};
  const double from = seconds_of(CLOCK_MONOTONIC);
  if (!stagger_batch_rollout(batch, &wanted, &error))
    stop(error);
  const double taken = seconds_of(CLOCK_MONOTONIC) - from;
  free(com);
  return taken;
}

static void print_row(const char *what, const char *solver, const char *unit, double values[TURNS]) {
  qsort(values, TURNS, sizeof values[0], compare_doubles);
  printf("batch_%s,%s,%s,%.4g,%.4g,\n", solver, what, unit, values[TURNS / 2], values[0]);
  fflush(stdout);
}

static void measure(const char *solver, int copies, double (*work)(StaggerBatch *, int), const char *name) {
  StaggerBatch *batches[THREADS];
  double rates[THREADS][TURNS], gain[TURNS], alone[TURNS];
  char what[64];
  const int steps = TURN_STEPS / copies;
  for (int i = 0; i < THREADS; i++)
    batches[i] = open_batch(solver, copies, i + 1);
  for (int turn = 0; turn < TURNS; turn++) {
    double spent[THREADS];
    for (int i = 0; i < THREADS; i++) {
      const double from = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
      rates[i][turn] = (double)copies * steps / work(batches[i], steps);
      spent[i] = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - from;
    }
    gain[turn] = rates[1][turn] / rates[0][turn];
    alone[turn] = THREADS * spent[0] / spent[1];
  }
  for (int i = 0; i < THREADS; i++) {
    snprintf(what, sizeof what, "%s_%d_threads_%d", name, copies, i + 1);
    print_row(what, solver, "steps/s", rates[i]);
    stagger_batch_close(batches[i]);
  }
  snprintf(what, sizeof what, "%s_%d_two_threads", name, copies);
  print_row(what, solver, "-", gain);
  snprintf(what, sizeof what, "%s_%d_two_alone", name, copies);
  print_row(what, solver, "-", alone);
}

int main(void) {
  static const char *const solvers[] = {"reduced", "step"};
  for (int solver = 0; solver < 2; solver++) {
    for (int i = 0; i < SIZES; i++)
      measure(solvers[solver], sizes[i], time_steps, "copies");
    measure(solvers[solver], sizes[SIZES - 1], time_rollout, "rollout");
  }
  return 0;
}
