// Cost of foot placement: a man walks over noise, stairs and level ground, each step at 60 Hz. Prints CSV: median and
// smallest of several runs, of a foot's step (with its share of the pelvis and of the leg) and of a ray.
//
//   bench_foot_placement                  times
//   bench_foot_placement --instructions   also instructions per foot's step, from a run under valgrind --tool=callgrind

#include "sim/terrain/terrain.h"
#include "tests/bench/measure.h"
#include "tests/unit/foot_placement_stroll.h"

enum { STEPS = 1200, RUNS = 9, RAYS = 200000, GROUNDS = 3 };

static const char *const names[GROUNDS] = {"level", "noise", "stairs"};

// The steps of a walk, computed in advance: only placement is measured.
typedef struct Frame {
  LayerStep step;
  Pose pose;
  FootPlan plans[STROLL_LEGS];
} Frame;

typedef struct Bench {
  Stroll stroll;
  Terrain *terrain;
  Frame frames[STEPS];
  long rays;
} Bench;

static bool counted_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                        double length, GroundHit *hit) {
  Bench *bench = (Bench *)(uintptr_t)context;
  bench->rays++;
  Ground ground = terrain_ground(bench->terrain);
  return ground.ray(ground.context, mask, origin, direction, length, hit);
}

static void prepare(Bench *bench, int ground) {
  static const TerrainKind kinds[GROUNDS] = {TERRAIN_FLAT, TERRAIN_NOISE, TERRAIN_STAIRS};
  Error error = {0};
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  def.kind = (int)kinds[ground];
  def.cell = 0.05;
  def.z[1] = 40;
  def.x[0] = -3;
  def.x[1] = 3;
  def.amplitude = 0.04;
  def.run = 0.4;
  def.steps = 200;
  stroll_load(&bench->stroll, "clips/walk.yaml");
  bench->terrain = terrain_create(&def, 1, NULL, &error);
  bench->stroll.ground = terrain_ground(bench->terrain);
  bench->stroll.speed = ground == 2 ? 0.7 : 1.3;
  bench->stroll.placed = false;
  stroll_start(&bench->stroll, 0, 0, 0, 0);
  for (int i = 0; i < STEPS; i++) {
    stroll_on(&bench->stroll, 1.0 / 60);
    bench->frames[i] = (Frame){.step = bench->stroll.step, .pose = bench->stroll.animation};
    memcpy(bench->frames[i].plans, bench->stroll.plans, sizeof bench->frames[i].plans);
  }
}

static void clean_up(Bench *bench) {
  stroll_free(&bench->stroll);
  terrain_destroy(bench->terrain);
}

// All steps; callgrind counts only this.
void run_steps(Bench *bench);
__attribute__((noinline, noclone)) void run_steps(Bench *bench) {
  Stroll *stroll = &bench->stroll;
  for (int i = 0; i < STEPS; i++) {
    LayerStep step = bench->frames[i].step;
    stroll->pose = bench->frames[i].pose;
    step.pose_w = &stroll->pose;
    step.plans = bench->frames[i].plans;
    step.ground = &stroll->ground;
    step.teleported = i == 0;
    foot_placement_apply(&stroll->def, &stroll->placement, &step);
  }
}

static double time_rays(const Bench *bench) {
  const double down[3] = {0, -1, 0};
  double start = thread_seconds(), sum = 0;
  for (int i = 0; i < RAYS; i++) {
    const double origin[3] = {0.1, 2, 0.0001 * i};
    GroundHit hit;
    if (bench->stroll.ground.ray(bench->stroll.ground.context, GROUND_ALL, origin, down, 10, &hit))
      sum += hit.distance;
  }
  double time = thread_seconds() - start;
  return sum > 0 ? time / RAYS : time;
}

int main(int argc, char **argv) {
  static Bench bench;
  bool count = argc == 2 && strcmp(argv[1], "--count") == 0; // for callgrind: on noise
  for (int ground = 0; ground < GROUNDS; ground++) {
    double times[RUNS], rays[RUNS], feet = (double)STEPS * STROLL_LEGS;
    if (count && ground != 1)
      continue;
    prepare(&bench, ground);
    if (count) {
      run_steps(&bench);
      clean_up(&bench);
      return 0;
    }
    for (int run = 0; run < RUNS; run++) {
      double start = thread_seconds();
      run_steps(&bench);
      times[run] = (thread_seconds() - start) / feet;
      rays[run] = time_rays(&bench);
    }
    Ground real = bench.stroll.ground;
    bench.stroll.ground = (Ground){.context = &bench, .ray = counted_ray, .height = real.height};
    bench.rays = 0;
    run_steps(&bench);
    qsort(times, RUNS, sizeof times[0], compare_doubles);
    qsort(rays, RUNS, sizeof rays[0], compare_doubles);
    printf("foot_placement,%s_foot_step,ns,%.0f,%.0f,\n", names[ground], 1e9 * times[RUNS / 2], 1e9 * times[0]);
    printf("foot_placement,%s_ray,ns,%.1f,%.1f,\n", names[ground], 1e9 * rays[RUNS / 2], 1e9 * rays[0]);
    printf("foot_placement,%s_rays_per_foot_step,-,%.1f,%.1f,\n", names[ground], (double)bench.rays / feet,
           (double)bench.rays / feet);
    clean_up(&bench);
  }
  if (argc == 2 && strcmp(argv[1], "--instructions") == 0)
    printf("foot_placement,noise_instructions_per_foot_step,-,%.0f,,\n",
           callgrind_instructions(argv[0], "--count", "run_steps") / ((double)STEPS * STROLL_LEGS));
  return 0;
}
