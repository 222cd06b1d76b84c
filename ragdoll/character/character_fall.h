// A character that falls and gets up: what it notices of that, and what it does instead of its animation.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_FALL_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_FALL_H

#include "ragdoll/character/character_root.h"

void character_fall_init(Character *character);

// Whether falling, lying or getting up leads the body, not animation, layers and balance.
bool character_fall_leads(const Character *character);

// The root of a character that is down: under the body, or where it gets up. A RootDriver.
RootMotion character_fall_root(Character *character, const RootStep *step);

// The target, after animation and layers: guard, limpness or get-up clip while it is down, and the way there and back,
// on which no joint turns faster than `match_rate` but by what it comes from or goes to.
void character_fall_pose(Character *character, double dt);

// How much of its strength the joint of a part has, 0..1. Hands have less: they get caught under the body.
float character_fall_strength(const Character *character, int part);

// After measuring: falls, lies, gets up, stands. Sets `down` and what the assist may do.
void character_fall_update(Character *character);

#endif
