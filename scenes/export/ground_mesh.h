// Triangles of the ground that a motion passes over, for files of other programs.
#ifndef STAGGER_SCENES_EXPORT_GROUND_MESH_H
#define STAGGER_SCENES_EXPORT_GROUND_MESH_H

#include <stdint.h>

#include "sim/terrain/terrain.h"

enum { GROUND_MESH_VERTICES = 65535 }; // so that indices are 16 bits wide, of which the last is not allowed

typedef struct GroundMesh {
  int columns, rows; // of the vertices; 0: there is no ground
  double spacing;    // m between vertices; that of the terrain's samples unless the ground is flat or too large
  float (*positions)[3], (*normals)[3]; // [columns * rows], m, world
  uint16_t *indices[2];                 // triangles of light and dark squares of 1 m, like a chessboard
  int index_counts[2];
} GroundMesh;

// The ground from x[0] to x[1] and z[0] to z[1] (m), and some metres around it. It has the terrain's own samples and
// triangles, but one square for each metre where all is flat, and wider ones when there would be too many vertices.
// False: no memory. Free with ground_mesh_free in either case.
bool ground_mesh_make(const Terrain *terrain, const double x[2], const double z[2], GroundMesh *mesh);
void ground_mesh_free(GroundMesh *mesh);

#endif
