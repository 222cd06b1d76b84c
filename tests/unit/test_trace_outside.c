// Traces from other sources: references out of the file, huge claims, and times that are not times are refused, by all
// readers of traces, before another file is opened.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/trace/columns_hdf5.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_internal.h"

static char folder[64], path[96], secret[96];

enum { FRAMES = 20 };

static void write_text(hid_t object, const char *name, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Awrite(attribute, type, &text) >= 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

static void write_bytes(const char *name, const char *text) {
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

// A valid trace of FRAMES frames, one channel and one embedded file.
static void write_trace(void) {
  Error error = {0};
  FileSet files = {0};
  files_put(&files, "body.yaml", "name: a\n", 8);
  const TraceInfo info = {.scene_name = "a.yaml", .scene = "", .files = &files, .dt = 0.01, .frame_rate = 100};
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_non_null(writer);
  trace_channel(writer, &(TraceChannel){"/x", TRACE_FLOAT64, {0}, "m", "A number.", NULL}, &error);
  for (int i = 0; i < FRAMES; i++)
    assert_true(trace_end_frame(writer, i / 100.0));
  assert_true(trace_close(writer, "complete", &error));
  files_free(&files);
}

static hid_t edit_trace(void) {
  write_trace();
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0);
  return file;
}

static void assert_refused(const char *part) {
  Error error = {0};
  TraceReader *reader = trace_open(path, &error);
  if (reader)
    fail_msg("opened, although %s", part);
  if (!strstr(error.text, path) || !strstr(error.text, part))
    fail_msg("\"%s\" does not contain \"%s\"", error.text, part);
}

// A dataset of bytes at an address of its own or of another one.
static void put_dataset(hid_t file, const char *name, hsize_t size, hid_t options) {
  if (H5Lexists(file, name, H5P_DEFAULT) > 0)
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  const hid_t space = H5Screate_simple(1, &size, NULL);
  const hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_UINT8, space, H5P_DEFAULT, options, H5P_DEFAULT);
  assert_true(dataset >= 0);
  H5Dclose(dataset);
  H5Sclose(space);
}

// What is opened to look at it is closed again, whatever comes of it.
static void test_nothing_stays_open(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const hid_t file = edit_trace();
    if (i == 1)
      assert_true(H5Lcreate_soft("/x", file, "/more", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    Error error = {0};
    TraceReader *reader = trace_open(path, &error);
    assert_true((reader != NULL) == (i == 0));
    if (reader) {
      assert_string_equal(trace_text(reader, "nothing of the kind"), "");
      assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_DATASET), reader->dataset_count);
      trace_reader_close(reader);
    }
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  }
}

// Where the dataset of a layout message begins, counted from `from` on, or `size`: a message of type 8 of an object
// header, HDF5 File Format Specification 3.0, IV.A.1.a and IV.A.2.i.
static size_t find_layout(const unsigned char *bytes, size_t size, size_t from) {
  static const unsigned char head[] = {8, 0}, flags[] = {0, 0, 0, 0};
  for (size_t at = from; at + 9 < size; at++)
    if (memcmp(bytes + at, head, 2) == 0 && memcmp(bytes + at + 4, flags, 4) == 0 && bytes[at + 3] == 0 &&
        bytes[at + 2] >= 16 && bytes[at + 8] == 3)
      return at + 8;
  return size;
}

// A trace of which any dataset cannot be opened is refused, and not read without it.
static void test_datasets_that_cannot_be_opened(void **state) {
  (void)state;
  static unsigned char bytes[1 << 16];
  write_trace();
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  assert_true(size > 0 && size < sizeof bytes);
  int found = 0;
  for (size_t at = find_layout(bytes, size, 0); at < size; at = find_layout(bytes, size, at), found++) {
    fseek(file, (long)at, SEEK_SET);
    fputc(99, file); // the message's version
    fflush(file);
    assert_refused("damaged");
    fseek(file, (long)at, SEEK_SET);
    fputc(bytes[at], file);
    fflush(file);
  }
  fclose(file);
  assert_true(found >= 3); // /time, /x and the file
  Error error = {0};
  TraceReader *reader = trace_open(path, &error);
  assert_string_equal(error.text, "");
  trace_reader_close(reader);
}

static void test_external_storage(void **state) {
  (void)state;
  static const char *const places[] = {"/files/body.yaml", "/x", "/more"};
  char pipe[96];
  snprintf(pipe, sizeof pipe, "%s/pipe", folder);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  const char *const sources[] = {secret, pipe, "/dev/zero"}; // opening a pipe without a writer would never return
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const hid_t file = edit_trace(), options = H5Pcreate(H5P_DATASET_CREATE);
      assert_true(H5Pset_external(options, sources[k], 0, 10) >= 0);
      put_dataset(file, places[i], 10, options);
      H5Pclose(options);
      H5Fclose(file);
      char expected[128];
      snprintf(expected, sizeof expected, "%s is a dataset with external storage", places[i]);
      assert_refused(expected);
    }
  unlink(pipe);
}

static void test_virtual_dataset(void **state) {
  (void)state;
  const hid_t file = edit_trace(), options = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t size = 10;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  assert_true(H5Pset_virtual(options, space, secret, "/x", space) >= 0);
  put_dataset(file, "/x", size, options);
  H5Sclose(space);
  H5Pclose(options);
  H5Fclose(file);
  assert_refused("/x is a virtual dataset");
}

static void test_links(void **state) {
  (void)state;
  hid_t file = edit_trace();
  assert_true(H5Lcreate_external(secret, "/x", file, "/files/other", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  assert_refused("/files/other is an external link");
  file = edit_trace();
  assert_true(H5Lcreate_soft("/x", file, "/y", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  assert_refused("/y is a soft link");

  // A hard link stays in the file, also one in a circle.
  file = edit_trace();
  assert_true(H5Lcreate_hard(file, "/files", file, "/files/again", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  Error error = {0};
  TraceReader *reader = trace_open(path, &error);
  assert_string_equal(error.text, "");
  trace_reader_close(reader);
}

static void test_filters(void **state) {
  (void)state;
  const hsize_t chunk = 5;
  for (int own = 0; own < 2; own++) {
    const hid_t file = edit_trace(), options = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(options, 1, &chunk);
    if (own) // what a compressing program writes
      assert_true(H5Pset_shuffle(options) >= 0 && H5Pset_deflate(options, 6) >= 0);
    else // a plugin's number
      assert_true(H5Pset_filter(options, 32015, H5Z_FLAG_OPTIONAL, 0, NULL) >= 0);
    put_dataset(file, "/more", 10, options);
    H5Pclose(options);
    H5Fclose(file);
    if (!own) {
      assert_refused("/more is stored through a filter other than deflate, shuffle and fletcher32");
      continue;
    }
    Error error = {0};
    TraceReader *reader = trace_open(path, &error);
    assert_string_equal(error.text, "");
    trace_reader_close(reader);
  }
}

// Names and texts with control characters reach no terminal and no table.
static void test_control_characters(void **state) {
  (void)state;
  hid_t file = edit_trace();
  assert_true(H5Lcreate_hard(file, "/x", file, "/x\x1b[2J", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  H5Fclose(file);
  assert_refused("has an object whose name has control characters");

  file = edit_trace();
  const hid_t dataset = H5Dopen2(file, "/x", H5P_DEFAULT);
  write_text(dataset, "names", "a\nb\x1b");
  write_text(dataset, "colour", "red\x1b[31m\nline");
  H5Dclose(dataset);
  H5Fclose(file);
  Error error = {0};
  char names[1][TRACE_NAME_SIZE], colour[32];
  TraceReader *reader = trace_open(path, &error);
  assert_string_equal(error.text, "");
  assert_int_equal(trace_row_names(reader, "/x", names, 1), 1);
  assert_string_equal(names[0], "a b ");
  trace_value_text(reader, "/x", "colour", colour, sizeof colour);
  assert_string_equal(colour, "red [31m\nline");
  trace_reader_close(reader);
}

// A file may have any name on the disk; in the trace it is found by its attribute.
static void test_files_of_any_name(void **state) {
  (void)state;
  Error error = {0};
  FileSet files = {0}, back = {0};
  files_put(&files, "a\x01.yaml", "name: a\n", 8);
  const TraceInfo info = {.scene_name = "a.yaml", .scene = "", .files = &files, .dt = 0.01, .frame_rate = 100};
  TraceWriter *writer = trace_create(path, &info, &error);
  assert_true(writer && trace_close(writer, "complete", &error));
  TraceReader *reader = trace_open(path, &error);
  assert_string_equal(error.text, "");
  assert_true(trace_files(reader, &back, &error));
  assert_string_equal(back.files[0].name, "a\x01.yaml");
  trace_reader_close(reader);
  files_free(&files);
  files_free(&back);
}

// Tables of studies may come from other sources, too.
static void test_columns(void **state) {
  (void)state;
  const char *texts[] = {"ok", "fell"};
  const HdfColumn column = {.name = "status", .unit = "", .texts = texts};
  int cause = 0;
  long rows;
  size_t size;
  assert_true(columns_write_hdf5(path, "stagger-trials", 1, &column, 1, 2, 1, NULL, &cause));
  char *read = columns_read_texts(path, "status", &rows, &size);
  assert_non_null(read);
  free(read);
  assert_true(columns_are_hdf5(path, "stagger-trials"));
  assert_false(trace_is_trace(path));

  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), options = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(options, secret, 0, 10);
  put_dataset(file, "/status", 10, options);
  H5Pclose(options);
  H5Fclose(file);
  assert_null(columns_read_texts(path, "status", &rows, &size));
  assert_false(columns_are_hdf5(path, "stagger-trials"));
}

static void test_is_trace(void **state) {
  (void)state;
  write_trace();
  assert_true(trace_is_trace(path));
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), root = H5Gopen2(file, "/", H5P_DEFAULT);
  write_text(root, "format", "somebody's");
  H5Gclose(root);
  H5Fclose(file);
  assert_true(trace_is_hdf5(path));
  assert_false(trace_is_trace(path));
  write_bytes(path, "\x89HDF\r\n\x1a\n and no more");
  assert_false(trace_is_trace(path));
}

// A dataset of zero bytes in the file that claims to be large.
static void test_huge_files(void **state) {
  (void)state;
  const hsize_t sizes[][3] = {{(16 << 20) + 1, 0, 0},          // one that is too large
                              {((hsize_t)1 << 31) + 5, 0, 0},  // beyond an int
                              {16 << 20, 16 << 20, 16 << 20}}; // no single one, but all together
  static const char *const problems[] = {"at most 16 MiB", "at most 16 MiB", "at most 64 MiB"};
  for (int i = 0; i < 3; i++) {
    const hid_t file = edit_trace(), options = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 1 << 20;
    H5Pset_chunk(options, 1, &chunk);
    char name[32];
    for (int k = 0; k < 5; k++) {
      snprintf(name, sizeof name, "/files/%d", k);
      if (sizes[i][k % 3] > 0)
        put_dataset(file, name, sizes[i][k % 3], options);
    }
    H5Pclose(options);
    H5Fclose(file);
    Error error = {0};
    TraceReader *reader = trace_open(path, &error);
    assert_string_equal(error.text, "");
    FileSet files = {0};
    assert_false(trace_files(reader, &files, &error));
    if (!strstr(error.text, problems[i]) || strncmp(error.text, "/files/", 7) != 0)
      fail_msg("\"%s\" does not contain \"%s\"", error.text, problems[i]);
    files_free(&files);
    trace_reader_close(reader);
  }
}

static void test_times(void **state) {
  (void)state;
  static const struct {
    double first, step;
    const char *problem;
  } cases[] = {{0, 1e299, "/time of frame 1 is 1e+299 s"}, {0, 0, "do not rise in frame 1"},
               {5, -0.1, "do not rise in frame 1"},        {NAN, 0, "/time of frame 0 is nan s"},
               {INFINITY, 0, "/time of frame 0 is inf s"}, {-2e9, 1, "/time of frame 0 is -2e+09 s"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const hid_t file = edit_trace(), time = H5Dopen2(file, "/time", H5P_DEFAULT);
    double times[FRAMES];
    for (int k = 0; k < FRAMES; k++)
      times[k] = cases[i].first + k * cases[i].step;
    assert_true(H5Dwrite(time, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times) >= 0);
    H5Dclose(time);
    H5Fclose(file);
    assert_refused(cases[i].problem);
  }
}

static int setup(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/trace_outside_XXXXXX");
  if (!mkdtemp(folder))
    return -1;
  snprintf(path, sizeof path, "%s/a.h5", folder);
  snprintf(secret, sizeof secret, "%s/secret", folder);
  write_bytes(secret, "root:x:0:0:root");
  return 0;
}

static int teardown(void **state) {
  (void)state;
  unlink(path);
  unlink(secret);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nothing_stays_open),
      cmocka_unit_test(test_datasets_that_cannot_be_opened),
      cmocka_unit_test(test_external_storage),
      cmocka_unit_test(test_virtual_dataset),
      cmocka_unit_test(test_links),
      cmocka_unit_test(test_filters),
      cmocka_unit_test(test_control_characters),
      cmocka_unit_test(test_files_of_any_name),
      cmocka_unit_test(test_columns),
      cmocka_unit_test(test_is_trace),
      cmocka_unit_test(test_huge_files),
      cmocka_unit_test(test_times),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
