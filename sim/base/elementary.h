// Sine, exponential, logarithm and the like, with the same bits on every processor.
//
// The C library picks among several versions of these functions by what the processor can do, and they differ in the
// last bit: a scene recorded on one machine would not be repeated by another. Those declared here are the deterministic
// ones of SLEEF (sleef.org), which use operations that IEEE 754 fixes and no others; the error is at most one unit in
// the last place. sqrt, fmod, remainder and the roundings are exact by definition and stay the C library's.
//
// The build includes this header before every C file of the project (-include), so that sin(x) means elementary_sin(x)
// everywhere, in the inline functions of cglm, too. A float is computed as a double and rounded once more.
#ifndef STAGGER_SIM_BASE_ELEMENTARY_H
#define STAGGER_SIM_BASE_ELEMENTARY_H

#define _GNU_SOURCE // some files use extensions of the C library; their own definitions come after this header
#include <math.h>

#define ELEMENTARY __attribute__((const)) // calls with the same arguments may be merged
ELEMENTARY double elementary_sin(double x);
ELEMENTARY double elementary_cos(double x);
void elementary_sincos(double x, double *sine, double *cosine);
ELEMENTARY double elementary_tan(double x);
ELEMENTARY double elementary_asin(double x);
ELEMENTARY double elementary_acos(double x);
ELEMENTARY double elementary_atan(double x);
ELEMENTARY double elementary_atan2(double y, double x);
ELEMENTARY double elementary_sinh(double x);
ELEMENTARY double elementary_cosh(double x);
ELEMENTARY double elementary_exp(double x);
ELEMENTARY double elementary_expm1(double x);
ELEMENTARY double elementary_log(double x);
ELEMENTARY double elementary_log10(double x);
ELEMENTARY double elementary_pow(double x, double y);

// Without the C library's care for squares beyond the range of a double (1e154), which no length here comes near.
static inline double elementary_hypot(double x, double y) { return sqrt(x * x + y * y); }

// The larger and the smaller number, and the other one beside a NaN, without a call. Of zeros the second one is taken,
// which the C library's leave open.
static inline double elementary_fmax(double x, double y) { return x > y || y != y ? x : y; }
static inline double elementary_fmin(double x, double y) { return x < y || y != y ? x : y; }
static inline float elementary_fmaxf(float x, float y) { return x > y || y != y ? x : y; }
static inline float elementary_fminf(float x, float y) { return x < y || y != y ? x : y; }

// (sin)(x) still means the C library's.
#define sin(x) elementary_sin(x)
#define cos(x) elementary_cos(x)
#define sincos(x, sine, cosine) elementary_sincos(x, sine, cosine)
#define tan(x) elementary_tan(x)
#define asin(x) elementary_asin(x)
#define acos(x) elementary_acos(x)
#define atan(x) elementary_atan(x)
#define atan2(y, x) elementary_atan2(y, x)
#define sinh(x) elementary_sinh(x)
#define cosh(x) elementary_cosh(x)
#define exp(x) elementary_exp(x)
#define expm1(x) elementary_expm1(x)
#define log(x) elementary_log(x)
#define log10(x) elementary_log10(x)
#define pow(x, y) elementary_pow(x, y)
#define hypot(x, y) elementary_hypot(x, y)
#define fmax(x, y) elementary_fmax(x, y)
#define fmin(x, y) elementary_fmin(x, y)
#define fmaxf(x, y) elementary_fmaxf(x, y)
#define fminf(x, y) elementary_fminf(x, y)
#define sinf(x) ((float)elementary_sin((double)(x)))
#define cosf(x) ((float)elementary_cos((double)(x)))
#define tanf(x) ((float)elementary_tan((double)(x)))
#define asinf(x) ((float)elementary_asin((double)(x)))
#define acosf(x) ((float)elementary_acos((double)(x)))
#define atan2f(y, x) ((float)elementary_atan2((double)(y), (double)(x)))
#define expf(x) ((float)elementary_exp((double)(x)))
#define powf(x, y) ((float)elementary_pow((double)(x), (double)(y)))
#define hypotf(x, y) ((float)elementary_hypot((double)(x), (double)(y)))

#endif
