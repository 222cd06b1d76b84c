// How the ground carries a character: a platform under the leading root takes it along, and turns what it intends. What
// the character does by itself it does over that ground.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLATFORM_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLATFORM_H

#include "ragdoll/character/character.h"

// The ground under the root, as it is before the step.
typedef struct PlatformRide {
  bool carried;       // by a platform; otherwise velocity and turn rate are 0
  double velocity[3]; // m/s of the platform under the root, world
  double turn_rate;   // rad/s of the platform about up
  double height;      // m; the root's own height where there is no ground. A hole is bridged.
  bool over_void;     // there is no ground
} PlatformRide;

PlatformRide character_platform(const Character *character);

// Where a point of the world is for who goes with that ground since the start: how far something has gone over ground
// that moves. Without platforms the point itself.
void character_platform_point(const Character *character, double point[3]);

// The same as character_platform_point of a velocity, in the last step: m/s over the ground under the root.
void character_platform_velocity(const Character *character, double velocity[3]);

#endif
