// Triangles of a level near a box, and a level's triangles while it is read. Private to sim/terrain/.
#ifndef STAGGER_SIM_TERRAIN_LEVEL_INTERNAL_H
#define STAGGER_SIM_TERRAIN_LEVEL_INTERNAL_H

#include "sim/base/numbers.h"
#include "sim/terrain/level.h"
#include "sim/terrain/terrain_touch_internal.h"

// Nodes that wait in a search, at most: three pairs for each level of the tree, whose depth is limited in level.c.
enum { LEVEL_WAITING = 512 };

// A visit of all triangles whose leaf touches a box.
typedef struct LevelSearch {
  const Level *level;
  float low[3], high[3];           // m
  uint32_t waiting[LEVEL_WAITING]; // nodes, and leaves as pairs
  int waiting_count;
  uint32_t next, end; // triangles of the present leaf
} LevelSearch;

// bounds: in ODE's order, min x, max x, min y, ...; widened by `reach`.
static inline void level_search_begin(LevelSearch *search, const Level *level, const dReal bounds[6], double reach) {
  search->level = level;
  for (int axis = 0; axis < 3; axis++) { // the nodes' bounds are wider than floats are inexact
    search->low[axis] = (float)max_d(bounds[2 * axis] - reach, level->low[axis] - 1);
    search->high[axis] = (float)min_d(bounds[2 * axis + 1] + reach, level->high[axis] + 1);
  }
  search->waiting_count = 2; // the root
  search->waiting[0] = search->waiting[1] = 0;
  search->next = search->end = 0;
}

// Opens a node: its leaves that touch the box are put on top of those that wait, as a count and a first triangle; nodes
// as 0 and their number.
static inline void level_search_open(LevelSearch *search, const LevelNode *node) {
  int touches[LEVEL_WIDTH];
  for (int i = 0; i < LEVEL_WIDTH; i++)
    touches[i] = (node->low[0][i] <= search->high[0]) & (node->high[0][i] >= search->low[0]) &
                 (node->low[1][i] <= search->high[1]) & (node->high[1][i] >= search->low[1]) &
                 (node->low[2][i] <= search->high[2]) & (node->high[2][i] >= search->low[2]);
  for (int i = LEVEL_WIDTH - 1; i >= 0; i--)
    if (touches[i]) {
      search->waiting[search->waiting_count++] = node->first[i];
      search->waiting[search->waiting_count++] = node->count[i];
    }
}

// The number of the next triangle, -1 after the last.
static inline int level_search_next(LevelSearch *search) {
  while (search->next == search->end) {
    if (search->waiting_count == 0)
      return -1;
    uint32_t count = search->waiting[--search->waiting_count], first = search->waiting[--search->waiting_count];
    if (count == 0)
      level_search_open(search, &search->level->nodes[first]);
    search->next = first;
    search->end = first + count;
  }
  return (int)search->next++;
}

// The unit normal of a triangle, and its edges from each vertex to the next.
static inline void level_triangle_normal(const double vertices[3][3], double edges[3][3], double normal[3]) {
  for (int i = 0; i < 3; i++)
    add_scaled(vertices[(i + 1) % 3], -1, vertices[i], edges[i]);
  cross3(edges[0], edges[1], normal);
  double scale = 1 / sqrt(dot3(normal, normal));
  for (int axis = 0; axis < 3; axis++)
    normal[axis] *= scale;
}

// Fills level->continued. False: no memory.
bool level_find_seams(Level *level);

// ---- Reading ----

// Triangles of a file, appended one by one.
typedef struct LevelReader {
  const File *file;
  double scale, height;
  LevelTriangle *triangles;
  int count, capacity;
  Error *error;
} LevelReader;

// Appends a triangle with these vertices in the file's units. False when there are too many.
bool level_add_triangle(LevelReader *reader, const double *a, const double *b, const double *c);

bool level_read_obj(LevelReader *reader);
bool level_read_glb(LevelReader *reader);

// ---- Contacts ----

// Writes contacts of a shape (a sphere, capsule or box) with the level, at most flags & 0xffff, and returns their
// number. Contacts up to `reach` (m) apart are included; their depths are negative.
int level_touch(const Level *level, dGeomID terrain, dGeomID shape, double reach, int flags, dContactGeom *contacts,
                int skip);

// What a shape touches: faces of triangles, and candidates at their edges and vertices, of which those are no contacts
// that a face covers, as an edge inside a flat floor is covered by the floor.
typedef struct LevelTouches {
  TouchList faces, edges;
  double reach;
} LevelTouches;

void level_touch_box(const Level *level, dGeomID shape, LevelTouches *touches);

#endif
