// Vectors in the horizontal plane, seen from above. In the world: z, and x, which is left of z. In the frame of a
// heading: ahead and left.
#ifndef STAGGER_RAGDOLL_BODY_FLAT_H
#define STAGGER_RAGDOLL_BODY_FLAT_H

#include <math.h>

typedef struct Flat {
  double z, x; // or ahead, left
} Flat;

static inline Flat flat_of(const double v[3]) { return (Flat){v[2], v[0]}; }
static inline Flat flat_add(Flat a, Flat b) { return (Flat){a.z + b.z, a.x + b.x}; }
static inline Flat flat_sub(Flat a, Flat b) { return (Flat){a.z - b.z, a.x - b.x}; }
static inline Flat flat_scale(Flat a, double s) { return (Flat){a.z * s, a.x * s}; }
static inline double flat_dot(Flat a, Flat b) { return a.z * b.z + a.x * b.x; }
static inline double flat_length(Flat a) { return hypot(a.z, a.x); }

// From a + 0 (b - a) to a + 1 (b - a).
static inline Flat flat_between(Flat a, Flat b, double share) {
  return (Flat){a.z + share * (b.z - a.z), a.x + share * (b.x - a.x)};
}

// Turned about up by an angle in rad: what is ahead and left in a heading's frame comes to the world.
static inline Flat flat_turn(Flat a, double angle) {
  double c = cos(angle), s = sin(angle);
  return (Flat){c * a.z - s * a.x, s * a.z + c * a.x};
}

// Into a rectangle about the origin.
static inline Flat flat_clamp(Flat a, double z, double x) {
  return (Flat){fmax(-z, fmin(z, a.z)), fmax(-x, fmin(x, a.x))};
}

#endif
