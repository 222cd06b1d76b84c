// Cost of the stepper: a thousand lizards of 20 joints and 4 legs that walk at 60 Hz on uneven ground, each with a pose
// of its own. Prints CSV: median and smallest of several runs.
//
//   bench_stepper                  times
//   bench_stepper --instructions   also instructions per leg and step, from a run under valgrind --tool=callgrind

#include "tests/bench/measure.h"
#include "tests/unit/stepper_fixture.h"

enum { LIZARDS = 1000, RATE = 60, RUNS = 9, LEGS = 4, JOINTS = 20 };

typedef struct Lizard {
  Stepper stepper;
  double heading, position[3];
} Lizard;

typedef struct Bench {
  Walk walk; // skeleton, definition and ground of all
  Pose bind;
  Lizard lizards[LIZARDS];
} Bench;

// A lizard's step: its root moves, it gets the animation's pose, and walks.
static void step_lizard(Bench *bench, int index) {
  Lizard *lizard = &bench->lizards[index];
  LayerStep *step = &bench->walk.step;
  double speed = 0.1 + 0.2 * index / LIZARDS;
  step->dt = 1.0 / RATE;
  step->turn_rate = 0.4 * index / LIZARDS;
  step->heading = lizard->heading += step->turn_rate * step->dt;
  step->root_velocity[0] = speed * sin(lizard->heading);
  step->root_velocity[2] = speed * cos(lizard->heading);
  for (int k = 0; k < 3; k++)
    step->root_position[k] = lizard->position[k] += step->root_velocity[k] * step->dt;
  versors turn = {{0, (float)sin(step->heading / 2), 0, (float)cos(step->heading / 2)}};
  bench->walk.pose = bench->bind;
  pose_transform(&bench->walk.pose,
                 (vec3s){{(float)lizard->position[0], (float)lizard->position[1], (float)lizard->position[2]}}, turn);
  stepper_apply(&bench->walk.def, &lizard->stepper, step);
}

// A simulated second of all; callgrind counts only this.
void run_second(Bench *bench);
__attribute__((noinline, noclone)) void run_second(Bench *bench) {
  for (int k = 0; k < RATE; k++)
    for (int i = 0; i < LIZARDS; i++)
      step_lizard(bench, i);
}

static void set_up(Bench *bench) {
  Skeleton skeleton = make_sprawler(LEGS, 1);
  int parent = 0;
  for (char link = '1'; skeleton.count < JOINTS; link++) {
    const char name[] = {'t', 'a', 'i', 'l', '_', link, 0};
    parent = add_joint(&skeleton, name, parent, 0, 0, -0.05f);
  }
  walk_init(&bench->walk, skeleton, (TestGround){.rough = 0.005}, "spine: [chest]");
  bench->bind = pose_bind(&bench->walk.skeleton);
  for (int i = 0; i < LIZARDS; i++)
    bench->lizards[i].stepper = bench->walk.stepper;
}

int main(int argc, char **argv) {
  static Bench bench;
  double times[RUNS], instructions = -1;
  set_up(&bench);
  if (argc == 2 && strcmp(argv[1], "--count") == 0) { // for callgrind
    run_second(&bench);
    return 0;
  }
  run_second(&bench); // all are moving
  for (int run = 0; run < RUNS; run++) {
    double start = thread_seconds();
    run_second(&bench);
    times[run] = thread_seconds() - start;
  }
  qsort(times, RUNS, sizeof times[0], compare_doubles);
  const double leg_steps = (double)LIZARDS * RATE * LEGS, median = times[RUNS / 2], least = times[0];
  if (argc == 2 && strcmp(argv[1], "--instructions") == 0)
    instructions = callgrind_instructions(argv[0], "--count", "run_second") / leg_steps;
  printf("stepper,leg_step,ns,%.1f,%.1f,", 1e9 * median / leg_steps, 1e9 * least / leg_steps);
  if (instructions >= 0)
    printf("%.0f", instructions);
  printf("\nstepper,1000_lizards_second,s,%.4f,%.4f,\n", median, least);
  return 0;
}
