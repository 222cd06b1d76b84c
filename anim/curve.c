// Keyed curves: read from YAML, and evaluated between their keys.
#include "anim/curve.h"

#include <math.h>

#include "sim/base/numbers.h"

double curve_value(const Curve *curve, double x) {
  const double *xs = curve->x, *ys = curve->y;
  int last = curve->count - 1;
  if (!(x > xs[0])) // includes NaN
    return ys[0];
  if (x >= xs[last])
    return ys[last];
  int i = 0;
  while (x >= xs[i + 1])
    i++;
  double s = (x - xs[i]) / (xs[i + 1] - xs[i]);
  if (curve->smooth)
    s = smooth_step(s);
  return ys[i] + (ys[i + 1] - ys[i]) * s;
}

static bool curve_read_keys(Curve *curve, const Node *keys, double min, double max, Error *error) {
  if (keys->kind != NODE_LIST || keys->count < 1 || keys->count > CURVE_MAX_KEYS)
    return node_error(keys, error, "expected a curve of 1 to %d keys: [[x, y], [x, y], ...]", CURVE_MAX_KEYS);
  curve->count = 0;
  for (const Node *key = keys->first; key; key = key->next) {
    double point[2];
    if (!node_reals(key, point, 2, error))
      return false;
    int i = curve->count;
    if (i > 0 && !(point[0] > curve->x[i - 1]))
      return node_error(key->first, error, "x of the curve must increase from key to key, but %g follows %g", point[0],
                        curve->x[i - 1]);
    if (!(point[1] >= min && point[1] <= max))
      return node_error(key->last, error, "y of the curve is %g, allowed are %g to %g", point[1], min, max);
    curve->x[i] = point[0];
    curve->y[i] = point[1];
    curve->count++;
  }
  return true;
}

bool curve_read(Curve *curve, const Node *node, double min, double max, Error *error) {
  static const char *const KEYS[] = {"smooth", "keys", NULL};
  Curve read = {0};
  const Node *keys = node;
  if (node->kind == NODE_MAP) {
    if (!node_check_keys(node, KEYS, error))
      return false;
    const Node *smooth = node_find(node, "smooth");
    if (smooth && !node_bool(smooth, &read.smooth, error))
      return false;
    keys = node_find(node, "keys");
    if (!keys)
      return node_error(node, error, "the curve has no keys, expected keys: [[x, y], [x, y], ...]");
  }
  if (!curve_read_keys(&read, keys, min, max, error))
    return false;
  *curve = read;
  return true;
}
