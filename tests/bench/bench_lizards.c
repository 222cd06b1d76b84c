// A thousand lizards of pure animation at 60 Hz: the bind pose and all layers of scenes/lizard.yaml's `animated` (legs,
// gaze, tail), on rough ground, walking in circles of their own. Prints CSV:
// benchmark,variant,unit,median,min,instructions
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/description/scene_def.h"
#include "sim/base/wall_clock.h"
#include "tests/bench/measure.h"

enum { LIZARDS = 1000, RATE = 60, RUNS = 7 };

typedef struct Lizard {
  LayerList layers;
  double heading, turn_rate, speed, position[3];
} Lizard;

typedef struct Herd {
  SceneDef *def;
  const CharacterDef *kind;
  Terrain *terrain;
  Ground ground;
  Pose bind;
  Lizard lizards[LIZARDS];
} Herd;

static Herd herd;

static void fail(const char *text) {
  fprintf(stderr, "%s\n", text);
  exit(1);
}

static LayerStep make_step(const Lizard *lizard, double dt, Pose *pose) {
  LayerStep step = {.skeleton = &herd.kind->body->skeleton,
                    .ground = &herd.ground,
                    .dt = dt,
                    .heading = lizard->heading,
                    .turn_rate = lizard->turn_rate,
                    .wanted_heading = lizard->heading + lizard->turn_rate,
                    .pose_w = pose};
  const double forward[2] = {sin(lizard->heading), cos(lizard->heading)};
  for (int i = 0; i < 2; i++) {
    step.root_velocity[2 * i] = step.wanted_velocity[i] = lizard->speed * forward[i];
    step.root_position[2 * i] = lizard->position[2 * i];
  }
  step.root_position[1] = lizard->position[1];
  *pose = herd.bind;
  versors turn = {{0, (float)sin(lizard->heading / 2), 0, (float)cos(lizard->heading / 2)}};
  vec3s place = {{(float)step.root_position[0], (float)step.root_position[1], (float)step.root_position[2]}};
  pose_transform(pose, place, turn);
  return step;
}

static void step_lizard(Lizard *lizard, double dt) {
  lizard->heading += lizard->turn_rate * dt;
  lizard->position[0] += lizard->speed * sin(lizard->heading) * dt;
  lizard->position[2] += lizard->speed * cos(lizard->heading) * dt;
  herd.ground.height(herd.ground.context, lizard->position[0], lizard->position[2], GROUND_HIGHEST,
                     &lizard->position[1], NULL);
  Pose pose;
  LayerStep step = make_step(lizard, dt, &pose);
  layers_apply(&lizard->layers, &step);
}

// Not inlined: callgrind counts by the function's name.
__attribute__((noinline)) static void run_second(void) {
  for (int frame = 0; frame < RATE; frame++)
    for (int i = 0; i < LIZARDS; i++)
      step_lizard(&herd.lizards[i], 1.0 / RATE);
}

static void set_up(void) {
  static const char *const rough[] = {
      "terrain={kind: noise, amplitude: 0.05, wavelength: 2, x: [-40, 40], z: [-40, 40]}"};
  Error error = {0};
  herd.def = scene_def_read("lizard", rough, 1, &error);
  if (!herd.def)
    fail(error.text);
  herd.kind = &herd.def->characters[1];
  herd.bind = pose_bind(&herd.kind->body->skeleton);
  herd.terrain = terrain_create(&herd.def->terrain, 1, &herd.def->files, &error);
  if (!herd.terrain)
    fail(error.text);
  herd.ground = terrain_ground(herd.terrain);
  for (int i = 0; i < LIZARDS; i++) {
    Lizard *lizard = &herd.lizards[i];
    const int row = i / 32, column = i % 32;
    lizard->position[0] = 2.0 * column - 32;
    lizard->position[2] = 2.0 * row - 32;
    lizard->heading = i;
    lizard->turn_rate = 0.5 + 0.001 * i;
    lizard->speed = 0.3 + 0.0003 * i;
    Pose pose;
    LayerStep step = make_step(lizard, 0, &pose);
    if (!layers_init(&lizard->layers, &herd.kind->layers, &step))
      fail("out of memory");
  }
}

int main(int argc, char **argv) {
  double times[RUNS], instructions = -1;
  set_up();
  run_second(); // all are moving
  if (argc == 2 && strcmp(argv[1], "--count") == 0)
    return 0; // for callgrind
  for (int run = 0; run < RUNS; run++) {
    double start = wall_seconds();
    run_second();
    times[run] = wall_seconds() - start;
  }
  qsort(times, RUNS, sizeof times[0], compare_doubles);
  if (argc == 2 && strcmp(argv[1], "--instructions") == 0)
    instructions = callgrind_instructions(argv[0], "--count", "run_second");
  printf("lizards,1000_for_a_second,s,%.4f,%.4f,", times[RUNS / 2], times[0]);
  if (instructions >= 0)
    printf("%.0f", instructions);
  printf("\n");
  return 0;
}
