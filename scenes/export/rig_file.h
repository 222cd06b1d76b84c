// A rig of another program as a glTF file to which animations are to be added: its JSON tree as it is, the bytes of its
// first buffer, and where its nodes stand.
// Format: Khronos Group, glTF 2.0 Specification, chapters 3 (concepts) and 4 (GLB).
#ifndef STAGGER_SCENES_EXPORT_RIG_FILE_H
#define STAGGER_SCENES_EXPORT_RIG_FILE_H

#include <cjson/cJSON.h>

#include "anim/motion/motion.h"

enum { RIG_MAX_NODES = 1 << 16 };

typedef struct RigNode {
  cJSON *item;            // of the tree
  int parent;             // -1: none
  vec3s position, scale;  // in the parent's frame, in the file's units
  versors rotation;       // unit
  mat4s world;            // in the file's units
  versors world_rotation; // of its axes in the world
  vec3s world_scale;      // product of the scales of the nodes above and its own
} RigNode;

typedef struct RigFile {
  cJSON *root;
  unsigned char *bytes; // of the first buffer
  size_t size;
  RigNode *nodes;
  int count;
} RigFile;

// Reads a .glb, or a .gltf whose first buffer is embedded. To be freed with rig_file_free, also on error. Errors name
// the file and the element: no glTF 2.0, a cut file, a buffer in a file of its own, nodes that are no tree, numbers
// that are not finite.
bool rig_file_read(RigFile *rig, const File *file, Error *error);
void rig_file_free(RigFile *rig);

// Finds the nodes of a motion's joints, which was read from the same file, by name and by the node above; -1: none.
void rig_file_match(const RigFile *rig, const Motion *motion, int *nodes);

#endif
