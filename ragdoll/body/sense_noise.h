// Unsure senses of reflexes and skills: the angles of joints, and the orientation and angular velocity of head and
// trunk in space are each a little off, by noise of the seed. All that senses space in a body is off by the same: it
// has one vestibular organ. The noise of balance is its own, see ragdoll/balance/balance_noise.c, which also has
// sources.
#ifndef STAGGER_RAGDOLL_BODY_SENSE_NOISE_H
#define STAGGER_RAGDOLL_BODY_SENSE_NOISE_H

#include "ragdoll/body/drive.h"
#include "sim/base/rng.h"
#include "sim/base/state.h"

// Processes of standard deviation 1.
typedef struct SenseNoise {
  Rng rng;
  double trunk[3], turn[3], joints[BODY_MAX_PARTS][3];
} SenseNoise;

// index: the character's.
void sense_noise_init(SenseNoise *noise, uint64_t seed, int index);

bool sense_noise_is_on(const DriveDef *def);

// Moves on by a step of h seconds. Without noise nothing happens.
void sense_noise_step(SenseNoise *noise, const DriveDef *def, int part_count, double h);

// What is sensed less what is: of a joint's angle (rad, parent's frame), of the orientation (rad, rotation vector,
// world) and of the angular velocity (rad/s, world). Zero without noise.
vec3s sense_noise_joint(const SenseNoise *noise, const DriveDef *def, int joint);
vec3s sense_noise_trunk(const SenseNoise *noise, const DriveDef *def);
vec3s sense_noise_turn(const SenseNoise *noise, const DriveDef *def);

// Saves or restores, as far as there is noise.
void sense_noise_state(SenseNoise *noise, const DriveDef *def, int part_count, StateStream *stream);

#endif
