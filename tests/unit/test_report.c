// Reports: the data in the page are those of the trace, and the page is complete for a reader without scripts.
#include "tests/unit/small_scene.h"

#include <sys/stat.h>

#include "scenes/description/trace_motion.h"
#include "scenes/report/page_run.h"
#include "scenes/report/report.h"
#include "scenes/report/report_data.h"

static const char SCENE[] = "purpose: Two boxes & a <nod>.\n"
                            "duration: 1\n"
                            "characters:\n"
                            "  - {name: doll, body: boxes.yaml, animation: {move: nod.yaml},\n"
                            "     assist: {enabled: true, part: base, force: 30, torque: 4}}\n"
                            "events:\n"
                            "  - {time: 0.4, part: top, impulse: 2, direction: 90}\n"
                            "expect: [distance < 50, duration > 5]\n";

static void record_of(const char *path, const char *text, bool finish) {
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
  assert_true(trace_close(writer, finish ? "complete" : "interrupted", &error));
  scene_destroy(scene);
  scene_def_free(def);
}

static void record(const char *path, bool finish) { record_of(path, SCENE, finish); }

typedef struct Opened {
  TraceReader *reader;
  SceneDef *def;
  ReportRun *run;
} Opened;

static Opened open_run(const char *path, long most_frames) {
  Error error = {0};
  Opened opened = {trace_open(path, &error), NULL, NULL};
  opened.def = scene_def_from_trace(opened.reader, &error);
  opened.run = report_run_read(opened.reader, opened.def, most_frames, &error);
  if (!opened.run)
    fail_msg("%s", error.text);
  return opened;
}

static void close_run(Opened *opened) {
  report_run_free(opened->run);
  scene_def_free(opened->def);
  trace_reader_close(opened->reader);
}

// The numbers of an ARRAY; the test fails if they are not rows x width of that type. The caller frees them.
static double *decode(const cJSON *array, const char *type, int rows, int width) {
  assert_non_null(array);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(array, "type")), type);
  int count = 1;
  const cJSON *size;
  cJSON_ArrayForEach(size, cJSON_GetObjectItem(array, "shape")) count *= size->valueint;
  assert_int_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(array, "shape"), 0)->valueint, rows);
  assert_int_equal(count, rows * width);
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(array, "data"));
  const double scale = cJSON_GetObjectItem(array, "scale")->valuedouble;
  const int bytes_each = strcmp(type, "i16") == 0 ? 2 : 4;
  unsigned char *bytes = calloc((size_t)count + 4, 4);
  size_t filled = 0;
  uint32_t bits = 0;
  for (size_t i = 0; text[i] != '\0' && text[i] != '='; i++) {
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bits = bits << 6 | (uint32_t)(strchr(DIGITS, text[i]) - DIGITS);
    if (i % 4 != 0)
      bytes[filled++] = (unsigned char)(bits >> (6 - 2 * (i % 4)) & 0xff);
  }
  assert_int_equal(filled, count * bytes_each);
  double *values = calloc((size_t)count + 1, sizeof *values);
  for (int i = 0; i < count; i++) {
    const unsigned char *at = &bytes[i * bytes_each];
    const uint32_t word = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float number;
    memcpy(&number, &word, sizeof number);
    values[i] = scale * (bytes_each == 2            ? (double)(int16_t)(word & 0xffff)
                         : strcmp(type, "i32") == 0 ? (double)(int32_t)word
                                                    : (double)number);
  }
  free(bytes);
  return values;
}

static const cJSON *find_plot(const cJSON *character, const char *label) {
  const cJSON *plot;
  cJSON_ArrayForEach(plot, cJSON_GetObjectItem(character, "plots")) {
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(plot, "label")), label) == 0)
      return plot;
  }
  fail_msg("no plot %s", label);
  return NULL;
}

static const cJSON *series(const cJSON *plot, int index) {
  return cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(plot, "series"), index), "data");
}

static void test_data_are_those_of_the_trace(void **state) {
  (void)state;
  enum { FRAMES = 61 };
  char path[32];
  small_file(path);
  record(path, true);
  Error error = {0};
  Opened opened = open_run(path, 1000);
  assert_int_equal(trace_frame_count(opened.reader), FRAMES);
  cJSON *trace = report_trace(opened.run, &error);
  assert_non_null(trace);
  const cJSON *character = cJSON_GetArrayItem(cJSON_GetObjectItem(trace, "characters"), 0);

  // Time, pose error, force.
  double *time = decode(cJSON_GetObjectItem(trace, "time"), "f32", FRAMES, 1);
  double *rms = decode(series(find_plot(character, "pose error"), 0), "f32", FRAMES, 1);
  double *joint = decode(series(find_plot(character, "pose error by joint"), 0), "i16", FRAMES, 1);
  double *up = decode(series(find_plot(character, "assist force"), 2), "f32", FRAMES, 1);
  double *size = decode(series(find_plot(character, "assist force"), 0), "f32", FRAMES, 1);
  static float wanted_error[FRAMES];
  static double wanted_time[FRAMES], wanted_force[FRAMES][3];
  assert_true(trace_read(opened.reader, "/time", TRACE_FLOAT64, 0, FRAMES, wanted_time, &error));
  assert_true(
      trace_read(opened.reader, "/characters/doll/joints/error", TRACE_FLOAT32, 0, FRAMES, wanted_error, &error));
  assert_true(
      trace_read(opened.reader, "/characters/doll/assist/force", TRACE_FLOAT64, 0, FRAMES, wanted_force, &error));
  bool moved = false;
  for (int i = 0; i < FRAMES; i++) {
    const double degrees = (double)wanted_error[i] * 180 / M_PI, *f = wanted_force[i];
    assert_near(time[i], wanted_time[i], 1e-6);
    assert_near(rms[i], degrees, 1e-4); // of one joint
    assert_near(joint[i], degrees, 0.01);
    assert_near(up[i], f[1], 1e-4);
    assert_near(size[i], sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]), 1e-4);
    moved = moved || degrees > 1;
  }
  assert_true(moved);
  free(time);
  free(rms);
  free(joint);
  free(up);
  free(size);

  // The poses are where the motion is.
  const cJSON *pose = cJSON_GetObjectItem(cJSON_GetObjectItem(character, "poses"), "measured");
  double *position = decode(cJSON_GetObjectItem(pose, "position"), "f32", FRAMES, 2 * 3);
  double *rotation = decode(cJSON_GetObjectItem(pose, "rotation"), "i16", FRAMES, 2 * 4);
  TraceMotion *motion = trace_motion_read(opened.reader, opened.def, "doll", TRACE_POSE_MEASURED, &error);
  for (int i = 0; i < FRAMES; i++) {
    vec3s positions[2];
    versors rotations[2];
    trace_motion_place(motion, i, positions, rotations);
    for (int j = 0; j < 2; j++) {
      for (int k = 0; k < 3; k++)
        assert_near(position[6 * i + 3 * j + k], (double)positions[j].raw[k], 1e-6);
      for (int k = 0; k < 4; k++)
        assert_near(rotation[8 * i + 4 * j + k], (double)rotations[j].raw[k], 1e-4);
    }
  }
  free(position);
  free(rotation);
  trace_motion_free(motion);

  // Shapes are in their joint's frame: the top's sphere 0.2 m above its joint.
  const cJSON *top = cJSON_GetArrayItem(cJSON_GetObjectItem(character, "parts"), 1);
  const cJSON *shape = cJSON_GetArrayItem(cJSON_GetObjectItem(top, "shapes"), 0);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(shape, "kind")), "sphere");
  assert_near(cJSON_GetArrayItem(cJSON_GetObjectItem(shape, "size"), 0)->valuedouble, 0.1, 1e-12);
  assert_near(cJSON_GetArrayItem(cJSON_GetObjectItem(shape, "position"), 1)->valuedouble, 0.2, 1e-12);

  // Events, and verdicts.
  const cJSON *hit = cJSON_GetArrayItem(cJSON_GetObjectItem(character, "hits"), 0);
  assert_near(cJSON_GetObjectItem(hit, "impulse")->valuedouble, 2, 1e-9);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(hit, "part")), "top");
  const cJSON *expect = cJSON_GetObjectItem(trace, "expect");
  assert_int_equal(cJSON_GetArraySize(expect), 2);
  assert_true(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(expect, 1), "ok")));
  assert_int_equal(report_run_failures(opened.run), 1);
  assert_null(cJSON_GetObjectItem(trace, "terrain")); // flat
  cJSON_Delete(trace);
  close_run(&opened);
  unlink(path);
}

// Every fourth of 61 rows.
static void assert_fourths(const cJSON *whole, const cJSON *thin, const char *type, int width) {
  double *all = decode(whole, type, 61, width), *some = decode(thin, type, 16, width);
  for (int i = 0; i < 16 * width; i++)
    assert_true(some[i] == all[4 * (i / width) * width + i % width]);
  free(all);
  free(some);
}

static void assert_character_is_thinned(const cJSON *whole, const cJSON *thin) {
  const cJSON *from = cJSON_GetArrayItem(cJSON_GetObjectItem(whole, "characters"), 0);
  const cJSON *to = cJSON_GetArrayItem(cJSON_GetObjectItem(thin, "characters"), 0);
  assert_fourths(series(find_plot(from, "pose error"), 0), series(find_plot(to, "pose error"), 0), "f32", 1);
  assert_fourths(cJSON_GetObjectItem(from, "com"), cJSON_GetObjectItem(to, "com"), "f32", 3);
  from = cJSON_GetObjectItem(cJSON_GetObjectItem(from, "poses"), "output");
  to = cJSON_GetObjectItem(cJSON_GetObjectItem(to, "poses"), "output");
  assert_fourths(cJSON_GetObjectItem(from, "position"), cJSON_GetObjectItem(to, "position"), "f32", 2 * 3);
  assert_fourths(cJSON_GetObjectItem(from, "rotation"), cJSON_GetObjectItem(to, "rotation"), "i16", 2 * 4);
}

// Of long runs every n-th frame is taken, from the first on; contacts stand for all frames between. What the page draws
// is of all frames.
static void test_long_runs_are_thinned(void **state) {
  (void)state;
  char path[32];
  small_file(path);
  record(path, true);
  Error error = {0};
  Opened opened = open_run(path, 61), thinned = open_run(path, 20);
  assert_int_equal(opened.run->stride, 1);
  assert_int_equal(thinned.run->stride, 4);
  cJSON *whole = report_trace(opened.run, &error), *thin = report_trace(thinned.run, &error);
  double *all = decode(cJSON_GetObjectItem(whole, "time"), "f32", 61, 1);
  double *some = decode(cJSON_GetObjectItem(thin, "time"), "f32", 16, 1);
  for (int i = 0; i < 16; i++)
    assert_true(some[i] == all[4 * i]);
  assert_near(cJSON_GetObjectItem(thin, "frame_rate")->valuedouble, 15, 1e-9);
  assert_character_is_thinned(whole, thin);
  const SvgLine *line = thinned.run->characters[0].plots[0].series[0].line;
  assert_int_equal(line->count, 61);
  for (int i = 0; i < 61; i++)
    assert_true((double)line->points[i].y == (double)opened.run->characters[0].plots[0].series[0].values[i]);
  const cJSON *from = cJSON_GetObjectItem(whole, "contacts"), *to = cJSON_GetObjectItem(thin, "contacts");
  double *first[2] = {decode(cJSON_GetObjectItem(from, "first"), "i32", 61, 1),
                      decode(cJSON_GetObjectItem(to, "first"), "i32", 16, 1)};
  double *count[2] = {decode(cJSON_GetObjectItem(from, "count"), "i32", 61, 1),
                      decode(cJSON_GetObjectItem(to, "count"), "i32", 16, 1)};
  const int rows[2] = {(int)(first[0][60] + count[0][60]), (int)(first[1][15] + count[1][15])};
  double *impulse[2] = {decode(cJSON_GetObjectItem(from, "impulse"), "f32", rows[0], 3),
                        decode(cJSON_GetObjectItem(to, "impulse"), "f32", rows[1], 3)};
  bool touched = false;
  for (int i = 0; i < 16; i++) {
    assert_true(count[1][i] == count[0][4 * i]);
    for (int k = 0; k < (int)count[1][i]; k++) {
      const int a = (int)first[0][4 * i] + k, b = (int)first[1][i] + k;
      assert_near(impulse[1][3 * b + 1], 4 * impulse[0][3 * a + 1], 1e-4);
      touched = true;
    }
  }
  assert_true(touched);
  for (int i = 0; i < 2; i++) {
    free(first[i]);
    free(count[i]);
    free(impulse[i]);
  }
  free(all);
  free(some);
  cJSON_Delete(whole);
  cJSON_Delete(thin);
  close_run(&thinned);
  close_run(&opened);
  unlink(path);
}

// The page.

static char *read_page(const char *path) {
  FileSet files = {0};
  Error error = {0};
  const File *file = files_read(&files, path, &error);
  if (!file) {
    fail_msg("%s", error.text);
    exit(1); // not reached, which fail_msg does not tell the analyzers
  }
  char *text = strdup(file->bytes);
  files_free(&files);
  return text;
}

static char *make_page(const char *trace, const char *page) {
  char notes[1024];
  Error error = {0};
  const ReportOptions options = {.input = trace, .output = page, .command = "stagger report <x>"};
  if (!report_write(&options, notes, sizeof notes, &error))
    fail_msg("%s", error.text);
  return read_page(page);
}

static void assert_in_order(const char *page, const char *const *parts, int count) {
  for (int i = 0; i < count; i++) {
    const char *found = strstr(page, parts[i]);
    if (!found) {
      fail_msg("no '%s' in the page, or not in its place", parts[i]);
      return;
    }
    page = found;
  }
}

static void test_page_has_its_sections(void **state) {
  (void)state;
  static const char *const parts[] = {"<!DOCTYPE html>",
                                      "<meta charset=\"utf-8\">",
                                      "<title>small",
                                      "<h1>small</h1>",
                                      "Two boxes &amp; a &lt;nod&gt;.",
                                      "complete",
                                      "expectations",
                                      "id=\"figures\"",
                                      "id=\"replay\" hidden",
                                      "class=\"figures\"",
                                      "class=\"hits\"",
                                      "<td>top</td>",
                                      "id=\"plots\"",
                                      "class=\"static\"",
                                      "class=\"plot lines\"",
                                      "id=\"metrics\"",
                                      "peak_pose_error",
                                      "PASS",
                                      "FAIL",
                                      "duration &gt; 5",
                                      "id=\"provenance\"",
                                      "stagger report &lt;x&gt;",
                                      "id=\"stagger-data\"",
                                      "</html>"};
  char trace[32], page[32];
  small_file(trace);
  small_file(page);
  record(trace, true);
  char *text = make_page(trace, page), *again = make_page(trace, page);
  assert_in_order(text, parts, sizeof parts / sizeof parts[0]);
  assert_string_equal(text, again); // the same page of the same trace
  free(text);
  free(again);
  unlink(trace);
  unlink(page);
}

static void test_page_of_a_run_that_did_not_end(void **state) {
  (void)state;
  static const char *const parts[] = {"interrupted", "its metrics were not recorded",
                                      "What the hits did is not in the trace", "<td>top</td>", "not reached"};
  char trace[32], page[32];
  small_file(trace);
  small_file(page);
  record(trace, false);
  char *text = make_page(trace, page);
  assert_in_order(text, parts, sizeof parts / sizeof parts[0]);
  free(text);
  unlink(trace);
  unlink(page);
}

static void assert_refused(const char *input, const char *output, const char *message) {
  char notes[64];
  Error error = {0};
  const ReportOptions options = {.input = input, .output = output, .command = ""};
  assert_false(report_write(&options, notes, sizeof notes, &error));
  if (!strstr(error.text, message))
    fail_msg("'%s', not '%s'", error.text, message);
}

// Of a run that did not end nothing has judged the hits: its events are grouped by character and by pauses of more than
// 25 ms. A hit is named after the part with the largest impulse.
static void test_events_are_grouped_to_hits(void **state) {
  (void)state;
  static const struct {
    const char *who, *part;
    int step;
    double impulse;
  } events[] = {{"doll", "top", 48, 3},  {"doll", "base", 53, 5},   {"other", "top", 55, 2},
                {"doll", "top", 58, 4},  {"doll", "top", 63, 4.5},  {"doll", "top", 70, 1},
                {"other", "top", 70, 3}, {"doll", "base", 74, 0.5}, {"other", "base", 80, 3.5}};
  static const struct {
    const char *who, *part;
    int step;
    double impulse;
  } hits[] = {{"doll", "base", 48, 16.5},
              {"other", "top", 55, 2},
              {"doll", "top", 70, 1.5},
              {"other", "top", 70, 3},
              {"other", "base", 80, 3.5}};
  char text[2048], path[32];
  int length = snprintf(text, sizeof text,
                        "duration: 0.5\ncharacters:\n  - {name: doll, body: boxes.yaml}\n"
                        "  - {name: other, body: boxes.yaml, start: {position: [5, 0, 0]}}\nevents:\n");
  for (int i = 0; i < 9; i++)
    length += snprintf(text + length, sizeof text - (size_t)length,
                       "  - {character: %s, part: %s, time: %.9f, impulse: %g, point: [0, 0, 0]}\n", events[i].who,
                       events[i].part, events[i].step / 240.0, events[i].impulse);
  small_file(path);
  record_of(path, text, false);
  Opened opened = open_run(path, 1000);
  assert_false(opened.run->hits_are_judged);
  assert_int_equal(opened.run->hit_count, 5);
  for (int i = 0; i < 5; i++) {
    const HitRecord *hit = &opened.run->hits[i];
    assert_string_equal(hit->character, hits[i].who);
    assert_string_equal(hit->hit.part, hits[i].part);
    assert_near(hit->hit.time, hits[i].step / 240.0, 1e-6);
    assert_near(hit->hit.impulse, hits[i].impulse, 1e-5);
    assert_true(isnan(hit->hit.recovery_time) && isnan(hit->hit.peak_pose_error));
  }
  close_run(&opened);
  remove(path);
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at++)
    count++;
  return count;
}

// A run with thousands of hits: the table has the first 1000, each curve lines for the first 400.
static void test_of_many_hits_the_first_are_shown(void **state) {
  (void)state;
  static HitRecord many[1001];
  char path[32];
  small_file(path);
  record(path, true);
  Opened opened = open_run(path, 1000);
  ReportRun *run = opened.run;
  HitRecord *own = run->hits;
  const int own_count = run->hit_count;
  assert_true(own_count > 0);
  for (int count = 1000; count <= 1001; count++) {
    for (int i = 0; i < count; i++)
      many[i] = own[0];
    run->hits = many;
    run->hit_count = count;
    Html table = {0}, plots = {0};
    page_run_hits(&table, run, "hits");
    page_run_plots(&plots, run);
    assert_int_equal(count_of(table.bytes, "<tr"), 1 + 1000);
    assert_int_equal(count_of(table.bytes, "And 1 more."), count - 1000);
    assert_int_equal(count_of(table.bytes, " more."), count - 1000);
    const int curves = count_of(plots.bytes, "<svg");
    assert_true(curves > 3);
    assert_int_equal(count_of(plots.bytes, "class=\"mark\""), 400 * curves);
    text_free(&table);
    text_free(&plots);
  }
  run->hits = own;
  run->hit_count = own_count;
  close_run(&opened);
  unlink(path);
}

static void test_bad_inputs(void **state) {
  (void)state;
  char file[32], page[64];
  small_file(file);
  snprintf(page, sizeof page, "%s.html", file);
  assert_refused("/nowhere/x.h5", page, "/nowhere/x.h5");
  assert_refused(file, page, "not an HDF5 file");
  assert_refused("/tmp", page, "is not the folder of a study: it has no study.yaml");
  assert_refused(file, "/nowhere/x.html", "/nowhere/x.html: cannot be written");
  assert_int_equal(access(page, F_OK), -1);
  FILE *other = fopen(page, "w");
  fputs("my notes", other);
  fclose(other);
  assert_refused(file, page, "exists and is not a report of Stagger, so it is not replaced");
  unlink(page);
  unlink(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_data_are_those_of_the_trace),
      cmocka_unit_test(test_long_runs_are_thinned),
      cmocka_unit_test(test_page_has_its_sections),
      cmocka_unit_test(test_events_are_grouped_to_hits),
      cmocka_unit_test(test_of_many_hits_the_first_are_shown),
      cmocka_unit_test(test_bad_inputs),
      cmocka_unit_test(test_page_of_a_run_that_did_not_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
