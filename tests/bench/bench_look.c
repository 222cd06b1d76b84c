// Cost of looking at a point with a chain of five joints; a spine of eight joints is between root and head. Prints CSV:
// median and smallest time of a window, per layer and step.
//
//   bench_look                  times
//   bench_look --instructions   also instructions, from a run of each row under valgrind --tool=callgrind
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/look_at/look_at.h"
#include "tests/bench/measure.h"

enum { STEPS = 4096, WINDOWS = 15, JOINTS = 9 };

typedef struct Bench {
  Skeleton skeleton;
  LookAtDef def;
  LookAtState state;
  double target[1][3];
  Pose animation, pose;
  LayerStep step;
} Bench;

typedef struct Row {
  const char *variant;
  void (*prepare)(Bench *bench, int step);
} Row;

// ---- What is measured ----

static void stand_still(Bench *bench, int step) {
  (void)bench;
  (void)step;
}

// A ball that circles in front, at 3 m.
static void circle(Bench *bench, int step) {
  bench->target[0][0] = sin(0.01 * step);
  bench->target[0][1] = 1.5 + 0.5 * cos(0.01 * step);
}

// The same at 0.8 m, where the eyes' own displacement matters.
static void circle_near(Bench *bench, int step) {
  circle(bench, step);
  bench->target[0][2] = 0.8;
}

// Two goals in turn, a quarter of a second each: the gaze moves most of the time.
static void jump(Bench *bench, int step) { bench->target[0][0] = step / 60 % 2 == 0 ? 3 : -3; }

// dt = 0: the chain is turned, no goal is searched.
static void hold(Bench *bench, int step) {
  (void)step;
  bench->step.dt = 0;
}

static const Row rows[] = {{"goal_at_rest", stand_still},
                           {"goal_moves", circle},
                           {"goal_moves_near", circle_near},
                           {"goal_jumps", jump},
                           {"no_time", hold}};

enum { ROWS = sizeof rows / sizeof rows[0] };

static void set_up(Bench *bench) {
  memset(bench, 0, sizeof *bench);
  bench->skeleton.count = JOINTS;
  for (int i = 0; i < JOINTS; i++) {
    bench->skeleton.parent[i] = i - 1;
    bench->skeleton.bind_position_l[i] = (vec3s){{0, i > 0 ? 0.08f : 0.9f, 0.01f}};
    bench->skeleton.bind_rotation_l[i] = quat_exp((vec3s){{0.02f * (float)i, 0, 0}});
  }
  const int joints[] = {3, 4, 5, 7, 8};
  param_defaults(look_at_layer.params, &bench->def);
  bench->def.chain = look_chain_make(&bench->skeleton, joints, 5);
  bench->target[0][1] = 1.4;
  bench->target[0][2] = 3;
  bench->animation = bench->pose = pose_bind(&bench->skeleton);
  bench->step = (LayerStep){.skeleton = &bench->skeleton,
                            .dt = 1.0 / 240,
                            .targets = (const double(*)[3])bench->target,
                            .target_count = 1,
                            .pose_w = &bench->pose};
  look_at_layer.init(&bench->def, &bench->state, &bench->step);
}

// ---- Measuring ----

// One window; callgrind counts only this.
void run_window(Bench *bench, const Row *row);
__attribute__((noinline, noclone)) void run_window(Bench *bench, const Row *row) {
  for (int step = 0; step < STEPS; step++) {
    row->prepare(bench, step);
    memcpy(bench->pose.rotation, bench->animation.rotation, JOINTS * sizeof bench->pose.rotation[0]);
    look_at_layer.apply(&bench->def, &bench->state, &bench->step);
  }
}

static void measure(Bench *bench, int index, const char *program, bool instructions) {
  double times[WINDOWS];
  set_up(bench);
  run_window(bench, &rows[index]); // warm up
  for (int window = 0; window < WINDOWS; window++) {
    double start = 1e9 * thread_seconds();
    run_window(bench, &rows[index]);
    times[window] = (1e9 * thread_seconds() - start) / STEPS;
  }
  qsort(times, WINDOWS, sizeof times[0], compare_doubles);
  printf("look_at_chain_of_5,%s,ns,%.1f,%.1f,", rows[index].variant, times[WINDOWS / 2], times[0]);
  char arguments[32];
  snprintf(arguments, sizeof arguments, "--row %d", index);
  double count = instructions ? callgrind_instructions(program, arguments, "run_window") : -1;
  if (count >= 0)
    printf("%.0f", count / STEPS);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  static Bench bench;
  if (argc == 3 && strcmp(argv[1], "--row") == 0) { // for callgrind
    int row = atoi(argv[2]);
    if (row < 0 || row >= ROWS)
      return 1;
    set_up(&bench);
    run_window(&bench, &rows[row]);
    return 0;
  }
  for (int row = 0; row < ROWS; row++)
    measure(&bench, row, argv[0], argc == 2 && strcmp(argv[1], "--instructions") == 0);
  return 0;
}
