// Steps of 1, 3, 16 and 256 copies of a standing man a second, by one and by two threads (`copies_16_threads_2`), with
// the reduced and the exact solver, by the clock: in one call, in calls of 8 steps (`calls_16`), and by a rollout that
// stores a view after every 8 steps. Both numbers of threads take turns. How many times the steps of one thread two
// make is the median of the turns' ratios, three times:
//   two_threads  by the clock, which also counts the time in which other programs had the processor,
//   two_alone    by the processor time of that thread which needed more of it in a call: what others did meanwhile does
//                not count, but that one thread waited for the other does, and what sharing costs,
//   two_whole    as it would be at most if each copy were stepped to the end by the thread that is free first, from
//                the processor time of each copy. With its turns a batch comes closer to 2.
// Prints CSV: median and smallest of several turns.
#include <stdbool.h>

#include <stagger/stagger.h>

#include "tests/bench/measure.h"

enum { TURNS = 21, TURN_STEPS = 1024, THREADS = 2, EVERY = 8 };

static _Noreturn void stop(StaggerError *error) {
  fprintf(stderr, "bench_batch: %s\n", stagger_error_text(error));
  exit(1);
}

// s of the system's clocks: of the wall, of this process, and of the calling or the busier thread of two.
typedef struct Spent {
  double clock, process, thread;
} Spent;

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static Spent read_clocks(void) {
  return (Spent){seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID), thread_seconds()};
}

// Adds what a call has spent that began then.
static void add_call(Spent *sum, Spent begun) {
  const Spent now = read_clocks();
  const double process = now.process - begun.process, thread = now.thread - begun.thread;
  sum->clock += now.clock - begun.clock;
  sum->process += process;
  sum->thread += thread > process - thread ? thread : process - thread;
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

static Spent take_steps(StaggerBatch *batch, int steps) {
  Spent spent = {0};
  const Spent begun = read_clocks();
  stagger_batch_step(batch, steps, NULL);
  add_call(&spent, begun);
  return spent;
}

static Spent take_calls(StaggerBatch *batch, int steps) {
  Spent spent = {0};
  for (int i = 0; i < steps; i += EVERY) {
    const Spent begun = read_clocks();
    stagger_batch_step(batch, EVERY, NULL);
    add_call(&spent, begun);
  }
  return spent;
}

static Spent take_rollout(StaggerBatch *batch, int steps) {
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
  Spent spent = {0};
  const Spent begun = read_clocks();
  if (!stagger_batch_rollout(batch, &wanted, &error))
    stop(error);
  add_call(&spent, begun);
  free(com);
  return spent;
}

// The sum of the processor times of all copies by that of the busier thread, if the one that is free first takes the
// next copy.
static double find_gain_of_whole_copies(StaggerBatch *batch, int steps) {
  double spent[THREADS] = {0}, sum = 0, longest = 0;
  for (int i = 0; i < stagger_batch_count(batch); i++) {
    int first = 0;
    for (int k = 1; k < THREADS; k++)
      first = spent[k] < spent[first] ? k : first;
    const double from = thread_seconds();
    stagger_scene_step(stagger_batch_scene(batch, i), steps);
    const double cost = thread_seconds() - from;
    spent[first] += cost;
    sum += cost;
    longest = spent[first] > longest ? spent[first] : longest;
  }
  return sum / longest;
}

static void print_row(const char *name, int copies, const char *what, const char *solver, const char *unit,
                      double values[TURNS]) {
  qsort(values, TURNS, sizeof values[0], compare_doubles);
  printf("batch_%s,%s_%d_%s,%s,%.4g,%.4g,\n", solver, name, copies, what, unit, values[TURNS / 2], values[0]);
  fflush(stdout);
}

static void measure(const char *solver, int copies, Spent (*work)(StaggerBatch *, int), const char *name) {
  StaggerBatch *batches[THREADS];
  double rates[THREADS][TURNS], gain[TURNS], alone[TURNS], whole[TURNS];
  const int steps = TURN_STEPS / copies;
  for (int i = 0; i < THREADS; i++)
    batches[i] = open_batch(solver, copies, i + 1);
  for (int turn = 0; turn < TURNS; turn++) {
    Spent spent[THREADS];
    for (int i = 0; i < THREADS; i++) {
      const int k = turn % 2 == 0 ? i : THREADS - 1 - i;
      spent[k] = work(batches[k], steps);
      rates[k][turn] = (double)copies * steps / spent[k].clock;
    }
    gain[turn] = spent[0].clock / spent[1].clock;
    alone[turn] = spent[0].process / spent[1].thread;
  }
  for (int turn = 0; turn < TURNS; turn++)
    whole[turn] = find_gain_of_whole_copies(batches[0], steps);
  print_row(name, copies, "threads_1", solver, "steps/s", rates[0]);
  print_row(name, copies, "threads_2", solver, "steps/s", rates[1]);
  print_row(name, copies, "two_threads", solver, "-", gain);
  print_row(name, copies, "two_alone", solver, "-", alone);
  print_row(name, copies, "two_whole", solver, "-", whole);
  for (int i = 0; i < THREADS; i++)
    stagger_batch_close(batches[i]);
}

int main(void) {
  static const char *const solvers[] = {"reduced", "step"};
  for (int i = 0; i < 2; i++) {
    measure(solvers[i], 1, take_steps, "copies");
    measure(solvers[i], 3, take_steps, "copies");
    measure(solvers[i], 16, take_steps, "copies");
    measure(solvers[i], 16, take_calls, "calls");
    measure(solvers[i], 16, take_rollout, "rollout");
    measure(solvers[i], 256, take_steps, "copies");
    measure(solvers[i], 256, take_rollout, "rollout");
  }
  return 0;
}
