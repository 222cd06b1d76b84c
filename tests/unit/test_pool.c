// The pool of processes: every job has one reply, whichever process dies; no process outlives the pool.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenes/output/progress.h"
#include "scenes/sweep/pool.h"
#include "sim/base/wall_clock.h"
#include "tests/fixture.h"

// A job's number encodes its action in the tens of thousands.
enum { ECHO = 0, ABORT = 10000, EXIT = 20000, SLEEP = 30000, TELL_PID = 40000, LONG_TEXT = 50000, WAIT = 60000 };

static void work(void *context, long job, char *text, size_t size) {
  switch (job - job % 10000) {
  case ABORT:
    abort();
  case EXIT:
    _exit((int)(job % 10000));
  case SLEEP:
    sleep(100);
    break;
  case LONG_TEXT:
    memset(text, 'x', size - 1);
    text[size - 1] = '\0';
    return;
  case WAIT:
    usleep(100000);
    break;
  default:
    break;
  }
  snprintf(text, size, "%s %ld %d", (const char *)context, job, (int)getpid());
}

static char context[16] = "context";

static Pool *start(int workers, double time_limit) {
  Error error = {0};
  Pool *pool = pool_start(workers, work, context, time_limit, &error);
  fixture_check(&error);
  assert_non_null(pool);
  assert_int_equal(pool_workers(pool), workers);
  assert_int_equal(pool_room(pool), 2 * workers);
  return pool;
}

// The next reply, which must come within ten seconds.
static const PoolReply *take(Pool *pool) {
  static PoolReply reply;
  double until = wall_seconds() + 10;
  while (!pool_take(pool, 100, &reply))
    assert_true(wall_seconds() < until);
  return &reply;
}

static pid_t worker_of(const PoolReply *reply) {
  assert_false(reply->died);
  return (pid_t)atoi(strrchr(reply->text, ' '));
}

static bool is_running(pid_t process) { return kill(process, 0) == 0; }

// Whether a process is gone within two seconds, or has ended and waits for its parent to see it.
static bool goes_away(pid_t process) {
  for (int i = 0; i < 200; i++, usleep(10000)) {
    char path[64], state = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    bool found = file && fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
    if (file)
      fclose(file);
    if ((!found && !is_running(process)) || state == 'Z')
      return true;
  }
  return false;
}

static void test_each_job_has_its_reply(void **state) {
  (void)state;
  enum { JOBS = 500 };
  Pool *pool = start(3, 0);
  bool replied[JOBS] = {0};
  long given = 0;
  for (int taken = 0; taken < JOBS; taken++) {
    while (given < JOBS && pool_room(pool) > 0)
      assert_true(pool_give(pool, given++));
    const PoolReply *reply = take(pool);
    char begin[64];
    snprintf(begin, sizeof begin, "context %ld ", reply->job);
    assert_false(reply->died);
    assert_memory_equal(reply->text, begin, strlen(begin));
    assert_false(replied[reply->job]);
    replied[reply->job] = true;
  }
  assert_int_equal(pool_room(pool), 6);
  PoolReply none;
  assert_false(pool_take(pool, 0, &none));
  pool_stop(pool, false);
}

static void test_jobs_beyond_the_room_wait(void **state) {
  (void)state;
  Pool *pool = start(1, 0);
  for (long job = 0; job < 20; job++)
    pool_give(pool, job);
  assert_int_equal(pool_room(pool), 0);
  for (long job = 0; job < 20; job++)
    assert_int_equal(take(pool)->job, job);
  pool_stop(pool, false);
}

// A program that was started without standard input, as by a scheduler, gets its number, 0, for a socket.
static void test_without_standard_input(void **state) {
  (void)state;
  for (int workers = 1; workers <= 2; workers++) {
    const int kept = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    Pool *pool = start(workers, 0);
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), FD_CLOEXEC); // what sockets of the pool are
    pid_t seen[2] = {0};
    for (long job = 0; job < 2; job++)
      assert_true(pool_give(pool, WAIT + job));
    for (int i = 0; i < 2; i++)
      seen[i] = worker_of(take(pool));
    assert_int_equal(seen[0] != seen[1], workers == 2); // each of two has one
    assert_int_equal(pool_room(pool), 2 * workers);
    pool_stop(pool, false);
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
    assert_true(goes_away(seen[0]) && goes_away(seen[1]));
    dup2(kept, STDIN_FILENO);
    close(kept);
  }
}

static void test_the_longest_text(void **state) {
  (void)state;
  Pool *pool = start(1, 0);
  pool_give(pool, LONG_TEXT);
  const PoolReply *reply = take(pool);
  assert_false(reply->died);
  assert_int_equal(strlen(reply->text), POOL_TEXT_SIZE - 1);
  pool_stop(pool, false);
}

// A job whose worker dies is reported with the reason, and no other job is lost.
static void test_deaths_are_reported(void **state) {
  (void)state;
  static const struct {
    long job;
    const char *text;
  } deaths[] = {{ABORT, "signal 6 (Aborted)"}, {EXIT + 3, "exit status 3"}, {EXIT, "exit status 0"}};
  Pool *pool = start(1, 0);
  for (int i = 0; i < 3; i++) {
    pool_give(pool, deaths[i].job);
    pool_give(pool, 7);
    const PoolReply *reply = take(pool);
    assert_int_equal(reply->job, deaths[i].job);
    assert_true(reply->died);
    assert_string_equal(reply->text, deaths[i].text);
    reply = take(pool);
    assert_int_equal(reply->job, 7);
    assert_false(reply->died);
  }
  pool_stop(pool, false);
}

static void test_time_limit(void **state) {
  (void)state;
  Pool *pool = start(1, 0.3);
  pool_give(pool, SLEEP);
  pool_give(pool, WAIT);
  double before = wall_seconds();
  const PoolReply *reply = take(pool);
  assert_true(reply->died);
  assert_string_equal(reply->text, POOL_TIME_LIMIT);
  assert_in_range((long)(1000 * (wall_seconds() - before)), 200, 5000);
  assert_false(take(pool)->died); // the limit is each job's own
  usleep(400000);
  pool_give(pool, TELL_PID); // and does not count while there is no job
  assert_false(take(pool)->died);
  pool_stop(pool, false);
}

static void test_killed_worker(void **state) {
  (void)state;
  Pool *pool = start(1, 0);
  pool_give(pool, TELL_PID);
  pid_t worker = worker_of(take(pool));

  // Between two jobs: nothing is lost.
  kill(worker, SIGKILL);
  pool_give(pool, TELL_PID + 1);
  const PoolReply *reply = take(pool);
  assert_int_equal(reply->job, TELL_PID + 1);
  assert_int_not_equal(worker_of(reply), worker);
  worker = worker_of(reply);

  // During a job.
  pool_give(pool, SLEEP);
  pool_give(pool, TELL_PID + 2);
  PoolReply none;
  assert_false(pool_take(pool, 200, &none));
  kill(worker, SIGKILL);
  reply = take(pool);
  assert_int_equal(reply->job, SLEEP);
  assert_string_equal(reply->text, "signal 9 (Killed)");
  assert_int_equal(take(pool)->job, TELL_PID + 2);

  // A signal to all processes of a terminal or of a batch job does not end a worker.
  pool_give(pool, TELL_PID);
  worker = worker_of(take(pool));
  static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (int i = 0; i < 4; i++)
    kill(worker, ignored[i]);
  pool_give(pool, TELL_PID + 1);
  assert_int_equal(worker_of(take(pool)), worker);
  pool_stop(pool, false);
}

static pid_t parent_of(pid_t process) {
  char path[64];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE *file = fopen(path, "r");
  if (file) {
    assert_int_equal(fscanf(file, "%*d (%*[^)]) %*c %d", &parent), 1);
    fclose(file);
  }
  return (pid_t)parent;
}

// A killed keeper ends its worker; the others do its jobs, until none is left.
static void test_killed_keepers(void **state) {
  (void)state;
  Pool *pool = start(2, 0);
  pid_t workers[2] = {0};
  while (workers[1] == 0) {
    pool_give(pool, TELL_PID);
    pool_give(pool, TELL_PID + 1);
    for (int i = 0; i < 2; i++) {
      pid_t worker = worker_of(take(pool));
      if (workers[0] == 0)
        workers[0] = worker;
      else if (worker != workers[0])
        workers[1] = worker;
    }
  }
  kill(parent_of(workers[0]), SIGKILL);
  assert_true(goes_away(workers[0]));
  for (long job = 1; job <= 4; job++)
    pool_give(pool, TELL_PID + job);
  for (int i = 0; i < 4; i++)
    assert_int_equal(worker_of(take(pool)), workers[1]);
  assert_int_equal(pool_workers(pool), 1);
  assert_int_equal(pool_room(pool), 2);

  pool_give(pool, SLEEP);
  pool_give(pool, TELL_PID);
  PoolReply none;
  assert_false(pool_take(pool, 200, &none));
  kill(parent_of(workers[1]), SIGKILL);
  const PoolReply *reply = take(pool);
  assert_int_equal(reply->job, SLEEP);
  assert_string_equal(reply->text, "its keeper was killed");
  reply = take(pool);
  assert_int_equal(reply->job, TELL_PID);
  assert_string_equal(reply->text, "nobody is left to work");
  assert_int_equal(pool_workers(pool), 0);
  assert_int_equal(pool_room(pool), 0);
  pool_give(pool, TELL_PID);
  assert_true(take(pool)->died);
  assert_true(goes_away(workers[1]));
  pool_stop(pool, false);
}

static void test_stop_waits_for_the_job_or_not(void **state) {
  (void)state;
  Pool *pool = start(1, 0);
  pool_give(pool, TELL_PID);
  pid_t worker = worker_of(take(pool)), keeper = parent_of(worker);
  pool_give(pool, SLEEP);
  PoolReply none;
  assert_false(pool_take(pool, 200, &none));
  double before = wall_seconds();
  pool_stop(pool, true);
  assert_true(wall_seconds() - before < 2);
  assert_false(is_running(worker));
  assert_false(is_running(keeper));

  pool = start(1, 0);
  pool_give(pool, TELL_PID);
  worker = worker_of(take(pool));
  pool_give(pool, WAIT);
  assert_false(pool_take(pool, 20, &none));
  before = wall_seconds();
  pool_stop(pool, false);
  assert_true(wall_seconds() - before > 0.05);
  assert_false(is_running(worker));
}

// In a process of its own: a pool whose worker is in a long job sends the worker's number and waits to be killed.
static _Noreturn void be_killed(int out) {
  Pool *pool = start(2, 0);
  pool_give(pool, TELL_PID);
  pid_t worker = worker_of(take(pool));
  pool_give(pool, SLEEP);
  pool_give(pool, SLEEP + 1);
  if (write(out, &worker, sizeof worker) == sizeof worker)
    sleep(600); // killed long before
  _exit(1);
}

static void test_no_process_outlives_a_killed_pool(void **state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t owner = fork();
  if (owner == 0)
    be_killed(ends[1]);
  pid_t worker;
  assert_int_equal(read(ends[0], &worker, sizeof worker), sizeof worker);
  usleep(100000);
  pid_t keeper = parent_of(worker);
  assert_true(is_running(worker) && is_running(keeper));
  kill(owner, SIGKILL);
  waitpid(owner, NULL, 0);
  assert_true(goes_away(worker));
  assert_true(goes_away(keeper));
  close(ends[0]);
  close(ends[1]);
}

static void test_a_signal_ends_the_waiting(void **state) {
  (void)state;
  Pool *pool = start(1, 0);
  pool_give(pool, SLEEP);
  interrupt_catch();
  fflush(NULL);
  pid_t self = getpid(), other = fork();
  if (other == 0) {
    usleep(100000);
    kill(self, SIGINT);
    _exit(0);
  }
  PoolReply none;
  double before = wall_seconds();
  assert_false(pool_take(pool, 10000, &none));
  assert_true(wall_seconds() - before < 5);
  assert_true(interrupt_requested());
  waitpid(other, NULL, 0);
  pool_stop(pool, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_job_has_its_reply),
      cmocka_unit_test(test_jobs_beyond_the_room_wait),
      cmocka_unit_test(test_without_standard_input),
      cmocka_unit_test(test_the_longest_text),
      cmocka_unit_test(test_deaths_are_reported),
      cmocka_unit_test(test_time_limit),
      cmocka_unit_test(test_killed_worker),
      cmocka_unit_test(test_killed_keepers),
      cmocka_unit_test(test_stop_waits_for_the_job_or_not),
      cmocka_unit_test(test_no_process_outlives_a_killed_pool),
      cmocka_unit_test(test_a_signal_ends_the_waiting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
