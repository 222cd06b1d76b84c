// A character that keeps its balance by itself: its root goes with the body, not before it.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_BALANCE_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_BALANCE_H

#include "ragdoll/character/character_root.h"

// Whether balance moves the body now. Who lies on the ground has none to keep.
bool character_balances(const Character *character);

// The root under the body's centre of mass, with the heading and the speed of the balance controller. A RootDriver.
RootMotion character_balance_root(Character *character, const RootStep *step);

// Moves the move clip on by dt so that it keeps step with the body: when a foot of the body comes down, so does the
// clip's. False: it does not, as the clip does not walk, or the body does not step.
bool character_balance_phase(Character *character, double dt);

// Makes of the target pose what balance does with it, and the joints' goals.
void character_balance_step(Character *character, double dt);

#endif
