// Seeded random numbers, one generator for each consumer, so that adding a consumer does not change the numbers of
// others. The generator is xoshiro256** (Blackman and Vigna 2018), seeded through splitmix64.
#ifndef STAGGER_SIM_BASE_RNG_H
#define STAGGER_SIM_BASE_RNG_H

#include <stdint.h>

typedef struct Rng {
  uint64_t state[4];
} Rng;

// seed: the scene's seed; consumer: name of the user of the numbers, e.g. "terrain" or "events.0".
Rng rng_make(uint64_t seed, const char *consumer);

uint64_t rng_next(Rng *rng);                         // all 64 bits
double rng_unit(Rng *rng);                           // uniform in [0, 1)
double rng_range(Rng *rng, double low, double high); // uniform in [low, high); low when the range is empty
int rng_index(Rng *rng, int count);                  // uniform in 0 .. count-1, without modulo bias; count >= 1
double rng_normal(Rng *rng);                         // mean 0, standard deviation 1
void rng_direction(Rng *rng, double direction[3]);   // uniform on the unit sphere

// The value h seconds on of a first-order process of mean 0, standard deviation 1 and that time constant, s: exact for
// any step (Ornstein-Uhlenbeck; Gillespie 1996, Phys. Rev. E 54:2084).
double rng_wander(Rng *rng, double value, double h, double time);

#endif
