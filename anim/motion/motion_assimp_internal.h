// assimp's scene on its way to a Motion; for anim/motion/motion_assimp.c, motion_nodes.c and motion_keys.c only.
#ifndef STAGGER_ANIM_MOTION_MOTION_ASSIMP_INTERNAL_H
#define STAGGER_ANIM_MOTION_MOTION_ASSIMP_INTERNAL_H

#include <assimp/scene.h>

#include "anim/motion/motion_internal.h"

typedef struct AssimpNode {
  const struct aiNode *source;
  int parent;
  const struct aiNodeAnim *channel; // of the chosen animation
  const struct aiBone *bone;        // NULL: none
  int mesh_node;                    // that carries the mesh of the bone
  bool is_animated;                 // in any animation
  bool is_joint;
  bool is_under;  // below a joint
  bool is_inside; // of the tree that is read
  int joint;      // number among the joints, -1
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
  double ticks;      // of the file's time, per s
  Error *error;
} AssimpScene;

// Always false, for `return motion_assimp_fail(...)`.
bool motion_assimp_fail(const AssimpScene *scene, const char *cause);

// motion_nodes.c: flattens the tree, marks the joints and numbers them in the motion.
bool motion_assimp_find_joints(AssimpScene *scene, Motion *motion);

// The node that a channel moves. own: of a pivot's channel the node that the pivot belongs to.
int motion_assimp_channel_node(const AssimpScene *scene, const struct aiNodeAnim *channel, bool own);

// motion_keys.c: rest pose and frames.
bool motion_assimp_fill(AssimpScene *scene, Motion *motion);

mat4s motion_assimp_matrix(const struct aiMatrix4x4 *m);

#endif
