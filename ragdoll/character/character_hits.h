// What hits do to a character between two steps: its reaction and its muscles.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_HITS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_HITS_H

#include "ragdoll/character/character.h"

void character_hits_init(Character *character);

// Every hit on an own part in the last step. A drag by the user is none.
void character_hits_update(Character *character);

// Changes the target pose by what somebody does who was struck. Not of who is down.
void character_hits_respond(Character *character, double dt);

// Makes a joint's muscles tense or slack, or those of INTENT_WHOLE_BODY; for intent_script_apply. character: a
// Character.
void character_hits_tone(void *character, const char *joint, double tone);

#endif
