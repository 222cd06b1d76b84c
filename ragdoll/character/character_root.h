// The leading root of a character: the place and heading on the ground from where its animation is told. It goes as
// intended, with the ground under it, and waits for its body.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_ROOT_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_ROOT_H

#include "ragdoll/character/character.h"

// Puts it where the character starts.
void character_root_init(Character *character);

// Goes with the ground, turns toward the intended heading and moves at the intended speed; waits for a body that lags
// behind.
void character_root_step(Character *character, double dt);

// The root goes a part of the way to where its body is: no force holds that at the place that animation has for it.
void character_root_follow(Character *character, double dt);

// Beyond this distance (m) of the root the animation says nothing about the body any more.
#define CHARACTER_LOST_GAP 0.25

// Distance in m between where the animation has the root and where the body has it.
double character_root_gap(const Character *character);

// Turn about up from one rotation to another, rad.
double character_turn_between(versors from, versors to);

// A pose that stands in the world as the root sees it.
void character_root_frame(const Character *character, Pose *pose);

// What the root does by itself, m/s: without its leash, on which a body that is struck or falls drags it along.
void character_root_own_velocity(const Character *character, double velocity[3]);

#endif
