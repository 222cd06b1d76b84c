// Reads the vertices of a file's meshes, each in the frame of the joint that dominates it: of a skin's vertex the bone
// with the largest weight, of a rigid mesh the joint above it.
#include <math.h>
#include <stdlib.h>

#include "anim/motion/motion_assimp_internal.h"

static vec3s vertex_at(const struct aiMesh *mesh, unsigned index) {
  const struct aiVector3D *v = &mesh->mVertices[index];
  return (vec3s){{v->x, v->y, v->z}};
}

int motion_assimp_joint_above(const AssimpScene *scene, int node) {
  while (node >= 0 && scene->nodes[node].joint < 0)
    node = scene->nodes[node].parent;
  return node >= 0 ? scene->nodes[node].joint : -1;
}

static size_t count_vertices(const AssimpScene *scene) {
  size_t count = 0;
  for (int i = 0; i < scene->count; i++)
    for (unsigned m = 0; m < scene->nodes[i].source->mNumMeshes; m++) {
      const unsigned index = scene->nodes[i].source->mMeshes[m];
      count += index < scene->ai->mNumMeshes ? scene->ai->mMeshes[index]->mNumVertices : 0;
    }
  return count;
}

// The bone with the largest weight for each vertex, NULL: none; the caller frees it.
static const struct aiBone **find_bones(const struct aiMesh *mesh) {
  const struct aiBone **bones = calloc((size_t)mesh->mNumVertices + 1, sizeof *bones);
  float *weights = calloc((size_t)mesh->mNumVertices + 1, sizeof *weights);
  for (unsigned b = 0; bones && weights && b < mesh->mNumBones; b++)
    for (unsigned w = 0; w < mesh->mBones[b]->mNumWeights; w++) {
      const struct aiVertexWeight *weight = &mesh->mBones[b]->mWeights[w];
      if (weight->mVertexId >= mesh->mNumVertices || !(weight->mWeight > weights[weight->mVertexId]))
        continue;
      weights[weight->mVertexId] = weight->mWeight;
      bones[weight->mVertexId] = mesh->mBones[b];
    }
  if (!weights) {
    free(bones);
    bones = NULL;
  }
  free(weights);
  return bones;
}

// Vertices are taken evenly, every stride-th of all of the file's.
typedef struct Picker {
  size_t stride, seen;
  const vec3s *positions; // of the joints in the world
  const versors *rotations;
} Picker;

static void add_vertex(const AssimpScene *scene, Motion *motion, const Picker *picker, int node, vec3s world) {
  const int joint = motion_assimp_joint_above(scene, node);
  if (joint < 0 || !isfinite(world.x + world.y + world.z) || motion->vertex_count == MOTION_MAX_VERTICES)
    return;
  const versors back = glms_quat_conjugate(picker->rotations[joint]);
  motion->vertices[motion->vertex_count++] =
      (MotionVertex){joint, glms_quat_rotatev(back, glms_vec3_sub(world, picker->positions[joint]))};
}

static bool add_mesh(const AssimpScene *scene, Motion *motion, Picker *picker, int node, const struct aiMesh *mesh) {
  const struct aiBone **bones = find_bones(mesh);
  if (!bones)
    return false;
  for (unsigned v = 0; v < mesh->mNumVertices; v++) {
    if (picker->seen++ % picker->stride != 0)
      continue;
    const int bone = bones[v] ? motion_assimp_find_node(scene, bones[v]->mName.data) : -1;
    const int at = bone >= 0 ? bone : node;
    const vec3s local = bone >= 0
                            ? glms_mat4_mulv3(motion_assimp_matrix(&bones[v]->mOffsetMatrix), vertex_at(mesh, v), 1)
                            : vertex_at(mesh, v);
    add_vertex(scene, motion, picker, at, glms_mat4_mulv3(scene->nodes[at].world, local, 1));
  }
  free(bones);
  return true;
}

bool motion_assimp_skin(const AssimpScene *scene, Motion *motion, const vec3s *positions, const versors *rotations) {
  const size_t count = count_vertices(scene);
  Picker picker = {.stride = count / MOTION_MAX_VERTICES + 1, .positions = positions, .rotations = rotations};
  motion->vertices = calloc(count / picker.stride + 1, sizeof *motion->vertices);
  bool good = motion->vertices != NULL;
  for (int i = 0; i < scene->count && good; i++)
    for (unsigned m = 0; m < scene->nodes[i].source->mNumMeshes && good; m++) {
      const unsigned index = scene->nodes[i].source->mMeshes[m];
      if (index < scene->ai->mNumMeshes && scene->ai->mMeshes[index]->mVertices)
        good = add_mesh(scene, motion, &picker, i, scene->ai->mMeshes[index]);
    }
  return good;
}
