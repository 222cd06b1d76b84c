// Rays through the tree of a level. A ray that passes exactly through an edge that two triangles share hits one of
// them: the side of a ray on which an edge lies is computed with the same bits, but for the sign, for both of its
// directions.
#include <string.h>

#include "sim/terrain/level_internal.h"

// In place of a zero component of a direction, so that its inverse is finite.
#define NO_SLOPE 1e-18

typedef struct Line {
  double origin[3], direction[3];
  float start[3], inverse[3]; // the same as floats
  double length;              // m, to the nearest hit so far
} Line;

// Four floats in one register, and comparisons of them.
typedef float Floats __attribute__((vector_size(4 * LEVEL_WIDTH)));
typedef int32_t Masks __attribute__((vector_size(4 * LEVEL_WIDTH)));

static inline Floats choose(Masks mask, Floats a, Floats b) { return (Floats)(((Masks)a & mask) | ((Masks)b & ~mask)); }

// Where the line enters the children of a node, and which of them it meets, as bits.
static inline unsigned enter_children(const Line *line, const LevelNode *node, float out[LEVEL_WIDTH]) {
  float length = (float)line->length;
  Floats enter = {0}, leave = {length, length, length, length};
  for (int axis = 0; axis < 3; axis++) {
    Floats near, far;
    bool rising = line->inverse[axis] > 0;
    memcpy(&near, rising ? node->low[axis] : node->high[axis], sizeof near);
    memcpy(&far, rising ? node->high[axis] : node->low[axis], sizeof far);
    near = (near - line->start[axis]) * line->inverse[axis];
    far = (far - line->start[axis]) * line->inverse[axis];
    enter = choose(near > enter, near, enter);
    leave = choose(far < leave, far, leave);
  }
  memcpy(out, &enter, sizeof enter);
  const Masks met = (enter <= leave) & (Masks){1, 2, 4, 8};
  return (unsigned)(met[0] | met[1] | met[2] | met[3]);
}

// On which side of the line the edge from a to b passes, both relative to the line's origin.
static inline double edge_side(const double direction[3], const double a[3], const double b[3]) {
  return direction[0] * (a[1] * b[2] - a[2] * b[1]) + direction[1] * (a[2] * b[0] - a[0] * b[2]) +
         direction[2] * (a[0] * b[1] - a[1] * b[0]);
}

static bool meet_triangle(Line *line, const LevelTriangle *triangle, double normal[3]) {
  double vertices[3][3], edges[2][3], across[3];
  for (int v = 0; v < 3; v++)
    for (int axis = 0; axis < 3; axis++)
      vertices[v][axis] = (double)(*triangle)[v][axis] - line->origin[axis];
  if (edge_side(line->direction, vertices[0], vertices[1]) > 0 ||
      edge_side(line->direction, vertices[1], vertices[2]) > 0 ||
      edge_side(line->direction, vertices[2], vertices[0]) > 0)
    return false; // beside it, or from behind
  for (int i = 0; i < 2; i++)
    add_scaled(vertices[i + 1], -1, vertices[0], edges[i]);
  cross3(edges[0], edges[1], across);
  double descent = dot3(across, line->direction);
  if (!(descent < 0))
    return false;
  double distance = dot3(across, vertices[0]) / descent;
  if (!(distance >= 0 && distance < line->length))
    return false;
  line->length = distance;
  double scale = 1 / sqrt(dot3(across, across));
  for (int axis = 0; axis < 3; axis++)
    normal[axis] = across[axis] * scale;
  return true;
}

typedef struct Waiting {
  uint32_t first, count;
  float enter;
} Waiting;

// Puts the children that the line meets on top of those that wait, the nearest last.
static inline int add_children(const Line *line, const LevelNode *node, Waiting *waiting, int count) {
  float enter[LEVEL_WIDTH];
  int first = count;
  for (unsigned met = enter_children(line, node, enter); met != 0; met &= met - 1) {
    int i = __builtin_ctz(met), at = count++;
    for (; at > first && waiting[at - 1].enter < enter[i]; at--)
      waiting[at] = waiting[at - 1];
    waiting[at] = (Waiting){node->first[i], node->count[i], enter[i]};
  }
  return count;
}

static bool meet_tree(const Level *level, Line *line, double normal[3]) {
  Waiting waiting[LEVEL_WAITING / 2];
  int count = add_children(line, &level->nodes[0], waiting, 0);
  bool met = false;
  while (count > 0) {
    Waiting next = waiting[--count];
    if ((double)next.enter > line->length)
      continue;
    if (next.count == 0)
      count = add_children(line, &level->nodes[next.first], waiting, count);
    for (uint32_t i = 0; i < next.count; i++)
      met |= meet_triangle(line, (const LevelTriangle *)&level->triangles[next.first + i], normal);
  }
  return met;
}

// The first hit of the part from..to of a line, in m.
static bool meet_level(const Level *level, const double origin[3], const double direction[3], double from, double to,
                       double *distance, double normal[3]) {
  Line line;
  double inverse[3];
  // Only the part inside the level's bounds, and 1 m around them: floats are exact enough there.
  for (int axis = 0; axis < 3; axis++) {
    inverse[axis] = 1 / (fabs(direction[axis]) < NO_SLOPE ? NO_SLOPE : direction[axis]);
    double low = (level->low[axis] - 1 - origin[axis]) * inverse[axis];
    double high = (level->high[axis] + 1 - origin[axis]) * inverse[axis];
    from = max_d(min_d(low, high), from);
    to = min_d(max_d(low, high), to);
  }
  if (!(from <= to))
    return false;
  add_scaled(origin, from, direction, line.origin);
  for (int axis = 0; axis < 3; axis++) {
    line.direction[axis] = direction[axis];
    line.start[axis] = (float)line.origin[axis];
    line.inverse[axis] = (float)inverse[axis];
  }
  line.length = (to - from) * (1 + 1e-15); // the length itself still counts as a hit
  if (!meet_tree(level, &line, normal))
    return false;
  *distance = from + line.length;
  return true;
}

bool level_ray(const Level *level, const double origin[3], const double direction[3], double length, double *distance,
               double normal[3]) {
  if (!meet_level(level, origin, direction, -LEVEL_SKIN, length, distance, normal))
    return false;
  *distance = min_d(max_d(*distance, 0), length);
  return true;
}

bool level_height(const Level *level, double x, double z, double from, double *height, double normal[3]) {
  static const double down[3] = {0, -1, 0};
  const double top = min_d(from, level->high[1] + 1), origin[3] = {x, top, z};
  double unused[3] = {0}, distance;
  if (!isfinite(x + z) || isnan(from) || top < level->low[1] ||
      !meet_level(level, origin, down, 0, top - level->low[1] + 1, &distance, normal ? normal : unused))
    return false;
  *height = top - distance;
  return true;
}
