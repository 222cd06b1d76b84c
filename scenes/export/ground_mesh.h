// Triangles of the ground below a motion, for files of other programs.
#ifndef STAGGER_SCENES_EXPORT_GROUND_MESH_H
#define STAGGER_SCENES_EXPORT_GROUND_MESH_H

#include <stdint.h>

#include "scenes/description/scene_def.h"
#include "scenes/description/trace_motion.h"
#include "sim/terrain/terrain.h"

enum { GROUND_MESH_VERTICES = 65535 }; // for 16-bit indices, of which the largest is reserved

typedef struct GroundMesh {
  int columns, rows; // number of vertices; 0: there is no ground
  double spacing;    // m between vertices; that of the terrain's samples unless the ground is flat or too large
  float (*positions)[3], (*normals)[3]; // [columns * rows], m, world
  uint16_t *indices[2];                 // triangles of the light and the dark squares of 1 m, as on a chessboard
  int index_counts[2];
  LevelTriangle *triangles; // [triangle_count] of a level, which has no vertices in rows
  long triangle_count;
} GroundMesh;

// The ground from x[0] to x[1] and z[0] to z[1] (m), with a margin of some metres. It has the terrain's own samples and
// triangles, but a single square for each metre if all is flat, and larger ones if there would be too many vertices. Of
// a level it has all triangles that touch the area.
// False: no memory. Free with ground_mesh_free in either case.
bool ground_mesh_make(const Terrain *terrain, const double x[2], const double z[2], GroundMesh *mesh);

// The same of a scene's terrain, below all motions. False with an error: the terrain cannot be made, or no memory.
bool ground_mesh_under(SceneDef *def, const TraceMotion *const *motions, int motion_count, GroundMesh *mesh,
                       Error *error);
void ground_mesh_free(GroundMesh *mesh);

#endif
