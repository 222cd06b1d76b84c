// Which bodies overlap, and how deep: for warnings about the start of a scene.
#ifndef STAGGER_SIM_WORLD_WORLD_OVERLAP_H
#define STAGGER_SIM_WORLD_WORLD_OVERLAP_H

#include "sim/world/world.h"

// The deepest overlap of two owners, or of bodies without one.
typedef struct WorldOverlap {
  int body, other; // indices into bodies, the smaller one first; other may be WORLD_GROUND
  double depth;    // m: distance to separate them
} WorldOverlap;

// Finds overlaps that are deeper than `least` (m) and cause forces, one for each two owners, in the order of their
// bodies. Parts of one owner, and pairs that no force moves, do not count. Returns the number of all, of which the
// first `most` are written to the list. Changes nothing.
int world_overlaps(const World *world, double least, WorldOverlap list[], int most);

#endif
