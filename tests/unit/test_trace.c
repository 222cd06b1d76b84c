// Traces: values read are those written, bad files are distinguished, write failures are reported, two traces compare.
#define _GNU_SOURCE // memmem
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/base/rng.h"
#include "sim/trace/trace.h"

static char folder[64], path_a[96], path_b[96];

static const char *const PARTS[] = {"hips", "chest", "head"};
static const TraceInfo INFO = {.scene_name = "walk.yaml",
                               .scene = "seed: 1 # Zürich\n",
                               .seed = 18446744073709551615u,
                               .dt = 1.0 / 240,
                               .frame_rate = 60};

static void check_error(const Error *error) {
  if (error->text[0])
    fail_msg("%s", error->text);
}

static void assert_contains(const char *text, const char *part) {
  if (!strstr(text, part))
    fail_msg("\"%s\" does not contain \"%s\"", text, part);
}

// A small trace, with options to make it differ.
typedef struct Run {
  int frames;
  int frame, part, axis; // where to add
  float add;             // to the position
  uint64_t hash_add;     // to the hash of the step of the same number as the frame
  const char *extra;     // an additional channel
  const char *status;
  double metric;
} Run;

static const Run PLAIN = {.frames = 150, .status = "complete"};

static void write_run(const char *path, const Run *run) {
  Error error = {0};
  TraceWriter *trace = trace_create(path, &INFO, &error);
  check_error(&error);
  TraceChannel position = {"/characters/runner/parts/position", TRACE_FLOAT32, {3, 3}, "m", "Of the parts.", PARTS};
  TraceChannel weight = {"/characters/runner/weight", TRACE_FLOAT32, {0}, "-", "May be not a number.", NULL};
  TraceChannel hashes = {"/step_hash", TRACE_UINT64, {0}, "-", "State hash.", NULL};
  int where = trace_channel(trace, &position, &error), weights = trace_channel(trace, &weight, &error);
  int list = trace_list(trace, &hashes, &error);
  if (run->extra)
    trace_channel(trace, &(TraceChannel){run->extra, TRACE_INT32, {0}, "-", "More.", NULL}, &error);
  check_error(&error);
  for (int frame = 0; frame < run->frames; ++frame) {
    float(*row)[3] = trace_row(trace, where);
    for (int part = 0; part < 3; ++part)
      row[part][1] = (float)(frame + part);
    if (frame >= run->frame)
      row[run->part][run->axis] += run->add;
    *(float *)trace_row(trace, weights) = NAN;
    uint64_t hash = (uint64_t)frame * 77 + (frame == run->frame ? run->hash_add : 0);
    trace_append(trace, list, &hash, 1);
    assert_true(trace_end_frame(trace, frame / 60.0));
  }
  trace_metric(trace, "peak_torque", run->metric);
  trace_metric(trace, "realtime_factor", (double)rand());
  assert_true(trace_close(trace, run->status, &error));
}

static TraceReader *open_trace(const char *path) {
  Error error = {0};
  TraceReader *trace = trace_open(path, &error);
  check_error(&error);
  return trace;
}

static void test_every_type_is_read_back(void **state) {
  (void)state;
  enum { FRAMES = 137 }; // two full blocks and a part of one
  Error error = {0};
  TraceWriter *writer = trace_create(path_a, &INFO, &error);
  check_error(&error);
  int f32 = trace_channel(writer, &(TraceChannel){"/a/f32", TRACE_FLOAT32, {3, 4}, "m", "Floats.", PARTS}, &error);
  int f64 = trace_channel(writer, &(TraceChannel){"/a/b/f64", TRACE_FLOAT64, {3}, "N m", "Doubles.", NULL}, &error);
  int u8 = trace_channel(writer, &(TraceChannel){"/a/u8", TRACE_UINT8, {2}, "-", "Bytes.", NULL}, &error);
  int i32 = trace_channel(writer, &(TraceChannel){"/a/i32", TRACE_INT32, {0}, "-", "Integers.", NULL}, &error);
  int u64 = trace_channel(writer, &(TraceChannel){"/a/u64", TRACE_UINT64, {0}, "-", "Hashes.", NULL}, &error);
  int list = trace_list(writer, &(TraceChannel){"/contacts/position", TRACE_FLOAT32, {3}, "m", "Where.", NULL}, &error);
  check_error(&error);
  for (int frame = 0; frame < FRAMES; ++frame) {
    float *floats = trace_row(writer, f32);
    assert_true(floats[0] == 0 && floats[11] == 0); // zeroed
    for (int i = 0; i < 12; ++i)
      floats[i] = 0.1f * (float)(frame * 12 + i);
    ((double *)trace_row(writer, f64))[1] = frame / 3.0;
    ((uint8_t *)trace_row(writer, u8))[1] = (uint8_t)(frame + 200);
    *(int32_t *)trace_row(writer, i32) = frame % 2 ? INT32_MIN + frame : frame;
    *(uint64_t *)trace_row(writer, u64) = UINT64_MAX - (uint64_t)frame;
    for (int contact = 0; contact < frame; ++contact) { // 9316 rows: several chunks, and more than fits at first
      float point[2][3] = {{(float)frame, (float)contact, 1}, {(float)frame, (float)contact, 2}};
      trace_append(writer, list, point, 2);
    }
    assert_true(trace_end_frame(writer, frame * 0.25));
  }
  assert_true(trace_close(writer, "complete", &error));

  TraceReader *reader = open_trace(path_a);
  assert_int_equal(trace_frame_count(reader), FRAMES);
  static double times[FRAMES], doubles[FRAMES][3];
  static float floats[FRAMES][12], points[FRAMES * FRAMES][3];
  static uint8_t bytes[FRAMES][2];
  static int32_t integers[FRAMES];
  static uint64_t hashes[FRAMES];
  assert_true(trace_read(reader, "/time", TRACE_FLOAT64, 0, FRAMES, times, &error));
  assert_true(trace_read(reader, "/a/f32", TRACE_FLOAT32, 0, FRAMES, floats, &error));
  assert_true(trace_read(reader, "/a/b/f64", TRACE_FLOAT64, 0, FRAMES, doubles, &error));
  assert_true(trace_read(reader, "/a/u8", TRACE_UINT8, 0, FRAMES, bytes, &error));
  assert_true(trace_read(reader, "/a/i32", TRACE_INT32, 0, FRAMES, integers, &error));
  assert_true(trace_read(reader, "/a/u64", TRACE_UINT64, 0, FRAMES, hashes, &error));
  for (int frame = 0; frame < FRAMES; ++frame) {
    assert_true(times[frame] == frame * 0.25);
    for (int i = 0; i < 12; ++i)
      assert_true(floats[frame][i] == 0.1f * (float)(frame * 12 + i));
    assert_true(doubles[frame][0] == 0 && doubles[frame][1] == frame / 3.0);
    assert_int_equal(bytes[frame][1], (uint8_t)(frame + 200));
    assert_int_equal(integers[frame], frame % 2 ? INT32_MIN + frame : frame);
    assert_true(hashes[frame] == UINT64_MAX - (uint64_t)frame);
  }

  long rows;
  int size;
  assert_true(trace_shape(reader, "/contacts/position", &rows, &size));
  assert_int_equal(rows, FRAMES * (FRAMES - 1));
  assert_int_equal(size, 3);
  assert_true(trace_read(reader, "/contacts/position", TRACE_FLOAT32, 0, rows, points, &error));
  for (long row = 0, frame = 0; frame < FRAMES; ++frame)
    for (long contact = 0; contact < frame; ++contact, row += 2) {
      assert_true(points[row][0] == (float)frame && points[row][1] == (float)contact && points[row][2] == 1);
      assert_true(points[row + 1][2] == 2);
    }

  // A part, in another type.
  double part[2][12];
  assert_true(trace_read(reader, "/a/f32", TRACE_FLOAT64, 61, 2, part, &error));
  assert_true(part[1][3] == 0.1f * (float)(62 * 12 + 3));
  assert_true(trace_shape(reader, "/a/f32", &rows, &size) && rows == FRAMES && size == 12);
  assert_true(trace_shape(reader, "/time", &rows, &size) && rows == FRAMES && size == 1);
  assert_false(trace_shape(reader, "/a", &rows, &size));
  assert_true(trace_read(reader, "/a/f32", TRACE_FLOAT32, FRAMES, 0, NULL, &error));
  check_error(&error);
  trace_reader_close(reader);
}

// A long trace is read in blocks, and every step-th row is that of the whole.
static void test_every_step_of_a_long_trace(void **state) {
  (void)state;
  enum { FRAMES = 10000 };
  static float all[FRAMES][3][3], some[FRAMES][3][3];
  static const int steps[] = {1, 2, 3, 4095, 4096, 4097, 9999, 20000};
  static const char path[] = "/characters/runner/parts/position";
  Run run = PLAIN;
  run.frames = FRAMES;
  write_run(path_a, &run);
  Error error = {0};
  TraceReader *reader = open_trace(path_a);
  assert_true(trace_read(reader, path, TRACE_FLOAT32, 0, FRAMES, all, &error));
  for (int frame = 0; frame < FRAMES; frame++)
    for (int part = 0; part < 3; part++)
      assert_true(all[frame][part][0] == 0 && all[frame][part][1] == (float)(frame + part));
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    const int step = steps[i], count = (FRAMES - 1) / step + 1;
    assert_true(trace_read_every(reader, path, TRACE_FLOAT32, step, count, some, &error));
    for (int row = 0; row < count; row++)
      assert_memory_equal(some[row], all[row * step], sizeof some[row]);
    assert_false(trace_read_every(reader, path, TRACE_FLOAT32, step, count + 1, some, &error));
    assert_contains(error.text, "rows from row 0 on are asked for, the trace has 10000");
  }
  trace_reader_close(reader);
}

static void test_descriptions(void **state) {
  (void)state;
  write_run(path_a, &PLAIN);
  TraceReader *reader = open_trace(path_a);
  assert_string_equal(trace_text(reader, "format"), "stagger-trace");
  assert_string_equal(trace_text(reader, "format_version"), "1");
  assert_string_equal(trace_text(reader, "scene_name"), INFO.scene_name);
  assert_string_equal(trace_text(reader, "scene"), INFO.scene);
  assert_string_equal(trace_text(reader, "seed"), "18446744073709551615");
  assert_string_equal(trace_text(reader, "up_axis"), "Y");
  assert_string_equal(trace_text(reader, "status"), "complete");
  assert_string_equal(trace_text(reader, "absent"), "");
  assert_true(strlen(trace_text(reader, "stagger_version")) > 0);
  assert_true(strncmp(trace_text(reader, "units"), "SI ", 3) == 0);
  assert_true(trace_number(reader, "dt") == 1.0 / 240);
  assert_true(trace_number(reader, "frame_rate") == 60);
  assert_true(isnan(trace_number(reader, "absent")) && isnan(trace_number(reader, "scene")));

  char unit[32], description[256], names[4][TRACE_NAME_SIZE];
  trace_describe(reader, "/characters/runner/parts/position", unit, description);
  assert_string_equal(unit, "m");
  assert_string_equal(description, "Of the parts.");
  trace_describe(reader, "/time", unit, description);
  assert_string_equal(unit, "s");
  trace_describe(reader, "/nowhere", unit, description);
  assert_string_equal(unit, "");
  assert_int_equal(trace_row_names(reader, "/characters/runner/parts/position", names, 4), 3);
  assert_string_equal(names[2], "head");
  assert_int_equal(trace_row_names(reader, "/characters/runner/parts/position", names, 1), 1);
  assert_int_equal(trace_row_names(reader, "/time", names, 4), 0);
  assert_int_equal(trace_row_names(reader, "/nowhere", names, 4), 0);

  double value = 1;
  assert_int_equal(trace_values(reader, "/metrics", "peak_torque", &value, 1), 1);
  assert_true(value == 0);
  assert_int_equal(trace_values(reader, "/metrics", "absent", &value, 1), 0);
  assert_int_equal(trace_values(reader, "/absent", "absent", &value, 1), 0);
  trace_reader_close(reader);
}

static void test_attributes_and_names(void **state) {
  (void)state;
  Error error = {0};
  TraceWriter *writer = trace_create(path_a, &INFO, &error);
  int list = trace_list(writer, &(TraceChannel){"/contacts/part", TRACE_INT32, {0}, "-", "Index.", NULL}, &error);
  trace_channel(writer, &(TraceChannel){"/c/joints/error", TRACE_FLOAT32, {3}, "rad", "Error.", PARTS}, &error);
  double inertia[27];
  for (int i = 0; i < 27; ++i)
    inertia[i] = i / 7.0;
  assert_true(trace_attribute(writer, "/c/joints", "limit", inertia, 3, &error)); // a group
  assert_true(trace_attribute(writer, "/c/joints/error", "inertia", inertia, 27, &error));
  assert_true(trace_names(writer, "/contacts/part", PARTS, 3, &error));
  check_error(&error);
  assert_false(trace_attribute(writer, "/c/nothing", "limit", inertia, 3, &error));
  assert_contains(error.text, "attribute limit of /c/nothing");
  assert_int_equal(list, 1);
  assert_true(trace_close(writer, "complete", &(Error){0}));

  TraceReader *reader = open_trace(path_a);
  double back[27];
  char names[3][TRACE_NAME_SIZE];
  assert_int_equal(trace_values(reader, "/c/joints/error", "inertia", back, 27), 27);
  assert_memory_equal(back, inertia, sizeof back);
  assert_int_equal(trace_values(reader, "/c/joints", "limit", back, 2), 2);
  assert_int_equal(trace_row_names(reader, "/contacts/part", names, 3), 3);
  assert_string_equal(names[1], "chest");
  assert_int_equal(trace_frame_count(reader), 0);
  trace_reader_close(reader);
}

static void test_declaring_wrongly(void **state) {
  (void)state;
  Error error = {0};
  TraceWriter *writer = trace_create(path_a, &INFO, &error);
  TraceChannel channel = {"/a/x", TRACE_FLOAT32, {0}, "m", "X.", NULL};
  assert_int_equal(trace_channel(writer, &channel, &error), 1);
  assert_int_equal(trace_channel(writer, &channel, &error), -1); // twice
  assert_contains(error.text, "/a/x");
  error = (Error){0};
  channel.path = "/a"; // a group already
  assert_int_equal(trace_list(writer, &channel, &error), -1);
  error = (Error){0};
  assert_true(trace_end_frame(writer, 0));
  channel.path = "/late";
  assert_int_equal(trace_channel(writer, &channel, &error), -1);
  assert_contains(error.text, "after the first frame");
  assert_int_equal(trace_list(writer, &channel, &(Error){0}), -1);
  assert_false(trace_group(writer, "/group", &(Error){0}));
  assert_false(trace_attribute(writer, "/a/x", "late", &(double){1}, 1, &(Error){0}));
  assert_true(trace_close(writer, "interrupted", &error));
  TraceReader *reader = open_trace(path_a);
  assert_string_equal(trace_text(reader, "status"), "interrupted");
  assert_int_equal(trace_frame_count(reader), 1);
  trace_reader_close(reader);
}

static void test_events(void **state) {
  (void)state;
  Error error = {0};
  TraceWriter *writer = trace_create(path_a, &INFO, &error);
  for (int i = 0; i < 100; ++i) {
    TraceEvent event = {.time = i / 240.0, .point = {1, 2, 3}, .impulse = {(float)i, 0, -1}};
    memset(event.part, 'x', sizeof event.part); // no end: it is cut
    memcpy(event.kind, "push\0left over", 15);
    snprintf(event.character, sizeof event.character, "Jürgen");
    trace_append_event(writer, &event);
  }
  trace_end_frame(writer, 0);
  assert_true(trace_close(writer, "stopped: the floor is gone", &error));

  TraceReader *reader = open_trace(path_a);
  assert_string_equal(trace_text(reader, "status"), "stopped: the floor is gone");
  int count;
  TraceEvent *events = trace_events(reader, &count);
  assert_int_equal(count, 100);
  assert_true(events[99].time == 99 / 240.0 && events[99].impulse[0] == 99 && events[99].point[2] == 3);
  assert_string_equal(events[0].kind, "push");
  assert_int_equal(events[0].kind[6], 0);
  assert_string_equal(events[0].character, "Jürgen");
  assert_int_equal(strlen(events[0].part), TRACE_NAME_SIZE - 1);
  free(events);
  float values[8];
  assert_false(trace_read(reader, "/events", TRACE_FLOAT32, 0, 1, values, &error));
  assert_contains(error.text, "/events");
  trace_reader_close(reader);

  write_run(path_a, &PLAIN);
  reader = open_trace(path_a);
  assert_null(trace_events(reader, &count));
  assert_int_equal(count, 0);
  trace_reader_close(reader);
}

static void test_files(void **state) {
  (void)state;
  static const char *const NAMES[] = {"walk.yaml", "bodies/human.yaml", "./bodies/human.yaml", "bodies", "/abs/x.png"};
  Error error = {0};
  FileSet files = {0}, back = {0};
  for (int i = 0; i < 5; ++i)
    files_put(&files, NAMES[i], &"a\0b\xff"[i % 2], (size_t)(4 - i % 2));
  files_put(&files, "empty.yaml", "", 0);
  TraceInfo info = INFO;
  info.files = &files;
  TraceWriter *writer = trace_create(path_a, &info, &error);
  check_error(&error);
  assert_true(trace_close(writer, "complete", &error));

  TraceReader *reader = open_trace(path_a);
  assert_true(trace_files(reader, &back, &error));
  assert_int_equal(back.count, 6);
  assert_true(back.sealed);
  for (int i = 0; i < files.count; ++i) {
    const File *file = files_read(&back, files.files[i].name, &error);
    assert_non_null(file);
    assert_int_equal(file->size, files.files[i].size);
    assert_memory_equal(file->bytes, files.files[i].bytes, file->size);
  }
  trace_reader_close(reader);
  files_free(&files);
  files_free(&back);
}

typedef struct Visits {
  char last[128];
  int count;
} Visits;

static void visit(void *context, const char *path) {
  Visits *visits = context;
  assert_true(strcmp(visits->last, path) < 0);
  snprintf(visits->last, sizeof visits->last, "%s", path);
  ++visits->count;
}

static void test_visit(void **state) {
  (void)state;
  write_run(path_a, &PLAIN);
  TraceReader *reader = open_trace(path_a);
  Visits visits = {"", 0};
  trace_visit(reader, visit, &visits);
  assert_int_equal(visits.count, 5); // position, weight, events, step_hash, time
  assert_string_equal(visits.last, "/time");
  trace_reader_close(reader);
}

// Reading what is not there, or not a trace.

static void overwrite(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static char *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size);
  assert_int_equal(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static char *find(char *bytes, size_t size, const char *text) {
  size_t length = strlen(text) + 1;
  for (size_t i = 0; i + length <= size; ++i)
    if (memcmp(bytes + i, text, length) == 0)
      return bytes + i;
  fail_msg("no %s in the file", text);
  return NULL;
}

static void assert_open_fails(const char *path, const char *reason) {
  Error error = {0};
  assert_null(trace_open(path, &error));
  assert_contains(error.text, path);
  assert_contains(error.text, reason);
}

static void test_open_errors(void **state) {
  (void)state;
  assert_open_fails("/tmp/no such folder/x.h5", "No such file");
  overwrite(path_a, "", 0);
  assert_open_fails(path_a, "not an HDF5 file");
  overwrite(path_a, "seed: 1\n", 8);
  assert_open_fails(path_a, "not an HDF5 file");
  assert_open_fails(folder, "not an HDF5 file");

  write_run(path_a, &PLAIN);
  size_t size;
  char *bytes = read_all(path_a, &size);
  for (size_t length = 600; length < size; length += size / 11) {
    overwrite(path_a, bytes, length);
    assert_open_fails(path_a, "cut short");
  }

  // Another program's file.
  char *format = memmem(bytes, size, "stagger-trace", 13);
  assert_non_null(format);
  format[0] = 'S';
  overwrite(path_a, bytes, size);
  assert_open_fails(path_a, "not a Stagger trace");
  format[0] = 's';

  // A later version of the format. The value of a scalar attribute comes 40 bytes after its name of 15 bytes (HDF5 File
  // Format Specification 3.0, IV.A.2.m: name, type and space, each padded to 8 bytes).
  char *version = find(bytes, size, "format_version") + 40;
  assert_int_equal(*version, TRACE_FORMAT_VERSION);
  *version = TRACE_FORMAT_VERSION + 1;
  overwrite(path_a, bytes, size);
  assert_open_fails(path_a, "trace format is 2, this version of Stagger reads up to 1");
  free(bytes);
}

enum { OPENED, REFUSED, CRASHES_HDF5, UNCLEAR };

static int open_quickly(const char *path) {
  Error error = {0};
  TraceReader *reader = trace_open(path, &error);
  if (reader)
    return error.text[0] == '\0' ? OPENED : UNCLEAR;
  if (strstr(error.text, "HDF5 crashes on it"))
    return CRASHES_HDF5;
  return error.text[0] != '\0' ? REFUSED : UNCLEAR;
}

// Damage inside: HDF5 crashes on some of it, but not the process that opens it; opening is done in a child process
// here, since HDF5 also leaks memory then.
static void test_open_survives_damage(void **state) {
  (void)state;
  write_run(path_a, &PLAIN);
  size_t size;
  char *bytes = read_all(path_a, &size), *damaged = malloc(size);
  assert_non_null(damaged);
  int refused = 0;
  Rng rng = rng_make(1, "damage");
  for (int i = 0; i < 25; i++) {
    memcpy(damaged, bytes, size);
    for (int k = 0; k < 30; k++)
      damaged[rng_index(&rng, (int)size)] = (char)rng_index(&rng, 256);
    overwrite(path_a, damaged, size);
    pid_t child = fork();
    if (child == 0)
      _exit(open_quickly(path_a));
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < UNCLEAR);
    refused += WEXITSTATUS(status) == CRASHES_HDF5;
  }
  assert_true(refused > 0);
  free(damaged);
  free(bytes);
}

static void test_read_errors(void **state) {
  (void)state;
  write_run(path_a, &PLAIN);
  TraceReader *reader = open_trace(path_a);
  double value[2];
  Error error = {0};
  assert_false(trace_read(reader, "/speed", TRACE_FLOAT64, 0, 1, value, &error));
  assert_contains(error.text, "/speed");
  const long ranges[][2] = {{150, 1}, {149, 2}, {-1, 1}, {0, 151}, {0, -1}, {1, INT64_MAX}};
  for (int i = 0; i < 6; ++i) {
    error = (Error){0};
    assert_false(trace_read(reader, "/time", TRACE_FLOAT64, ranges[i][0], ranges[i][1], value, &error));
    assert_contains(error.text, "the trace has 150");
  }
  error = (Error){0};
  assert_false(trace_read_column(reader, "/characters/runner/parts/position", TRACE_FLOAT64, 0, 1, value, &error));
  assert_contains(error.text, "the trace has 9 values in a row there, not one");
  trace_reader_close(reader);
}

// Failing to write.

static void assert_create_fails(const char *path, const char *reason) {
  Error error = {0};
  assert_null(trace_create(path, &INFO, &error));
  char expected[256];
  snprintf(expected, sizeof expected, "cannot write trace %s: %s", path, reason);
  assert_string_equal(error.text, expected);
}

static void test_create_errors(void **state) {
  (void)state;
  char path[128];
  snprintf(path, sizeof path, "%s/absent/x.h5", folder);
  assert_create_fails(path, "No such file or directory");
  assert_create_fails(folder, "Is a directory");
  snprintf(path, sizeof path, "%s/pipe", folder); // no regular file
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_create_fails(path, "Operation not supported");
  assert_int_equal(unlink(path), 0); // it is still there
  if (geteuid() != 0) {              // nothing is closed to root
    snprintf(path, sizeof path, "%s/closed", folder);
    mkdir(path, 0500);
    snprintf(path, sizeof path, "%s/closed/x.h5", folder);
    assert_create_fails(path, "Permission denied");
    snprintf(path, sizeof path, "%s/closed", folder);
    rmdir(path);
  }
}

static void limit_file_size(rlim_t bytes) {
  struct rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_no_room_left(void **state) {
  (void)state;
  signal(SIGXFSZ, SIG_IGN);
  limit_file_size(1000);
  Error error = {0};
  TraceWriter *none = trace_create(path_b, &INFO, &error);
  limit_file_size(RLIM_INFINITY);
  assert_null(none);
  assert_contains(error.text, "File too large");
  assert_true(error.unwritten);
  assert_int_equal(access(path_b, F_OK), -1); // nothing is left behind

  error = (Error){0};
  TraceWriter *writer = trace_create(path_a, &INFO, &error);
  int channel = trace_channel(writer, &(TraceChannel){"/x", TRACE_FLOAT32, {1000}, "m", "X.", NULL}, &error);
  check_error(&error);
  limit_file_size(2000000);
  int frames = 0;
  bool ok = true;
  for (; ok && frames < 100000; ++frames) {
    *(float *)trace_row(writer, channel) = (float)frames;
    ok = trace_end_frame(writer, frames / 60.0);
    usleep(frames < 300 ? 2000 : 0); // which includes a flush
  }
  assert_false(ok);
  trace_metric(writer, "fell", 1);
  assert_false(trace_close(writer, "complete", &error));
  limit_file_size(RLIM_INFINITY);
  assert_contains(error.text, "cannot write trace");
  assert_contains(error.text, "File too large");
  assert_true(error.unwritten);

  TraceReader *reader = open_trace(path_a);
  assert_string_equal(trace_text(reader, "status"), "stopped: the trace cannot be written: File too large");
  int count = trace_frame_count(reader);
  assert_true(count > 60 && count < frames);
  float row[1000];
  for (int frame = 0; frame < count; ++frame) {
    assert_true(trace_read(reader, "/x", TRACE_FLOAT32, frame, 1, row, &error));
    assert_true(row[0] == (float)frame && row[999] == 0);
  }
  trace_reader_close(reader);
}

// Comparing.

typedef bool (*Comparing)(TraceReader *a, TraceReader *b, char *report, size_t size);

static bool compare_with(Comparing comparing, const Run *run, char *report, size_t size) {
  write_run(path_a, &PLAIN);
  write_run(path_b, run);
  TraceReader *a = open_trace(path_a), *b = open_trace(path_b);
  bool same = comparing(a, b, report, size);
  trace_reader_close(a);
  trace_reader_close(b);
  return same;
}

static bool compare(const Run *run, char *report, size_t size) {
  return compare_with(trace_compare, run, report, size);
}

static bool compare_begun(const Run *run, char *report, size_t size) {
  return compare_with(trace_compare_begun, run, report, size);
}

static void test_compare(void **state) {
  (void)state;
  char report[4096];
  assert_true(compare(&PLAIN, report, sizeof report)); // NAN equals NAN, and wall time does not count
  assert_string_equal(report, "identical: 150 frames, 5 datasets\n");

  Run run = PLAIN;
  run.frame = 97, run.part = 1, run.axis = 2, run.add = 0.5f;
  assert_false(compare(&run, report, sizeof report));
  assert_contains(report, "first difference: frame 97 (1.61667 s), /characters/runner/parts/position, part 1 (chest), "
                          "z: 0 against 0.5 m\n");
  assert_contains(report, "steps: the 150 that both have left all bodies in the same state, up to 0.625000 s\n");
  assert_contains(report, "          53            0.5         97\n");
  assert_null(strstr(report, "/time"));
  assert_null(strstr(report, "attribute"));

  run = PLAIN;
  run.frame = 20, run.hash_add = 3;
  assert_false(compare(&run, report, sizeof report));
  assert_contains(report, "first step that differs: 21 of 150, which ends at 0.087500 s\n");
  assert_null(strstr(report, "first difference"));

  run = PLAIN;
  run.frame = 20, run.add = -0.0f, run.hash_add = 0; // adding -0 changes no bit
  assert_true(compare(&run, report, sizeof report));

  run.add = NAN;
  assert_false(compare(&run, report, sizeof report));
  assert_contains(report, " inf ");

  run = PLAIN;
  run.frames = 149;
  assert_false(compare(&run, report, sizeof report));
  assert_contains(report, "lengths: 150 frames, up to 2.48333 s, against 149, up to 2.46667 s; what both have is ");
  assert_contains(report, "datasets: in what both have they are the same\n");
  assert_null(strstr(report, "first difference"));
  assert_null(strstr(report, "rows against"));
  assert_true(compare_begun(&run, report, sizeof report));
  assert_string_equal(report, "");

  run.frame = 148, run.part = 1, run.axis = 2, run.add = 0.5f;
  assert_false(compare(&run, report, sizeof report));
  assert_contains(report, "first difference: frame 148 (2.46667 s), /characters/runner/parts/position, part 1 (chest), "
                          "z: 0 against 0.5 m\n");
  assert_null(strstr(report, "they are the same"));
  assert_false(compare_begun(&run, report, sizeof report));

  run = PLAIN;
  run.extra = "/characters/other/state";
  assert_false(compare(&run, report, sizeof report));
  assert_contains(report, "/characters/other/state");
  assert_contains(report, "is in the second trace only");

  run = PLAIN;
  run.status = "interrupted", run.metric = 4;
  assert_false(compare(&run, report, sizeof report));
  assert_contains(report, "attribute status of / differs: 'complete' against 'interrupted'\n");
  assert_contains(report, "attribute peak_torque of /metrics differs: 0 against 4\n");
  assert_null(strstr(report, "realtime"));
  assert_true(compare_begun(&run, report, sizeof report));

  char small[16];
  memset(small, 'x', sizeof small);
  assert_false(compare(&run, small, sizeof small));
  assert_int_equal(strlen(small), sizeof small - 1);
}

static void write_root_texts(const char *path, const char *const *texts, int count) {
  Error error = {0};
  TraceWriter *trace = trace_create(path, &INFO, &error);
  check_error(&error);
  assert_true(trace_names(trace, "/", texts, count, &error));
  assert_true(trace_close(trace, "complete", &error));
}

// A list of texts at the root, which no run writes: it is compared text by text.
static void test_compare_lists_of_texts(void **state) {
  (void)state;
  enum { COUNT = 200 };
  const char *texts[COUNT];
  for (int i = 0; i < COUNT; i++)
    texts[i] = PARTS[i % 3];
  char report[4096];
  for (int round = 0; round < 3; round++) {
    write_root_texts(path_a, texts, COUNT);
    texts[COUNT - 1] = round == 1 ? "tail" : texts[COUNT - 1];
    write_root_texts(path_b, texts, round == 2 ? COUNT - 1 : COUNT);
    TraceReader *a = open_trace(path_a), *b = open_trace(path_b);
    assert_true(trace_compare(a, b, report, sizeof report) == (round == 0));
    if (round > 0)
      assert_contains(report, "attribute names of / differs\n");
    trace_reader_close(a);
    trace_reader_close(b);
  }
}

static int make_folder(void **state) {
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/stagger_trace_XXXXXX");
  if (!mkdtemp(folder))
    return -1;
  snprintf(path_a, sizeof path_a, "%s/a.h5", folder);
  snprintf(path_b, sizeof path_b, "%s/b.h5", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  unlink(path_a);
  unlink(path_b);
  return rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_type_is_read_back),
      cmocka_unit_test(test_every_step_of_a_long_trace),
      cmocka_unit_test(test_descriptions),
      cmocka_unit_test(test_attributes_and_names),
      cmocka_unit_test(test_declaring_wrongly),
      cmocka_unit_test(test_events),
      cmocka_unit_test(test_files),
      cmocka_unit_test(test_visit),
      cmocka_unit_test(test_open_errors),
      cmocka_unit_test(test_open_survives_damage),
      cmocka_unit_test(test_read_errors),
      cmocka_unit_test(test_create_errors),
      cmocka_unit_test(test_no_room_left),
      cmocka_unit_test(test_compare),
      cmocka_unit_test(test_compare_lists_of_texts),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
