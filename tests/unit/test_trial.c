// A trial is a run: its row has the numbers of the scene run by itself, bit for bit, after any other runs; failures are
// reported in its row.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/study_fixture.h"

#include <sys/stat.h>

#include "scenes/run/outcome.h"

static const char PUSHES[] = "scene: small.yaml\n"
                             "seed: 3\n"
                             "repeats: 2\n"
                             "set: [world.friction=0.7]\n"
                             "axes:\n"
                             "  events.0.impulse: [0.2, 2]\n"
                             "  world.solver: [step, iterative]\n"
                             "  characters.doll.drive.strength: {random: {low: 0.5, high: 1}}\n";

static const char *run_line(const StudyDef *study, long trial, const char *trace) {
  static char line[TRIAL_LINE_SIZE];
  assert_true(trial_run(study, trial, trace, NULL, line, sizeof line, NULL));
  return line;
}

// The row of a line; the caller frees it.
static Table *row_of(const StudyDef *study, const char *line) {
  char *header = table_header(study->columns, study->column_count), *text = malloc(strlen(header) + strlen(line) + 3);
  Error error = {0};
  sprintf(text, "%s\n%s\n", header, line);
  Table *table = table_parse("line", text, strlen(text), study->columns, study->column_count, &error);
  assert_string_equal(error.text, "");
  free(header);
  free(text);
  assert_non_null(table);
  assert_int_equal(table->row_count, 1);
  return table;
}

static const char *text_of(const Table *row, const char *column) {
  assert_true(table_find(row, column) >= 0);
  return table_text(row, 0, table_find(row, column));
}

static double number_of(const Table *row, const char *column) {
  assert_true(table_find(row, column) >= 0);
  return table_number(row, 0, table_find(row, column));
}

// The scene of a trial, as `stagger run` with the same overrides reads it.
static SceneDef *fresh_def(const StudyDef *study, long trial) {
  StudyTrial plan;
  study_trial(study, trial, &plan);
  const char *overrides[STUDY_MAX_SETS + STUDY_MAX_AXES + 1];
  int count = 0;
  for (int i = 0; i < study->set_count; i++)
    overrides[count++] = study->sets[i];
  for (int i = 0; i < plan.override_count; i++)
    overrides[count++] = plan.overrides[i];
  Error error = {0};
  SceneDef *def = scene_def_reread(study->scene, overrides, count, &error); // shares nothing
  assert_string_equal(error.text, "");
  assert_int_equal(def->borrowed_assets, 0);
  return def;
}

static bool has_same_bits(double a, double b) {
  uint64_t bits[2];
  memcpy(&bits[0], &a, sizeof a);
  memcpy(&bits[1], &b, sizeof b);
  return bits[0] == bits[1];
}

static void assert_row_is_run(const Table *row, const Scene *scene) {
  for (int c = 0; c < scene->character_count; c++) {
    char column[128];
    for (int i = 0; i < metric_row_count; i++) {
      double value = NAN, cell;
      if (strcmp(metric_rows[i].name, "realtime_factor") == 0)
        continue;
      metrics_value(scene->characters[c]->judged->metrics, metric_rows[i].name, &value);
      snprintf(column, sizeof column, "%s.%s", scene->characters[c]->def->name, metric_rows[i].name);
      cell = number_of(row, column);
      if ((isnan(value) != isnan(cell)) || (!isnan(value) && !has_same_bits(value, cell)))
        fail_msg("%s is %.17g, in a run by itself %.17g", column, cell, value);
    }
    snprintf(column, sizeof column, "%s.recovery_strategy", scene->characters[c]->def->name);
    assert_string_equal(text_of(row, column), metrics_strategy(scene->characters[c]->judged->metrics));
  }
  assert_true(number_of(row, "time") == scene->world->time);
  assert_true(number_of(row, "ok") == outcome_holds(scene));
}

static void test_row_is_a_run(void **state) {
  (void)state;
  StudyDef *study = study_of(PUSHES);
  for (long trial = study->trial_count - 1; trial >= 0; trial--) {
    Table *row = row_of(study, run_line(study, trial, NULL));
    SceneDef *def = fresh_def(study, trial);
    Scene *scene = small_scene(def);
    while (scene->world->steps < def->step_count)
      assert_true(scene_step(scene));
    scene_finish(scene);
    assert_row_is_run(row, scene);
    assert_string_equal(text_of(row, "status"), "complete");
    assert_true(number_of(row, "trial") == (double)trial);
    assert_int_equal((long)number_of(row, "cell"), trial / 2);
    assert_true(number_of(row, "repeat") == (double)(trial % 2));
    assert_true(number_of(row, "seed") == (double)(3 + trial % 2) && def->run.seed == 3 + trial % 2);
    assert_true(number_of(row, "events.0.impulse") == def->events[0].impulse[0]);
    assert_true(number_of(row, "characters.doll.drive.strength") == def->characters[0].drive.strength);
    assert_string_equal(text_of(row, "world.solver"), def->world.solver == SOLVER_STEP ? "step" : "iterative");
    assert_true(def->world.friction == 0.7);
    scene_destroy(scene);
    scene_def_free(def);
    table_free(row);
  }
  study_free(study);
}

// The human body with its forty clips: read once, shared by all trials, every step as in a run by itself.
static void test_shared_assets_change_nothing(void **state) {
  (void)state;
  static const char SCENE[] = "duration: 0.25\n"
                              "world: {dt: 1/120}\n"
                              "characters:\n"
                              "  - name: man\n"
                              "    body: bodies/human.yaml\n"
                              "    animation: {graph: graphs/human.yaml}\n"
                              "    assist: {enabled: true}\n"
                              "events: [{time: 0.1, part: chest, impulse: 5}]\n";
  Error error = {0};
  FileSet files = {0};
  files_put(&files, "idle.yaml", SCENE, sizeof SCENE - 1);
  StudyDef *study =
      study_from_text("idle_study.yaml",
                      "scene: idle.yaml\n"
                      "axes: {characters.man.animation.graph: [graphs/human.yaml, graphs/standing.yaml]}\n"
                      "metrics: [fell]\n",
                      &files, &error);
  assert_string_equal(error.text, "");
  for (long trial = 0; trial < 2; trial++) {
    StudyTrial plan;
    study_trial(study, trial, &plan);
    const char *overrides[] = {plan.overrides[0], plan.overrides[1]};
    SceneDef *fresh = fresh_def(study, trial), *variant = scene_def_variant(study->scene, overrides, 2, &error);
    assert_string_equal(error.text, "");
    assert_ptr_equal(variant->characters[0].body, study->scene->characters[0].body);
    assert_ptr_not_equal(fresh->characters[0].body, study->scene->characters[0].body);
    assert_true((variant->characters[0].graph == study->scene->characters[0].graph) == (trial == 0));
    assert_string_equal(fresh->text, variant->text);
    Scene *a = small_scene(fresh), *b = small_scene(variant);
    for (int i = 0; i < 30; i++) {
      assert_true(scene_step(a) && scene_step(b));
      assert_true(world_hash(a->world) == world_hash(b->world));
    }
    scene_destroy(a);
    scene_destroy(b);
    scene_def_free(fresh);
    scene_def_free(variant);
  }
  study_free(study);
}

// Rows do not depend on the order of trials, nor on whether a trace is written.
static void test_rows_repeat(void **state) {
  (void)state;
  char folder[] = "/tmp/stagger_test_XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/trial.h5", folder);
  StudyDef *study = study_of(PUSHES);
  char *rows[8];
  for (long i = 0; i < 8; i++)
    rows[i] = strdup(run_line(study, i, NULL));
  for (long i = 7; i >= 0; i--) {
    assert_string_equal(run_line(study, i, i == 3 ? path : NULL), rows[i]);
    free(rows[i]);
  }
  assert_int_equal(remove(path), 0);
  assert_int_equal(rmdir(folder), 0); // no other file remains
  study_free(study);
}

// The trace of a trial is that of the run.
static void test_trace_is_the_runs(void **state) {
  (void)state;
  char folder[] = "/tmp/stagger_test_XXXXXX", path[2][64], report[4096];
  assert_non_null(mkdtemp(folder));
  for (int i = 0; i < 2; i++)
    snprintf(path[i], sizeof path[i], "%s/%d.h5", folder, i);
  StudyDef *study = study_of(PUSHES);
  run_line(study, 5, path[0]);

  Error error = {0};
  SceneDef *def = fresh_def(study, 5);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path[1], &info, &error);
  assert_true(scene_record(scene, writer, &error));
  while (scene->world->steps < def->step_count)
    assert_true(scene_step(scene));
  scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));
  scene_destroy(scene);
  scene_def_free(def);

  TraceReader *readers[2] = {trace_open(path[0], &error), trace_open(path[1], &error)};
  assert_string_equal(error.text, "");
  assert_string_equal(trace_text(readers[0], "status"), "complete");
  if (!trace_compare(readers[0], readers[1], report, sizeof report))
    fail_msg("%s", report);
  for (int i = 0; i < 2; i++) {
    trace_reader_close(readers[i]);
    remove(path[i]);
  }
  assert_int_equal(rmdir(folder), 0);
  study_free(study);
}

// A run that diverges is contained: its row says so, with the metrics up to that time.
static void test_stopped_trial(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\n"
                             "axes: {world.max_speed: [1000, 1]}\n"
                             "set: [events.0.impulse=20]\n"
                             "metrics: [hits, fell, recovery_strategy]\n");
  Table *row = row_of(study, run_line(study, 0, NULL));
  assert_string_equal(text_of(row, "status"), "complete");
  assert_true(number_of(row, "ok") == 1);
  table_free(row);
  row = row_of(study, run_line(study, 1, NULL));
  assert_non_null(strstr(text_of(row, "status"), "stopped: runaway at 0.1"));
  assert_true(number_of(row, "ok") == 0);
  assert_true(number_of(row, "time") > 0.05 && number_of(row, "time") < 0.15);
  assert_true(number_of(row, "doll.fell") == 0);
  table_free(row);
  study_free(study);
}

// A scene whose expectation does not hold is complete, and not ok.
static void test_expectations(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\nset: ['expect=[doll.hits == 7]']\nmetrics: [hits]\n");
  Table *row = row_of(study, run_line(study, 0, NULL));
  assert_string_equal(text_of(row, "status"), "complete");
  assert_true(number_of(row, "ok") == 0 && number_of(row, "doll.hits") == 1);
  table_free(row);
  study_free(study);
}

// A drawn value that the scene does not accept fails its trial only.
static void test_failed_trial(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\n"
                             "repeats: 20\n"
                             "axes: {world.friction: {random: {distribution: normal, mean: 0.1, deviation: 1}}}\n"
                             "metrics: [fell]\n");
  int failed = 0;
  for (long i = 0; i < 20; i++) {
    char value[PARAM_TEXT_SIZE], wanted[512];
    study_value(study, 0, i, value);
    Table *row = row_of(study, run_line(study, i, NULL));
    snprintf(wanted, sizeof wanted, "failed: --set world.friction=%s: world.friction is %s, allowed are 0 to 10", value,
             value);
    bool is_bad = value[0] == '-';
    assert_string_equal(text_of(row, "status"), is_bad ? wanted : "complete");
    assert_true(isnan(number_of(row, "time")) == is_bad);
    assert_true(isnan(number_of(row, "doll.fell")) == is_bad);
    assert_true(number_of(row, "ok") == !is_bad);
    assert_true(number_of(row, "world.friction") == strtod(value, NULL));
    failed += is_bad;
    table_free(row);
  }
  assert_true(failed > 2 && failed < 18);
  study_free(study);
}

static void test_trace_that_cannot_be_written(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\nmetrics: [fell]\n");
  Table *row = row_of(study, run_line(study, 0, "/tmp/stagger_no_such_folder/trial.h5"));
  assert_non_null(strstr(text_of(row, "status"), "failed: cannot write trace /tmp/stagger_no_such_folder/trial.h5"));
  assert_true(number_of(row, "ok") == 0);
  table_free(row);
  study_free(study);
}

static int questions;
static bool go_on_for_a_while(void) { return questions++ < 2; }
static bool go_on(void) { return true; }

static void test_interruption(void **state) {
  (void)state;
  char folder[] = "/tmp/stagger_test_XXXXXX", path[64], line[TRIAL_LINE_SIZE] = "as before";
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/trial.h5", folder);
  StudyDef *study = study_of("scene: small.yaml\n");
  questions = 0;
  assert_false(trial_run(study, 0, path, go_on_for_a_while, line, sizeof line, NULL));
  assert_int_equal(questions, 3);
  assert_string_equal(line, "as before");
  assert_int_equal(rmdir(folder), 0); // no trace, not even a part of one
  assert_true(trial_run(study, 0, NULL, go_on, line, sizeof line, NULL));
  assert_string_equal(line, run_line(study, 0, NULL));
  study_free(study);
}

// A study of responses runs each trial beside another run: the row gains its metrics, and is the same otherwise.
static void test_responses_change_nothing(void **state) {
  (void)state;
  static HitResponse response;
  char line[TRIAL_LINE_SIZE];
  StudyDef *plain = study_of("scene: small.yaml\nset: [duration=1]\n");
  StudyDef *study = study_of("scene: small.yaml\nset: [duration=1]\nresponses: true\n");
  Table *before = row_of(plain, run_line(plain, 0, NULL));
  assert_true(trial_run(study, 0, NULL, NULL, line, sizeof line, &response));
  Table *row = row_of(study, line);
  assert_int_equal(response.frame_count, HIT_RESPONSE_FRAMES);
  const MetricsHitResponse metrics = hit_response_metrics(&response);
  assert_true(metrics.size > 0.1);
  int gained = 0;
  for (int i = 0; i < row->column_count; i++) {
    if (row->columns[i].kind == TABLE_TEXT) {
      assert_string_equal(table_text(row, 0, i), table_text(before, 0, i));
      continue;
    }
    const double a = table_number(before, 0, i), b = table_number(row, 0, i);
    const bool of_body = strstr(row->columns[i].name, "neck_") || strstr(row->columns[i].name, "leg_"); // it has none
    if (strstr(row->columns[i].name, "hit_response_") || (strstr(row->columns[i].name, "torque_onset") && !of_body)) {
      assert_true(isnan(a) && isfinite(b));
      gained++;
    } else {
      assert_true(has_same_bits(a, b) || (isnan(a) && isnan(b)));
    }
  }
  assert_int_equal(gained, 4);
  assert_true(number_of(row, "doll.hit_response_size") == metrics.size);
  table_free(row);
  table_free(before);
  study_free(plain);
  study_free(study);
}

static void test_lost_trial(void **state) {
  (void)state;
  StudyDef *study = study_of("scene: small.yaml\nrepeats: 3\n"
                             "axes: {events.0.part: [top, [top, base]], events.0.impulse: [1, 2]}\n"
                             "metrics: [fell, recovery_strategy, hits]\n");
  char line[TRIAL_LINE_SIZE];
  trial_lost(study, 10, "crashed: signal 11 (Segmentation fault),\nsee \"core\"", line, sizeof line);
  assert_string_equal(line,
                      "10,3,1,2,\"[top, base]\",2,\"crashed: signal 11 (Segmentation fault), see \"\"core\"\"\",0,,,,");
  table_free(row_of(study, line));
  // A long text is cut, so that the rest of the line fits; not within a character.
  for (size_t odd = 0; odd < 2; odd++) {
    char status[2000] = "crashed: x";
    for (size_t i = 9 + odd; i < sizeof status - 3; i += 2)
      memcpy(status + i, "\xc3\xbc", 3);
    trial_lost(study, 0, status, line, sizeof line);
    Table *row = row_of(study, line);
    const char *cut = text_of(row, "status");
    assert_true(strlen(cut) > 300 && strncmp(cut, status, strlen(cut)) == 0 && (cut[strlen(cut) - 1] & 0x40) == 0);
    assert_true((strlen(cut) - 9 - odd) % 2 == 0);
    table_free(row);
  }
  study_free(study);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_row_is_a_run),
      cmocka_unit_test(test_shared_assets_change_nothing),
      cmocka_unit_test(test_rows_repeat),
      cmocka_unit_test(test_trace_is_the_runs),
      cmocka_unit_test(test_stopped_trial),
      cmocka_unit_test(test_expectations),
      cmocka_unit_test(test_failed_trial),
      cmocka_unit_test(test_trace_that_cannot_be_written),
      cmocka_unit_test(test_interruption),
      cmocka_unit_test(test_lost_trial),
      cmocka_unit_test(test_responses_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
