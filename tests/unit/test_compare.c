// Two controllers on the same blows: differences and decisions where the answer is known, and what is refused.
#include "tests/fixture.h"

#include "scenes/search/compare.h"
#include "tests/unit/search_fixture.h"

static const char STUDY[] = "scene: small.yaml\n"
                            "repeats: 40\n"
                            "axes:\n"
                            "  events.0.direction: {values: [0, 90, 180], name: angle}\n"
                            "  world.friction: {values: [0.5, 1], name: ground}\n"
                            "metrics: [doll.peak_pose_error]\n"
                            "compare: {axis: ground, metric: doll.peak_pose_error, block: 10}\n";
enum { ANGLES = 3, REPEATS = 40 };

// The second value has `effect` more; what a blow does differs far more from one to the other, and a little in itself.
static double measured(double effect, int angle, int second, int repeat) {
  char name[64];
  snprintf(name, sizeof name, "%d %d", angle, repeat);
  Rng blow = rng_make(1, name), own = rng_make(2 + (uint64_t)second, name);
  return 100 * rng_normal(&blow) + rng_normal(&own) + effect * second;
}

// Runs the comparison to its end in this world.
static Table *compare(const StudyDef *study, double effect) {
  TextBuffer rows = {0};
  Table *table = search_table(study, &rows);
  Error error = {0};
  for (long count = 1; count > 0;) {
    long *trials = compare_method.next(study, table, &count, &error);
    assert_non_null(trials);
    for (long i = 0; i < count; i++) {
      const long cell = trials[i] / REPEATS;
      const double value = measured(effect, study_cell_value(study, 0, cell), study_cell_value(study, 1, cell),
                                    (int)(trials[i] % REPEATS));
      search_add_row(study, trials[i], true, value, &rows);
    }
    free(trials);
    table_free(table);
    table = search_table(study, &rows);
  }
  text_free(&rows);
  return table;
}

static Comparison decision_of(const StudyDef *study, const Table *table) {
  int missing;
  Bootstrap *bootstrap = bootstrap_create(1);
  const Comparison decision = compare_decide(study, table, bootstrap, &missing);
  bootstrap_destroy(bootstrap);
  assert_int_equal(missing, 0);
  return decision;
}

// ---- Tests ----

// An effect of twice a pair's deviation is decided at the first look, though blows differ 50 times as much.
static void test_large_effects_end_early(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  for (int sign = -1; sign <= 1; sign += 2) {
    Table *table = compare(study, 3.0 * sign);
    const Comparison decision = decision_of(study, table);
    assert_int_equal(table->row_count, 10 * 2 * ANGLES);
    assert_int_equal(decision.repeats, 10);
    assert_int_equal(decision.pairs, 10 * ANGLES);
    assert_int_equal(decision.result, sign < 0 ? COMPARE_LOWER : COMPARE_HIGHER);
    assert_true(fabs(decision.difference - 3.0 * sign) < 1);
    assert_true(decision.interval.low < 3.0 * sign && decision.interval.high > 3.0 * sign);
    assert_true(fabs(decision.second - decision.first - decision.difference) < 1e-9);
    table_free(table);
  }
  study_free(study);
}

// Without an effect all repeats are run and nothing is decided; with a margin they are soon known to be alike.
static void test_no_effect(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  Table *table = compare(study, 0);
  Comparison decision = decision_of(study, table);
  assert_int_equal(table->row_count, REPEATS * 2 * ANGLES);
  assert_int_equal(decision.result, COMPARE_OPEN);
  assert_true(decision.interval.low < 0 && decision.interval.high > 0);
  table_free(table);

  study->compare.margin = 2;
  table = compare(study, 0);
  decision = decision_of(study, table);
  assert_int_equal(decision.result, COMPARE_ALIKE);
  assert_true(decision.repeats < REPEATS);
  table_free(table);
  study_free(study);
}

// The difference is that of the pairs that are whole: a lost trial takes its partner with it.
static void test_lost_trials(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  TextBuffer rows = {0};
  char line[TRIAL_LINE_SIZE];
  for (long trial = 0; trial < study->trial_count; trial++) {
    const int second = study_cell_value(study, 1, trial / REPEATS);
    if (trial == 3) {
      trial_lost(study, trial, "crashed: signal 11", line, sizeof line);
      text_print(&rows, "%s\n", line);
    } else {
      search_add_row(study, trial, true, trial == REPEATS + 3 ? 1e6 : (double)(second * 5 + trial % REPEATS), &rows);
    }
  }
  Table *table = search_table(study, &rows);
  const Comparison decision = decision_of(study, table);
  assert_true(decision.difference == 5 && decision.interval.low == 5 && decision.interval.high == 5);
  assert_int_equal(decision.pairs, 10 * ANGLES - 1);
  table_free(table);
  text_free(&rows);
  study_free(study);
}

// A whole last block: 25 repeats are looked at after 10 and 25, not 20.
static void test_last_block_is_not_short(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  TextBuffer rows = {0};
  Table *table = search_table(study, &rows);
  Bootstrap *bootstrap = bootstrap_create(1);
  int missing;
  study->run.repeats = 25;
  compare_decide(study, table, bootstrap, &missing);
  assert_int_equal(missing, 10);
  study->run.repeats = 15;
  compare_decide(study, table, bootstrap, &missing);
  assert_int_equal(missing, 15);
  bootstrap_destroy(bootstrap);
  table_free(table);
  study_free(study);
}

static void assert_refused(const char *compare, const char *message) {
  char text[1024];
  Error error = {0};
  snprintf(text, sizeof text,
           "scene: small.yaml\nrepeats: 10\naxes:\n"
           "  events.0.direction: {values: [0, 90, 180], name: angle}\n"
           "  world.friction: {values: [0.5, 1], name: ground}\n%s\n",
           compare);
  StudyDef *study = study_try(text, &error);
  assert_null(study);
  if (!strstr(error.text, message))
    fail_msg("'%s' has no '%s'", error.text, message);
}

static void test_bad_tables(void **state) {
  (void)state;
  assert_refused("compare: ground", "push.yaml:6:10: 'compare' must be a map");
  assert_refused("compare: {axis: ground}", "push.yaml:6:10: 'metric' is missing");
  assert_refused("compare: {metric: ok}", "push.yaml:6:10: 'axis' is missing");
  assert_refused("compare: {axis: grund, metric: ok}", "push.yaml:6:17:");
  assert_refused("compare: {axis: angle, metric: ok}", "push.yaml:6:17: 'angle' has 3 values, a comparison is of two");
  assert_refused("compare: {axis: ground, metric: oks}", "push.yaml:6:33:");
  assert_refused("compare: {axis: ground, metric: status}", "push.yaml:6:33: 'status' is a column of texts");
  assert_refused("compare: {axis: ground, metric: ok, block: 5}", "push.yaml:6:44:");

  Error error = {0};
  StudyDef *study = study_of("scene: small.yaml\n");
  assert_false(compare_method.accepts(study, &error));
  assert_non_null(strstr(error.text, "push.yaml: has no table 'compare'"));
  study_free(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_large_effects_end_early),
      cmocka_unit_test(test_no_effect),
      cmocka_unit_test(test_lost_trials),
      cmocka_unit_test(test_last_block_is_not_short),
      cmocka_unit_test(test_bad_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
