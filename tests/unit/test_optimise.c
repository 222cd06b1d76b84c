// The search for good parameters: what it finds where the answer is known, that it goes on where it was, restarts, and
// what it refuses.
#include "tests/fixture.h"

#include <limits.h>

#include "scenes/search/optimise.h"
#include "tests/unit/search_fixture.h"

#define STUDY(OPTIONS)                                                                                                 \
  "scene: small.yaml\n"                                                                                                \
  "repeats: 2\n"                                                                                                       \
  "axes:\n"                                                                                                            \
  "  events.0.direction: {values: [0, 90], name: angle}\n"                                                             \
  "metrics: [doll.peak_pose_error]\n"                                                                                  \
  "optimise:\n"                                                                                                        \
  "  parameters:\n"                                                                                                    \
  "    events.0.impulse: {low: 0.1, high: 10, scale: log, name: size}\n"                                               \
  "    world.friction: {low: 0, high: 2, start: 0.2, name: friction}\n"                                                \
  "  cost: [{metric: doll.peak_pose_error, goal: 5, side: above, weight: 2}]\n" OPTIONS

enum { TRIALS_OF_CANDIDATE = 4 }; // 2 angles, 2 repeats

// A bowl in the search's units with its lowest point, 5, at an impulse of 3 and a friction of 1.7.
static double bowl(const double *values) {
  const double x = log10(values[0] / 3) / 2, y = (values[1] - 1.7) / 2;
  return 5 + 10 * (x * x + 4 * y * y);
}

// Runs the search in this world; most: trials, after which it is left as it is.
static Table *search(StudyDef *study, long most) {
  static Optimisation state;
  TextBuffer rows = {0};
  Table *table = search_table(study, &rows);
  Error error = {0};
  for (long count = 1; count > 0 && table->row_count < most;) {
    long *trials = optimise_method.next(study, table, &count, &error);
    assert_non_null(trials);
    optimise_begin(&state, study);
    while (!state.ended && optimise_step(&state, study, table, &error)) {
    }
    for (long i = 0; i < count && table->row_count + i < most; i++) {
      const long candidate = trials[i] / TRIALS_OF_CANDIDATE;
      optimise_values(study, state.points[candidate - state.first], study->optimise.point);
      search_add_row(study, trials[i], true, bowl(study->optimise.point), &rows);
    }
    free(trials);
    table_free(table);
    table = search_table(study, &rows);
  }
  text_free(&rows);
  return table;
}

static void replay(Optimisation *state, const StudyDef *study, const Table *table) {
  Error error = {0};
  optimise_begin(state, study);
  while (!state->ended && optimise_step(state, study, table, &error)) {
  }
  assert_string_equal(error.text, "");
}

// ---- Tests ----

// Both parameters to 2 %, and the cost of the bowl's lowest point; the first candidate is the start.
static void test_lowest_point_is_found(void **state) {
  (void)state;
  static Optimisation found;
  StudyDef *study = study_of(STUDY("  generations: 40\n"));
  Table *table = search(study, LONG_MAX);
  replay(&found, study, table);
  assert_true(found.ended && found.generation <= 40);
  assert_true(fabs(found.best_values[0] - 3) < 0.06);
  assert_true(fabs(found.best_values[1] - 1.7) < 0.034);
  assert_true(found.best_cost >= 0 && found.best_cost < 0.01);
  const int size = table_find(table, "size"), friction = table_find(table, "friction");
  for (int row = 0; row < TRIALS_OF_CANDIDATE; row++) {
    assert_true(fabs(table_number(table, row, size) - 1) < 1e-12); // the middle of a range of factors
    assert_true(fabs(table_number(table, row, friction) - 0.2) < 1e-12);
  }
  for (long row = 0; row < table->row_count; row++) {
    assert_in_range(10 * table_number(table, row, size), 1, 100);
    assert_in_range(table_number(table, row, friction), 0, 2);
  }
  table_free(table);
  study_free(study);
}

// From any part of its rows the search makes the same table.
static void test_a_part_is_continued(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY("  generations: 3\n"));
  Table *whole = search(study, LONG_MAX), *part = search(study, 37);
  assert_int_equal(part->row_count, 37);
  for (long row = 0; row < part->row_count; row++)
    for (int column = 0; column < part->column_count; column++)
      if (part->columns[column].kind == TABLE_NUMBER)
        assert_true(table_number(part, row, column) == table_number(whole, row, column));
  long count;
  Error error = {0};
  long *trials = optimise_method.next(study, part, &count, &error);
  assert_int_equal(trials[0], 37);
  free(trials);
  trials = optimise_method.next(study, whole, &count, &error);
  assert_int_equal(count, 0);
  free(trials);
  table_free(part);

  // A row of another search is noticed.
  whole->numbers[5 * whole->column_count + table_find(whole, "size")] *= 1.5;
  assert_null(optimise_method.next(study, whole, &count, &error));
  assert_non_null(strstr(error.text, "trial 5: size is"));
  table_free(whole);
  study_free(study);
}

// A search that has converged begins anew with twice the population, as often as it may; it ends at its target.
static void test_restarts_and_target(void **state) {
  (void)state;
  static Optimisation found;
  StudyDef *study = study_of(STUDY("  generations: 90\n  tolerance: 0.05\n  restarts: 2\n  population: 6\n"));
  Table *table = search(study, LONG_MAX);
  replay(&found, study, table);
  assert_int_equal(found.restart, 2);
  assert_int_equal(found.cma.points, 24);
  assert_true(found.generation < 90);
  table_free(table);
  study_free(study);

  study = study_of(STUDY("  generations: 90\n  target: 0.5\n"));
  table = search(study, LONG_MAX);
  replay(&found, study, table);
  assert_true(found.best_cost <= 0.5 && found.generation < 20);
  table_free(table);
  study_free(study);
}

// The cost of a row: weighted distances beyond the goal, the value for a metric that does not apply, and of a trial
// that was lost that of a failure.
static void test_costs_of_rows(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY("  failure: 77\n"));
  TextBuffer rows = {0};
  search_add_row(study, 0, true, 8, &rows);
  search_add_row(study, 1, true, 4, &rows);
  search_add_row(study, 2, true, NAN, &rows);
  char line[TRIAL_LINE_SIZE];
  trial_lost(study, 3, "crashed: signal 11", line, sizeof line);
  text_print(&rows, "%s\n", line);
  Table *table = search_table(study, &rows);
  StudyCost *cost = &study->optimise.costs[0];
  assert_true(optimise_row_cost(study, table, 0) == 6);
  assert_true(optimise_row_cost(study, table, 1) == 0);
  assert_true(optimise_row_cost(study, table, 3) == 77);
  cost->missing = 9;
  assert_true(optimise_row_cost(study, table, 2) == 8);
  cost->side = 0; // both
  assert_true(optimise_row_cost(study, table, 1) == 2);
  cost->has_goal = false;
  assert_true(optimise_row_cost(study, table, 1) == 8);
  table_free(table);
  text_free(&rows);
  study_free(study);
}

static void assert_refused(const char *optimise, const char *message) {
  char text[1024];
  Error error = {0};
  snprintf(text, sizeof text, "scene: small.yaml\n%s\n", optimise);
  StudyDef *study = study_try(text, &error);
  assert_null(study);
  if (!strstr(error.text, message))
    fail_msg("'%s' has no '%s'", error.text, message);
}

#define COST ", cost: [{metric: doll.fell}]"

static void test_bad_tables(void **state) {
  (void)state;
  assert_refused("optimise: 3", "push.yaml:2:11: 'optimise' must be a map");
  assert_refused("optimise: {cost: [{metric: doll.fell}]}", "push.yaml:2:11: 'parameters' must be a map");
  assert_refused("optimise: {parameters: {world.friction: 2}" COST "}", "push.yaml:2:41: expected a range");
  assert_refused("optimise: {parameters: {world.friction: {low: 2}}" COST "}", "push.yaml:2:41: 'high' is missing");
  assert_refused("optimise: {parameters: {world.friction: {low: 2, high: 1}}" COST "}", "push.yaml:2:56: 'high' is 1");
  assert_refused("optimise: {parameters: {world.friction: {low: 0, high: 1, scale: log}}" COST "}",
                 "push.yaml:2:47: with 'scale: log' both ends");
  assert_refused("optimise: {parameters: {world.friction: {low: 0, high: 1, start: 2}}" COST "}",
                 "push.yaml:2:66: 'start' is 2, allowed are 0 to 1");
  assert_refused("optimise: {parameters: {world.friction: {low: -1, high: 1}}" COST "}",
                 "push.yaml:2:47: world.friction=-1");
  assert_refused("optimise: {parameters: {world.frictoin: {low: 0, high: 1}}" COST "}", "world.frictoin=0");
  assert_refused("optimise: {parameters: {seed: {low: 0, high: 1}}" COST "}", "push.yaml:2:25: seeds come from");
  assert_refused("optimise: {parameters: {world.friction: {low: 0, high: 1}}}",
                 "push.yaml:2:11: 'cost' must be a list");
  assert_refused("optimise: {parameters: {world.friction: {low: 0, high: 1}}, cost: [{metric: doll.fel}]}",
                 "push.yaml:2:77:");
  assert_refused("optimise: {parameters: {world.friction: {low: 0, high: 1}}, cost: [{metric: status}]}",
                 "push.yaml:2:77: 'status' is a column of texts");
  assert_refused("optimise: {parameters: {world.friction: {low: 0, high: 1}}, cost: [{metric: ok, side: above}]}",
                 "'side' belongs to 'goal'");
  assert_refused("optimise: {parameters: {world.friction: {low: 0, high: 1}}, population: 3" COST "}",
                 "push.yaml:2:73: 3 candidates of a generation, allowed are 4 to 4096");
  assert_refused("axes: {world.friction: [1, 2]}\noptimise: {parameters: {world.friction: {low: 0, high: 1}}" COST "}",
                 "there is a column 'world.friction' already");
  assert_refused(
      "optimise: {parameters: {world.friction: {low: 0, high: 1}}, generations: 100000, population: 4000" COST "}",
      "times the candidates of 'optimise'");
}

// Other commands refuse the study, and this one other studies.
static void test_studies_of_other_commands(void **state) {
  (void)state;
  Error error = {0};
  StudyDef *study = study_of(STUDY(""));
  assert_true(optimise_method.accepts(study, &error));
  assert_false(sweep_method.accepts(study, &error));
  assert_non_null(strstr(error.text, "only stagger optimise sets"));
  study_free(study);
  study = study_of("scene: small.yaml\n");
  error = (Error){0};
  assert_true(sweep_method.accepts(study, &error));
  assert_false(optimise_method.accepts(study, &error));
  assert_non_null(strstr(error.text, "push.yaml: has no table 'optimise'"));
  study_free(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lowest_point_is_found),
      cmocka_unit_test(test_a_part_is_continued),
      cmocka_unit_test(test_restarts_and_target),
      cmocka_unit_test(test_costs_of_rows),
      cmocka_unit_test(test_bad_tables),
      cmocka_unit_test(test_studies_of_other_commands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
