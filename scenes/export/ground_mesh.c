// Triangles of the terrain around the path of a motion, as fine as the terrain is or as memory allows.
#include "scenes/export/ground_mesh.h"

#include <math.h>
#include <stdlib.h>

#include "sim/terrain/terrain_triangles.h"

static const double MARGINS[] = {6, 3, 1.5}; // m around the requested area; the first that fits is used
enum { MARGIN_COUNT = sizeof MARGINS / sizeof MARGINS[0] };

static const double FARTHEST = 1e5; // m from the grid's corner: limit of the search for ground

static TerrainRange find_range(const Terrain *terrain, double origin, int samples, const double wanted[2],
                               double margin) {
  double low = fmax(-FARTHEST, fmin(FARTHEST, wanted[0] - margin - origin));
  double high = fmax(-FARTHEST, fmin(FARTHEST, wanted[1] + margin - origin));
  TerrainRange range = {(long)floor(low / terrain->cell), (long)ceil(high / terrain->cell), 1};
  if (!terrain->endless) {
    range.first = range.first < 0 ? 0 : range.first;
    range.last = range.last > samples - 1 ? samples - 1 : range.last;
  }
  return range;
}

static bool is_flat(const Terrain *terrain, const TerrainRange *columns, const TerrainRange *rows) {
  // If the ranges leave the grid, at least one of their corners does.
  double height = terrain_sample_height(terrain, columns->first, rows->first);
  if (!terrain_has_sample(terrain, columns->last, rows->last))
    height = terrain->outside_height;
  const long first_column = columns->first > 0 ? columns->first : 0, first_row = rows->first > 0 ? rows->first : 0;
  for (long k = first_row; k <= rows->last && k < terrain->rows; k++)
    for (long i = first_column; i <= columns->last && i < terrain->columns; i++)
      if (terrain_sample_height(terrain, i, k) != height)
        return false;
  return true;
}

// Number of samples per metre, the side of a square.
static long samples_in_square(const Terrain *terrain) { return lround(fmax(1, 1 / terrain->cell)); }

static void widen(TerrainRange *range, long step) {
  // Begins at a whole square, so that squares are not cut.
  range->first -= ((range->first % step) + step) % step;
  range->step = step;
}

static void choose_ranges(const Terrain *terrain, const double x[2], const double z[2], TerrainRange *columns,
                          TerrainRange *rows) {
  for (int m = 0; m < MARGIN_COUNT; m++) {
    *columns = find_range(terrain, terrain->origin_x, terrain->columns, x, MARGINS[m]);
    *rows = find_range(terrain, terrain->origin_z, terrain->rows, z, MARGINS[m]);
    if (terrain_range_count(columns) * terrain_range_count(rows) <= GROUND_MESH_VERTICES)
      break;
  }
  if (columns->first >= columns->last || rows->first >= rows->last)
    return;
  if (is_flat(terrain, columns, rows)) {
    widen(columns, samples_in_square(terrain));
    widen(rows, samples_in_square(terrain));
  }
  while (terrain_range_count(columns) * terrain_range_count(rows) > GROUND_MESH_VERTICES)
    columns->step = rows->step = 2 * columns->step;
}

static void fill_normals(const Terrain *terrain, const TerrainRange *columns, const TerrainRange *rows,
                         GroundMesh *mesh) {
  int vertex = 0;
  for (long r = 0; r < mesh->rows; r++)
    for (long c = 0; c < mesh->columns; c++, vertex++) {
      const long i = terrain_range_at(columns, c), k = terrain_range_at(rows, r);
      float *normal = mesh->normals[vertex];
      // Mean slope of both sides.
      const double dx =
          (terrain_sample_height(terrain, i + 1, k) - terrain_sample_height(terrain, i - 1, k)) / (2 * terrain->cell);
      const double dz =
          (terrain_sample_height(terrain, i, k + 1) - terrain_sample_height(terrain, i, k - 1)) / (2 * terrain->cell);
      const double length = sqrt(1 + dx * dx + dz * dz);
      normal[0] = (float)(-dx / length);
      normal[1] = (float)(1 / length);
      normal[2] = (float)(-dz / length);
    }
}

// Which of the two colours a cell has.
static int color_of(long column, long row, long square) {
  const long i = column >= 0 ? column / square : (column + 1) / square - 1;
  const long k = row >= 0 ? row / square : (row + 1) / square - 1;
  return (int)((i + k) & 1);
}

static void fill_indices(const Terrain *terrain, const TerrainRange *columns, const TerrainRange *rows,
                         GroundMesh *mesh) {
  const long metre = samples_in_square(terrain), square = metre > columns->step ? metre : columns->step;
  for (int r = 0; r + 1 < mesh->rows; r++)
    for (int c = 0; c + 1 < mesh->columns; c++) {
      const int color = color_of(terrain_range_at(columns, c), terrain_range_at(rows, r), square);
      uint16_t *at = mesh->indices[color] + mesh->index_counts[color];
      uint32_t triangles[2][3];
      terrain_cell_triangles((uint32_t)(r * mesh->columns + c), (uint32_t)mesh->columns, triangles);
      for (int i = 0; i < 6; i++)
        at[i] = (uint16_t)triangles[i / 3][i % 3];
      mesh->index_counts[color] += 6;
    }
}

static bool crop_level(const Level *level, const double x[2], const double z[2], GroundMesh *mesh) {
  const double wide_x[2] = {x[0] - MARGINS[0], x[1] + MARGINS[0]}, wide_z[2] = {z[0] - MARGINS[0], z[1] + MARGINS[0]};
  mesh->triangle_count = level_crop(level, wide_x, wide_z, NULL, 0);
  mesh->triangles = malloc((size_t)(mesh->triangle_count + 1) * sizeof *mesh->triangles);
  if (mesh->triangles)
    level_crop(level, wide_x, wide_z, mesh->triangles, mesh->triangle_count);
  return mesh->triangles != NULL;
}

bool ground_mesh_make(const Terrain *terrain, const double x[2], const double z[2], GroundMesh *mesh) {
  *mesh = (GroundMesh){0};
  if (terrain->level)
    return crop_level(terrain->level, x, z, mesh);
  TerrainRange columns, rows;
  choose_ranges(terrain, x, z, &columns, &rows);
  if (columns.first >= columns.last || rows.first >= rows.last)
    return true; // the motion is outside a ground of limited size
  const long column_count = terrain_range_count(&columns), row_count = terrain_range_count(&rows);
  const size_t vertices = (size_t)(column_count * row_count);
  mesh->positions = malloc(vertices * sizeof *mesh->positions);
  mesh->normals = malloc(vertices * sizeof *mesh->normals);
  for (int i = 0; i < 2; i++)
    mesh->indices[i] = malloc(6 * vertices * sizeof *mesh->indices[i]);
  if (!mesh->positions || !mesh->normals || !mesh->indices[0] || !mesh->indices[1])
    return false;
  mesh->columns = (int)column_count;
  mesh->rows = (int)row_count;
  mesh->spacing = (double)columns.step * terrain->cell;
  terrain_vertices(terrain, &columns, &rows, mesh->positions);
  fill_normals(terrain, &columns, &rows, mesh);
  fill_indices(terrain, &columns, &rows, mesh);
  return true;
}

bool ground_mesh_under(SceneDef *def, const TraceMotion *const *motions, int motion_count, GroundMesh *mesh,
                       Error *error) {
  double x[2] = {INFINITY, -INFINITY}, z[2] = {INFINITY, -INFINITY};
  for (int i = 0; i < motion_count; i++)
    trace_motion_bounds(motions[i], x, z);
  Terrain *terrain = terrain_create(&def->terrain, (uint64_t)def->run.seed, &def->files, error);
  if (!terrain)
    return false;
  const bool good = ground_mesh_make(terrain, x, z, mesh);
  terrain_destroy(terrain);
  return good || error_set(error, "out of memory");
}

void ground_mesh_free(GroundMesh *mesh) {
  free(mesh->positions);
  free(mesh->normals);
  free(mesh->indices[0]);
  free(mesh->indices[1]);
  free(mesh->triangles);
  *mesh = (GroundMesh){0};
}
