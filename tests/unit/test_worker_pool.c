// The pool of threads: each job runs once, by a worker that exists, and run after run; jobs in turns run as often as
// they want, one turn after the other.
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "scenes/train/worker_pool.h"
#include "tests/fixture.h"

enum { JOBS = 500, RUNS = 200 };

typedef struct Counts {
  int runs[JOBS];
  int workers, strangers;
} Counts;

static bool count_job(void *context, int index, int worker) {
  Counts *counts = context;
  counts->runs[index]++;
  if (worker < 0 || worker >= counts->workers)
    counts->strangers++;
  return false;
}

static void test_each_job_runs_once(void **state) {
  (void)state;
  for (int workers = 1; workers <= 4; workers++) {
    static Counts counts;
    Error error = {0};
    WorkerPool *pool = worker_pool_create(workers, &error);
    assert_non_null(pool);
    counts = (Counts){.workers = workers};
    for (int run = 1; run <= RUNS; run++) {
      const int jobs = run % 2 == 0 ? JOBS : 1;
      worker_pool_run(pool, jobs, count_job, &counts);
      assert_int_equal(counts.runs[0], run);
      assert_int_equal(counts.runs[JOBS - 1], run / 2);
    }
    for (int i = 1; i < JOBS; i++)
      assert_int_equal(counts.runs[i], RUNS / 2);
    assert_int_equal(counts.strangers, 0);
    worker_pool_run(pool, 0, count_job, &counts);
    worker_pool_destroy(pool);
  }
}

// ---- Side by side ----

static bool meet(void *context, int index, int worker) {
  (void)index, (void)worker;
  atomic_int *here = context;
  atomic_fetch_add(here, 1);
  for (int i = 0; i < 5000 && atomic_load(here) % 2 != 0; i++)
    usleep(1000);
  return false;
}

// Two jobs that wait for each other are done by two workers at a time.
static void test_jobs_run_side_by_side(void **state) {
  (void)state;
  Error error = {0};
  WorkerPool *pool = worker_pool_create(2, &error);
  assert_non_null(pool);
  for (int run = 0; run < 5; run++) {
    atomic_int here = 0;
    struct timespec begun, ended;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    worker_pool_run(pool, 2, meet, &here);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    assert_int_equal(atomic_load(&here), 2);
    assert_true(ended.tv_sec - begun.tv_sec < 4); // they met
  }
  worker_pool_destroy(pool);
}

// ---- Turns ----

// Jobs without a lock: two workers in one job at a time would be seen by the thread sanitizer.
typedef struct Turns {
  int wanted, made[JOBS];
  int order[JOBS], count; // of the jobs as they ran; kept by one worker only
} Turns;

static bool take_turn(void *context, int index, int worker) {
  Turns *turns = context;
  if (worker == 0 && turns->count < JOBS)
    turns->order[turns->count++] = index;
  return ++turns->made[index] < turns->wanted;
}

static void test_turns_are_all_taken(void **state) {
  (void)state;
  for (int workers = 1; workers <= 4; workers++) {
    static Turns turns;
    Error error = {0};
    WorkerPool *pool = worker_pool_create(workers, &error);
    assert_non_null(pool);
    for (int jobs = 1; jobs <= JOBS; jobs = 3 * jobs - 1) {
      turns = (Turns){.wanted = 1 + jobs % 7};
      worker_pool_run(pool, jobs, take_turn, &turns);
      for (int i = 0; i < JOBS; i++)
        assert_int_equal(turns.made[i], i < jobs ? turns.wanted : 0);
    }
    worker_pool_destroy(pool);
  }
}

// All jobs have begun before one has its second turn, then they come in the order in which they began. More jobs than
// may wait are done at once.
static void test_order_of_turns(void **state) {
  (void)state;
  static const int few[] = {0, 1, 0, 1, 0, 1}, many[] = {0, 1, 2, 2, 2, 3, 3, 3, 0, 1, 0, 1};
  Error error = {0};
  WorkerPool *pool = worker_pool_create(1, &error);
  assert_non_null(pool);
  Turns turns = {.wanted = 3};
  worker_pool_run(pool, 2, take_turn, &turns);
  assert_int_equal(turns.count, 6);
  assert_memory_equal(turns.order, few, sizeof few);
  turns = (Turns){.wanted = 3};
  worker_pool_run(pool, 4, take_turn, &turns);
  assert_int_equal(turns.count, 12);
  assert_memory_equal(turns.order, many, sizeof many);
  worker_pool_destroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_jobs_run_side_by_side),
                                     cmocka_unit_test(test_each_job_runs_once),
                                     cmocka_unit_test(test_turns_are_all_taken), cmocka_unit_test(test_order_of_turns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
