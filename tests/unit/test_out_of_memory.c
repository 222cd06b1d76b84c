// When memory runs out, at whichever allocation, there is an error and no crash. The program's own malloc, calloc and
// realloc replace libc's and refuse one call; shared libraries other than Stagger's are left alone.
#define _GNU_SOURCE // dladdr

#include "tests/unit/recorded_run.h"

#include <dlfcn.h>

#include "scenes/report/gait_trace.h"
#include "scenes/sweep/trial_table.h"
#include "scenes/train/learner.h"

#ifndef __SANITIZE_ADDRESS__ // which has its own malloc

// libc's own functions, under their other names.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static volatile long left = -1; // calls until one is refused; below 0: none is
static volatile size_t items;   // above 0: only calls of calloc for as many count

static bool refuses(void *caller, size_t count) {
  Dl_info from, here;
  if (left < 0 || (items > 0 && count != items) || !dladdr(caller, &from) || !dladdr((void *)(uintptr_t)&left, &here))
    return false;
  return (from.dli_fbase == here.dli_fbase || strstr(from.dli_fname, "libstagger")) && left-- == 0;
}

void *malloc(size_t size) { return refuses(__builtin_return_address(0), 0) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) {
  return refuses(__builtin_return_address(0), count) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  return refuses(__builtin_return_address(0), 0) ? NULL : __libc_realloc(memory, size);
}

typedef bool Attempt(void *context, Error *error);

// Tries with the first allocation refused, then with the second, and so on, until none is. Returns how many there are;
// *good: how many attempts have succeeded in spite of a refusal.
static int refuse_each(Attempt *attempt, void *context, int *good) {
  *good = 0;
  for (int n = 0; n < 10000; n++) {
    Error error = {0};
    left = n;
    const bool succeeds = attempt(context, &error);
    const bool refused = left < 0;
    left = -1;
    if (succeeds == (error.text[0] != '\0'))
      fail_msg("allocation %d: %s '%s'", n, succeeds ? "good, and" : "bad, but", error.text);
    *good += refused && succeeds;
    if (!refused) {
      assert_true(succeeds);
      return n;
    }
  }
  fail_msg("there is no end of allocations");
  return 0;
}

static void reset(void *context, int environment, float inputs[]) {
  (void)context, (void)environment;
  inputs[0] = inputs[1] = 0;
}

static bool create_learner(void *context, Error *error) {
  const LearnerDef *def = context;
  const LearningTask task = {.inputs = 2, .outputs = 1, .environments = 2, .reset = reset};
  Learner *learner = learner_create(def, &task, 1, 1, error);
  learner_destroy(learner);
  return learner != NULL;
}

static bool sort_table(void *context, Error *error) {
  (void)context;
  static const char text[] = "trial,status\n5,a\n2,b\n5,c\n0,d\n";
  static const TableColumn columns[] = {{"trial", "", TABLE_NUMBER}, {"status", "", TABLE_TEXT}};
  Table *table = table_parse("trials.csv", text, sizeof text - 1, columns, 2, error);
  const bool good = table && table_sort(table, error);
  if (good)
    assert_int_equal(table->row_count, 3);
  table_free(table);
  return good;
}

static bool read_gait(void *context, Error *error) {
  GaitReport report;
  const ReportRun *run = context;
  return gait_report_read(run, &run->characters[0], &report, error);
}

static void test_learner(void **state) {
  (void)state;
  LearnerDef def;
  param_defaults(&learner_params, &def);
  def.hidden_first = def.hidden_second = 8;
  def.environments = 2;
  def.horizon = def.minibatch = 16;
  int good;
  assert_true(refuse_each(create_learner, &def, &good) > 20);
  assert_int_equal(good, 0);
}

static void test_table(void **state) {
  (void)state;
  int good;
  assert_true(refuse_each(sort_table, NULL, &good) > 5);
  assert_int_equal(good, 0);
}

// A pose whose motion cannot be read has no strides. What is refused are lists of a value for each frame: HDF5, which
// may be part of the program, does not stand it.
static void test_gait(void **state) {
  (void)state;
  Error error = {0};
  RecordedRun recorded;
  recorded_run(&recorded, "stand", "duration=0.28");
  ReportRun *run = report_run_read(recorded.reader, recorded.def, &error);
  assert_non_null(run);
  int good;
  items = (size_t)run->frame_count;
  const int count = refuse_each(read_gait, run, &good);
  items = 0;
  assert_true(count > 3 * 20);
  assert_int_equal(good, 3 * 2); // each pose's times and places
  report_run_free(run);
  recorded_run_end(&recorded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_learner),
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_gait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void test_is_skipped(void **state) {
  (void)state;
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_is_skipped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
