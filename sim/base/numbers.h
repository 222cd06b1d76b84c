// Small formulas and constants used by several files.
#ifndef STAGGER_SIM_BASE_NUMBERS_H
#define STAGGER_SIM_BASE_NUMBERS_H

#include <math.h>
#include <stdbool.h>

#define RAD_PER_DEGREE (3.14159265358979323846 / 180)

// Like fmin and fmax, but inline comparisons instead of library calls. If a is NaN the result is b.
static inline double min_d(double a, double b) { return a < b ? a : b; }
static inline double max_d(double a, double b) { return a > b ? a : b; }

// From a at share 0 to b at share 1, and on in a line.
static inline double mix_d(double a, double b, double share) { return a + share * (b - a); }

// From 0 at x <= 0 to 1 at x >= 1, with zero slope at both (the cubic 3 x^2 - 2 x^3).
static inline double smooth_step(double x) {
  x = min_d(max_d(x, 0), 1);
  return x * x * (3 - 2 * x);
}

static inline double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double length3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// out = a x b. Not in place.
static inline void cross3(const double a[3], const double b[3], double out[3]) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// a . (b x c)
static inline double triple3(const double a[3], const double b[3], const double c[3]) {
  double across[3];
  cross3(b, c, across);
  return dot3(a, across);
}

// Solves A x = b by Cramer's rule. A: columns, positive definite.
static inline void solve_columns3(const double a[3][3], const double b[3], double x[3]) {
  double determinant = triple3(a[0], a[1], a[2]);
  x[0] = triple3(b, a[1], a[2]) / determinant;
  x[1] = triple3(a[0], b, a[2]) / determinant;
  x[2] = triple3(a[0], a[1], b) / determinant;
}

// out = a b, quaternions w x y z. Not in place. Equal to ODE's dQMultiply0 to the bit, but inline.
static inline void quaternion_times(const double a[4], const double b[4], double out[4]) {
  out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
  out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

// out = v turned by the unit quaternion q (w x y z). May be in place.
static inline void quaternion_turn(const double q[4], const double v[3], double out[3]) {
  double once[3], twice[3];
  cross3(q + 1, v, once);
  cross3(q + 1, once, twice);
  for (int i = 0; i < 3; i++)
    out[i] = v[i] + 2 * (q[0] * once[i] + twice[i]);
}

// A single square root; unlike hypot it overflows for lengths beyond 1e150.
static inline double length_2d(const double v[2]) { return sqrt(v[0] * v[0] + v[1] * v[1]); }

// Reduces an angle (rad) to -pi .. pi.
static inline double wrap_angle(double angle) { return fabs(angle) <= M_PI ? angle : remainder(angle, 2 * M_PI); }

// rad: the angle whose cosine, or sine, this is, though rounding may have put it a little beyond -1 .. 1.
static inline double angle_of_cosine(double cosine) { return acos(fmax(-1, fmin(cosine, 1))); }
static inline double angle_of_sine(double sine) { return asin(fmax(-1, fmin(sine, 1))); }

static inline bool finite3(const double v[3]) { return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]); }

#endif
