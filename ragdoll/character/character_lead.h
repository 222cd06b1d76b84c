// Who leads the body of a character that has both a skill and balance: the skill as long as the body moves as it is to,
// balance from a blow until it does so again, and whenever no skill is for what the character does.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_LEAD_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_LEAD_H

#include "ragdoll/character/character.h"

// Whether balance alone leads the character while it is upright: no skill of its is for the move or the stand clip.
// True even while it is down.
bool character_only_balances(const Character *character);

// At the start, before the body is set in motion.
void character_lead_init(Character *character);

// Decides who leads in the coming step of dt, s. Before the skill looks and the target is made.
void character_lead_step(Character *character, double dt);

void character_lead_state(Character *character, StateStream *stream);

#endif
