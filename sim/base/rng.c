// The random generator xoshiro256**, seeded by a number and the name of its consumer, and distributions.
#include "sim/base/rng.h"

#include <assert.h>
#include <math.h>

#define TWO_PI 6.283185307179586

static uint64_t rotate_left(uint64_t x, int bits) { return (x << bits) | (x >> (64 - bits)); }

// Splitmix64 (Steele, Lea and Flood 2014; constants of Vigna's public-domain version).
static uint64_t splitmix_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// 64-bit FNV-1a (Fowler, Noll and Vo).
static uint64_t text_hash(const char *text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

Rng rng_make(uint64_t seed, const char *consumer) {
  // The seed is mixed before the name is combined with it, so that neighbouring seeds and similar names are unrelated.
  uint64_t mix = seed;
  mix = splitmix_next(&mix) ^ text_hash(consumer);
  Rng rng;
  for (int i = 0; i < 4; i++)
    rng.state[i] = splitmix_next(&mix);
  return rng;
}

uint64_t rng_next(Rng *rng) {
  uint64_t *s = rng->state;
  uint64_t result = rotate_left(s[1] * 5, 7) * 9;
  uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

// The upper 53 bits fill a double's mantissa.
double rng_unit(Rng *rng) { return (double)(rng_next(rng) >> 11) * 0x1p-53; }

double rng_range(Rng *rng, double low, double high) {
  double unit = rng_unit(rng); // drawn even when the range is empty, so that later numbers do not depend on it
  if (!(high > low))
    return low;
  double value = low * (1 - unit) + high * unit; // high - low could overflow
  if (value < low)
    return low;
  return value < high ? value : nextafter(high, low); // rounding may give the end of the range
}

int rng_index(Rng *rng, int count) {
  assert(count >= 1);
  // The lowest 2^64 mod n values are rejected, so that the remaining ones are a multiple of n.
  uint64_t n = (uint64_t)count, rejected = (0 - n) % n, value;
  do
    value = rng_next(rng);
  while (value < rejected);
  return (int)(value % n);
}

// Box and Muller 1958. The second number is discarded, so that the generator has no state besides its four words.
double rng_normal(Rng *rng) {
  double radius = sqrt(-2 * log(1 - rng_unit(rng))); // 1 - unit is never 0
  return radius * cos(TWO_PI * rng_unit(rng));
}

// By Archimedes' theorem the height of a uniform point on the sphere is uniform.
void rng_direction(Rng *rng, double direction[3]) {
  double height = 2 * rng_unit(rng) - 1;
  double angle = TWO_PI * rng_unit(rng);
  double radius = sqrt(fmax(0, 1 - height * height));
  direction[0] = radius * cos(angle);
  direction[1] = height;
  direction[2] = radius * sin(angle);
}

double rng_wander(Rng *rng, double value, double h, double time) {
  double kept = exp(-h / time);
  return kept * value + sqrt(1 - kept * kept) * rng_normal(rng);
}
