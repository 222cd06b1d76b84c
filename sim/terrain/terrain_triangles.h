// The terrain's surface as vertices and triangles, for pictures and files: the samples and the split of the cells are
// those of the ground that bodies touch.
#ifndef STAGGER_SIM_TERRAIN_TERRAIN_TRIANGLES_H
#define STAGGER_SIM_TERRAIN_TERRAIN_TRIANGLES_H

#include "sim/terrain/terrain.h"

// Samples along one axis of the terrain's grid, by index: first, first + step, ... and the last one in any case.
// Indices below 0 and beyond the grid are places outside of it. step: at least 1.
typedef struct TerrainRange {
  long first, last, step;
} TerrainRange;

long terrain_range_count(const TerrainRange *range);          // 0 when last < first
long terrain_range_at(const TerrainRange *range, long place); // the index of a place, 0 .. count - 1

// Whether a sample lies on the grid.
bool terrain_has_sample(const Terrain *terrain, long column, long row);

// m; outside of the grid that of the base plane, also where no ground is there.
double terrain_sample_height(const Terrain *terrain, long column, long row);

// The vertices of a part of the surface in m, row by row along x [count of rows * count of columns]. The height is NAN
// where there is no ground.
void terrain_vertices(const Terrain *terrain, const TerrainRange *columns, const TerrainRange *rows,
                      float (*position)[3]);

// The two triangles of the cell whose lowest vertex is `corner`, in a grid of `columns` vertices a row:
// counter-clockwise seen from above.
void terrain_cell_triangles(uint32_t corner, uint32_t columns, uint32_t triangles[2][3]);

#endif
