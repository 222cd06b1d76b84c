// The motion of a platform under a character: the root moves with it, and metrics measure velocities and distances
// relative to it.
#include "ragdoll/character/character_platform.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/plane2.h"
#include "sim/world/world_ground.h"

// m: range above and below the root in which the ground that carries it is searched: a bridge above does not count, nor
// objects in a pit.
static const double SEEK_ABOVE = GROUND_OVER_ROOT, SEEK_BELOW = 3; // m

// m: ground that is this much lower than the ground on both sides, at most this far away, is a hole that is stepped
// over.
static const double HOLE_DEPTH = 0.25, HOLE_SIDE = 0.4; // m

static const double DOWN[3] = {0, -1, 0};

// The highest ground at a place horizontally from the root, without objects far above it.
static double height_beside(const Character *character, double x, double z, double height) {
  const Ground *ground = &character->ground;
  const double *root = character->root.position;
  double highest = height, there;
  for (int i = 1; i <= 4; i++) {
    double way = HOLE_SIDE * i / 4;
    if (ground->height(ground->context, root[0] + way * x, root[2] + way * z, root[1] + SEEK_ABOVE, &there, NULL) &&
        there < root[1] + HOLE_DEPTH)
      highest = fmax(highest, there);
  }
  return highest;
}

// Over a hole the root moves as on the ground beside it; the feet find their own ground.
static double bridge_hole(const Character *character, double height) {
  if (height > character->root.position[1] - HOLE_DEPTH)
    return height;
  double bridged = height;
  for (int i = 0; i < 2; i++) { // along the heading, and across it
    double x = sin(character->root.heading + i * M_PI / 2), z = cos(character->root.heading + i * M_PI / 2);
    double side = fmin(height_beside(character, x, z, height), height_beside(character, -x, -z, height));
    bridged = side - height > HOLE_DEPTH ? fmax(bridged, side) : bridged;
  }
  return bridged;
}

// The ground that carries the root. False where there is none: height is then that of the highest ground, if there is
// any.
static bool find_ground(const Character *character, GroundHit *hit, double *height, bool *over_void) {
  const Ground *ground = &character->ground;
  const double *root = character->root.position, origin[3] = {root[0], root[1] + SEEK_ABOVE, root[2]};
  *height = root[1];
  *hit = (GroundHit){.distance = 0};
  bool met =
      ground->ray(ground->context, GROUND_TERRAIN | GROUND_PLATFORMS, origin, DOWN, SEEK_ABOVE + SEEK_BELOW, hit);
  if (met && hit->distance > 0) { // at distance 0 the ray began inside an object
    *height = hit->position_w[1];
    return true;
  }
  *over_void = !ground->height(ground->context, root[0], root[2], root[1] + SEEK_ABOVE, height, NULL);
  return false;
}

PlatformRide character_platform(const Character *character) {
  GroundHit hit;
  PlatformRide ride = {.carried = false};
  ride.carried = find_ground(character, &hit, &ride.height, &ride.over_void) && hit.kind == GROUND_PLATFORMS;
  if (!ride.carried) {
    ride.height = bridge_hole(character, ride.height);
    return ride;
  }
  memcpy(ride.velocity, hit.velocity_w, sizeof ride.velocity);
  ride.turn_rate = hit.turn_rate;
  return ride;
}

void character_platform_point(const Character *character, double point[3]) {
  const double *travel = character->root.platform_travel;
  const double from[2] = {point[0] - travel[0], point[2] - travel[2]};
  double turned[2];
  turn_level(-character->root.platform_turn, from, turned);
  point[0] = turned[0];
  point[1] -= travel[1];
  point[2] = turned[1];
}

void character_platform_velocity(const Character *character, double velocity[3]) {
  for (int i = 0; i < 3; i++)
    velocity[i] -= character->root.ground_velocity[i];
}
