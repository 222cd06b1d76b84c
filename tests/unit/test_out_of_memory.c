// When memory runs out, at whichever allocation, there is an error and no crash.
#define _GNU_SOURCE // dladdr

#include "tests/unit/recorded_run.h"

#include "scenes/report/gait_trace.h"
#include "scenes/sweep/trial_table.h"
#include "scenes/train/learner.h"

#ifndef __SANITIZE_ADDRESS__ // which has its own malloc

#include "tests/unit/refusals.h"

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
  ReportRun *run = report_run_read(recorded.reader, recorded.def, REPORT_MOST_FRAMES, &error);
  assert_non_null(run);
  int good;
  items = (size_t)run->frame_count;
  const int count = refuse_each(read_gait, run, &good);
  items = 0;
  assert_int_equal(count, 3 * (2 + 2)); // also whether each foot stands
  assert_int_equal(good, 3 * 2);        // each pose's times and places
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
