// Cost of a sweep's processes. The same trials of the study hit_stand are run by a pool of one worker and by one worker
// for each processor, in turns:
//   trial_N        wall time of N workers for a trial
//   processor_N    processor time of a trial, of the worker, its keeper and the start
//   speedup        trial_1 / trial_N, turn by turn; the program fails if a trial's results differ
//   empty_job      wall time of a job that does nothing, from one worker
#include <sys/resource.h>
#include <unistd.h>

#include "scenes/sweep/pool.h"
#include "scenes/sweep/trial.h"
#include "sim/base/wall_clock.h"
#include "tests/bench/measure.h"

enum { TURNS = 7, TRIALS = 32, EMPTY_JOBS = 20000, MAX_WORKERS = 64 };

static _Noreturn void stop(const char *message) {
  fprintf(stderr, "bench_sweep: %s\n", message);
  exit(1);
}

static void do_trial(void *context, long job, char *text, size_t size) {
  const StudyDef *study = context;
  trial_run(study, job * (study->trial_count / TRIALS), NULL, NULL, text, size, NULL); // from all over the study
}

static void do_nothing(void *context, long job, char *text, size_t size) {
  (void)context;
  snprintf(text, size, "%ld", job);
}

// The first results of the trials; later ones are the same.
static char *results[TRIALS];

static void check_result(const PoolReply *reply) {
  char **first = &results[reply->job];
  if (!*first && !(*first = strdup(reply->text)))
    stop("out of memory");
  if (strcmp(*first, reply->text) != 0)
    stop("a trial's result depends on the number of workers");
}

// s of processor time of all processes that have ended.
static double children_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

// Wall time and processor time for each of the jobs, s.
static void time_jobs(int workers, PoolWork work, StudyDef *study, long count, double *wall, double *processor) {
  static PoolReply reply;
  Error error = {0};
  double used = children_seconds();
  Pool *pool = pool_start(workers, work, study, 0, &error);
  if (!pool)
    stop(error.text);
  double started = wall_seconds();
  for (long given = 0, taken = 0; taken < count;) {
    while (given < count && pool_room(pool) > 0)
      if (!pool_give(pool, given++))
        stop("out of memory");
    if (pool_take(pool, 1000, &reply)) {
      taken++;
      if (reply.died)
        stop(reply.text);
      if (work == do_trial)
        check_result(&reply);
    }
  }
  *wall = (wall_seconds() - started) / (double)count;
  pool_stop(pool, false);
  *processor = (children_seconds() - used) / (double)count;
}

static void print_row(const char *name, int workers, const char *unit, double *values, double scale) {
  qsort(values, TURNS, sizeof values[0], compare_doubles);
  printf("sweep,%s", name);
  if (workers > 0)
    printf("_%d", workers);
  printf(",%s,%.4g,%.4g,\n", unit, scale * values[TURNS / 2], scale * values[0]);
}

int main(void) {
  Error error = {0};
  StudyDef *study = study_read("hit_stand", &error);
  if (!study)
    stop(error.text);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  int many = processors > MAX_WORKERS ? MAX_WORKERS : (int)processors;
  double wall[2][TURNS], processor[2][TURNS], speedup[TURNS], empty[TURNS], unused;
  for (int turn = 0; turn < TURNS; turn++) {
    time_jobs(1, do_trial, study, TRIALS, &wall[0][turn], &processor[0][turn]);
    time_jobs(many, do_trial, study, TRIALS, &wall[1][turn], &processor[1][turn]);
    speedup[turn] = wall[0][turn] / wall[1][turn];
    time_jobs(1, do_nothing, study, EMPTY_JOBS, &empty[turn], &unused);
  }
  print_row("trial", 1, "ms", wall[0], 1e3);
  print_row("processor", 1, "ms", processor[0], 1e3);
  if (many > 1) {
    print_row("trial", many, "ms", wall[1], 1e3);
    print_row("processor", many, "ms", processor[1], 1e3);
    print_row("speedup", 0, "ratio", speedup, 1);
  }
  print_row("empty_job", 0, "us", empty, 1e6);
  study_free(study);
  return 0;
}
