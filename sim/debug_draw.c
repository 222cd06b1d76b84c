#include "sim/debug_draw.h"

#include <stddef.h>

static void debug_add(DebugDraw *draw, DebugShape shape, const double a[3], const double b[3], float size,
                      uint32_t color) {
  if (draw == NULL)
    return;
  if (draw->count >= DEBUG_DRAW_MAX) {
    draw->dropped++;
    return;
  }
  DebugItem *item = &draw->items[draw->count++];
  *item = (DebugItem){.shape = shape, .color = color, .size = size};
  for (int i = 0; i < 3; i++) {
    item->a[i] = (float)a[i];
    item->b[i] = (float)b[i];
  }
}

void debug_clear(DebugDraw *draw) {
  if (draw == NULL)
    return;
  draw->count = 0;
  draw->dropped = 0;
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
