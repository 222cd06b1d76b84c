// Keyed curves: read from YAML, and evaluated between their keys.
#include "anim/curve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/text_buffer.h"

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

// ---- Tables of curves ----

Curve *curve_at(const CurveRow *row, void *values) { return (Curve *)(void *)((char *)values + row->offset); }

static bool read_row(const CurveRow *row, void *values, const Node *node, Error *error) {
  Curve read = {0};
  if (!curve_read(&read, node, row->y_min, row->y_max, error))
    return false;
  const int last = read.count - 1;
  if (row->arch && (read.x[0] != row->x_min || read.y[0] != 0 || read.x[last] != row->x_max || read.y[last] != 0))
    return node_error(node, error, "the %s of a step must begin with [%g, 0] and end with [%g, 0]", row->name,
                      row->x_min, row->x_max);
  *curve_at(row, values) = read;
  return true;
}

// The length of a row's key, without that in the map.
static size_t key_length(const CurveRow *row) { return strcspn(row->name, "."); }

// Reads the rows [first, end) of a map, whose names are those of the map's keys after "blend.".
static bool read_map(const CurveRow *first, const CurveRow *end, void *values, const Node *map, Error *error) {
  const char *keys[8] = {NULL};
  bool any = false;
  for (const CurveRow *row = first; row < end && row - first < 7; row++) {
    keys[row - first] = row->name + key_length(row) + 1;
    any = any || node_find(map, keys[row - first]);
  }
  if (!any)
    return read_row(first, values, map, error);
  if (!node_check_keys(map, keys, error))
    return false;
  for (const CurveRow *row = first; row < end; row++) {
    const Node *node = node_find(map, keys[row - first]);
    if (node && !read_row(row, values, node, error))
      return false;
  }
  return true;
}

bool curve_table_read(const CurveTable *table, void *values, const Node *map, Error *error) {
  const CurveRow *end, *last = table->rows + table->count;
  for (const CurveRow *row = table->rows; row < last; row = end) {
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)key_length(row), row->name);
    for (end = row + 1; end < last && key_length(end) == strlen(key) && strncmp(end->name, key, strlen(key)) == 0;)
      end++;
    const Node *node = node_find(map, key);
    const bool in_map = row->name[strlen(key)] == '.';
    if (node && !(in_map ? read_map(row, end, values, node, error) : read_row(row, values, node, error)))
      return false;
  }
  return true;
}

bool curve_is_equal(const Curve *a, const Curve *b) {
  if (a->count != b->count || a->smooth != b->smooth)
    return false;
  for (int i = 0; i < a->count; i++)
    if (a->x[i] != b->x[i] || a->y[i] != b->y[i])
      return false;
  return true;
}

void curve_write(const Curve *curve, char *text, size_t size) {
  size_t length = (size_t)snprintf(text, size, curve->smooth ? "{smooth: true, keys: [" : "[");
  for (int i = 0; i < curve->count && length < size; i++) {
    char x[32], y[32];
    text_shortest_double(x, sizeof x, curve->x[i]);
    text_shortest_double(y, sizeof y, curve->y[i]);
    length += (size_t)snprintf(text + length, size - length, "%s[%s, %s]", i > 0 ? ", " : "", x, y);
  }
  if (length < size)
    snprintf(text + length, size - length, curve->smooth ? "]}" : "]");
}
