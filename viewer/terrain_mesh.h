// The terrain as triangles for drawing: exactly the surface that bodies touch, near a point.
#ifndef STAGGER_VIEWER_TERRAIN_MESH_H
#define STAGGER_VIEWER_TERRAIN_MESH_H

#include "sim/terrain.h"
#include "viewer/gl.h"

// Most samples in one direction. Larger grounds are drawn around the point of interest only.
enum { TERRAIN_MESH_MAX = 1000 };

typedef struct TerrainMesh {
  GlMesh mesh;
  const Terrain *terrain;      // what the mesh shows; NULL: nothing yet
  int first_column, first_row; // of the window on the grid
  int column_count, row_count;
} TerrainMesh;

// Builds the mesh again when it shows another terrain or a window too far from x, z (m). False when memory runs out.
bool terrain_mesh_update(TerrainMesh *mesh, const Terrain *terrain, float x, float z);
void terrain_mesh_free(TerrainMesh *mesh);

#endif
