// assimp's scene while it is converted to a Motion; for motion_assimp.c, motion_nodes.c and motion_keys.c only.
#ifndef STAGGER_ANIM_MOTION_MOTION_ASSIMP_INTERNAL_H
#define STAGGER_ANIM_MOTION_MOTION_ASSIMP_INTERNAL_H

#include <assimp/scene.h>

#include "anim/motion/motion_internal.h"

typedef struct AssimpNode {
  const struct aiNode *source;
  int parent;
  const struct aiNodeAnim *channel; // of the chosen animation, NULL: none
  const struct aiBone *bone;        // NULL: none
  int mesh_node;                    // node that carries the mesh of the bone
  bool is_animated;                 // in any animation of the file
  bool is_joint;
  bool is_under;  // has a joint among its ancestors
  bool is_inside; // belongs to the tree that is read
  int joint;      // joint's index in the motion, -1: no joint
  mat4s world;
} AssimpNode;

typedef struct AssimpScene {
  const File *file;
  const struct aiScene *ai;
  const struct aiAnimation *animation; // NULL: none
  AssimpNode *nodes;                   // parents before children
  int *by_name;                        // nodes sorted by name
  int count, root;
  double start, end; // s
  double ticks;      // of the file's time unit, per s
  bool wants_skin, wants_mesh;
  Error *error;
} AssimpScene;

// Always false, for `return motion_assimp_fail(...)`.
static inline bool motion_assimp_fail(const AssimpScene *scene, const char *cause) {
  return error_at(scene->error, scene->file->name, 0, 0, "%s", cause);
}

// motion_nodes.c: flattens the tree, marks the joints and numbers them in the motion.
bool motion_assimp_find_joints(AssimpScene *scene, Motion *motion);

// The node that a channel moves. own: for a pivot's channel, the node that the pivot belongs to.
int motion_assimp_channel_node(const AssimpScene *scene, const struct aiNodeAnim *channel, bool own);

// The node of that name, -1: none. Bones and channels refer to nodes by name only; if a mesh and a joint have the same
// name, the joint is meant.
int motion_assimp_find_node(const AssimpScene *scene, const char *name);

// motion_skin.c: the vertices of the meshes in the rest pose, in which the nodes stand and whose joints have these
// places in the world. Not finite ones are left out. False: no memory.
bool motion_assimp_skin(const AssimpScene *scene, Motion *motion, const vec3s *positions, const versors *rotations);

// motion_mesh.c: the meshes, in the same way. An error when there are more than MOTION_MAX_VERTICES or
// MOTION_MAX_TRIANGLES.
bool motion_assimp_mesh(const AssimpScene *scene, Motion *motion, const vec3s *positions, const versors *rotations);

// The joint at a node or above it, -1: none.
int motion_assimp_joint_above(const AssimpScene *scene, int node);

// motion_keys.c: rest pose and frames.
bool motion_assimp_fill(AssimpScene *scene, Motion *motion);

mat4s motion_assimp_matrix(const struct aiMatrix4x4 *m);

#endif
