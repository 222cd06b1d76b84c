// Ground that carries a character: a platform under the leading root moves the root and rotates the intent. The
// character's own motion is relative to that ground.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLATFORM_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLATFORM_H

#include "ragdoll/character/character.h"

// The ground under the root before the step.
typedef struct PlatformRide {
  bool carried;       // by a platform; otherwise velocity and turn rate are 0
  double velocity[3]; // m/s of the platform under the root, world
  double turn_rate;   // rad/s of the platform about up
  double height;      // m; the root's own height where there is no ground; a hole is bridged
  bool over_void;     // there is no ground
} PlatformRide;

PlatformRide character_platform(const Character *character);

// Converts a world position to a frame that has moved with the root's ground since the start, for measuring distances
// over moving ground. Without platforms the position is unchanged.
void character_platform_point(const Character *character, double point[3]);

// The same for a velocity, in the last step: m/s over the ground under the root.
void character_platform_velocity(const Character *character, double velocity[3]);

#endif
