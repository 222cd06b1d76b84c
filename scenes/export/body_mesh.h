// Triangle meshes of a part's shapes, for files of other programs.
#ifndef STAGGER_SCENES_EXPORT_BODY_MESH_H
#define STAGGER_SCENES_EXPORT_BODY_MESH_H

#include <stdint.h>

#include "ragdoll/body/body_def.h"

enum { BODY_MESH_VERTICES = 4096, BODY_MESH_INDICES = 24576 }; // room for BODY_MAX_SHAPES shapes of any kind

typedef struct BodyMesh {
  int vertex_count, index_count;
  vec3s positions[BODY_MESH_VERTICES], normals[BODY_MESH_VERTICES]; // m, in the frame of the part's joint; normals are
                                                                    // unit
  uint16_t indices[BODY_MESH_INDICES]; // three for each triangle, counter-clockwise seen from outside
} BodyMesh;

// Round shapes become polyhedra with corners on the true surface; they are inside it by at most 2 % of the radius.
void body_mesh(const PartDef *part, BodyMesh *mesh);

#endif
