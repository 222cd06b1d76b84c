// The terrain's surface as vertices and triangles, for images and files. Samples and the splitting of cells are those
// of the ground that bodies touch.
#ifndef STAGGER_SIM_TERRAIN_TERRAIN_TRIANGLES_H
#define STAGGER_SIM_TERRAIN_TERRAIN_TRIANGLES_H

#include "sim/terrain/terrain.h"

// Samples along one axis of the terrain's grid, by index: first, first + step, ... and always the last one. Indices
// below 0 and beyond the grid are outside it. step: at least 1.
typedef struct TerrainRange {
  long first, last, step;
} TerrainRange;

long terrain_range_count(const TerrainRange *range);          // 0 when last < first
long terrain_range_at(const TerrainRange *range, long place); // the index at a position, 0 .. count - 1

// Whether a sample is on the grid.
bool terrain_has_sample(const Terrain *terrain, long column, long row);

// m; outside the grid the height of the base plane, even if there is no ground.
double terrain_sample_height(const Terrain *terrain, long column, long row);

// The vertices of a part of the surface in m, row by row along x [number of rows * number of columns]. The height is
// NAN where there is no ground.
void terrain_vertices(const Terrain *terrain, const TerrainRange *columns, const TerrainRange *rows,
                      float (*position)[3]);

// The two triangles of the cell whose lowest-numbered vertex is `corner`, in a grid with `columns` vertices in a row:
// counter-clockwise seen from above.
void terrain_cell_triangles(uint32_t corner, uint32_t columns, uint32_t triangles[2][3]);

#endif
