// The triangle of the ground under a point, used by heights, rays and colliders, so that they agree on the surface.
// Private to sim/terrain/.
#ifndef STAGGER_SIM_TERRAIN_TERRAIN_INTERNAL_H
#define STAGGER_SIM_TERRAIN_TERRAIN_INTERNAL_H

#include "sim/base/numbers.h"
#include "sim/terrain/terrain.h"

// In cells: points this close outside the grid count as inside, so that rounding makes no gap at the border.
#define TERRAIN_BORDER 1e-9

// The plane of one triangle.
typedef struct Facet {
  double height;           // m, at the given point
  double slope_x, slope_z; // m of height per m
  bool outside;            // the flat ground outside the grid
} Facet;

static inline double terrain_sample(const Terrain *terrain, int i, int k) {
  return (double)terrain->heights[(size_t)k * (size_t)terrain->columns + (size_t)i];
}

// The cell of a grid coordinate, 0 .. samples - 2.
static inline int terrain_cell(double coordinate, int samples) {
  if (!(coordinate > 0))
    return 0;
  return coordinate < samples - 1 ? (int)coordinate : samples - 2;
}

// The triangle of cell i, k at u, v in 0..1 relative to its corner.
static inline Facet terrain_cell_facet(const Terrain *terrain, int i, int k, double u, double v) {
  const float *row = terrain->heights + (size_t)k * (size_t)terrain->columns + (size_t)i;
  double near_right = (double)row[0], near_left = (double)row[1];
  double far_right = (double)row[terrain->columns], far_left = (double)row[terrain->columns + 1];
  double du, dv, height;
  if (u + v <= 1) {
    du = near_left - near_right;
    dv = far_right - near_right;
    height = near_right + u * du + v * dv;
  } else {
    du = far_left - far_right;
    dv = far_left - near_left;
    height = far_left + (u - 1) * du + (v - 1) * dv;
  }
  double scale = 1 / terrain->cell;
  return (Facet){height, du * scale, dv * scale, false};
}

static inline bool terrain_covers(const Terrain *terrain, double u, double v) {
  return u >= -TERRAIN_BORDER && u <= terrain->columns - 1 + TERRAIN_BORDER && v >= -TERRAIN_BORDER &&
         v <= terrain->rows - 1 + TERRAIN_BORDER;
}

// A place on the grid, in cells, and its cell. False outside the grid.
static inline bool terrain_place(const Terrain *terrain, double x, double z, double place[2], int cell[2]) {
  double u = place[0] = (x - terrain->origin_x) / terrain->cell, v = place[1] = (z - terrain->origin_z) / terrain->cell;
  if (u > 0 && v > 0 && u < terrain->columns - 1 && v < terrain->rows - 1) { // the usual case
    cell[0] = (int)u;
    cell[1] = (int)v;
    return true;
  }
  cell[0] = terrain_cell(u, terrain->columns);
  cell[1] = terrain_cell(v, terrain->rows);
  return terrain_covers(terrain, u, v);
}

// False where there is no ground.
static inline bool terrain_facet(const Terrain *terrain, double x, double z, Facet *facet) {
  double place[2];
  int cell[2];
  if (!terrain_place(terrain, x, z, place, cell)) {
    *facet = (Facet){terrain->outside_height, 0, 0, true};
    return terrain->endless && isfinite(place[0] + place[1]);
  }
  *facet = terrain_cell_facet(terrain, cell[0], cell[1], place[0] - cell[0], place[1] - cell[1]);
  return true;
}

static inline void facet_normal(const Facet *facet, double normal[3]) {
  double scale = 1 / sqrt(1 + facet->slope_x * facet->slope_x + facet->slope_z * facet->slope_z);
  normal[0] = -facet->slope_x * scale;
  normal[1] = scale;
  normal[2] = -facet->slope_z * scale;
}

#endif
