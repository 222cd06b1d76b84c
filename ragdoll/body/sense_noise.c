// The noise as first-order processes, which do not depend on the step.
#include "ragdoll/body/sense_noise.h"

#include <stdio.h>

#include "sim/base/numbers.h"

static void begin(Rng *rng, double values[3]) {
  for (int axis = 0; axis < 3; axis++)
    values[axis] = rng_normal(rng);
}

void sense_noise_init(SenseNoise *noise, uint64_t seed, int index) {
  char name[32];
  snprintf(name, sizeof name, "senses.%d", index);
  *noise = (SenseNoise){.rng = rng_make(seed, name)};
  begin(&noise->rng, noise->trunk);
  begin(&noise->rng, noise->turn);
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    begin(&noise->rng, noise->joints[i]);
}

bool sense_noise_is_on(const DriveDef *def) {
  return def->noise_joints > 0 || def->noise_trunk > 0 || def->noise_turn > 0;
}

static void wander(Rng *rng, double values[3], double h, double time) {
  for (int axis = 0; axis < 3; axis++)
    values[axis] = rng_wander(rng, values[axis], h, time);
}

void sense_noise_step(SenseNoise *noise, const DriveDef *def, int part_count, double h) {
  if (!sense_noise_is_on(def))
    return;
  wander(&noise->rng, noise->trunk, h, def->noise_time);
  wander(&noise->rng, noise->turn, h, def->noise_time);
  for (int i = 1; i < part_count; i++)
    wander(&noise->rng, noise->joints[i], h, def->noise_time);
}

static vec3s scaled(const double values[3], double degrees) {
  const double size = degrees * RAD_PER_DEGREE;
  return (vec3s){{(float)(size * values[0]), (float)(size * values[1]), (float)(size * values[2])}};
}

vec3s sense_noise_joint(const SenseNoise *noise, const DriveDef *def, int joint) {
  return scaled(noise->joints[joint], def->noise_joints);
}

vec3s sense_noise_trunk(const SenseNoise *noise, const DriveDef *def) { return scaled(noise->trunk, def->noise_trunk); }

vec3s sense_noise_turn(const SenseNoise *noise, const DriveDef *def) { return scaled(noise->turn, def->noise_turn); }

void sense_noise_state(SenseNoise *noise, const DriveDef *def, int part_count, StateStream *stream) {
  bool is_on = sense_noise_is_on(def);
  STATE(stream, is_on);
  if (!is_on)
    return;
  state_rng(&noise->rng, stream);
  STATE(stream, noise->trunk, noise->turn);
  for (int i = 1; i < part_count; i++)
    STATE(stream, noise->joints[i]);
}
