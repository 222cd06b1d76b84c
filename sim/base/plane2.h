// Vectors in the horizontal plane: x and z of the world or, in the frame of a heading, x to the left and z ahead.
// Rotations are about the up axis, from z toward x, in rad. A vector is a Plane2, or an array {x, z} inside other data.
#ifndef STAGGER_SIM_BASE_PLANE2_H
#define STAGGER_SIM_BASE_PLANE2_H

#include <math.h>

typedef struct Plane2 {
  double x, z; // or left, ahead
} Plane2;

// The horizontal part of a vector.
static inline Plane2 plane2_of(const double v[3]) { return (Plane2){.x = v[0], .z = v[2]}; }
static inline Plane2 plane2_add(Plane2 a, Plane2 b) { return (Plane2){.x = a.x + b.x, .z = a.z + b.z}; }
static inline Plane2 plane2_sub(Plane2 a, Plane2 b) { return (Plane2){.x = a.x - b.x, .z = a.z - b.z}; }
static inline Plane2 plane2_scale(Plane2 a, double s) { return (Plane2){.x = a.x * s, .z = a.z * s}; }
static inline double plane2_dot(Plane2 a, Plane2 b) { return a.z * b.z + a.x * b.x; }
static inline double plane2_length(Plane2 a) { return hypot(a.z, a.x); }

// Interpolates linearly: a + share (b - a).
static inline Plane2 plane2_between(Plane2 a, Plane2 b, double share) {
  return (Plane2){.x = a.x + share * (b.x - a.x), .z = a.z + share * (b.z - a.z)};
}

// Rotates by an angle given by sine and cosine.
static inline Plane2 plane2_turn_by(Plane2 a, double sine, double cosine) {
  return (Plane2){.x = cosine * a.x + sine * a.z, .z = cosine * a.z - sine * a.x};
}

// Rotates by a heading: from its frame to the world. With the negative heading: back.
static inline Plane2 plane2_turn(Plane2 a, double angle) {
  double sine, cosine;
  sincos(angle, &sine, &cosine);
  return plane2_turn_by(a, sine, cosine);
}

// Clamps to a rectangle of size 2 x by 2 z about the origin.
static inline Plane2 plane2_clamp(Plane2 a, double x, double z) {
  return (Plane2){.x = fmax(-x, fmin(x, a.x)), .z = fmax(-z, fmin(z, a.z))};
}

// The same rotations for arrays. `turned` may be `level`.
static inline void turn_level_by(double sine, double cosine, const double level[2], double turned[2]) {
  Plane2 result = plane2_turn_by((Plane2){.x = level[0], .z = level[1]}, sine, cosine);
  turned[0] = result.x;
  turned[1] = result.z;
}

static inline void turn_level(double angle, const double level[2], double turned[2]) {
  if (angle == 0) { // the usual case: standing on ground that does not move
    turned[0] = level[0];
    turned[1] = level[1];
    return;
  }
  double sine, cosine;
  sincos(angle, &sine, &cosine);
  turn_level_by(sine, cosine, level, turned);
}

#endif
