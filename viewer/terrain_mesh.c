#include "viewer/terrain_mesh.h"

#include <math.h>
#include <stdlib.h>

static const float ENDLESS = 600;    // m; as far as flat ground outside the grid is drawn
static const double EDGE_DEPTH = 20; // m; of the walls around ground that ends

// A window of samples around the wanted one.
static void choose_window(int samples, double wanted, int *first, int *count) {
  *count = samples < TERRAIN_MESH_MAX ? samples : TERRAIN_MESH_MAX;
  double begin = fmin(fmax(wanted - 0.5 * *count, 0), samples - *count);
  *first = (int)begin;
}

static bool window_is_good(int first, int count, int samples, double wanted) {
  double margin = 0.25 * count;
  bool low = first == 0 || wanted > first + margin;
  bool high = first + count == samples || wanted < first + count - margin;
  return low && high;
}

typedef struct Builder {
  float *vertices;
  GLuint *indices;
  int vertex_count, index_count;
} Builder;

static GLuint add_vertex(Builder *builder, double x, double y, double z) {
  float *v = builder->vertices + 3 * (size_t)builder->vertex_count;
  v[0] = (float)x;
  v[1] = (float)y;
  v[2] = (float)z;
  return (GLuint)builder->vertex_count++;
}

static void add_triangle(Builder *builder, GLuint a, GLuint b, GLuint c) {
  GLuint *i = builder->indices + builder->index_count;
  i[0] = a;
  i[1] = b;
  i[2] = c;
  builder->index_count += 3;
}

// Closes the gap between the grid's edge, from one sample to another, and the ground outside. The wall leans outward by
// dx, dz: a low one looks like ground, not like a dark crack.
static void add_wall(Builder *builder, GLuint from, GLuint to, double dx, double dz, double bottom) {
  const float *a = builder->vertices + 3 * (size_t)from, *b = builder->vertices + 3 * (size_t)to;
  GLuint c = add_vertex(builder, (double)a[0] + dx, bottom, (double)a[2] + dz);
  GLuint d = add_vertex(builder, (double)b[0] + dx, bottom, (double)b[2] + dz);
  add_triangle(builder, from, to, c);
  add_triangle(builder, to, d, c);
}

static void add_rectangle(Builder *builder, double x0, double x1, double z0, double z1, double y) {
  GLuint a = add_vertex(builder, x0, y, z0), b = add_vertex(builder, x1, y, z0);
  GLuint c = add_vertex(builder, x0, y, z1), d = add_vertex(builder, x1, y, z1);
  add_triangle(builder, a, c, b);
  add_triangle(builder, b, c, d);
}

static void build(Builder *builder, const TerrainMesh *mesh) {
  const Terrain *terrain = mesh->terrain;
  int columns = mesh->column_count, rows = mesh->row_count;
  for (int k = 0; k < rows; k++) {
    for (int i = 0; i < columns; i++) {
      int column = mesh->first_column + i, row = mesh->first_row + k;
      float height = terrain->heights[(size_t)row * (size_t)terrain->columns + (size_t)column];
      add_vertex(builder, terrain->origin_x + column * terrain->cell, (double)height,
                 terrain->origin_z + row * terrain->cell);
    }
  }

  // Each cell is split from (i+1, k) to (i, k+1), as the ground that bodies touch.
  for (int k = 0; k + 1 < rows; k++) {
    for (int i = 0; i + 1 < columns; i++) {
      GLuint a = (GLuint)(k * columns + i), b = a + 1, c = a + (GLuint)columns, d = c + 1;
      add_triangle(builder, a, c, b);
      add_triangle(builder, b, c, d);
    }
  }

  // Walls on all sides, and flat ground outside.
  double bottom = terrain->endless ? terrain->outside_height : terrain->lowest - EDGE_DEPTH;
  GLuint last_row = (GLuint)((rows - 1) * columns);
  double lean = terrain->endless ? terrain->cell : 0;
  for (int i = 0; i + 1 < columns; i++) {
    add_wall(builder, (GLuint)i, (GLuint)i + 1, 0, -lean, bottom);
    add_wall(builder, last_row + (GLuint)i, last_row + (GLuint)i + 1, 0, lean, bottom);
  }
  for (int k = 0; k + 1 < rows; k++) {
    GLuint left = (GLuint)(k * columns), right = left + (GLuint)columns - 1;
    add_wall(builder, left, left + (GLuint)columns, -lean, 0, bottom);
    add_wall(builder, right, right + (GLuint)columns, lean, 0, bottom);
  }
  if (terrain->endless) {
    double x0 = terrain->origin_x, x1 = x0 + (terrain->columns - 1) * terrain->cell;
    double z0 = terrain->origin_z, z1 = z0 + (terrain->rows - 1) * terrain->cell;
    double far = (double)ENDLESS;
    add_rectangle(builder, x0 - far, x0, z0 - far, z1 + far, bottom);
    add_rectangle(builder, x1, x1 + far, z0 - far, z1 + far, bottom);
    add_rectangle(builder, x0, x1, z0 - far, z0, bottom);
    add_rectangle(builder, x0, x1, z1, z1 + far, bottom);
  }
}

bool terrain_mesh_update(TerrainMesh *mesh, const Terrain *terrain, float x, float z) {
  double column = ((double)x - terrain->origin_x) / terrain->cell;
  double row = ((double)z - terrain->origin_z) / terrain->cell;
  if (mesh->terrain == terrain && window_is_good(mesh->first_column, mesh->column_count, terrain->columns, column) &&
      window_is_good(mesh->first_row, mesh->row_count, terrain->rows, row))
    return true;

  terrain_mesh_free(mesh);
  mesh->terrain = terrain;
  choose_window(terrain->columns, column, &mesh->first_column, &mesh->column_count);
  choose_window(terrain->rows, row, &mesh->first_row, &mesh->row_count);

  size_t samples = (size_t)mesh->column_count * (size_t)mesh->row_count;
  size_t edges = 2 * ((size_t)mesh->column_count + (size_t)mesh->row_count);
  Builder builder = {.vertices = malloc((samples + 2 * edges + 16) * 3 * sizeof(float)),
                     .indices = malloc((6 * samples + 6 * edges + 24) * sizeof(GLuint))};
  bool ok = builder.vertices && builder.indices;
  if (ok) {
    build(&builder, mesh);
    mesh->mesh = gl_mesh(builder.vertices, builder.vertex_count, 3, 0, builder.indices, builder.index_count);
  }
  free(builder.vertices);
  free(builder.indices);
  return ok;
}

void terrain_mesh_free(TerrainMesh *mesh) {
  if (mesh->terrain)
    gl_mesh_free(&mesh->mesh);
  *mesh = (TerrainMesh){0};
}
