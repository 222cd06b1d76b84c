// What recording costs: frames of 35 channels with 600 values, 4 step hashes and 8 contacts, about a character's,
// beside fwrite of the same bytes. Prints CSV: median and smallest time of a window, per frame.
//   sim_paced      processor time of the simulation thread, a frame every 50 us
//   sim_paced_wall the same by the clock on the wall: with what other threads and programs take
//   sim_unpaced    by the clock on the wall, frame after frame: the writer thread holds it back once it cannot follow
//   writer_thread  processor time of the writer thread in the unpaced run
//   fwrite         raw bytes to a file, 1 MB buffer, no structure at all
//   memory         of the writer, HDF5's included, after the paced run
//
//   bench_trace [--instructions]   also counts instructions, from a run of its own under valgrind --tool=callgrind
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/trace/trace.h"
#include "tests/bench/measure.h"

enum { WINDOW = 240, PACED_WINDOWS = 75, UNPACED_WINDOWS = 150, COUNTED_WINDOWS = 20, CHANNELS = 35, VALUES = 600 };
enum { HASHES = 4, CONTACTS = 8, CONTACT_LISTS = 3 };
static const double PACE = 50e-6; // s

// Shapes of the channels: parts, poses, joints, feet, centre of mass, assist, objects, contacts.
static const int SHAPES[CHANNELS][2] = {{16, 3}, {16, 4}, {16, 3}, {16, 3}, {3},  {4},     {16, 4}, {3},  {4},
                                        {16, 4}, {3},     {4},     {16, 4}, {15}, {15, 3}, {15},    {15}, {2, 3},
                                        {2},     {2},     {2},     {2},     {3},  {3},     {0},     {3},  {3},
                                        {0},     {0},     {0},     {3},     {4},  {3},     {4},     {21}};

typedef struct Frame {
  float values[VALUES];
  float contacts[CONTACT_LISTS][CONTACTS][3];
  uint64_t hashes[HASHES];
} Frame;

typedef struct Bench {
  char path[64];
  TraceWriter *trace;
  int channels[CHANNELS], sizes[CHANNELS]; // sizes in values
  int contacts[CONTACT_LISTS], hashes;
  Frame frame;
  long frames; // written
} Bench;

static double read_clock(clockid_t clock) { // s
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop(const char *text) {
  fprintf(stderr, "bench_trace: %s\n", text);
  exit(1);
}

static void open_trace(Bench *bench) {
  Error error = {0};
  TraceInfo info = {.scene_name = "bench.yaml", .scene = "duration: 60\n", .dt = 1.0 / 240, .frame_rate = 60};
  bench->trace = trace_create(bench->path, &info, &error);
  if (!bench->trace)
    stop(error.text);
  char path[64];
  TraceChannel channel = {path, TRACE_FLOAT32, {0}, "m", "A channel.", NULL};
  int values = 0;
  for (int i = 0; i < CHANNELS; i++) {
    snprintf(path, sizeof path, "/characters/runner/channel_%d", i);
    memcpy(channel.shape, SHAPES[i], sizeof channel.shape);
    bench->channels[i] = trace_channel(bench->trace, &channel, &error);
    bench->sizes[i] = (SHAPES[i][0] ? SHAPES[i][0] : 1) * (SHAPES[i][1] ? SHAPES[i][1] : 1);
    values += bench->sizes[i];
  }
  for (int i = 0; i < CONTACT_LISTS; i++) {
    snprintf(path, sizeof path, "/contacts/list_%d", i);
    bench->contacts[i] =
        trace_list(bench->trace, &(TraceChannel){path, TRACE_FLOAT32, {3}, "m", "A list.", NULL}, &error);
  }
  bench->hashes =
      trace_list(bench->trace, &(TraceChannel){"/step_hash", TRACE_UINT64, {0}, "-", "Hashes.", NULL}, &error);
  bench->frames = 0;
  if (error.text[0])
    stop(error.text);
  if (values > VALUES)
    stop("more values than a frame has");
}

static void close_trace(Bench *bench) {
  Error error = {0};
  if (!trace_close(bench->trace, "complete", &error))
    stop(error.text);
  unlink(bench->path);
}

// What is measured; callgrind counts only this.
void write_frame(Bench *bench);
__attribute__((noinline, noclone)) void write_frame(Bench *bench) {
  const float *values = bench->frame.values;
  for (int i = 0; i < CHANNELS; i++) {
    memcpy(trace_row(bench->trace, bench->channels[i]), values, (size_t)bench->sizes[i] * sizeof *values);
    values += bench->sizes[i];
  }
  for (int i = 0; i < CONTACT_LISTS; i++)
    trace_append(bench->trace, bench->contacts[i], bench->frame.contacts[i], CONTACTS);
  trace_append(bench->trace, bench->hashes, bench->frame.hashes, HASHES);
  trace_end_frame(bench->trace, (double)bench->frames++ / 60);
}

// New values in each frame, as a simulation has.
static void change_frame(Frame *frame, long number) {
  for (int i = 0; i < VALUES; i++)
    frame->values[i] += 1e-3f * (float)((number * 31 + i) % 17);
}

// The time that reading a clock takes, s.
static double measure_clock(clockid_t clock) {
  double least = 1;
  for (int i = 0; i < 1000; i++) {
    double start = read_clock(clock), time = read_clock(clock) - start;
    least = time < least ? time : least;
  }
  return least;
}

// Seconds a frame of each window, of the simulation thread.
static void time_windows(Bench *bench, clockid_t clock, double pace, int windows, double *times) {
  double reading = measure_clock(clock), next = read_clock(CLOCK_MONOTONIC);
  for (int window = 0; window < windows; window++) {
    double sum = 0;
    for (int i = 0; i < WINDOW; i++) {
      change_frame(&bench->frame, bench->frames);
      for (next += pace; pace > 0 && read_clock(CLOCK_MONOTONIC) < next;)
        ;
      double start = read_clock(clock);
      write_frame(bench);
      sum += read_clock(clock) - start - reading;
    }
    times[window] = sum / WINDOW;
  }
}

static void time_fwrite(Bench *bench, int windows, double *times) {
  FILE *file = fopen(bench->path, "wb");
  if (!file)
    stop("cannot write");
  setvbuf(file, NULL, _IOFBF, 1 << 20);
  for (int window = 0; window < windows; window++) {
    double sum = 0;
    for (int i = 0; i < WINDOW; i++) {
      change_frame(&bench->frame, i);
      double start = read_clock(CLOCK_MONOTONIC);
      fwrite(&bench->frame, sizeof bench->frame, 1, file);
      sum += read_clock(CLOCK_MONOTONIC) - start;
    }
    times[window] = sum / WINDOW;
  }
  fclose(file);
  unlink(bench->path);
}

static void print_row(const char *variant, double *times, int windows, double instructions) {
  qsort(times, (size_t)windows, sizeof *times, compare_doubles);
  printf("trace,%s,us/frame,%.3f,%.3f,", variant, 1e6 * times[windows / 2], 1e6 * times[0]);
  if (instructions >= 0)
    printf("%.0f", instructions);
  printf("\n");
  fflush(stdout);
}

// MB of this process' own memory, without programs and libraries.
static double read_memory(void) {
  long pages = 0, shared = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*s %ld %ld", &pages, &shared) != 2)
    pages = shared = 0;
  if (file)
    fclose(file);
  return (double)(pages - shared) * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

// Instructions per frame of the simulation thread, counted in another process; negative when that is not possible.
static double count_instructions(const char *program) {
  double count = callgrind_instructions(program, "--count", "write_frame");
  return count < 0 ? count : count / (COUNTED_WINDOWS * WINDOW);
}

int main(int argc, char **argv) {
  static Bench bench;
  static double times[UNPACED_WINDOWS];
  snprintf(bench.path, sizeof bench.path, "/tmp/bench_trace_XXXXXX");
  int file = mkstemp(bench.path);
  if (file < 0)
    stop("cannot write to /tmp");
  close(file);
  if (argc == 2 && strcmp(argv[1], "--count") == 0) { // for callgrind
    open_trace(&bench);
    time_windows(&bench, CLOCK_MONOTONIC, 0, COUNTED_WINDOWS, times);
    close_trace(&bench);
    return 0;
  }
  bool instructions = argc == 2 && strcmp(argv[1], "--instructions") == 0;

  double memory = read_memory();
  open_trace(&bench);
  time_windows(&bench, CLOCK_THREAD_CPUTIME_ID, PACE, PACED_WINDOWS, times);
  memory = read_memory() - memory;
  close_trace(&bench);
  print_row("sim_paced", times, PACED_WINDOWS, instructions ? count_instructions(argv[0]) : -1);

  open_trace(&bench);
  time_windows(&bench, CLOCK_MONOTONIC, PACE, PACED_WINDOWS, times);
  close_trace(&bench);
  print_row("sim_paced_wall", times, PACED_WINDOWS, -1);

  open_trace(&bench);
  write_frame(&bench); // starts the writer thread
  double all = read_clock(CLOCK_PROCESS_CPUTIME_ID), own = read_clock(CLOCK_THREAD_CPUTIME_ID);
  time_windows(&bench, CLOCK_MONOTONIC, 0, UNPACED_WINDOWS, times);
  double others = read_clock(CLOCK_PROCESS_CPUTIME_ID) - all - (read_clock(CLOCK_THREAD_CPUTIME_ID) - own);
  close_trace(&bench);
  print_row("sim_unpaced", times, UNPACED_WINDOWS, -1);
  times[0] = others / (UNPACED_WINDOWS * WINDOW);
  print_row("writer_thread", times, 1, -1);

  time_fwrite(&bench, UNPACED_WINDOWS, times);
  print_row("fwrite", times, UNPACED_WINDOWS, -1);
  printf("trace,memory,MB,%.1f,%.1f,\n", memory, memory);
  return 0;
}
