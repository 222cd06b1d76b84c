// The motion of the ground under a foot, from frame to frame: for metrics, which compare positions on moving ground.
#ifndef STAGGER_RAGDOLL_CHARACTER_FOOT_PLATFORM_H
#define STAGGER_RAGDOLL_CHARACTER_FOOT_PLATFORM_H

#include "sim/world/world.h"

// The accumulated motion of a foot's ground.
typedef struct FootPlatform {
  const WorldPlatform *platform;   // carries the foot until the next frame; NULL: ground that does not move
  double position[3], rotation[4]; // m, w x y z: its former place
  // Its motion so far, about and relative to the world's origin: m, w x y z. A turn of all zeros is none.
  double travel[3], turn[4];
} FootPlatform;

// Advances by one frame: the foot has moved with its ground, and is now carried by the platform under that place (m, x
// and z), if there is one that does not begin above `from` (m).
void foot_platform_frame(FootPlatform *foot, const World *world, const double place[2], double from);

// Converts a world position to a frame that moves with the foot's ground: fixed while the foot stood on terrain, and
// moving with each platform while it stood on that.
void foot_platform_point(const FootPlatform *foot, double point[3]);

#endif
