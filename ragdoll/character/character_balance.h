// A character that balances by itself: its root follows the body instead of leading it.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_BALANCE_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_BALANCE_H

#include "ragdoll/character/character_root.h"

// Whether balance moves the body at present; not while it is down.
bool character_balances(const Character *character);

// Sets the feet of the target pose flat on the ground under them, at the start of a body that only balances. On level
// ground, in the air and with the layer foot_placement, which does so itself, nothing changes, to the bit.
void character_balance_stand(Character *character);

// Puts the root under the body's centre of mass, with the balance controller's heading and speed. A RootDriver.
RootMotion character_balance_root(Character *character, const RootStep *step);

// Balance begins to lead a body that a skill has led: it takes the present step to its end.
void character_balance_take_over(Character *character, double dt);

// Advances the move clip by dt so that it stays in phase with the body's steps. False when that is not possible,
// because the clip does not walk or the body does not step.
bool character_balance_phase(Character *character, double dt);

// Replaces the target pose by the balance controller's, and sets the joints' goals.
void character_balance_step(Character *character, double dt);

#endif
