// Drawings for debugging: the lower layers append lines, points and labels, which the viewer only reads.
#ifndef STAGGER_SIM_BASE_DEBUG_DRAW_H
#define STAGGER_SIM_BASE_DEBUG_DRAW_H

#include <stdint.h>

enum { DEBUG_DRAW_MAX = 8192, DEBUG_TEXT_SIZE = 32 };

typedef enum DebugShape { DEBUG_LINE, DEBUG_ARROW, DEBUG_POINT, DEBUG_LABEL } DebugShape;

// What an item represents; each group can be shown or hidden separately.
typedef enum DebugGroup {
  DEBUG_HITS,     // impulses of bullets, pushes, projectiles
  DEBUG_ASSIST,   // force and torque of the assist
  DEBUG_SKELETON, // joints and bones of the output pose
  DEBUG_BALANCE,  // centre of mass, extrapolated centre of mass, support polygon, margin
  DEBUG_CONTACTS, // contact points and forces
  DEBUG_FEET,     // rays of foot placement, their hits and refusals
  DEBUG_IK,       // targets and hints
  DEBUG_LOOK,     // goal of the gaze
  DEBUG_PATH,     // planned path
  DEBUG_POKE,     // actions of the user
  DEBUG_GROUP_COUNT
} DebugGroup;

typedef struct DebugItem {
  DebugShape shape;
  DebugGroup group;
  uint32_t color;             // 0xRRGGBBAA
  float a[3];                 // world, m: start or place
  float b[3];                 // world, m: end of a line or arrow
  float size;                 // m: radius of a point, thickness of a line
  char text[DEBUG_TEXT_SIZE]; // of a label
} DebugItem;

// The size is fixed; items beyond it are counted, not stored. Calls with a NULL list do nothing.
typedef struct DebugDraw {
  DebugGroup group; // group of the items that are added next
  DebugItem items[DEBUG_DRAW_MAX];
  int count;
  long dropped;
} DebugDraw;

void debug_clear(DebugDraw *draw);
void debug_group(DebugDraw *draw, DebugGroup group);
void debug_line(DebugDraw *draw, const double a[3], const double b[3], float thickness, uint32_t color);
void debug_arrow(DebugDraw *draw, const double from[3], const double to[3], float thickness, uint32_t color);
void debug_point(DebugDraw *draw, const double at[3], float radius, uint32_t color);
// An arc with an arrow at its end for a rotation about an axis of any length by `angle` rad (right-handed, drawn up to
// a full turn). radius in m. Draws nothing for a zero axis or an angle that is not positive.
void debug_arc(DebugDraw *draw, const double center[3], const double axis[3], double radius, double angle,
               float thickness, uint32_t color);

void debug_label(DebugDraw *draw, const double at[3], uint32_t color, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
