// The terrain as triangles for drawing: near a point exactly the surface that bodies touch; farther away a coarser one
// whose deviation is not visible. Levels are drawn whole.
#ifndef STAGGER_VIEWER_DRAW_TERRAIN_MESH_H
#define STAGGER_VIEWER_DRAW_TERRAIN_MESH_H

#include <stdint.h>

#include "sim/terrain/terrain.h"
#include "viewer/draw/gl.h"

enum {
  TERRAIN_MESH_MAX = 1000, // samples in one direction; of a larger ground only the surroundings of the point of
                           // interest are drawn
  TERRAIN_TILE = 24,       // cells along a tile's side
  TERRAIN_LEVELS = 3,      // of detail, 0: every sample
  TERRAIN_MAX_TILES = (TERRAIN_MESH_MAX / TERRAIN_TILE + 1) * (TERRAIN_MESH_MAX / TERRAIN_TILE + 1)
};

// Triangles of a tile, or of fewer samples. All levels have the tile's border in full detail, so that there are no gaps
// between tiles.
typedef struct TerrainLevel {
  size_t start;  // in the index buffer, bytes
  GLsizei count; // of indices; 0: no such level
  float error;   // of the height, m
} TerrainLevel;

// A square of the ground.
typedef struct TerrainTile {
  TerrainLevel levels[TERRAIN_LEVELS];
  vec3s low, high; // bounds, m
} TerrainTile;

typedef struct TerrainMesh {
  GlMesh mesh;
  const Terrain *terrain;      // the terrain shown; NULL: none yet
  uint64_t fingerprint;        // hash of the terrain's contents
  int first_column, first_row; // of the window on the grid
  int column_count, row_count;
  bool flat;          // casts no shadow on itself
  TerrainTile *tiles; // [tile_count]
  int tile_count;
  size_t rest_start; // walls and the ground outside
  GLsizei rest_count;
} TerrainMesh;

// The view for which the ground is drawn. An error of the height up to tolerance + slope * distance to the eye (m) is
// too small to be visible.
typedef struct TerrainView {
  mat4s view_projection;
  vec3s eye;
  float tolerance, slope;
} TerrainView;

// Whether the mesh shows this terrain; compared by content, since another terrain may use the memory of a freed one.
bool terrain_mesh_shows(const TerrainMesh *mesh, const Terrain *terrain);

// Rebuilds the mesh if it shows another terrain or a window too far from x, z (m). False when memory runs out.
bool terrain_mesh_update(TerrainMesh *mesh, const Terrain *terrain, float x, float z);
void terrain_mesh_free(TerrainMesh *mesh);

// Draws what may be visible; returns the number of triangles.
long terrain_mesh_draw(const TerrainMesh *mesh, const TerrainView *view);

#endif
