// Declarations shared by the files of the trailing layer: vectors and rotations in double, and a joint whose derived
// values are computed once and used several times in a step.
#ifndef STAGGER_ANIM_LAYERS_TRAILING_TRAILING_INTERNAL_H
#define STAGGER_ANIM_LAYERS_TRAILING_TRAILING_INTERNAL_H

#include "anim/layers/trailing/trailing.h"
#include "anim/spring.h"
#include "sim/base/numbers.h"

#define TRAILING_SHORTEST_STEP 1e-5 // s: nothing changes in a shorter time

// ---- Vectors and rotations (x y z w). An output may be an input. ----

// Written without loops and temporary copies, so that the compiler keeps the values in registers.

static inline void set(double x, double y, double z, double out[3]) {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

static inline void cross(const double a[3], const double b[3], double out[3]) {
  set(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], out);
}

// to = from + factor * v.
static inline void add_scaled(const double from[3], double factor, const double v[3], double to[3]) {
  set(from[0] + factor * v[0], from[1] + factor * v[1], from[2] + factor * v[2], to);
}

static inline void scale(double factor, const double v[3], double out[3]) {
  set(factor * v[0], factor * v[1], factor * v[2], out);
}

// Scales v to length 1. The vector must not be zero.
static inline void make_unit(double v[3]) { scale(1 / length3(v), v, v); }

// v rotated by a unit quaternion, or by its inverse (way -1).
static inline void turn(const double q[4], double way, const double v[3], double out[3]) {
  double x = q[0], y = q[1], z = q[2], w = way * q[3];
  double once_x = 2 * (y * v[2] - z * v[1]), once_y = 2 * (z * v[0] - x * v[2]), once_z = 2 * (x * v[1] - y * v[0]);
  set(v[0] + w * once_x + (y * once_z - z * once_y), v[1] + w * once_y + (z * once_x - x * once_z),
      v[2] + w * once_z + (x * once_y - y * once_x), out);
}

// a b, or a b^-1 (way -1), of unit quaternions.
static inline void turn_product(const double a[4], double way, const double b[4], double out[4]) {
  double bx = way * b[0], by = way * b[1], bz = way * b[2];
  double x = a[3] * bx + b[3] * a[0] + a[1] * bz - a[2] * by, y = a[3] * by + b[3] * a[1] + a[2] * bx - a[0] * bz;
  double z = a[3] * bz + b[3] * a[2] + a[0] * by - a[1] * bx, w = a[3] * b[3] - a[0] * bx - a[1] * by - a[2] * bz;
  set(x, y, z, out);
  out[3] = w;
}

// Normalises a quaternion; a zero one becomes the identity.
static inline void make_turn(double q[4]) {
  double length = sqrt(dot3(q, q) + q[3] * q[3]), per_length = length > 0 ? 1 / length : 0;
  scale(per_length, q, q);
  q[3] = length > 0 ? q[3] * per_length : 1;
}

// Any unit vector perpendicular to v.
void trailing_perpendicular(const double v[3], double out[3]);

// ---- A joint ----

// A joint with values derived from its parameters alone.
typedef struct TrailingFigures {
  TrailingJoint joint;
  bool can_trail;
  double rest[3], length;        // direction of rest_offset, unit; its length, m
  double sine, cosine;           // of angle_limit
  double half_sine, half_cosine; // of half of it
  double deflection;             // m: depth below the rest point at which gravity and the spring are in balance
} TrailingFigures;

// The particle's position relative to the joint, in the joint's frame.
typedef struct TrailingBearing {
  double direction[3]; // unit
  double across[3];    // rest x direction: axis of the swing, with the length of the sine
  double sine, cosine; // of the angle from rest to direction
  double distance;     // m
} TrailingBearing;

TrailingFigures trailing_figures(const TrailingJoint *joint);

// The vector from the joint to the rest point, in the world.
static inline void trailing_rest_arm(const TrailingFigures *figures, const double rotation[4], double arm[3]) {
  turn(rotation, 1, figures->joint.rest_offset, arm);
}

void trailing_bearing(const TrailingFigures *figures, const double position[3], const double rotation[4],
                      const TrailingState *state, TrailingBearing *bearing);

// trailing_step with known intermediate values: the rest point in the world, and the spring of damp_seconds for a dt of
// at least TRAILING_SHORTEST_STEP. bearing: output, after the step.
void trailing_move(const TrailingFigures *figures, const SpringStep *spring, const double position[3],
                   const double rotation[4], const double rest[3], TrailingState *state, TrailingBearing *bearing);

// The swing's rotation in the joint's frame and its angle, rad, both within the limit. last: direction of the swing to
// use when the particle is straight behind the joint.
void trailing_swing_rotation(const TrailingFigures *figures, const TrailingBearing *bearing, const double last[3],
                             double rotation[4]);
double trailing_swing_angle(const TrailingFigures *figures, const TrailingBearing *bearing);

#endif
