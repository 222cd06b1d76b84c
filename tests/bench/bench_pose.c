// Cost of the animation's kernels for a skeleton of 60 joints, beside a memcpy of the bytes that each of them reads and
// writes, in the same run. Prints CSV: median and smallest time of a window, per job.
//
//   bench_pose                  times
//   bench_pose --instructions   also instructions, from a run of each row under valgrind --tool=callgrind
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/clip.h"
#include "anim/ik.h"
#include "sim/base/rng.h"
#include "tests/bench/measure.h"

enum { JOBS = 8192, WINDOWS = 15, JOINTS = 60, KEYS = 70, LIMBS = 64 };

static const float RATE = 30; // Hz, of the keys

// The bytes of one joint of a pose.
enum { JOINT_BYTES = sizeof(vec3s) + sizeof(versors), POSE_BYTES = JOINTS * JOINT_BYTES };

typedef struct Bench {
  Skeleton skeleton;
  Clip *clips[2];
  float random_time[JOBS], weight[JOBS];
  Pose poses[4], difference, out;
  ModelPose model;
  TwoBoneJob limbs[LIMBS];
  char from[8 * POSE_BYTES], to[8 * POSE_BYTES];
} Bench;

typedef struct Row {
  const char *benchmark;
  void (*run)(Bench *bench, int job);
  size_t bytes; // read and written by the job
} Row;

// ---- What is measured ----

// A step of 1/60 s, as a character takes it.
static float time_forward(int job) { return (float)job / 60; }

static void sample_forward(Bench *bench, int job) { clip_sample(bench->clips[0], time_forward(job), &bench->out); }
static void sample_random(Bench *bench, int job) { clip_sample(bench->clips[0], bench->random_time[job], &bench->out); }
static void blend_two(Bench *bench, int job) {
  pose_blend(&bench->poses[0], &bench->poses[1], bench->weight[job], NULL, &bench->out);
}
static void blend_four(Bench *bench, int job) {
  const Pose *poses[] = {&bench->poses[0], &bench->poses[1], &bench->poses[2], &bench->poses[3]};
  const float weights[] = {bench->weight[job], 0.3f, 1 - bench->weight[job], 0.2f};
  pose_blend_many(poses, weights, 4, &bench->out);
}
static void add_difference(Bench *bench, int job) {
  pose_add(&bench->poses[0], &bench->difference, bench->weight[job], &bench->out);
}
static void take_difference(Bench *bench, int job) {
  (void)job;
  pose_difference(&bench->poses[0], &bench->poses[1], &bench->out);
}
static void local_to_model(Bench *bench, int job) {
  pose_to_model(&bench->skeleton, &bench->poses[job % 4], &bench->model);
}
static void model_to_local(Bench *bench, int job) {
  (void)job;
  pose_from_model(&bench->skeleton, &bench->model, &bench->out);
}

// The work of a character with two clips in a step.
static void pipeline(Bench *bench, int job) {
  Pose *walk = &bench->poses[2], *run = &bench->poses[3];
  clip_sample(bench->clips[0], time_forward(job), walk);
  clip_sample(bench->clips[1], time_forward(job), run);
  pose_blend(walk, run, bench->weight[job], NULL, &bench->out);
  pose_to_model(&bench->skeleton, &bench->out, &bench->model);
}

static void two_bone(Bench *bench, int job) { two_bone_solve(&bench->limbs[job % LIMBS]); }

static const Row rows[] = {
    {"sample_forward", sample_forward, 3 * POSE_BYTES}, // two keys and the pose
    {"sample_random", sample_random, 3 * POSE_BYTES},
    {"blend_two", blend_two, 3 * POSE_BYTES},
    {"blend_four", blend_four, 5 * POSE_BYTES},
    {"add_difference", add_difference, 3 * POSE_BYTES},
    {"take_difference", take_difference, 3 * POSE_BYTES},
    {"local_to_model", local_to_model, 2 * POSE_BYTES},
    {"model_to_local", model_to_local, 2 * POSE_BYTES},
    {"pipeline", pipeline, 8 * POSE_BYTES}, // two samples' keys and poses, the blend, the model's pose
    {"two_bone_ik", two_bone, sizeof(TwoBoneJob)},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

// ---- Set up ----

static vec3s random_vector(Rng *rng, double size) {
  double d[3];
  rng_direction(rng, d);
  return (vec3s){{(float)(size * d[0]), (float)(size * d[1]), (float)(size * d[2])}};
}

// A chain of joints below `parent`; returns its last one.
static int add_chain(Skeleton *skeleton, int parent, int length) {
  for (int link = 0; link < length; link++) {
    skeleton->parent[skeleton->count] = parent;
    parent = skeleton->count++;
  }
  return parent;
}

// The tree of a human with fingers.
static void make_skeleton(Skeleton *skeleton, Rng *rng) {
  int pelvis = add_chain(skeleton, -1, 1), chest = add_chain(skeleton, pelvis, 5);
  add_chain(skeleton, chest, 6); // neck and head
  for (int side = 0; side < 2; side++) {
    add_chain(skeleton, pelvis, 5);
    int hand = add_chain(skeleton, chest, 4);
    for (int finger = 0; finger < 5; finger++)
      add_chain(skeleton, hand, 3);
  }
  for (int i = 0; i < skeleton->count; i++) {
    skeleton->bind_position_l[i] = random_vector(rng, 0.2);
    skeleton->bind_rotation_l[i] = quat_exp(random_vector(rng, rng_range(rng, 0, 1)));
  }
}

// Every joint swings about an axis of its own, once or twice a cycle.
static Clip *make_clip(const Skeleton *skeleton, Rng *rng) {
  Clip *clip = calloc(1, sizeof *clip);
  if (!clip || !(clip->keys = calloc(KEYS, sizeof *clip->keys))) {
    fprintf(stderr, "bench_pose: out of memory\n");
    exit(1);
  }
  *clip = (Clip){.skeleton = skeleton, .loop = true, .duration = KEYS / RATE, .key_count = KEYS, .keys = clip->keys};
  vec3s swing[JOINTS];
  for (int i = 0; i < JOINTS; i++)
    swing[i] = random_vector(rng, rng_range(rng, 0.1, 0.8));
  for (int k = 0; k < KEYS; k++) {
    Pose key = pose_bind(skeleton);
    for (int i = 0; i < JOINTS; i++) {
      float phase = sinf((float)((1 + i % 2) * 2 * M_PI * k / KEYS + i));
      key.rotation[i] = glms_quat_normalize(glms_quat_mul(key.rotation[i], quat_exp(glms_vec3_scale(swing[i], phase))));
    }
    clip->keys[k] = key;
  }
  return clip;
}

// A leg of 0.9 m that bends forward, and targets at most 1 m from its root.
static void make_limb(TwoBoneJob *limb, Rng *rng) {
  *limb = (TwoBoneJob){.root = {{0, 0.9f, 0}}, .mid = {{0, 0.45f, 0.1f}}, .end = {{0, 0, 0}}};
  limb->root_rotation = limb->mid_rotation = glms_quat_identity();
  limb->target = glms_vec3_add(limb->root, random_vector(rng, rng_range(rng, 0.3, 1)));
  limb->pole = (vec3s){{0, 0, 1}};
}

static void set_up(Bench *bench) {
  Rng rng = rng_make(1, "bench");
  make_skeleton(&bench->skeleton, &rng);
  if (bench->skeleton.count != JOINTS)
    abort();
  for (int i = 0; i < 2; i++)
    bench->clips[i] = make_clip(&bench->skeleton, &rng);
  for (int i = 0; i < JOBS; i++) {
    bench->random_time[i] = (float)rng_range(&rng, 0, 100);
    bench->weight[i] = (float)rng_unit(&rng);
  }
  for (int i = 0; i < 4; i++)
    clip_sample(bench->clips[i % 2], (float)i * 0.3f, &bench->poses[i]);
  pose_difference(&bench->poses[0], &bench->poses[1], &bench->difference);
  pose_to_model(&bench->skeleton, &bench->poses[0], &bench->model);
  for (int i = 0; i < LIMBS; i++)
    make_limb(&bench->limbs[i], &rng);
}

// ---- Measuring ----

// One window; callgrind counts only this.
void run_window(Bench *bench, const Row *row);
__attribute__((noinline, noclone)) void run_window(Bench *bench, const Row *row) {
  for (int job = 0; job < JOBS; job++)
    row->run(bench, job);
}

// The same number of jobs, each a copy: half of the bytes are read, half written.
static void copy_window(Bench *bench, const Row *row) {
  for (int job = 0; job < JOBS; job++) {
    memcpy(bench->to, bench->from, row->bytes / 2);
    __asm__ volatile("" : : "r"(bench->to) : "memory"); // keeps the compiler from leaving the copy out
  }
}

// Instructions per job of one row, counted in another process; negative when that is not possible.
static double count_instructions(const char *program, int row) {
  char arguments[32];
  snprintf(arguments, sizeof arguments, "--row %d", row);
  double count = callgrind_instructions(program, arguments, "run_window");
  return count < 0 ? count : count / JOBS;
}

static void print_row(const char *benchmark, const char *variant, double times[WINDOWS], double instructions) {
  qsort(times, WINDOWS, sizeof times[0], compare_doubles);
  printf("%s,%s,ns,%.1f,%.1f,", benchmark, variant, times[WINDOWS / 2], times[0]);
  if (instructions >= 0)
    printf("%.0f", instructions);
  printf("\n");
  fflush(stdout);
}

// Windows of the job and of the copy alternate, so that both run under the same conditions.
static void measure(Bench *bench, int index, const char *program, bool instructions) {
  const Row *row = &rows[index];
  double own[WINDOWS], copy[WINDOWS];
  run_window(bench, row); // warm up
  for (int window = 0; window < WINDOWS; window++) {
    double start = 1e9 * thread_seconds();
    run_window(bench, row);
    double middle = 1e9 * thread_seconds();
    copy_window(bench, row);
    own[window] = (middle - start) / JOBS;
    copy[window] = (1e9 * thread_seconds() - middle) / JOBS;
  }
  print_row(row->benchmark, "own", own, instructions ? count_instructions(program, index) : -1);
  print_row(row->benchmark, "memcpy_same_bytes", copy, -1);
}

int main(int argc, char **argv) {
  static Bench bench;
  set_up(&bench);
  if (argc == 3 && strcmp(argv[1], "--row") == 0) { // for callgrind
    int row = atoi(argv[2]);
    if (row < 0 || row >= ROWS)
      return 1;
    run_window(&bench, &rows[row]);
    return 0;
  }
  for (int row = 0; row < ROWS; row++)
    measure(&bench, row, argv[0], argc == 2 && strcmp(argv[1], "--instructions") == 0);
  return 0;
}
