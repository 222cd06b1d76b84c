// Cost of trailing joints: 1000 characters with a tail of six joints each, which run to and fro. Prints CSV: median and
// smallest time of a step, per trailing joint.
//
//   bench_trailing                  times
//   bench_trailing --instructions   also instructions, from a run of each row under valgrind --tool=callgrind
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/trailing/trailing.h"
#include "tests/bench/measure.h"

enum { CHAINS = 1000, LENGTH = 6, WINDOWS = 60 };

typedef struct Row {
  const char *variant;
  double rate;  // Hz
  double speed; // m/s, at most
} Row;

static const Row rows[] = {
    {"resting_240_hz", 240, 0},
    {"trailing_240_hz", 240, 0.5},
    {"at_the_limit_240_hz", 240, 6},
    {"trailing_60_hz", 60, 0.5}, // in four parts
};

enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct Bench {
  Skeleton skeleton;
  TrailingDef def;
  Pose bind, pose;
  TrailingLayer layers[CHAINS];
} Bench;

// A pelvis with a tail.
static void set_up(Bench *bench) {
  Skeleton *skeleton = &bench->skeleton;
  skeleton->count = LENGTH + 1;
  param_defaults(&trailing_params, &bench->def);
  bench->def.count = LENGTH;
  for (int i = 0; i <= LENGTH; i++) {
    skeleton->parent[i] = i - 1;
    skeleton->bind_position_l[i] = (vec3s){{0, i ? 0 : 1, i ? -0.12f : 0}};
    skeleton->bind_rotation_l[i] = glms_quat_identity();
    bench->def.is_needed[i] = true;
    if (i > 0)
      bench->def.members[i - 1] = (TrailingMember){.joint = i, .rest_offset = {0, 0, -0.12}, .angle_limit = -1};
  }
  bench->bind = pose_bind(skeleton);
}

// All characters at a time (s): each runs to and fro at 1 Hz, in its own direction.
static void step_all(Bench *bench, const Row *row, double time, bool start) {
  LayerStep step = {.skeleton = &bench->skeleton, .dt = 1 / row->rate, .pose_w = &bench->pose};
  for (int i = 0; i < CHAINS; i++) {
    float way = (float)(row->speed * sin(6.2831853 * time) / 6.2831853);
    bench->pose = bench->bind;
    bench->pose.position[0].x = way * cosf((float)i);
    bench->pose.position[0].y += way * sinf((float)i);
    if (start)
      trailing_layer.init(&bench->def, &bench->layers[i], &step);
    else
      trailing_layer.apply(&bench->def, &bench->layers[i], &step);
  }
}

// One step of all; callgrind counts only this.
void run_window(Bench *bench, const Row *row, double time);
__attribute__((noinline, noclone)) void run_window(Bench *bench, const Row *row, double time) {
  step_all(bench, row, time, false);
}

// A quarter of a second, until all move.
static double warm_up(Bench *bench, const Row *row) {
  step_all(bench, row, 0, true);
  double time = 0;
  while (time < 0.25)
    step_all(bench, row, time += 1 / row->rate, false);
  return time;
}

static void measure(Bench *bench, int index, const char *program, bool instructions) {
  const Row *row = &rows[index];
  double time = warm_up(bench, row), times[WINDOWS];
  for (int window = 0; window < WINDOWS; window++) {
    double start = 1e9 * thread_seconds();
    run_window(bench, row, time += 1 / row->rate);
    times[window] = (1e9 * thread_seconds() - start) / (CHAINS * LENGTH);
  }
  qsort(times, WINDOWS, sizeof times[0], compare_doubles);
  printf("trailing_joint,%s,ns,%.1f,%.1f,", row->variant, times[WINDOWS / 2], times[0]);
  char arguments[32];
  snprintf(arguments, sizeof arguments, "--row %d", index);
  double count = instructions ? callgrind_instructions(program, arguments, "run_window") : -1;
  if (count >= 0)
    printf("%.0f", count / (CHAINS * LENGTH));
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  static Bench bench;
  set_up(&bench);
  if (argc == 3 && strcmp(argv[1], "--row") == 0) { // for callgrind
    int row = atoi(argv[2]);
    if (row < 0 || row >= ROWS)
      return 1;
    double time = warm_up(&bench, &rows[row]);
    run_window(&bench, &rows[row], time + 1 / rows[row].rate);
    return 0;
  }
  for (int row = 0; row < ROWS; row++)
    measure(&bench, row, argv[0], argc == 2 && strcmp(argv[1], "--instructions") == 0);
  return 0;
}
