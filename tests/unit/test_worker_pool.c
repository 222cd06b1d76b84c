// The pool of threads: each job runs once, by a worker that exists, and run after run.
#include "scenes/train/worker_pool.h"
#include "tests/fixture.h"

enum { JOBS = 500, RUNS = 200 };

typedef struct Counts {
  int runs[JOBS];
  int workers, strangers;
} Counts;

static void count_job(void *context, int index, int worker) {
  Counts *counts = context;
  counts->runs[index]++;
  if (worker < 0 || worker >= counts->workers)
    counts->strangers++;
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_job_runs_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
