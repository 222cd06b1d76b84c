// How animation sees the world: rays against whatever carries feet. The only door from anim to the physical world.
#ifndef STAGGER_SIM_TERRAIN_GROUND_H
#define STAGGER_SIM_TERRAIN_GROUND_H

#include <math.h>
#include <stdbool.h>

// What a ray may meet; the bits of its mask.
enum { GROUND_TERRAIN = 1, GROUND_PLATFORMS = 2, GROUND_PROPS = 4, GROUND_ALL = 7 };

// For the argument `from` of Ground.height: m over a sole, and over a root, above which what begins there is over the
// foot, or over the character, and not under it; and to ask for the highest ground of all.
#define GROUND_OVER_SOLE 0.1
#define GROUND_OVER_ROOT 1.0
#define GROUND_HIGHEST HUGE_VAL

typedef struct GroundHit {
  double position_w[3]; // m
  double normal_w[3];   // unit, out of the ground
  double distance;      // m along the ray
  double velocity_w[3]; // m/s of the ground at that point, the mean of the coming step: platforms move
  double turn_rate;     // rad/s about up with which it turns there
  unsigned kind;        // what was met: one bit of the mask
} GroundHit;

typedef struct Ground {
  const void *context;
  // The first hit of the ray origin + t * direction, 0 <= t <= length (direction is a unit vector).
  // A ray that starts inside the ground hits at distance 0. Only what the mask names is met. False when nothing is hit.
  bool (*ray)(const void *context, unsigned mask, const double origin_w[3], const double direction_w[3], double length,
              GroundHit *hit);
  // Height in m of the highest ground at x, z and its normal (may be NULL), without what begins above `from` (m), such
  // as a roof or a bridge over it. GROUND_HIGHEST: all of it counts. False where there is no ground.
  bool (*height)(const void *context, double x, double z, double from, double *height, double normal_w[3]);
  // Whether the highest ground is one plane all along the straight way between two places (x and z), both of them
  // included; false also where that is not known. NULL: it never is.
  bool (*is_plane)(const void *context, const double from[2], const double to[2]);
} Ground;

#endif
