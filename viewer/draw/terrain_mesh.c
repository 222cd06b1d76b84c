// Triangles of the terrain near a point, finer near it, rebuilt when the point has moved far; of a level all.
#include "viewer/draw/terrain_mesh.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/terrain/terrain_triangles.h"

static const float ENDLESS = 2000;                    // m; extent of flat ground outside the grid
static const double EDGE_DEPTH = 20;                  // m; height of the walls around ground of limited extent
static const int STRIDES[TERRAIN_LEVELS] = {1, 3, 6}; // cells along a coarse cell; divisors of TERRAIN_TILE

// Chooses a window of samples around the wanted one.
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
  int columns; // vertices of the grid, which come first
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
// dx, dz, so that a low one looks like ground and not like a dark crack.
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

static void add_fine_cell(Builder *builder, int column, int row) {
  uint32_t triangles[2][3];
  terrain_cell_triangles((uint32_t)(row * builder->columns + column), (uint32_t)builder->columns, triangles);
  for (int t = 0; t < 2; t++)
    add_triangle(builder, triangles[t][0], triangles[t][1], triangles[t][2]);
}

// A fan of triangles over a coarse cell of a tile. On the tile's border it has every sample. It starts from a corner
// that is inside the tile.
static void add_coarse_cell(Builder *builder, int stride, int first_column, int first_row, int column, int row) {
  int cells = TERRAIN_TILE / stride;
  static const int SIDES[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}}; // columns, rows: around the cell
  int turn = column > 0 ? (row > 0 ? 0 : 1) : (row > 0 ? 3 : 2);     // corners 0 0, 0 1, 1 1, 1 0
  int at[2] = {first_column + stride * (column + (turn == 2 || turn == 3)),
               first_row + stride * (row + (turn == 1 || turn == 2))};
  GLuint hub = (GLuint)(at[1] * builder->columns + at[0]), last = hub;
  for (int side = 0; side < 4; side++) {
    const int *way = SIDES[(turn + side) % 4];
    bool border = (way[1] > 0 && column == 0) || (way[1] < 0 && column == cells - 1) ||
                  (way[0] > 0 && row == cells - 1) || (way[0] < 0 && row == 0);
    int step = border ? 1 : stride;
    for (int i = 0; i < stride; i += step) {
      at[0] += step * way[0];
      at[1] += step * way[1];
      GLuint next = (GLuint)(at[1] * builder->columns + at[0]);
      if (last != hub && next != hub)
        add_triangle(builder, hub, last, next);
      last = next;
    }
  }
}

static float vertex_height(const Builder *builder, int column, int row) {
  return builder->vertices[3 * (size_t)(row * builder->columns + column) + 1];
}

// The largest height difference between the samples of a tile and a bilinear surface through its coarse samples, plus
// the deviation of the coarse cells from being flat, since the fans consist of triangles.
static float coarse_error(const Builder *builder, int stride, int first_column, int first_row) {
  float worst = 0;
  for (int row = 0; row < TERRAIN_TILE; row += stride) {
    for (int column = 0; column < TERRAIN_TILE; column += stride) {
      int x = first_column + column, z = first_row + row;
      float a = vertex_height(builder, x, z), b = vertex_height(builder, x + stride, z);
      float c = vertex_height(builder, x, z + stride), d = vertex_height(builder, x + stride, z + stride);
      float twist = 0.25f * fabsf(a - b - c + d);
      for (int k = 0; k <= stride; k++) {
        for (int i = 0; i <= stride; i++) {
          float u = (float)i / (float)stride, v = (float)k / (float)stride;
          float height = (1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * c + u * d);
          worst = fmaxf(worst, fabsf(height - vertex_height(builder, x + i, z + k)) + twist);
        }
      }
    }
  }
  return worst;
}

static TerrainLevel add_coarse_level(Builder *builder, int stride, int column, int row) {
  int start = builder->index_count;
  for (int k = 0; k < TERRAIN_TILE / stride; k++) {
    for (int i = 0; i < TERRAIN_TILE / stride; i++)
      add_coarse_cell(builder, stride, column, row, i, k);
  }
  return (TerrainLevel){(size_t)start * sizeof(GLuint), builder->index_count - start,
                        coarse_error(builder, stride, column, row)};
}

static void add_tile(Builder *builder, TerrainMesh *mesh, int column, int row) {
  int columns = mesh->column_count - 1 - column, rows = mesh->row_count - 1 - row; // cells to the end
  columns = columns < TERRAIN_TILE ? columns : TERRAIN_TILE;
  rows = rows < TERRAIN_TILE ? rows : TERRAIN_TILE;
  const float *first = builder->vertices + 3 * (size_t)(row * builder->columns + column);
  const float *last = builder->vertices + 3 * (size_t)((row + rows) * builder->columns + column + columns);
  TerrainTile tile = {.levels[0] = {(size_t)builder->index_count * sizeof(GLuint), 6 * columns * rows, 0},
                      .low = {{first[0], first[1], first[2]}},
                      .high = {{last[0], last[1], last[2]}}};
  for (int k = 0; k <= rows; k++) {
    for (int i = 0; i <= columns; i++) {
      float height = vertex_height(builder, column + i, row + k);
      tile.low.y = fminf(tile.low.y, height);
      tile.high.y = fmaxf(tile.high.y, height);
      if (i < columns && k < rows)
        add_fine_cell(builder, column + i, row + k);
    }
  }
  for (int level = 1; level < TERRAIN_LEVELS && columns == TERRAIN_TILE && rows == TERRAIN_TILE; level++)
    tile.levels[level] = add_coarse_level(builder, STRIDES[level], column, row);
  mesh->tiles[mesh->tile_count++] = tile;
}

// Walls on all sides, and flat ground outside.
static void add_rest(Builder *builder, const TerrainMesh *mesh) {
  const Terrain *terrain = mesh->terrain;
  int columns = mesh->column_count, rows = mesh->row_count;
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

static void build(Builder *builder, TerrainMesh *mesh) {
  TerrainRange columns = {mesh->first_column, mesh->first_column + mesh->column_count - 1, 1};
  TerrainRange rows = {mesh->first_row, mesh->first_row + mesh->row_count - 1, 1};
  terrain_vertices(mesh->terrain, &columns, &rows, (float(*)[3])builder->vertices);
  builder->vertex_count = mesh->column_count * mesh->row_count;
  for (int k = 0; k + 1 < mesh->row_count; k += TERRAIN_TILE) {
    for (int i = 0; i + 1 < mesh->column_count; i += TERRAIN_TILE)
      add_tile(builder, mesh, i, k);
  }
  mesh->rest_start = (size_t)builder->index_count * sizeof(GLuint);
  int before = builder->index_count;
  add_rest(builder, mesh);
  mesh->rest_count = builder->index_count - before;
}

// FNV-1a (Fowler, Noll, Vo) over the terrain's frame and a selection of its heights or vertices.
static uint64_t take_fingerprint(const Terrain *terrain) {
  enum { PROBES = 1009 };
  uint64_t hash = 0xcbf29ce484222325u;
  double frame[] = {terrain->columns, terrain->rows,    terrain->origin_x,       terrain->origin_z, terrain->cell,
                    terrain->lowest,  terrain->highest, terrain->outside_height, terrain->endless};
  unsigned char bytes[sizeof frame];
  memcpy(bytes, frame, sizeof frame);
  for (size_t i = 0; i < sizeof bytes; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  const float *numbers = terrain->level ? &terrain->level->triangles[0][0][0] : terrain->heights;
  size_t count = terrain->level ? 9 * (size_t)terrain->level->count : (size_t)terrain->columns * (size_t)terrain->rows;
  for (size_t i = 0; i < count; i += count / PROBES + 1) {
    uint32_t bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  return hash;
}

bool terrain_mesh_shows(const TerrainMesh *mesh, const Terrain *terrain) {
  return mesh->terrain == terrain && mesh->fingerprint == take_fingerprint(terrain);
}

// All triangles of a level, in one part.
static bool update_level(TerrainMesh *mesh, const Terrain *terrain) {
  if (terrain_mesh_shows(mesh, terrain))
    return true;
  terrain_mesh_free(mesh);
  const Level *level = terrain->level;
  int corners = level->count <= INT_MAX / 3 ? 3 * level->count : 0;
  GLuint *indices = malloc(((size_t)corners + 1) * sizeof *indices);
  if (!indices)
    return false;
  for (int i = 0; i < corners; i++)
    indices[i] = (GLuint)i;
  mesh->mesh = gl_mesh(&level->triangles[0][0][0], corners, 3, 0, indices, corners);
  free(indices);
  mesh->terrain = terrain;
  mesh->fingerprint = take_fingerprint(terrain);
  mesh->rest_count = corners;
  return true;
}

bool terrain_mesh_update(TerrainMesh *mesh, const Terrain *terrain, float x, float z) {
  if (terrain->level)
    return update_level(mesh, terrain);
  double column = ((double)x - terrain->origin_x) / terrain->cell;
  double row = ((double)z - terrain->origin_z) / terrain->cell;
  if (terrain_mesh_shows(mesh, terrain) &&
      window_is_good(mesh->first_column, mesh->column_count, terrain->columns, column) &&
      window_is_good(mesh->first_row, mesh->row_count, terrain->rows, row))
    return true;

  terrain_mesh_free(mesh);
  mesh->terrain = terrain;
  mesh->fingerprint = take_fingerprint(terrain);
  mesh->flat = terrain->endless && terrain->highest - terrain->lowest < 1e-3 &&
               fabs(terrain->outside_height - terrain->lowest) < 1e-3;
  choose_window(terrain->columns, column, &mesh->first_column, &mesh->column_count);
  choose_window(terrain->rows, row, &mesh->first_row, &mesh->row_count);

  size_t samples = (size_t)mesh->column_count * (size_t)mesh->row_count;
  size_t edges = 2 * ((size_t)mesh->column_count + (size_t)mesh->row_count);
  Builder builder = {.columns = mesh->column_count,
                     .vertices = malloc((samples + 2 * edges + 16) * 3 * sizeof(float)),
                     .indices = malloc((9 * samples + 6 * edges + 24) * sizeof(GLuint))};
  size_t tiles = (size_t)((mesh->column_count + TERRAIN_TILE) / TERRAIN_TILE) *
                 (size_t)((mesh->row_count + TERRAIN_TILE) / TERRAIN_TILE);
  mesh->tiles = malloc(tiles * sizeof(TerrainTile));
  bool ok = builder.vertices && builder.indices && mesh->tiles;
  if (ok) {
    build(&builder, mesh);
    mesh->mesh = gl_mesh(builder.vertices, builder.vertex_count, 3, 0, builder.indices, builder.index_count);
  }
  free(builder.vertices);
  free(builder.indices);
  if (!ok)
    terrain_mesh_free(mesh);
  return ok;
}

void terrain_mesh_free(TerrainMesh *mesh) {
  if (mesh->mesh.vertex_array)
    gl_mesh_free(&mesh->mesh);
  free(mesh->tiles);
  *mesh = (TerrainMesh){0};
}

// Whether a part of a box may be visible: it is not completely beyond one side of the view.
static bool box_is_seen(const mat4s *view_projection, vec3s low, vec3s high) {
  int outside[6] = {0};
  for (int corner = 0; corner < 8; corner++) {
    vec4s point = {{corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z, 1}};
    vec4s clip = glms_mat4_mulv(*view_projection, point);
    for (int axis = 0; axis < 3; axis++) {
      outside[2 * axis] += clip.raw[axis] < -clip.w;
      outside[2 * axis + 1] += clip.raw[axis] > clip.w;
    }
  }
  for (int side = 0; side < 6; side++) {
    if (outside[side] == 8)
      return false;
  }
  return true;
}

static float box_distance(vec3s point, vec3s low, vec3s high) {
  vec3s nearest = glms_vec3_maxv(low, glms_vec3_minv(high, point));
  return glms_vec3_distance(point, nearest);
}

long terrain_mesh_draw(const TerrainMesh *mesh, const TerrainView *view) {
  GLsizei counts[TERRAIN_MAX_TILES + 1];
  const void *starts[TERRAIN_MAX_TILES + 1];
  GLsizei parts = 0;
  long indices = 0;
  for (int i = 0; i < mesh->tile_count; i++) {
    const TerrainTile *tile = &mesh->tiles[i];
    if (!box_is_seen(&view->view_projection, tile->low, tile->high))
      continue;
    float tolerance = view->tolerance + view->slope * box_distance(view->eye, tile->low, tile->high);
    const TerrainLevel *level = &tile->levels[TERRAIN_LEVELS - 1];
    while (level > tile->levels && (level->count == 0 || level->error > tolerance))
      level--;
    counts[parts] = level->count;
    starts[parts] = (const void *)level->start;
    indices += counts[parts++];
  }
  counts[parts] = mesh->rest_count;
  starts[parts] = (const void *)mesh->rest_start;
  indices += counts[parts++];
  glBindVertexArray(mesh->mesh.vertex_array);
  glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_INT, starts, parts);
  return indices / 3;
}
