// How a sole lies on the ground, seen at points along its middle line from heel to toe.
#ifndef STAGGER_RAGDOLL_SHOWN_SOLE_FIT_H
#define STAGGER_RAGDOLL_SHOWN_SOLE_FIT_H

#include "sim/terrain/ground.h"

// Ground that can carry a point of the sole is no steeper than 60 deg, as for foot placement, and no wall that the
// point is in: one that it is deeper in than 2 cm and nearer to leave sideways than upward. The parts of the sole that
// carry are the lowest over such ground, with 1 cm of each other; the plane through that ground, with the mean of its
// normals, is the support plane.
typedef struct SoleFit {
  // m: how far the deepest point is in the ground, by the shortest of the ways up and, level, back, ahead and to the
  // sides. So a toe that touches a riser is as deep in it as it has gone into its face, and not as the tread is high.
  double depth;
  double lift; // m from the sole down to the ground: above 0 none of it is on it; 0 where there is no ground
  // m: the higher of the sole's ends over the ground. Where an end overhangs an edge, the next point of the sole takes
  // its place that has support within reach: ground that can carry, at most 3 cm below the support plane.
  double gap;
  double normal[3]; // unit, of the support plane; of the ground under the middle where nothing can carry
  double rise;      // m from heel to toe, over the ground under them or, where an end has no support, over that plane
  double place[2];  // m, x and z of the part that carries, the nearest to the middle
} SoleFit;

// heel, toe: middle of the sole's back and front edge, m, world.
SoleFit sole_fit(const Ground *ground, const double heel[3], const double toe[3]);

#endif
