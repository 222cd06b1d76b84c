// Keyed curves of one variable, and the critically damped spring.
#ifndef STAGGER_ANIM_CURVE_H
#define STAGGER_ANIM_CURVE_H

#include <stdbool.h>

#include "sim/base/document.h"

enum { CURVE_MAX_KEYS = 16 };

typedef struct Curve {
  int count;                                   // 1 .. CURVE_MAX_KEYS
  bool smooth;                                 // false: linear; true: smooth (zero slope at the keys)
  double x[CURVE_MAX_KEYS], y[CURVE_MAX_KEYS]; // x strictly increasing
} Curve;

// Constant beyond the first and the last key.
double curve_value(const Curve *curve, double x);

// Reads `[[x, y], [x, y], ...]` or `{smooth: true, keys: [...]}`. y must lie in [min, max].
bool curve_read(Curve *curve, const Node *node, double min, double max, Error *error);

// Critically damped spring toward a goal, in closed form: the same result for any split of the time step.
// w = 2/damp_seconds (Game Programming Gems 4, chapter 1.10). dt >= 0; damp_seconds > 0.
void spring_step(double *x, double *velocity, double goal, double damp_seconds, double dt);

// The same for many values of one damp_seconds and dt: what they share, above all an exponential, is found once.
typedef struct SpringStep {
  double w, decay; // 1/s; of an offset at rest in dt; both 0: so stiff that it arrives at once
  double dt;       // s
} SpringStep;

SpringStep spring_over(double damp_seconds, double dt);

// With y = x - goal and c = v + w y: y(t) = (y + c t) exp(-w t), v(t) = (v - w c t) exp(-w t).
static inline void spring_apply(const SpringStep *step, double *x, double *velocity, double goal) {
  double offset = *x - goal, c = *velocity + step->w * offset;
  *x = goal + (offset + c * step->dt) * step->decay;
  *velocity = (*velocity - step->w * c * step->dt) * step->decay;
}

#endif
