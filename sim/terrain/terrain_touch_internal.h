// Candidates for contacts between a shape and the terrain, and the grid under the shape. Private to sim/terrain/.
#ifndef STAGGER_SIM_TERRAIN_TERRAIN_TOUCH_INTERNAL_H
#define STAGGER_SIM_TERRAIN_TERRAIN_TOUCH_INTERNAL_H

#include "sim/terrain/terrain_internal.h"

enum { MAX_TOUCHES = 64 };

// m: kinks and bumps below this do not count; float heights at high altitude are no smoother, and flat ground must give
// a box exactly its four corners.
#define TERRAIN_FLATNESS 1e-5

// A candidate for a contact; the normal points out of the ground.
typedef struct Touch {
  double position[3], normal[3], depth;
} Touch;

typedef struct TouchList {
  int count;
  Touch touches[MAX_TOUCHES];
} TouchList;

// The samples of the grid under a shape: indices first..last, none when last < first.
typedef struct Patch {
  int first_i, last_i, first_k, last_k;
  bool inside;      // the whole shape is over the grid
  double highest;   // m, including the ground outside if the shape extends over it
  double roughness; // m, an upper bound of the ground's height above the straight line between any two of its points
} Patch;

static inline bool is_flat(const Patch *patch) { return patch->roughness < TERRAIN_FLATNESS; }

// a + scale * b
static inline void add_scaled(const double a[3], double scale, const double b[3], double out[3]) {
  for (int axis = 0; axis < 3; axis++)
    out[axis] = a[axis] + scale * b[axis];
}

static inline void get_vertex(const Terrain *terrain, int i, int k, double vertex[3]) {
  vertex[0] = terrain->origin_x + i * terrain->cell;
  vertex[1] = terrain_sample(terrain, i, k);
  vertex[2] = terrain->origin_z + k * terrain->cell;
}

// The families of lines that bound the triangles: grid coordinate u, v or u + v with an integer value.
enum { FAMILIES = 3 };

// An end of a straight edge of a shape.
typedef struct EdgeEnd {
  double position[3];
  double gap;            // m above the ground, infinite where there is none
  double at[FAMILIES];   // u, v and u + v in cells
  double line[FAMILIES]; // the integers below them
} EdgeEnd;

// Of touches in one place the deepest is kept; when the list is full the shallowest is dropped.
void terrain_add_touch(TouchList *list, const double position[3], const double normal[3], double depth);

// Writes the touches as ODE's contacts in the order in which they were found, at most flags & 0xffff of them, and
// returns their number. ODE requires the normal to point into the first geom, which is the terrain (ODE itself reverses
// the contacts if the geoms were given in the other order).
int terrain_write_contacts(const TouchList *list, dGeomID terrain, dGeomID shape, int flags, dContactGeom *contacts,
                           int skip);

// The samples of all cells that touch the box of bounds (ODE's order: min x, max x, min y, ...).
Patch terrain_find_patch(const Terrain *terrain, const dReal bounds[6]);

// Whether a vertex, relative to a direction, is the tip of a peak or on the rim of a level area: no neighbour is higher
// and some are lower.
bool terrain_is_peak(const Terrain *terrain, int i, int k, const double normal[3]);

// The end of an edge at a position, with the triangle below it.
EdgeEnd terrain_edge_end(const Terrain *terrain, const double position[3], Facet *below);

// Finds the edges of triangles over which the edge from `start` to `end` passes, and adds touches at those that support
// it, for a cylinder of that radius around it (0: the edge itself). The patch is that of a shape around the edge.
void touch_edge(const Terrain *terrain, const Patch *patch, const EdgeEnd *start, const EdgeEnd *end, double radius,
                TouchList *list);

#endif
