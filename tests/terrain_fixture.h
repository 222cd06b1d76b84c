// What the terrain's tests share: construction of grounds, and comparison of numbers with the line in the message.
#ifndef STAGGER_TESTS_TERRAIN_FIXTURE_H
#define STAGGER_TESTS_TERRAIN_FIXTURE_H

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <cmocka.h>

#include "sim/terrain/terrain.h"

#define assert_near(a, b, tolerance) assert_float_equal_near(a, b, tolerance, __LINE__)

static inline void assert_float_equal_near(double a, double b, double tolerance, int line) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("line %d: %.17g and %.17g differ by more than %g", line, a, b, tolerance);
}

static inline TerrainDef default_def(void) {
  TerrainDef def;
  param_defaults(&terrain_params, &def);
  return def;
}

static inline Terrain *create(const TerrainDef *def, uint64_t seed) {
  Error error = {0};
  Terrain *terrain = terrain_create(def, seed, NULL, &error);
  if (!terrain)
    fail_msg("%s", error.text);
  return terrain;
}

static inline double height_at(const Terrain *terrain, double x, double z) {
  double height = NAN;
  assert_true(terrain_height(terrain, x, z, &height, NULL));
  return height;
}

// A grid around the origin.
static inline Terrain make_terrain(float *heights, int samples, double cell) {
  Terrain terrain = {
      samples, samples, -(samples - 1) * cell / 2, -(samples - 1) * cell / 2, cell, 0, false, INFINITY, -INFINITY,
      heights, NULL};
  for (int i = 0; i < samples * samples; i++) {
    terrain.lowest = fmin(terrain.lowest, (double)heights[i]);
    terrain.highest = fmax(terrain.highest, (double)heights[i]);
  }
  return terrain;
}

#endif
