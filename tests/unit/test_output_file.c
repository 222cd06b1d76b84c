// Outputs replace only files of their own kind, and are written in whole or not at all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "scenes/output/output_file.h"
#include "sim/trace/columns_hdf5.h"
#include "sim/trace/trace.h"

static char folder[] = "/tmp/stagger_output_XXXXXX", start[4096];

static int enter_folder(void **state) {
  (void)state;
  return getcwd(start, sizeof start) && mkdtemp(folder) ? chdir(folder) : -1;
}

static int leave_folder(void **state) {
  (void)state;
  static const char *const files[] = {"text", "a.json", "a.h5", "a.png", "empty", "link", "pipe", "new", "sub/x"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    unlink(files[i]);
  rmdir("sub");
  return chdir(start) == 0 ? rmdir(folder) : -1; // fails if any other file remains
}

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void assert_text(const char *path, const char *wanted) {
  char text[64] = "";
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(text, wanted);
}

static void assert_refused(const char *path, OutputKind kind, const char *message) {
  Error error = {0};
  assert_false(output_check(path, kind, &error));
  assert_string_equal(error.text, message);
}

static void put_trace(const char *path) {
  const TraceInfo info = {.scene_name = "a.yaml", .scene = "", .dt = 0.01, .frame_rate = 100};
  TraceWriter *writer = trace_create(path, &info, NULL);
  assert_non_null(writer);
  assert_true(trace_close(writer, "complete", NULL));
}

// A study's table: also HDF5, and written by Stagger.
static void put_table(const char *path) {
  const double values[] = {1, 2};
  const HdfColumn column = {.name = "trial", .unit = "", .numbers = values};
  int cause;
  assert_true(columns_write_hdf5(path, "stagger-trials", 1, &column, 1, 2, 1, NULL, &cause));
}

static void test_only_the_same_kind_is_replaced(void **state) {
  (void)state;
  put("text", "seed: 1\n");
  put("a.json", "{\n\t\"scene\":\t\"a\",\n\t\"realtime_factor\":\t2}");
  put_trace("a.h5");
  put("a.png", "\x89PNG\r\n\x1a\n...");
  put("empty", "");
  static const char *const own[] = {[OUTPUT_TRACE] = "a.h5", [OUTPUT_JSON] = "a.json", [OUTPUT_PNG] = "a.png"};
  static const char *const names[] = {"a trace", "a run's metrics", "a PNG picture"};
  for (int kind = OUTPUT_TRACE; kind <= OUTPUT_PNG; kind++) {
    assert_true(output_check(own[kind], (OutputKind)kind, NULL));
    assert_true(output_check("empty", (OutputKind)kind, NULL));
    assert_true(output_check("new", (OutputKind)kind, NULL));
    const char *others[] = {"text", own[(kind + 1) % 3], own[(kind + 2) % 3]};
    for (int i = 0; i < 3; i++) {
      char message[128];
      snprintf(message, sizeof message, "%s: exists and is not %s, so it is not replaced", others[i], names[kind]);
      assert_refused(others[i], (OutputKind)kind, message);
    }
  }
  assert_int_equal(access("new", F_OK), -1); // a check writes nothing
}

// The format alone does not prove that Stagger has written a file.
static void test_files_of_other_programs(void **state) {
  (void)state;
  put_table("a.h5");
  assert_refused("a.h5", OUTPUT_TRACE, "a.h5: exists and is not a trace, so it is not replaced");
  put("a.h5", "\x89HDF\r\n\x1a\n...");
  assert_refused("a.h5", OUTPUT_TRACE, "a.h5: exists and is not a trace, so it is not replaced");
  put("a.json", "{\"asset\": {\"version\": \"2.0\"}, \"scene\": 0}");
  assert_refused("a.json", OUTPUT_JSON, "a.json: exists and is not a run's metrics, so it is not replaced");
  put("text", "<!DOCTYPE html>\n<html><head><title>My page</title>");
  assert_refused("text", OUTPUT_HTML, "text: exists and is not a report of Stagger, so it is not replaced");
  put("text", "<!DOCTYPE html>\n<meta name=\"generator\" content=\"Stagger 1.0\">");
  assert_true(output_check("text", OUTPUT_HTML, NULL));
}

static void test_files_of_a_study(void **state) {
  (void)state;
  assert_int_equal(mkdir("study", 0700), 0);
  put("study/trials.csv", "trial,seed\n0,1\n");
  assert_true(output_check("study/trials.csv", OUTPUT_CSV, NULL)); // not yet a study's
  put("study/study.yaml", "axes: []\n");
  put("study/scene.yaml", "characters: []\n");
  put("study/mine.csv", "trial,seed\n0,1\n");
  assert_refused("study/trials.csv", OUTPUT_CSV,
                 "study/trials.csv: belongs to the results of a study, so it is not replaced");
  assert_refused("study/scene.yaml", OUTPUT_SCENE,
                 "study/scene.yaml: belongs to the results of a study, so it is not replaced");
  assert_true(output_check("study/mine.csv", OUTPUT_CSV, NULL));
  static const char *const files[] = {"trials.csv", "study.yaml", "scene.yaml", "mine.csv"};
  for (int i = 0; i < 4; i++) {
    char path[32];
    snprintf(path, sizeof path, "study/%s", files[i]);
    assert_int_equal(unlink(path), 0);
  }
  assert_int_equal(rmdir("study"), 0);
}

// Exports: prose, programs and documents are none.
static void test_texts_of_exports(void **state) {
  (void)state;
  static const struct {
    const char *text;
    OutputKind kind;
    bool is_it;
  } cases[] = {
      {"glTF\2 {\"asset\":{\"version\":\"2.0\",\"generator\":\"Stagger 1.0\"}", OUTPUT_GLB, true},
      {"glTF\2 {\"asset\":{\"version\":\"2.0\",\"generator\":\"Blender\"}", OUTPUT_GLB, false},
      {"glTf\2", OUTPUT_GLB, false},
      {"HIERARCHY\nROOT a\n", OUTPUT_BVH, true},
      {"hierarchy of a\n", OUTPUT_BVH, false},
      {"time,joint,torque_x_N_m\n0,\"a,b\",2\n", OUTPUT_CSV, true},
      {"time,joint\r\n0,1\r\n", OUTPUT_CSV, true},
      {"time,joint\n", OUTPUT_CSV, true},
      {"step_hash\n1664162094970176531\n2\n", OUTPUT_CSV, true},
      {"time,joint\n0,1,2\n", OUTPUT_CSV, false},
      {"Dear John, how are you?\nI am well, and you?\n", OUTPUT_CSV, false},
      {"word\nword\n", OUTPUT_CSV, false},
      {"word", OUTPUT_CSV, false},
      {"- {a: 1, b: 2}\n- {a: 1, b: 2}\n", OUTPUT_CSV, false},
      {"\nan,empty\n", OUTPUT_CSV, false},
      {"motion\nversion=1\nnRows=2\nendheader\ntime\n", OUTPUT_STO, true},
      {"the endheader of a file\n", OUTPUT_STO, false},
      {"PathFileType\t4\t(X/Y/Z)\ta.trc\n", OUTPUT_TRC, true},
      {"PathFileType of a file\n", OUTPUT_TRC, false},
      {"\2P with SOFTWARE \7Stagger", OUTPUT_C3D, true},
      {"\2P with SOFTWARE of a laboratory", OUTPUT_C3D, false},
      {"PK\3\4 stagger_version.npy", OUTPUT_NPZ, true},
      {"PK\3\4 poses.npy", OUTPUT_NPZ, false},
      {"\x89MCAP0\r\n\1 Stagger 1.0", OUTPUT_MCAP, true},
      {"\x89MCAP0\r\n\1 libmcap 1.0", OUTPUT_MCAP, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Error error = {0};
    put("text", cases[i].text);
    if (output_check("text", cases[i].kind, &error) != cases[i].is_it)
      fail_msg("%s: %s", cases[i].text, error.text);
  }
}

static void test_places_that_cannot_be_written(void **state) {
  (void)state;
  assert_refused("", OUTPUT_JSON, "'' is not the name of a file");
  assert_refused("new/", OUTPUT_JSON, "'new/' is not the name of a file");
  assert_refused(".", OUTPUT_JSON, ".: cannot be written: Is a directory");
  assert_refused("no/a.json", OUTPUT_JSON, "no/a.json: cannot be written: No such file or directory");
  put("text", "");
  assert_refused("text/a.json", OUTPUT_JSON, "text/a.json: cannot be written: Not a directory");
  assert_int_equal(mkfifo("pipe", 0600), 0);
  assert_true(output_check("pipe", OUTPUT_JSON, NULL));
  assert_refused("pipe", OUTPUT_TRACE, "pipe: exists and is not a trace, so it is not replaced");
}

static void test_same_file(void **state) {
  (void)state;
  assert_int_equal(mkdir("sub", 0700), 0);
  assert_true(output_is_same("new", "new"));
  assert_true(output_is_same("new", "./new"));
  assert_true(output_is_same("sub/x", "sub/../sub/x"));
  assert_false(output_is_same("new", "newer"));
  assert_false(output_is_same("x", "sub/x"));
  put("sub/x", "{");
  unlink("link");
  assert_int_equal(symlink("sub/x", "link"), 0);
  assert_true(output_is_same("link", "sub/x"));
  assert_false(output_is_same("link", "new"));
}

static void test_writes_through_links(void **state) {
  (void)state;
  struct stat status;
  assert_true(output_write("new", "{1}", 3, NULL));
  assert_text("new", "{1}");
  unlink("link");
  assert_int_equal(symlink("new", "link"), 0);
  assert_true(output_write("link", "{23}", 4, NULL));
  assert_text("new", "{23}");
  assert_true(lstat("link", &status) == 0 && S_ISLNK(status.st_mode));
  Error error = {0};
  assert_false(output_write("no/a.json", "{}", 2, &error));
  assert_string_equal(error.text, "no/a.json: cannot be written: No such file or directory");
}

static void test_copies_a_file(void **state) {
  (void)state;
  enum { LINES = 20000 }; // more than a block
  FILE *from = tmpfile();
  for (int i = 0; i < LINES; i++)
    fprintf(from, "%d\n", i);
  const long size = ftell(from);
  assert_true(output_copy("copy", from, NULL));
  FILE *copy = fopen("copy", "rb");
  rewind(from);
  for (int c; (c = fgetc(from)) != EOF;)
    assert_int_equal(fgetc(copy), c);
  assert_int_equal(fgetc(copy), EOF);
  assert_int_equal(ftell(copy), size);
  fclose(copy);
  Error error = {0};
  assert_false(output_copy("/dev/full", from, &error));
  assert_string_equal(error.text, "/dev/full: cannot be written: No space left on device");
  fclose(from);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_only_the_same_kind_is_replaced),
      cmocka_unit_test(test_files_of_other_programs),
      cmocka_unit_test(test_files_of_a_study),
      cmocka_unit_test(test_texts_of_exports),
      cmocka_unit_test(test_places_that_cannot_be_written),
      cmocka_unit_test(test_same_file),
      cmocka_unit_test(test_writes_through_links),
      cmocka_unit_test(test_copies_a_file),
  };
  return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
