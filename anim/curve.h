// Keyed curves: functions of one variable.
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

// The value at x; constant beyond the first and the last key.
double curve_value(const Curve *curve, double x);

// Reads `[[x, y], [x, y], ...]` or `{smooth: true, keys: [...]}`; y must be in [min, max].
bool curve_read(Curve *curve, const Node *node, double min, double max, Error *error);

#endif
