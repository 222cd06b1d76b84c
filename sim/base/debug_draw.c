// Appends lines, arrows, arcs and labels to a list of fixed size, by group.
#include "sim/base/debug_draw.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/base/numbers.h"

// NULL when the list is full.
static DebugItem *debug_add(DebugDraw *draw, DebugShape shape, const double a[3], const double b[3], float size,
                            uint32_t color) {
  if (!draw)
    return NULL;
  if (draw->count >= DEBUG_DRAW_MAX) {
    draw->dropped++;
    return NULL;
  }
  DebugItem *item = &draw->items[draw->count++];
  *item = (DebugItem){.shape = shape, .group = draw->group, .color = color, .size = size};
  for (int i = 0; i < 3; i++) {
    item->a[i] = (float)a[i];
    item->b[i] = (float)b[i];
  }
  return item;
}

void debug_clear(DebugDraw *draw) {
  if (!draw)
    return;
  draw->group = DEBUG_HITS;
  draw->count = 0;
  draw->dropped = 0;
}

void debug_group(DebugDraw *draw, DebugGroup group) {
  if (draw)
    draw->group = group;
}

void debug_line(DebugDraw *draw, const double a[3], const double b[3], float thickness, uint32_t color) {
  debug_add(draw, DEBUG_LINE, a, b, thickness, color);
}

void debug_arrow(DebugDraw *draw, const double from[3], const double to[3], float thickness, uint32_t color) {
  debug_add(draw, DEBUG_ARROW, from, to, thickness, color);
}

void debug_point(DebugDraw *draw, const double at[3], float radius, uint32_t color) {
  debug_add(draw, DEBUG_POINT, at, at, radius, color);
}

// Unit vectors u and v with u x v along the axis. False when the axis has no direction.
static bool circle_frame(const double axis[3], double u[3], double v[3]) {
  double length = length3(axis);
  if (!(length > 0 && isfinite(length)))
    return false;
  double unit[3], reference[3] = {0};
  for (int i = 0; i < 3; i++)
    unit[i] = axis[i] / length;
  // The circle begins in the plane of the axis and up; for a vertical axis it begins at the front.
  reference[fabs(unit[1]) < 0.99 ? 1 : 2] = 1;
  cross3(unit, reference, v);
  double across = length3(v);
  for (int i = 0; i < 3; i++)
    v[i] /= across;
  cross3(v, unit, u);
  return true;
}

void debug_arc(DebugDraw *draw, const double center[3], const double axis[3], double radius, double angle,
               float thickness, uint32_t color) {
  double u[3], v[3];
  if (!(angle > 0) || !circle_frame(axis, u, v))
    return;
  angle = fmin(angle, 360 * RAD_PER_DEGREE);
  int pieces = (int)ceil(angle / (15 * RAD_PER_DEGREE));
  for (int k = 0; k < pieces; k++) {
    double begin = angle * k / pieces, end = angle * (k + 1) / pieces, from[3], to[3];
    for (int i = 0; i < 3; i++) {
      from[i] = center[i] + radius * (cos(begin) * u[i] + sin(begin) * v[i]);
      to[i] = center[i] + radius * (cos(end) * u[i] + sin(end) * v[i]);
    }
    debug_add(draw, k + 1 < pieces ? DEBUG_LINE : DEBUG_ARROW, from, to, thickness, color);
  }
}

void debug_label(DebugDraw *draw, const double at[3], uint32_t color, const char *format, ...) {
  DebugItem *item = debug_add(draw, DEBUG_LABEL, at, at, 0, color);
  if (!item)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(item->text, sizeof item->text, format, arguments);
  va_end(arguments);
}
