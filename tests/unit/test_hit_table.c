// The table of hits in a trace agrees with the metrics.
#include "ragdoll/character/character_metrics.h"
#include "tests/unit/small_scene.h"

#include "scenes/record/hit_table.h"

static const char TWO[] = "duration: 1\n"
                          "world: {gravity: [0, 0, 0]}\n"
                          "characters:\n"
                          "  - {name: a, body: boxes.yaml, start: {position: [0, 5, 0]}, drive: {enabled: false}}\n"
                          "  - {name: b, body: boxes.yaml, start: {position: [9, 5, 0]}, drive: {enabled: false}}\n"
                          "events:\n"
                          "  - {time: 0.1, character: b, part: top, impulse: 3}\n"
                          "  - {time: 0.2, character: a, part: base, impulse: 5}\n"
                          "  - {kind: push, time: 0.6, character: b, part: base, impulse: 2, duration: 0.1}\n";

static void record(const char *path, const char *text, bool finish) {
  Error error = {0};
  SceneDef *def = small_def(text);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(scene_record(scene, writer, &error));
  while (scene->world->steps < def->step_count)
    assert_true(scene_step(scene));
  if (finish)
    scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));
  scene_destroy(scene);
  scene_def_free(def);
}

static void assert_same(double a, double b) { assert_true(a == b || (isnan(a) && isnan(b))); }

static void test_table_is_that_of_the_metrics(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  record(path, TWO, true);
  Error error = {0};
  SceneDef *def = small_def(TWO);
  Scene *scene = small_scene(def);
  while (scene->world->steps < def->step_count)
    scene_step(scene);
  scene_finish(scene);

  TraceReader *reader = trace_open(path, &error);
  int count, row = 0;
  HitRecord *hits = hit_table_read(reader, &count, &error);
  assert_int_equal(count, 3);
  static const char *const names[] = {"a", "b", "b"}, *const parts[] = {"base", "top", "base"};
  for (int who = 0; who < 2; who++) {
    int own;
    const MetricsHit *wanted = metrics_hits(scene->characters[who]->judged->metrics, &own);
    for (int i = 0; i < own && row < 3; i++, row++) {
      const MetricsHit *hit = &hits[row].hit;
      assert_string_equal(hits[row].character, names[row]);
      assert_string_equal(hit->part, parts[row]);
      assert_string_equal(hit->strategy, wanted[i].strategy);
      assert_int_equal(hit->steps_taken, wanted[i].steps_taken);
      assert_same(hit->time, wanted[i].time);
      assert_same(hit->impulse, wanted[i].impulse);
      assert_same(hit->recovery_time, wanted[i].recovery_time);
      assert_same(hit->peak_pose_error, wanted[i].peak_pose_error);
      assert_same(hit->peak_com_displacement, wanted[i].peak_com_displacement);
      assert_same(hit->peak_assist_force, wanted[i].peak_assist_force);
      assert_same(hit->assist_impulse, wanted[i].assist_impulse);
      assert_same(hit->assist_angular_impulse, wanted[i].assist_angular_impulse);
      assert_same(hit->support_margin_min, wanted[i].support_margin_min);
    }
  }
  assert_int_equal(row, 3);
  assert_near(hits[0].hit.impulse, 5, 1e-9);
  free(hits);
  trace_reader_close(reader);
  scene_destroy(scene);
  scene_def_free(def);
  unlink(path);
}

static void test_runs_without_hits_or_end(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  for (int finish = 0; finish < 2; finish++) {
    Error error = {0};
    record(path, finish ? "duration: 0.1\n" SMALL_FLIGHT : TWO, finish);
    TraceReader *reader = trace_open(path, &error);
    int count = -1;
    assert_null(hit_table_read(reader, &count, &error));
    assert_int_equal(count, 0);
    assert_string_equal(error.text, "");
    trace_reader_close(reader);
  }
  unlink(path);
}

// A table whose first column, or all, have two numbers in each row.
static void test_damaged_tables(void **state) {
  (void)state;
  for (int damaged = 1; damaged <= HIT_COLUMNS; damaged += HIT_COLUMNS - 1) {
    char path[32];
    Error error = {0};
    SceneDef *def = small_def("duration: 0.1\n" SMALL_FLIGHT);
    const TraceInfo info = scene_trace_info(def);
    small_file(path);
    TraceWriter *writer = trace_create(path, &info, &error);
    assert_non_null(writer);
    for (int i = 0; i < HIT_COLUMNS; i++) {
      const TraceChannel channel = {.path = hit_channels[i].path,
                                    .type = hit_channels[i].type,
                                    .shape = {1, i < damaged ? 2 : 1},
                                    .unit = hit_channels[i].unit,
                                    .description = hit_channels[i].description};
      assert_true(trace_list(writer, &channel, &error) >= 0);
    }
    assert_true(trace_close(writer, "complete", &error));
    TraceReader *reader = trace_open(path, &error);
    int count = 7;
    assert_null(hit_table_read(reader, &count, &error));
    assert_int_equal(count, -1);
    assert_non_null(strstr(error.text, "the trace's table of hits is damaged"));
    trace_reader_close(reader);
    scene_def_free(def);
    unlink(path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table_is_that_of_the_metrics),
      cmocka_unit_test(test_runs_without_hits_or_end),
      cmocka_unit_test(test_damaged_tables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
