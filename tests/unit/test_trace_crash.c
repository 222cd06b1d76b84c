// A trace is readable up to its last flush however the writing ends: a kill at a random moment, a kill before any
// single write, an error of any single write. This program replaces pwrite, the clock and the tests of HDF5 files.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/trace/hdf5_probe.h"
#include "sim/trace/trace.h"

enum { BLOCK = 60, STEPS = 4 }; // frames per block of the writer; physics steps per frame

static char path[64];
static bool threaded;    // false: blocks are written where they are handed over, so that runs are repeatable
static long stop_at;     // the write that fails, counted from trace_create on; 0: none
static long writes_left; // until then, 0: no more are counted
static int error_of_write;
static time_t clock_offset; // s
static int reported;        // frames that the writing process knows to be flushed

// The writes of a run, kept when `keep_writes`.
typedef struct KeptWrite {
  off_t length; // of the file before it
  off_t offset;
  size_t size;
  char *bytes;
  int reported; // before it
} KeptWrite;

static bool keep_writes;
static KeptWrite kept[4096];
static long kept_count, kept_create; // all of them, and those of trace_create

static void keep_write(int descriptor, const void *bytes, size_t size, off_t offset) {
  assert_true(kept_count < (long)(sizeof kept / sizeof kept[0]));
  KeptWrite *write = &kept[kept_count++];
  struct stat status = {0};
  *write = (KeptWrite){0, offset, size, malloc(size), reported};
  assert_true(write->bytes && fstat(descriptor, &status) == 0);
  write->length = status.st_size;
  memcpy(write->bytes, bytes, size);
}

// The writer's replacements of system functions.

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  if (writes_left && --writes_left == 0) {
    errno = error_of_write;
    return -1;
  }
  if (keep_writes)
    keep_write(descriptor, bytes, size, offset);
  return (ssize_t)syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  now->tv_sec += clock_offset;
  return result;
}

int __wrap_H5is_library_threadsafe(bool *safe); // instead of HDF5's: see tests/CMakeLists.txt

int __wrap_H5is_library_threadsafe(bool *safe) {
  *safe = threaded;
  return 0;
}

// Where HDF5 crashes on a file, this program crashes: no child tries it first, as forks are slow under the sanitizers.
static bool would_crash;

bool hdf5_survives(const char *file, void (*attempt)(const char *file)) {
  (void)file, (void)attempt;
  return !would_crash;
}

// Objects that are added while the trace is written: in the middle of a block, and some blocks later.
enum { OBJECTS = 2 };
static int appears(int object) { return object == 0 ? 700 : 1500 + object; }
static double place(int frame, int object) { return frame + object / 8.0; }

static bool add_object(TraceWriter *trace, int object, int *channel, Error *error) {
  char group[32], path_of_channel[64];
  snprintf(group, sizeof group, "/objects/ball_%d", object);
  snprintf(path_of_channel, sizeof path_of_channel, "%s/position", group);
  TraceChannel where = {path_of_channel, TRACE_FLOAT64, {3}, "m", "Where the ball is.", NULL};
  *channel = trace_group(trace, group, error) ? trace_channel(trace, &where, error) : -1;
  return *channel >= 0 && trace_number_attribute(trace, group, "mass", 2 + object, error) &&
         trace_text_attribute(trace, group, "shape", "sphere", error);
}

static float position(int frame, int part, int axis) { return (float)(frame * 100 + part * 10 + axis); }
static uint64_t hash(long step) { return 0x9e3779b97f4a7c15u * (uint64_t)(step + 1); }

// Writes frames; sleeps between them when `pause` is not 0. Every block is flushed.
static bool write_trace(int frames, useconds_t pause, Error *error) {
  static const char *const PARTS[] = {"hips", "chest"};
  TraceInfo info = {.scene_name = "crash.yaml", .scene = "duration: 1\n", .seed = 7, .dt = 1.0 / 240, .frame_rate = 60};
  writes_left = 0;
  TraceWriter *trace = trace_create(path, &info, error);
  if (!trace)
    return false;
  TraceChannel channels[] = {
      {"/characters/runner/parts/position", TRACE_FLOAT32, {2, 3}, "m", "Where the parts are.", PARTS},
      {"/characters/runner/state", TRACE_UINT8, {0}, "-", "State.", NULL},
  };
  TraceChannel hashes = {"/step_hash", TRACE_UINT64, {0}, "-", "State hash of each step.", NULL};
  int where = trace_channel(trace, &channels[0], error);
  int state = trace_channel(trace, &channels[1], error);
  int list = trace_list(trace, &hashes, error);
  bool ok = trace_group(trace, "/objects", error);
  writes_left = stop_at;
  kept_create = kept_count;
  int objects[OBJECTS], object_count = 0;
  for (int frame = 0; ok && frame < frames; ++frame) {
    while (ok && object_count < OBJECTS && frame == appears(object_count)) {
      ok = add_object(trace, object_count, &objects[object_count], error);
      object_count += ok;
    }
    for (int i = 0; i < object_count; ++i)
      *(double *)trace_row(trace, objects[i]) = place(frame, i);
    float *row = trace_row(trace, where);
    for (int value = 0; value < 6; ++value)
      row[value] = position(frame, value / 3, value % 3);
    *(uint8_t *)trace_row(trace, state) = (uint8_t)frame;
    for (long step = 0; step < STEPS; ++step)
      trace_append(trace, list, &(uint64_t){hash(frame * STEPS + step)}, 1);
    if (!threaded && frame % BLOCK == BLOCK - 1)
      ++clock_offset; // a flush is due
    ok = trace_end_frame(trace, frame / 60.0);
    if (ok && !threaded && frame % BLOCK == BLOCK - 1)
      reported = frame + 1;
    if (pause)
      usleep(pause);
  }
  trace_metric(trace, "fell", 0);
  return trace_close(trace, "complete", error) && ok;
}

static void check_objects(TraceReader *trace, int frames) {
  for (int i = 0; i < OBJECTS; ++i) {
    char group[32], path_of_channel[64];
    snprintf(group, sizeof group, "/objects/ball_%d", i);
    snprintf(path_of_channel, sizeof path_of_channel, "%s/position", group);
    long rows;
    int size;
    if (!trace_shape(trace, path_of_channel, &rows, &size)) {
      if (frames > appears(i))
        fail_msg("object %d is missing in %d frames (write %ld)", i, frames, stop_at);
      continue;
    }
    assert_int_equal(rows, frames);
    double(*places)[3] = malloc(((size_t)frames + 1) * sizeof *places), mass;
    Error error = {0};
    if (!trace_read(trace, path_of_channel, TRACE_FLOAT64, 0, frames, places, &error))
      fail_msg("%s (write %ld)", error.text, stop_at);
    bool right = true;
    for (int frame = 0; frame < frames; ++frame)
      right = right && (frame < appears(i) ? isnan(places[frame][0]) && isnan(places[frame][2])
                                           : places[frame][0] == place(frame, i) && places[frame][2] == 0);
    free(places);
    if (!right)
      fail_msg("object %d is wrong in %d frames (write %ld)", i, frames, stop_at);
    if (frames > appears(i))
      assert_true(trace_values(trace, group, "mass", &mass, 1) == 1 && mass == 2 + i);
  }
}

// Reads all of the trace and checks every value. Returns the number of frames.
static int check_trace(bool ended) {
  Error error = {0};
  TraceReader *trace = trace_open(path, &error);
  if (!trace)
    fail_msg("%s (write %ld)", error.text, stop_at);
  const char *status = trace_text(trace, "status");
  const char *stopped = "stopped: the trace cannot be written: No space left on device";
  if (strcmp(status, "running") != 0 && !(ended && strcmp(status, "complete") == 0) &&
      !(error_of_write && strcmp(status, stopped) == 0))
    fail_msg("status \"%s\" (write %ld)", status, stop_at);
  int frames = trace_frame_count(trace);
  long hashes;
  int size;
  if (frames > 0) {
    long times_length;
    assert_true(trace_shape(trace, "/time", &times_length, &size));
    assert_int_equal(times_length, frames); // a reader that relies on the length of /time finds no shorter channel
    assert_true(trace_shape(trace, "/step_hash", &hashes, &size));
    assert_true(hashes >= (long)frames * STEPS);
    double *times = malloc((size_t)frames * sizeof *times);
    float(*positions)[2][3] = malloc((size_t)frames * sizeof *positions);
    uint8_t *states = malloc((size_t)frames);
    uint64_t *values = malloc((size_t)hashes * sizeof *values);
    bool read = trace_read(trace, "/time", TRACE_FLOAT64, 0, frames, times, &error) &&
                trace_read(trace, "/characters/runner/parts/position", TRACE_FLOAT32, 0, frames, positions, &error) &&
                trace_read(trace, "/characters/runner/state", TRACE_UINT8, 0, frames, states, &error) &&
                trace_read(trace, "/step_hash", TRACE_UINT64, 0, (long)frames * STEPS, values, &error);
    int wrong = -1;
    for (int frame = 0; read && frame < frames; ++frame) {
      bool right = times[frame] == frame / 60.0 && states[frame] == (uint8_t)frame;
      for (int value = 0; value < 6; ++value)
        right = right && positions[frame][value / 3][value % 3] == position(frame, value / 3, value % 3);
      for (long step = frame * STEPS; step < (frame + 1L) * STEPS; ++step)
        right = right && values[step] == hash(step);
      if (!right && wrong < 0)
        wrong = frame;
    }
    free(times);
    free(positions);
    free(states);
    free(values);
    if (!read)
      fail_msg("%s (write %ld)", error.text, stop_at);
    if (wrong >= 0)
      fail_msg("frame %d of %d is wrong (write %ld)", wrong, frames, stop_at);
    check_objects(trace, frames);
  }
  trace_reader_close(trace);
  return frames;
}

// Runs the writing in a process of its own, which is killed after that many milliseconds.
static void write_in_child(int frames, useconds_t pause, int milliseconds) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    Error error = {0};
    write_trace(frames, pause, &error);
    _exit(0);
  }
  usleep((useconds_t)milliseconds * 1000);
  kill(child, SIGKILL);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
}

// The index of the chunks splits its root at the 17th block and another node at about the 31st.
enum { FRAMES = 36 * BLOCK + 11 };

// What a flush has written is not written again by later ones, but for the headers and indices that grow.
static void check_amount(void) {
  size_t bytes = 0;
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  for (long i = 0; i < kept_count; ++i)
    bytes += kept[i].size;
  assert_true(bytes < 4 * (size_t)status.st_size);
}

// A process that is killed before a write leaves the file that the writes before made.
static void test_killed_before_any_write(void **state) {
  (void)state;
  threaded = false;
  error_of_write = 0;
  clock_offset = reported = 0;
  stop_at = 0;
  Error error = {0};
  keep_writes = true;
  bool written = write_trace(FRAMES, 0, &error);
  keep_writes = false;
  if (!written)
    fail_msg("%s", error.text);
  assert_true(kept_count - kept_create > 300);
  check_amount();

  int file = open(path, O_RDWR | O_TRUNC);
  assert_true(file >= 0);
  for (long i = 0; i < kept_count; ++i) {
    stop_at = i - kept_create + 1; // for messages
    assert_int_equal(ftruncate(file, kept[i].length), 0);
    if (i >= kept_create) {
      int frames = check_trace(true);
      if (frames < kept[i].reported)
        fail_msg("%d of %d flushed frames (write %ld)", frames, kept[i].reported, stop_at);
    }
    assert_int_equal(pwrite(file, kept[i].bytes, kept[i].size, kept[i].offset), kept[i].size);
    free(kept[i].bytes);
  }
  close(file);
  stop_at = 0;
  assert_int_equal(check_trace(true), FRAMES);
  TraceReader *trace = trace_open(path, &error);
  assert_non_null(trace);
  assert_string_equal(trace_text(trace, "status"), "complete");
  trace_reader_close(trace);
}

static void test_error_of_any_write(void **state) {
  (void)state;
  threaded = false;
  error_of_write = ENOSPC;
  for (stop_at = 1;; stop_at += stop_at < 60 ? 1 : 7) {
    clock_offset = reported = 0;
    Error error = {0};
    if (write_trace(FRAMES, 0, &error))
      break;
    char expected[128];
    snprintf(expected, sizeof expected, "cannot write trace %s: No space left on device", path);
    assert_string_equal(error.text, expected);
    if (check_trace(true) < reported)
      fail_msg("flushed frames are lost (write %ld)", stop_at);
  }
  assert_true(stop_at > 300);
  stop_at = 0;
}

// Wherever the file runs out of room, it contains the status: room for it is reserved from the first flush on. The
// writes fail in a child process, which a limit of file sizes does not outlive.
static void test_limit_of_any_size(void **state) {
  (void)state;
  threaded = false;
  stop_at = 0;
  for (rlim_t limit = 60000; limit < 120000; limit += 5500) {
    clock_offset = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, limit});
      Error error = {0};
      _exit(write_trace(100000, 0, &error));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    Error error = {0};
    TraceReader *trace = trace_open(path, &error);
    assert_non_null(trace);
    if (strcmp(trace_text(trace, "status"), "stopped: the trace cannot be written: File too large") != 0)
      fail_msg("limit of %ld bytes: %s", (long)limit, trace_text(trace, "status"));
    trace_reader_close(trace);
  }
}

static void test_killed_at_random(void **state) {
  (void)state;
  threaded = true;
  stop_at = 0;
  clock_offset = 0;
  int most = 0;
  srand(5);
  for (int kill_number = 0; kill_number < 10; ++kill_number) {
    int milliseconds = 450 + rand() % 400;
    write_in_child(10000000, 20, milliseconds);
    int frames = check_trace(false);
    most = frames > most ? frames : most;
  }
  assert_true(most > BLOCK);
}

// A run of few frames a second: its blocks are handed over before they are full.
static void test_slow_run(void **state) {
  (void)state;
  threaded = true;
  stop_at = 0;
  clock_offset = 0;
  write_in_child(10000000, 30000, 1700);
  assert_true(check_trace(false) > 10); // of less than 57: some must be written before a block is full
}

// No file on which HDF5 would crash is opened to see what it is.
static void test_what_would_crash_is_no_trace(void **state) {
  (void)state;
  threaded = false;
  stop_at = 0;
  clock_offset = 0;
  Error error = {0};
  write_trace(10, 0, &error);
  assert_string_equal(error.text, "");
  assert_true(trace_is_trace(path));
  would_crash = true;
  assert_false(trace_is_trace(path));
  would_crash = false;
}

static int make_path(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/stagger_trace_XXXXXX");
  int file = mkstemp(path);
  return file < 0 || close(file) != 0;
}

static int remove_path(void **state) {
  (void)state;
  return unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_killed_before_any_write),
      cmocka_unit_test(test_error_of_any_write),
      cmocka_unit_test(test_limit_of_any_size),
      cmocka_unit_test(test_killed_at_random),
      cmocka_unit_test(test_slow_run),
      cmocka_unit_test(test_what_would_crash_is_no_trace),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
