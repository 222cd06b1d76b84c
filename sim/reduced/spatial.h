// Small vector arithmetic of the reduced-coordinate step: vectors of 3 and 6 numbers, and symmetric matrices.
#ifndef STAGGER_SIM_REDUCED_SPATIAL_H
#define STAGGER_SIM_REDUCED_SPATIAL_H

#include "sim/base/numbers.h"
#include "sim/base/wide.h"

// out += s a
static inline void add_scaled3(double out[3], double s, const double a[3]) {
  for (int i = 0; i < 3; i++)
    out[i] += s * a[i];
}

// out += a x b
static inline void add_cross3(double out[3], const double a[3], const double b[3]) {
  out[0] += a[1] * b[2] - a[2] * b[1];
  out[1] += a[2] * b[0] - a[0] * b[2];
  out[2] += a[0] * b[1] - a[1] * b[0];
}

// Two numbers that are processed at once, by vector instructions; without this type compilers use single numbers.
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));

static inline Pair both(double x) { return (Pair){x, x}; }

// One by one: copying several at once would go through memory.
static inline Pair pair_at(const double *a) {
  Pair pair;
  memcpy(&pair, a, sizeof pair);
  return pair;
}

// A motion or a wrench: first the angular, then the linear part; their product is a power.
typedef struct SpatialVector {
  QuadInMemory first;
  Pair last;
} SpatialVector;

WIDE_PART SpatialVector six(const double a[6]) { return (SpatialVector){QUAD_AT(a), pair_at(a + 4)}; }

WIDE_PART void six_put(double a[6], SpatialVector s) {
  *(QuadInMemory *)a = s.first;
  memcpy(&a[4], &s.last, sizeof s.last);
}

WIDE_PART double dot6(SpatialVector a, SpatialVector b) {
  const Quad first = a.first * b.first;
  const Pair sum = (Pair){first[0], first[1]} + (Pair){first[2], first[3]} + a.last * b.last;
  return sum[0] + sum[1];
}

// a + s b
WIDE_PART SpatialVector add_scaled6(SpatialVector a, double s, SpatialVector b) {
  a.first += s * b.first;
  a.last += both(s) * b.last;
  return a;
}

// a - s b
WIDE_PART SpatialVector sub_scaled6(SpatialVector a, double s, SpatialVector b) {
  a.first -= s * b.first;
  a.last -= both(s) * b.last;
  return a;
}

// Converts a vector from a body's frame to the world, and back. Rotations are ODE's: rows of four.
static inline void rotate3(const double *rotation, const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = dot3(&rotation[4 * i], v);
}

static inline void rotate_back3(const double *rotation, const double v[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = rotation[i] * v[0] + rotation[4 + i] * v[1] + rotation[8 + i] * v[2];
}

// Columns of three numbers, the last of four is not used: m v, summed as rotate3 does.
#define QUAD_TIMES(m, v) (QUAD_AT((m)[0]) * (v)[0] + QUAD_AT((m)[1]) * (v)[1] + QUAD_AT((m)[2]) * (v)[2])

#endif
