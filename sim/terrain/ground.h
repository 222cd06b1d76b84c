// How animation sees the world: rays against everything that can carry feet. It is anim's only access to the physical
// world.
#ifndef STAGGER_SIM_TERRAIN_GROUND_H
#define STAGGER_SIM_TERRAIN_GROUND_H

#include <math.h>
#include <stdbool.h>

// What a ray may hit, as bits of its mask.
enum { GROUND_TERRAIN = 1, GROUND_PLATFORMS = 2, GROUND_PROPS = 4, GROUND_ALL = 7 };

// For the argument `from` of Ground.height: m above a sole, and above a root, from which an object counts as being over
// the foot or the character and not as ground under it; and the value that finds the highest ground of all.
#define GROUND_OVER_SOLE 0.1
#define GROUND_OVER_ROOT 1.0
#define GROUND_HIGHEST HUGE_VAL

typedef struct GroundHit {
  double position_w[3]; // m
  double normal_w[3];   // unit, pointing out of the ground
  double distance;      // m along the ray
  double velocity_w[3]; // m/s, mean velocity of the ground at that point in the coming step: platforms move
  double turn_rate;     // rad/s: rotation of the ground there about up
  unsigned kind;        // what was hit: one bit of the mask
} GroundHit;

typedef struct Ground {
  const void *context;
  // The first hit of the ray origin + t * direction, 0 <= t <= length (direction is a unit vector). A ray that starts
  // inside the ground hits at distance 0. Only objects in the mask are hit. False when nothing is hit.
  bool (*ray)(const void *context, unsigned mask, const double origin_w[3], const double direction_w[3], double length,
              GroundHit *hit);
  // Height in m of the highest ground at x, z and its normal (may be NULL), ignoring objects whose lower side is above
  // `from` (m), such as a roof or a bridge, and all floors of a level above it. GROUND_HIGHEST: nothing is ignored.
  // False where there is no ground.
  bool (*height)(const void *context, double x, double z, double from, double *height, double normal_w[3]);
  // Whether the highest ground is a single plane along the straight line between two places (x and z), including both;
  // false also if that is unknown. NULL: always unknown.
  bool (*is_plane)(const void *context, const double from[2], const double to[2]);
} Ground;

#endif
