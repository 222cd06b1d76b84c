// Reads a file's meshes whole: triangles, and each vertex in the frames of the joints that hold it. A skin's vertex is
// held by the bones of its largest weights, a rigid mesh by the joint above it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "anim/motion/motion_assimp_internal.h"

static const vec3s PLAIN = {{0.80f, 0.75f, 0.70f}}; // of materials without a colour, or with a picture

// A mesh that joints hold; NULL: none, as of the ground.
static const struct aiMesh *mesh_of(const AssimpScene *scene, int node, unsigned index) {
  const unsigned number = scene->nodes[node].source->mMeshes[index];
  const struct aiMesh *mesh = number < scene->ai->mNumMeshes ? scene->ai->mMeshes[number] : NULL;
  const bool is_held = mesh && (mesh->mNumBones > 0 || motion_assimp_joint_above(scene, node) >= 0);
  return is_held && mesh->mVertices ? mesh : NULL;
}

static bool count_parts(const AssimpScene *scene, size_t *vertices, size_t *triangles) {
  *vertices = *triangles = 0;
  for (int i = 0; i < scene->count; i++)
    for (unsigned m = 0; m < scene->nodes[i].source->mNumMeshes; m++) {
      const struct aiMesh *mesh = mesh_of(scene, i, m);
      *vertices += mesh ? mesh->mNumVertices : 0;
      for (unsigned f = 0; mesh && f < mesh->mNumFaces; f++)
        *triangles += mesh->mFaces[f].mNumIndices > 2 ? mesh->mFaces[f].mNumIndices - 2 : 0;
    }
  return *vertices <= MOTION_MAX_VERTICES && *triangles <= MOTION_MAX_TRIANGLES;
}

// A material's colour is linear in files.
static vec3s color_of(const AssimpScene *scene, const struct aiMesh *mesh) {
  const struct aiMaterial *material =
      mesh->mMaterialIndex < scene->ai->mNumMaterials ? scene->ai->mMaterials[mesh->mMaterialIndex] : NULL;
  vec3s color = PLAIN;
  for (unsigned p = 0; material && p < material->mNumProperties; p++) {
    const struct aiMaterialProperty *property = material->mProperties[p];
    if (strcmp(property->mKey.data, "$tex.file") == 0)
      return PLAIN;
    if (strcmp(property->mKey.data, "$clr.diffuse") != 0 || property->mType != aiPTI_Float ||
        property->mDataLength < sizeof color)
      continue;
    memcpy(color.raw, property->mData, sizeof color);
    for (int k = 0; k < 3; k++)
      color.raw[k] = (float)pow(fmax(0, fmin(1, (double)color.raw[k])), 1 / 2.2); // not finite: 0
  }
  return color;
}

// Puts a weight in the place of the smallest one, if it is larger. at: the node whose frame the position is in.
static void hold(const AssimpScene *scene, MotionMeshVertex *vertex, float weight, int at, vec3s local,
                 const vec3s *positions, const versors *rotations) {
  const int joint = motion_assimp_joint_above(scene, at);
  int least = 0;
  for (int k = 1; k < MOTION_MESH_JOINTS; k++)
    if (vertex->weight[k] < vertex->weight[least])
      least = k;
  const vec3s world = glms_mat4_mulv3(scene->nodes[at].world, local, 1);
  if (joint < 0 || !(weight > vertex->weight[least]) || !isfinite(world.x + world.y + world.z) || !isfinite(weight))
    return;
  const versors back = glms_quat_conjugate(rotations[joint]);
  vertex->joint[least] = joint;
  vertex->weight[least] = weight;
  vertex->position_l[least] = glms_quat_rotatev(back, glms_vec3_sub(world, positions[joint]));
}

static vec3s vertex_at(const struct aiMesh *mesh, unsigned index) {
  const struct aiVector3D *v = &mesh->mVertices[index];
  return (vec3s){{v->x, v->y, v->z}};
}

static void add_vertices(const AssimpScene *scene, MotionMeshVertex *vertices, int node, const struct aiMesh *mesh,
                         const vec3s *positions, const versors *rotations) {
  const vec3s color = color_of(scene, mesh);
  for (unsigned v = 0; v < mesh->mNumVertices; v++)
    vertices[v].color = color;
  for (unsigned b = 0; b < mesh->mNumBones; b++) {
    const struct aiBone *bone = mesh->mBones[b];
    const int at = motion_assimp_find_node(scene, bone->mName.data);
    const mat4s offset = motion_assimp_matrix(&bone->mOffsetMatrix);
    for (unsigned w = 0; at >= 0 && w < bone->mNumWeights; w++) {
      const unsigned v = bone->mWeights[w].mVertexId;
      if (v < mesh->mNumVertices)
        hold(scene, &vertices[v], bone->mWeights[w].mWeight, at, glms_mat4_mulv3(offset, vertex_at(mesh, v), 1),
             positions, rotations);
    }
  }
  for (unsigned v = 0; v < mesh->mNumVertices; v++) {
    float sum = 0;
    for (int k = 0; k < MOTION_MESH_JOINTS; k++)
      sum += vertices[v].weight[k];
    if (!(sum > 0)) {
      hold(scene, &vertices[v], 1, node, vertex_at(mesh, v), positions, rotations);
      sum = vertices[v].weight[0];
    }
    for (int k = 0; k < MOTION_MESH_JOINTS && sum > 0; k++)
      vertices[v].weight[k] /= sum;
  }
}

// Polygons become fans; triangles with a vertex that nothing holds are left out.
static void add_triangles(Motion *motion, const struct aiMesh *mesh, unsigned first) {
  for (unsigned f = 0; f < mesh->mNumFaces; f++) {
    const struct aiFace *face = &mesh->mFaces[f];
    for (unsigned k = 2; k < face->mNumIndices; k++) {
      const unsigned corners[3] = {face->mIndices[0], face->mIndices[k - 1], face->mIndices[k]};
      bool good = true;
      for (int c = 0; c < 3; c++)
        good = good && corners[c] < mesh->mNumVertices && motion->mesh_vertices[first + corners[c]].weight[0] > 0;
      for (int c = 0; c < 3 && good; c++)
        motion->triangles[motion->triangle_count][c] = first + corners[c];
      motion->triangle_count += good;
    }
  }
}

bool motion_assimp_mesh(const AssimpScene *scene, Motion *motion, const vec3s *positions, const versors *rotations) {
  size_t vertices, triangles;
  if (!count_parts(scene, &vertices, &triangles))
    return error_at(scene->error, scene->file->name, 0, 0,
                    "its meshes are too large, at most %d vertices and %d triangles are allowed", MOTION_MAX_VERTICES,
                    MOTION_MAX_TRIANGLES);
  motion->mesh_vertices = calloc(vertices + 1, sizeof *motion->mesh_vertices);
  motion->triangles = calloc(triangles + 1, sizeof *motion->triangles);
  if (!motion->mesh_vertices || !motion->triangles)
    return motion_assimp_fail(scene, "out of memory");
  for (int i = 0; i < scene->count; i++)
    for (unsigned m = 0; m < scene->nodes[i].source->mNumMeshes; m++) {
      const struct aiMesh *mesh = mesh_of(scene, i, m);
      if (!mesh)
        continue;
      const int first = motion->mesh_vertex_count;
      add_vertices(scene, motion->mesh_vertices + first, i, mesh, positions, rotations);
      motion->mesh_vertex_count += (int)mesh->mNumVertices;
      add_triangles(motion, mesh, (unsigned)first);
    }
  return true;
}
