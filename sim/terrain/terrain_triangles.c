// Samples a part of the terrain's grid, and splits its cells into triangles, for the viewer, for exported files and for
// reports.
#include "sim/terrain/terrain_triangles.h"

#include <math.h>

long terrain_range_count(const TerrainRange *range) {
  if (range->last < range->first)
    return 0;
  return (range->last - range->first + range->step - 1) / range->step + 1;
}

long terrain_range_at(const TerrainRange *range, long place) {
  const long index = range->first + place * range->step;
  return index < range->last ? index : range->last;
}

bool terrain_has_sample(const Terrain *terrain, long column, long row) {
  return column >= 0 && row >= 0 && column < terrain->columns && row < terrain->rows;
}

double terrain_sample_height(const Terrain *terrain, long column, long row) {
  if (!terrain_has_sample(terrain, column, row))
    return terrain->outside_height;
  return (double)terrain->heights[row * terrain->columns + column];
}

void terrain_vertices(const Terrain *terrain, const TerrainRange *columns, const TerrainRange *rows,
                      float (*position)[3]) {
  const long column_count = terrain_range_count(columns), row_count = terrain_range_count(rows);
  for (long r = 0; r < row_count; r++)
    for (long c = 0; c < column_count; c++, position++) {
      const long i = terrain_range_at(columns, c), k = terrain_range_at(rows, r);
      const bool is_ground = terrain->endless || terrain_has_sample(terrain, i, k);
      (*position)[0] = (float)(terrain->origin_x + (double)i * terrain->cell);
      (*position)[1] = is_ground ? (float)terrain_sample_height(terrain, i, k) : NAN;
      (*position)[2] = (float)(terrain->origin_z + (double)k * terrain->cell);
    }
}

void terrain_cell_triangles(uint32_t corner, uint32_t columns, uint32_t triangles[2][3]) {
  // Split from (i+1, k) to (i, k+1), like the ground that bodies touch.
  const uint32_t left = corner + 1, far = corner + columns, far_left = far + 1;
  const uint32_t split[2][3] = {{corner, far, left}, {left, far, far_left}};
  for (int t = 0; t < 2; t++)
    for (int v = 0; v < 3; v++)
      triangles[t][v] = split[t][v];
}
