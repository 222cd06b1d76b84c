// Decides which of a scene's nodes are joints: bones and animated nodes, but not meshes, cameras and lights.
#define _GNU_SOURCE // qsort_r

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "anim/motion/motion_assimp_internal.h"

enum { MAX_NODES = 1 << 16 };

static const char PIVOT[] = "_$AssimpFbx$_"; // X_$AssimpFbx$_Rotation is a part of X's transform

static const char *node_name(const AssimpScene *scene, int node) { return scene->nodes[node].source->mName.data; }

static int compare_names(const void *a, const void *b, void *context) {
  const AssimpScene *scene = context;
  const int i = *(const int *)a, j = *(const int *)b;
  const int order = strcmp(node_name(scene, i), node_name(scene, j));
  const bool meshes_i = scene->nodes[i].source->mNumMeshes > 0, meshes_j = scene->nodes[j].source->mNumMeshes > 0;
  return order != 0 ? order : meshes_i != meshes_j ? meshes_i - meshes_j : i - j;
}

int motion_assimp_find_node(const AssimpScene *scene, const char *name) {
  int low = 0, high = scene->count - 1; // there is a root
  while (low < high) {
    int middle = (low + high) / 2;
    if (strcmp(node_name(scene, scene->by_name[middle]), name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return strcmp(node_name(scene, scene->by_name[low]), name) == 0 ? scene->by_name[low] : -1;
}

// Flattens the tree in breadth-first order.
static bool collect_nodes(AssimpScene *scene) {
  scene->nodes = calloc(MAX_NODES, sizeof *scene->nodes);
  scene->by_name = calloc(MAX_NODES, sizeof *scene->by_name);
  if (!scene->nodes || !scene->by_name) {
    motion_assimp_fail(scene, "out of memory");
    return false;
  }
  scene->nodes[0] = (AssimpNode){.source = scene->ai->mRootNode, .parent = -1, .mesh_node = -1, .joint = -1};
  scene->count = 1;
  for (int i = 0; i < scene->count; i++) {
    const struct aiNode *source = scene->nodes[i].source;
    if (source->mNumChildren > (unsigned)(MAX_NODES - scene->count))
      return motion_assimp_fail(scene, "has too many nodes, at most 65536 are allowed");
    for (unsigned c = 0; c < source->mNumChildren; c++)
      scene->nodes[scene->count++] =
          (AssimpNode){.source = source->mChildren[c], .parent = i, .mesh_node = -1, .joint = -1};
  }
  for (int i = 0; i < scene->count; i++)
    scene->by_name[i] = i;
  qsort_r(scene->by_name, (size_t)scene->count, sizeof *scene->by_name, compare_names, scene);
  return true;
}

int motion_assimp_channel_node(const AssimpScene *scene, const struct aiNodeAnim *channel, bool own) {
  char name[sizeof channel->mNodeName.data];
  snprintf(name, sizeof name, "%s", channel->mNodeName.data);
  char *pivot = own ? strstr(name, PIVOT) : NULL;
  if (pivot)
    *pivot = '\0';
  return motion_assimp_find_node(scene, name);
}

static void mark_bones(AssimpScene *scene) {
  const struct aiScene *ai = scene->ai;
  for (int i = 0; i < scene->count; i++) {
    for (unsigned m = 0; m < scene->nodes[i].source->mNumMeshes; m++) {
      const unsigned index = scene->nodes[i].source->mMeshes[m];
      const struct aiMesh *mesh = index < ai->mNumMeshes ? ai->mMeshes[index] : NULL;
      for (unsigned b = 0; mesh && b < mesh->mNumBones; b++) {
        const int node = motion_assimp_find_node(scene, mesh->mBones[b]->mName.data);
        if (node >= 0 && !scene->nodes[node].bone) {
          scene->nodes[node].bone = mesh->mBones[b];
          scene->nodes[node].mesh_node = i;
        }
      }
    }
  }
  for (unsigned a = 0; a < ai->mNumAnimations; a++)
    for (unsigned c = 0; c < ai->mAnimations[a]->mNumChannels; c++) {
      const int node = motion_assimp_channel_node(scene, ai->mAnimations[a]->mChannels[c], true);
      if (node >= 0)
        scene->nodes[node].is_animated = true;
    }
}

static bool is_camera_or_light(const AssimpScene *scene, int node) {
  for (unsigned i = 0; i < scene->ai->mNumCameras && i < 64; i++)
    if (strcmp(scene->ai->mCameras[i]->mName.data, node_name(scene, node)) == 0)
      return true;
  for (unsigned i = 0; i < scene->ai->mNumLights && i < 64; i++)
    if (strcmp(scene->ai->mLights[i]->mName.data, node_name(scene, node)) == 0)
      return true;
  return false;
}

// ---- Which nodes are joints ----

// Whether the node has a joint among its ancestors; those of its parents are known already.
static bool is_under(const AssimpScene *scene, int node) {
  const int parent = scene->nodes[node].parent;
  return parent >= 0 && (scene->nodes[parent].is_joint || scene->nodes[parent].is_under);
}

static int common_ancestor(const AssimpScene *scene, int a, int b) {
  while (a != b)
    if (a > b)
      a = scene->nodes[a].parent;
    else
      b = scene->nodes[b].parent;
  return a;
}

// For each node, the number of joints in its subtree, itself included; the caller frees it.
static int *count_joints(const AssimpScene *scene) {
  int *counts = calloc(MAX_NODES, sizeof *counts);
  for (int i = scene->count - 1; counts && i >= 0; i--) {
    counts[i] += scene->nodes[i].is_joint ? 1 : 0;
    if (i > 0)
      counts[scene->nodes[i].parent] += counts[i];
  }
  return counts;
}

// Joints are bones and animated nodes (in files without bones, animated nodes that carry no mesh), and their
// descendants.
static bool mark_joints(AssimpScene *scene, bool is_bvh, bool *has_bones) {
  *has_bones = false;
  for (int i = 0; i < scene->count; i++)
    *has_bones |= scene->nodes[i].bone != NULL;
  for (int i = 0; i < scene->count; i++) {
    AssimpNode *node = &scene->nodes[i];
    const bool is_plain = node->source->mNumMeshes == 0 && !is_camera_or_light(scene, i);
    const bool hangs_on = node->parent >= 0 && scene->nodes[node->parent].is_joint;
    node->is_joint = is_bvh || node->bone || (!*has_bones && node->is_animated && is_plain) || (hangs_on && is_plain);
    if (strstr(node->source->mName.data, PIVOT))
      node->is_joint = false;
  }
  int *below = count_joints(scene);
  if (!below)
    return motion_assimp_fail(scene, "out of memory");
  // Animated nodes above bones are joints, and so is every node between two joints.
  for (int i = 0; i < scene->count; i++) {
    AssimpNode *node = &scene->nodes[i];
    const bool is_pivot = strstr(node->source->mName.data, PIVOT) != NULL;
    node->is_under = is_under(scene, i);
    if (!is_pivot && below[i] > 0 && (node->is_under || node->is_animated))
      node->is_joint = true;
  }
  free(below);
  // An End Site of no length carries no information.
  for (int i = 0; is_bvh && i < scene->count; i++) {
    const struct aiMatrix4x4 *m = &scene->nodes[i].source->mTransformation;
    if (strncmp(node_name(scene, i), "EndSite_", 8) == 0 && m->a4 == 0 && m->b4 == 0 && m->c4 == 0)
      scene->nodes[i].is_joint = false;
  }
  return true;
}

// Chooses one tree. If the file has bones, small trees beside the largest (such as IK targets) are joined with it under
// their common ancestor. Another figure and loose moving objects are left out.
static bool choose_tree(AssimpScene *scene, bool has_bones, Motion *motion) {
  int *counts = count_joints(scene);
  if (!counts)
    return motion_assimp_fail(scene, "out of memory");
  int largest = -1, second = 0, trees = 0, others = 0;
  for (int i = 0; i < scene->count; i++) {
    scene->nodes[i].is_under = is_under(scene, i);
    if (!scene->nodes[i].is_joint || scene->nodes[i].is_under)
      continue;
    trees++;
    if (largest < 0 || counts[i] > counts[largest]) {
      second = largest >= 0 && counts[largest] > second ? counts[largest] : second;
      largest = i;
    } else if (counts[i] > second) {
      second = counts[i];
    }
  }
  if (largest < 0) {
    free(counts);
    return motion_assimp_fail(scene, scene->ai->mNumAnimations > 0 ? "its animation moves no skeleton"
                                                                   : "there is no skeleton in it");
  }
  scene->root = largest;
  const bool is_one = has_bones && (second < 12 || second * 2 < counts[largest]);
  for (int i = 0; i < scene->count && is_one && trees > 1; i++)
    if (scene->nodes[i].is_joint && !strstr(node_name(scene, i), PIVOT))
      scene->root = common_ancestor(scene, scene->root, i);
  for (int i = 0; i < scene->count; i++) {
    AssimpNode *node = &scene->nodes[i];
    node->is_inside = i == scene->root || (node->parent >= 0 && scene->nodes[node->parent].is_inside);
    others += node->is_joint && !node->is_inside ? 1 : 0;
    // Includes the nodes on the path from the common ancestor down to its trees.
    const bool is_way = is_one && counts[i] > 0 && (!strstr(node_name(scene, i), PIVOT) || i == scene->root);
    node->is_joint = node->is_inside && (node->is_joint || is_way);
  }
  if (!is_one && trees > 1)
    motion_warn(motion, "There are %d trees of joints: the largest, from '%s', is read, %d other joints are left out.",
                trees, node_name(scene, scene->root), others);
  free(counts);
  return true;
}

static bool number_joints(AssimpScene *scene, Motion *motion) {
  motion->joints = calloc(MOTION_MAX_JOINTS, sizeof *motion->joints);
  if (!motion->joints)
    return motion_assimp_fail(scene, "out of memory");
  for (int i = 0; i < scene->count; i++) {
    AssimpNode *node = &scene->nodes[i];
    if (!node->is_joint)
      continue;
    if (motion->joint_count == MOTION_MAX_JOINTS)
      return motion_assimp_fail(scene, "has too many joints, at most 1024 are allowed");
    int parent = node->parent;
    while (parent >= 0 && !scene->nodes[parent].is_joint)
      parent = scene->nodes[parent].parent;
    MotionJoint *joint = &motion->joints[motion->joint_count];
    joint->parent = parent >= 0 ? scene->nodes[parent].joint : -1;
    if (node->source->mName.length > 0)
      snprintf(joint->name, sizeof joint->name, "%s", node_name(scene, i));
    else
      snprintf(joint->name, sizeof joint->name, "joint_%d", motion->joint_count);
    node->joint = motion->joint_count++;
  }
  return true;
}

bool motion_assimp_find_joints(AssimpScene *scene, Motion *motion) {
  bool has_bones = false;
  if (!collect_nodes(scene))
    return false;
  mark_bones(scene);
  const bool is_bvh = strcasecmp(strrchr(scene->file->name, '.'), ".bvh") == 0;
  return mark_joints(scene, is_bvh, &has_bones) && choose_tree(scene, has_bones, motion) &&
         number_joints(scene, motion);
}
