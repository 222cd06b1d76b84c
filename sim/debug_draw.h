// Pictures of what the simulation thinks: the lower layers append lines, points and labels, the viewer only reads.
#ifndef STAGGER_SIM_DEBUG_DRAW_H
#define STAGGER_SIM_DEBUG_DRAW_H

#include <stdint.h>

enum { DEBUG_DRAW_MAX = 4096 };

typedef enum DebugShape { DEBUG_LINE, DEBUG_ARROW, DEBUG_POINT } DebugShape;

typedef struct DebugItem {
  DebugShape shape;
  uint32_t color; // 0xRRGGBBAA
  float a[3];     // world, m: start or place
  float b[3];     // world, m: end of a line or arrow
  float size;     // m: radius of a point, thickness of a line
} DebugItem;

// Fixed size; items beyond the end are counted, not stored. A NULL list swallows everything.
typedef struct DebugDraw {
  DebugItem items[DEBUG_DRAW_MAX];
  int count;
  long dropped;
} DebugDraw;

void debug_clear(DebugDraw *draw);
void debug_line(DebugDraw *draw, const double a[3], const double b[3], float thickness, uint32_t color);
void debug_arrow(DebugDraw *draw, const double from[3], const double to[3], float thickness, uint32_t color);
void debug_point(DebugDraw *draw, const double at[3], float radius, uint32_t color);

#endif
