// Finds the edges of a level's triangles beyond which the ground goes on, level with them or rising gently: the seams
// inside floors, walls and hollows. Nothing can touch such an edge without touching a face beside it, so that contacts
// need not look at it. Edges without a neighbour that has the same two vertices are none of these.
#include <stdlib.h>
#include <string.h>

#include "sim/terrain/level_internal.h"

// A neighbour may fall away from a triangle's plane by this share of its own extent, 0.06 degrees: rounding.
#define FALL 1e-3
// And it may be turned against the triangle by up to 45 degrees (cosine): beyond that it is a wall.
#define GENTLE 0.7

// Of a search in the table: a file may consist of copies of one triangle.
enum { MOST_STEPS = 256 };

typedef struct Table {
  uint32_t *slots; // 0: free, else 1 + the number of a corner
  uint32_t mask;
} Table;

static uint64_t mix(uint64_t hash) { // splitmix64's finisher
  hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
  return hash ^ (hash >> 31);
}

static uint64_t hash_vertex(const float vertex[3]) {
  uint64_t hash = 0;
  for (int axis = 0; axis < 3; axis++) {
    float value = vertex[axis] + 0.0f; // -0 becomes 0
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash + bits) * UINT64_C(0x9e3779b97f4a7c15);
  }
  return hash;
}

static bool same(const float a[3], const float b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

// Corner 3 * t + i is vertex i of triangle t, and the edge from there to the next vertex.
static const float *corner_vertex(const Level *level, uint32_t corner) {
  return level->triangles[corner / 3][corner % 3];
}
static uint32_t corner_after(uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; }

// An edge's place in the table depends on both of its ends, whichever is first.
static uint32_t edge_slot(const Level *level, const Table *table, uint32_t corner) {
  uint64_t hash = hash_vertex(corner_vertex(level, corner)) + hash_vertex(corner_vertex(level, corner_after(corner)));
  return (uint32_t)mix(hash) & table->mask;
}

// The triangle's edge at `corner` and the neighbour's at `other`, which runs the other way.
static bool goes_on(const Level *level, uint32_t corner, uint32_t other) {
  double vertices[2][3][3], edges[2][3][3], normals[2][3], beyond[3];
  const uint32_t triangles[2] = {corner / 3, other / 3};
  for (int t = 0; t < 2; t++) {
    for (int v = 0; v < 3; v++)
      for (int axis = 0; axis < 3; axis++)
        vertices[t][v][axis] = (double)level->triangles[triangles[t]][v][axis];
    level_triangle_normal((const double(*)[3])vertices[t], edges[t], normals[t]);
  }
  const double *opposite = vertices[1][(other % 3 + 2) % 3];
  add_scaled(opposite, -1, vertices[1][other % 3], beyond);
  return dot3(normals[0], normals[1]) > GENTLE && dot3(normals[0], beyond) > -FALL * length3(beyond);
}

bool level_find_seams(Level *level) {
  uint32_t corners = 3 * (uint32_t)level->count, size = 4;
  while (size < 2 * corners)
    size *= 2;
  Table table = {calloc(size, sizeof *table.slots), size - 1};
  level->continued = calloc((size_t)level->count, sizeof *level->continued);
  bool good = table.slots && level->continued;
  for (uint32_t corner = 0; good && corner < corners; corner++) {
    const float *start = corner_vertex(level, corner), *end = corner_vertex(level, corner_after(corner));
    uint32_t slot = edge_slot(level, &table, corner);
    int steps = 0;
    for (; table.slots[slot] != 0 && steps < MOST_STEPS; slot = (slot + 1) & table.mask, steps++) {
      uint32_t other = table.slots[slot] - 1;
      if (!same(start, corner_vertex(level, corner_after(other))) || !same(end, corner_vertex(level, other)))
        continue;
      if (goes_on(level, corner, other))
        level->continued[corner / 3] |= (uint8_t)(1 << corner % 3);
      if (goes_on(level, other, corner))
        level->continued[other / 3] |= (uint8_t)(1 << other % 3);
    }
    if (steps < MOST_STEPS)
      table.slots[slot] = corner + 1;
  }
  free(table.slots);
  return good;
}
