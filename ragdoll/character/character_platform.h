// How the ground carries a character: a platform under the leading root takes it along, and turns what it intends. What
// the character does by itself it does over that ground.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLATFORM_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLATFORM_H

#include "ragdoll/character/character.h"

// Moves the root on with the ground under it by a step. Returns the height of that ground at the end of the step, m;
// the root's own where there is none.
double character_platform(Character *character, double dt);

// Where a point of the world is for who goes with that ground since the start: how far something has gone over ground
// that moves. Without platforms the point itself.
void character_platform_point(const Character *character, double point[3]);

// The same as character_platform_point of a velocity, in the last step: m/s over the ground under the root.
void character_platform_velocity(const Character *character, double velocity[3]);

#endif
