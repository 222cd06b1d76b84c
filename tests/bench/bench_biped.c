// Cost of the biped layer: a thousand men that stand, walk, run and turn, each with a pose of his own, at 60 Hz. Prints
// CSV: median and smallest of several runs.
//
//   bench_biped                  times
//   bench_biped --instructions   also instructions per step, from a run under valgrind --tool=callgrind

#include "tests/bench/measure.h"
#include "tests/unit/biped_fixture.h"

enum { MEN = 1000, RATE = 60, RUNS = 9 };

typedef struct Man {
  Biped biped;
  double heading, position[3];
} Man;

typedef struct Bench {
  BipedWalk walk; // skeleton and definition of all
  Pose bind;
  Man men[MEN];
} Bench;

// A man's step: his root moves, he gets the animation's pose, and walks. A tenth of them stands.
static void step_man(Bench *bench, int index) {
  Man *man = &bench->men[index];
  LayerStep *step = &bench->walk.step;
  double speed = fmax(5.0 * index / MEN - 0.5, 0);
  step->dt = 1.0 / RATE;
  step->turn_rate = speed > 0 ? 0.3 : 0;
  step->heading = man->heading += step->turn_rate * step->dt;
  step->root_velocity[0] = speed * sin(man->heading);
  step->root_velocity[2] = speed * cos(man->heading);
  for (int k = 0; k < 3; k++)
    step->root_position[k] = man->position[k] += step->root_velocity[k] * step->dt;
  versors turn = {{0, (float)sin(step->heading / 2), 0, (float)cos(step->heading / 2)}};
  bench->walk.pose = bench->bind;
  pose_transform(&bench->walk.pose,
                 (vec3s){{(float)man->position[0], (float)man->position[1], (float)man->position[2]}}, turn);
  biped_apply(&bench->walk.def, &man->biped, step);
}

// A simulated second of all; callgrind counts only this.
void run_second(Bench *bench);
__attribute__((noinline, noclone)) void run_second(Bench *bench) {
  for (int k = 0; k < RATE; k++)
    for (int i = 0; i < MEN; i++)
      step_man(bench, i);
}

int main(int argc, char **argv) {
  static Bench bench;
  double times[RUNS], instructions = -1;
  BodyDef *body = read_man();
  biped_start(&bench.walk, body, "");
  bench.bind = pose_bind(&bench.walk.skeleton);
  for (int i = 0; i < MEN; i++)
    bench.men[i].biped = bench.walk.biped;
  if (argc == 2 && strcmp(argv[1], "--count") == 0) { // for callgrind
    run_second(&bench);
    body_free(body);
    return 0;
  }
  for (int k = 0; k < 3; k++) // all are moving
    run_second(&bench);
  for (int run = 0; run < RUNS; run++) {
    double start = thread_seconds();
    run_second(&bench);
    times[run] = thread_seconds() - start;
  }
  qsort(times, RUNS, sizeof times[0], compare_doubles);
  const double steps = (double)MEN * RATE, median = times[RUNS / 2], least = times[0];
  if (argc == 2 && strcmp(argv[1], "--instructions") == 0)
    instructions = callgrind_instructions(argv[0], "--count", "run_second") / steps;
  printf("biped,step,ns,%.0f,%.0f,", 1e9 * median / steps, 1e9 * least / steps);
  if (instructions >= 0)
    printf("%.0f", instructions);
  printf("\n");
  body_free(body);
  return 0;
}
