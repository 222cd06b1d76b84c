// Cost of the kinematics of limbs: the two-bone jobs, a leg, and the layer that aims with both arms. Prints CSV: median
// and smallest time of a window, per job.
//
//   bench_ik                  times
//   bench_ik --instructions   also instructions, from a run of each row under valgrind --tool=callgrind
#include <stdint.h>

#include "anim/layers/arm_aim/arm_aim.h"
#include "sim/base/rng.h"
#include "tests/bench/measure.h"

enum { JOBS = 8192, WINDOWS = 31, LIMBS = 64 };

typedef struct Bench {
  TwoBoneJob pole[LIMBS], bend[LIMBS], hinge[LIMBS], soft[LIMBS];
  AimJob direction[LIMBS], point[LIMBS];
  Skeleton skeleton;
  Pose animation, pose;
  vec3s ankle[LIMBS];
  double targets[LIMBS][3];
  ArmAimDef aim;
  ArmAimState aim_state;
  LayerStep step;
} Bench;

typedef struct Row {
  const char *benchmark, *variant;
  void (*run)(Bench *bench, int job);
} Row;

static void two_bone_pole(Bench *bench, int job) { two_bone_solve(&bench->pole[job % LIMBS]); }
static void two_bone_bend(Bench *bench, int job) { two_bone_solve(&bench->bend[job % LIMBS]); }
static void two_bone_hinge(Bench *bench, int job) { two_bone_solve(&bench->hinge[job % LIMBS]); }
static void two_bone_soft(Bench *bench, int job) { two_bone_solve(&bench->soft[job % LIMBS]); }
static void aim_direction(Bench *bench, int job) { two_bone_aim(&bench->direction[job % LIMBS]); }
static void aim_point(Bench *bench, int job) { two_bone_aim(&bench->point[job % LIMBS]); }

static void leg(Bench *bench, int job) {
  bench->pose.rotation[8] = bench->animation.rotation[8];
  leg_reach(&bench->skeleton, &bench->skeleton.legs[0], bench->ankle[job % LIMBS], glms_quat_identity(), &bench->pose);
}

// A step of the layer: two arms of a pose of eleven joints aim at a target that jumps.
static void aim_layer(Bench *bench, int job) {
  for (int i = 2; i < 8; i++)
    bench->pose.rotation[i] = bench->animation.rotation[i];
  bench->aim.target_index = job % LIMBS;
  arm_aim_layer.apply(&bench->aim, &bench->aim_state, &bench->step);
}

static const Row rows[] = {
    {"two_bone", "pole", two_bone_pole},   {"two_bone", "input_bend", two_bone_bend},
    {"two_bone", "hinge", two_bone_hinge}, {"two_bone", "soft_stretch", two_bone_soft},
    {"aim", "direction", aim_direction},   {"aim", "point", aim_point},
    {"leg_reach", "hinge", leg},           {"arm_aim_layer", "two_arms", aim_layer},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

// ---- Set up ----

static vec3s random_vector(Rng *rng, double size) {
  double d[3];
  rng_direction(rng, d);
  return (vec3s){{(float)(size * d[0]), (float)(size * d[1]), (float)(size * d[2])}};
}

// A leg of 0.9 m that bends forward, and targets at most 1 m from its root.
static void make_limbs(Bench *bench, int i, Rng *rng) {
  TwoBoneJob limb = {.root = {{0, 0.9f, 0}}, .mid = {{0, 0.45f, 0.1f}}, .end = {{0, 0, 0}}};
  limb.root_rotation = limb.mid_rotation = limb.end_rotation = glms_quat_identity();
  limb.target = glms_vec3_add(limb.root, random_vector(rng, rng_range(rng, 0.3, 1)));
  bench->bend[i] = bench->pole[i] = bench->hinge[i] = bench->soft[i] = limb;
  bench->pole[i].pole = (vec3s){{0, 0, 1}};
  bench->hinge[i].mode = TWO_BONE_HINGE;
  bench->soft[i].soft = 0.05f;
  bench->soft[i].stretch = 1.1f;
  bench->direction[i] = (AimJob){.limb = limb, .direction = random_vector(rng, 1), .reach = 0.99f};
  bench->point[i] = bench->direction[i];
  bench->point[i].distance = (float)rng_range(rng, 1, 5);
}

// A trunk, two arms and a leg.
static void make_body(Bench *bench, Rng *rng) {
  static const char *const names[] = {"pelvis",    "chest",  "upper_arm_l", "forearm_l", "hand_l", "upper_arm_r",
                                      "forearm_r", "hand_r", "thigh_l",     "shin_l",    "foot_l"};
  static const int parents[] = {-1, 0, 1, 2, 3, 1, 5, 6, 0, 8, 9};
  const vec3s at[] = {{{0, 1, 0}},          {{0, 0.235f, 0}},       {{0.215f, 0.185f, 0}}, {{0, -0.325f, 0}},
                      {{0, -0.255f, 0}},    {{-0.215f, 0.185f, 0}}, {{0, -0.325f, 0}},     {{0, -0.255f, 0}},
                      {{0.09f, -0.07f, 0}}, {{0, -0.429f, 0}},      {{0, -0.431f, 0}}};
  Skeleton *s = &bench->skeleton;
  s->count = sizeof at / sizeof at[0];
  s->leg_count = 1;
  s->legs[0] = (Leg){.hip = 8, .knee = 9, .ankle = 10};
  for (int i = 0; i < s->count; i++) {
    snprintf(s->names[i], sizeof s->names[i], "%s", names[i]);
    s->parent[i] = parents[i];
    s->bind_position_l[i] = at[i];
    s->bind_rotation_l[i] = glms_quat_identity();
  }
  bench->animation = pose_bind(s);
  for (int i = 1; i < s->count; i++)
    bench->animation.rotation[i] = quat_exp(random_vector(rng, 0.2));
  bench->pose = bench->animation;
  for (int i = 0; i < LIMBS; i++) {
    bench->ankle[i] = glms_vec3_add((vec3s){{0.09f, 0.2f, 0}}, random_vector(rng, 0.15));
    vec3s target = random_vector(rng, 3);
    for (int k = 0; k < 3; k++)
      bench->targets[i][k] = (double)target.raw[k];
  }
}

static void set_up(Bench *bench) {
  Rng rng = rng_make(1, "bench");
  for (int i = 0; i < LIMBS; i++)
    make_limbs(bench, i, &rng);
  make_body(bench, &rng);
  Error error = {0};
  param_defaults(arm_aim_layer.params, &bench->aim);
  if (!arm_aim_layer.read(&bench->aim, NULL, &bench->skeleton, &error)) {
    fprintf(stderr, "bench_ik: %s\n", error.text);
    exit(1);
  }
  bench->step = (LayerStep){.skeleton = &bench->skeleton, .dt = 1.0 / 240, .target_count = LIMBS};
  bench->step.targets = (const double(*)[3])bench->targets;
  bench->step.pose_w = &bench->pose;
  arm_aim_layer.init(&bench->aim, &bench->aim_state, &bench->step);
}

// ---- Measuring ----

// One window; callgrind counts only this.
void run_window(Bench *bench, const Row *row);
__attribute__((noinline, noclone)) void run_window(Bench *bench, const Row *row) {
  for (int job = 0; job < JOBS; job++)
    row->run(bench, job);
}

static void measure(Bench *bench, int index, const char *program, bool instructions) {
  const Row *row = &rows[index];
  double times[WINDOWS];
  run_window(bench, row); // warm up
  for (int window = 0; window < WINDOWS; window++) {
    double start = 1e9 * thread_seconds();
    run_window(bench, row);
    times[window] = (1e9 * thread_seconds() - start) / JOBS;
  }
  qsort(times, WINDOWS, sizeof times[0], compare_doubles);
  printf("%s,%s,ns,%.1f,%.1f,", row->benchmark, row->variant, times[WINDOWS / 2], times[0]);
  char arguments[32];
  snprintf(arguments, sizeof arguments, "--row %d", index);
  double count = instructions ? callgrind_instructions(program, arguments, "run_window") : -1;
  if (count >= 0)
    printf("%.0f", count / JOBS);
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
    run_window(&bench, &rows[row]);
    return 0;
  }
  for (int row = 0; row < ROWS; row++)
    measure(&bench, row, argv[0], argc == 2 && strcmp(argv[1], "--instructions") == 0);
  return 0;
}
