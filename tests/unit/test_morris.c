// Elementary effects on functions whose effects are known, the trajectories, and what is refused.
#include "tests/fixture.h"

#include "scenes/search/morris.h"
#include "tests/unit/search_fixture.h"

static const char STUDY[] = "scene: small.yaml\n"
                            "repeats: 2\n"
                            "axes:\n"
                            "  events.0.direction: {from: 0, to: 90, steps: 4, name: linear}\n"
                            "  events.0.impulse: {from: 1, to: 2, steps: 6, name: falling}\n"
                            "  world.friction: {from: 0.5, to: 1, steps: 4, name: square}\n"
                            "  world.dt: {values: [1/240, 1/480], name: partner}\n"
                            "  events.0.time: {from: 0.05, to: 0.1, steps: 3, name: nothing}\n"
                            "metrics: [doll.peak_pose_error]\n"
                            "sensitivity: {trajectories: 40}\n";
enum { AXES = 5, TRAJECTORIES = 40, COLUMN = 4 + AXES + 3 };

// 3 a - 2 b + 4 c d of the axes' places, 0 to 1; the repeats differ by something that their mean leaves out.
static double function(const StudyDef *study, long cell, int repeat) {
  double place[AXES];
  for (int i = 0; i < AXES; i++)
    place[i] = (double)study_cell_value(study, i, cell) / (study->axes[i].count - 1);
  return 3 * place[0] - 2 * place[1] + 4 * place[2] * place[3] + (repeat == 0 ? 0.25 : -0.25);
}

static Table *run(const StudyDef *study) {
  TextBuffer rows = {0};
  Table *table = search_table(study, &rows);
  Error error = {0};
  long count;
  long *trials = sensitivity_method.next(study, table, &count, &error);
  assert_non_null(trials);
  for (long i = 0; i < count; i++) {
    assert_true(i == 0 || trials[i] > trials[i - 1]); // none twice
    search_add_row(study, trials[i], true, function(study, trials[i] / 2, (int)(trials[i] % 2)), &rows);
  }
  free(trials);
  table_free(table);
  table = search_table(study, &rows);
  trials = sensitivity_method.next(study, table, &count, &error);
  assert_int_equal(count, 0); // all are known in advance
  free(trials);
  text_free(&rows);
  return table;
}

// Linear effects exactly, without a deviation; the effect of c is 4 d and so 0 or 4, that of d is 4 c.
static void test_effects_are_known(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  Table *table = run(study);
  assert_true(table->row_count <= 2L * TRAJECTORIES * (AXES + 1));
  MorrisEffect effects[AXES];
  Bootstrap *bootstrap = bootstrap_create(1);
  for (int axis = 0; axis < AXES; axis++) {
    effects[axis] = morris_effect(study, table, COLUMN, axis, bootstrap);
    assert_int_equal(effects[axis].count, TRAJECTORIES);
    assert_true(effects[axis].size_interval.low <= effects[axis].size + 1e-9);
    assert_true(effects[axis].size_interval.high >= effects[axis].size - 1e-9);
  }
  bootstrap_destroy(bootstrap);
  assert_true(fabs(effects[0].mean - 3) < 1e-9 && fabs(effects[0].size - 3) < 1e-9 && effects[0].deviation < 1e-9);
  assert_true(fabs(effects[1].mean + 2) < 1e-9 && fabs(effects[1].size - 2) < 1e-9 && effects[1].deviation < 1e-9);
  assert_true(effects[2].mean > 1 && effects[2].mean < 3 && fabs(effects[2].size - effects[2].mean) < 1e-9);
  assert_true(effects[2].deviation > 1.5); // of 0 and 4, about evenly: 2
  assert_true(effects[3].mean > 1.2 && effects[3].mean < 2.8 && effects[3].deviation > 0.8);
  assert_true(effects[4].size < 1e-9 && effects[4].deviation < 1e-9);
  table_free(table);
  study_free(study);
}

// Each step changes one axis, each axis once, by half of its values; another seed has other trajectories.
static void test_trajectories(void **state) {
  (void)state;
  StudyDef *study = study_of(STUDY);
  int rises = 0;
  for (int number = 0; number < TRAJECTORIES; number++) {
    MorrisTrajectory way;
    bool seen[AXES] = {false};
    morris_trajectory(study, number, &way);
    assert_int_equal(way.steps, AXES);
    for (int i = 0; i < AXES; i++) {
      const int axis = way.axes[i], count = study->axes[axis].count;
      const int before = study_cell_value(study, axis, way.cells[i]),
                after = study_cell_value(study, axis, way.cells[i + 1]);
      assert_false(seen[axis]);
      seen[axis] = true;
      assert_int_equal(abs(after - before), count / 2);
      assert_true(fabs(way.changes[i] - (double)(after - before) / (count - 1)) < 1e-15);
      assert_int_equal(study_cell_with(study, way.cells[i + 1], axis, before), way.cells[i]);
      rises += after > before;
    }
  }
  assert_in_range(rises, TRAJECTORIES * AXES * 2 / 5, TRAJECTORIES * AXES * 3 / 5);
  MorrisTrajectory a, b;
  morris_trajectory(study, 3, &a);
  study->run.seed++;
  morris_trajectory(study, 3, &b);
  assert_memory_not_equal(a.cells, b.cells, sizeof a.cells);
  study_free(study);
}

static void assert_refused(const char *text, const char *message) {
  Error error = {0};
  StudyDef *study = study_try(text, &error);
  assert_null(study);
  if (!strstr(error.text, message))
    fail_msg("'%s' has no '%s'", error.text, message);
}

static void test_bad_tables(void **state) {
  (void)state;
  assert_refused("scene: small.yaml\nsensitivity: 3\n", "push.yaml:2:14: 'sensitivity' must be a map");
  assert_refused("scene: small.yaml\nsensitivity: {}\n", "push.yaml:2:14: the study has no axis");
  assert_refused("scene: small.yaml\naxes: {world.friction: [1]}\nsensitivity: {}\n",
                 "push.yaml:3:14: the axis 'world.friction' has one value");
  assert_refused("scene: small.yaml\naxes: {world.friction: [1, 2]}\nsensitivity: {trajectories: 1}\n",
                 "push.yaml:3:29:");
  Error error = {0};
  StudyDef *study = study_of("scene: small.yaml\n");
  assert_false(sensitivity_method.accepts(study, &error));
  assert_non_null(strstr(error.text, "push.yaml: has no table 'sensitivity'"));
  study_free(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_effects_are_known),
      cmocka_unit_test(test_trajectories),
      cmocka_unit_test(test_bad_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
