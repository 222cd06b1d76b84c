// A place in a level where a man can stand, for a level that is looked at without a scene of its own.
#ifndef STAGGER_VIEWER_SOURCE_LEVEL_PLACE_H
#define STAGGER_VIEWER_SOURCE_LEVEL_PLACE_H

#include "sim/terrain/level.h"

// Finds the place nearest to the level's middle: level ground for both soles, with 2 m of air above it and no wall
// within 0.6 m; under the open sky if there is such a place, and then not on a roof, that is, at most 1 m above the
// lowest such place. place: x, y, z, m. False when there is none.
bool level_place(const Level *level, double place[3]);

#endif
