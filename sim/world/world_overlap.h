// Which bodies are inside of each other, and how deep: what a scene begins with and should not.
#ifndef STAGGER_SIM_WORLD_WORLD_OVERLAP_H
#define STAGGER_SIM_WORLD_WORLD_OVERLAP_H

#include "sim/world/world.h"

// The deepest place in which two owners, or bodies without one, are inside of each other.
typedef struct WorldOverlap {
  int body, other; // indices into bodies, the smaller one first; other may be WORLD_GROUND
  double depth;    // m: the way out
} WorldOverlap;

// Finds those that are deeper than `least` (m) and act upon each other, one for each two owners, in the order of
// their bodies. Parts of one owner and what no force moves do not count. Returns how many there are, of
// which the first `most` are in the list. Changes nothing.
int world_overlaps(const World *world, double least, WorldOverlap list[], int most);

#endif
