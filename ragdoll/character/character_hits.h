// Effects of hits on a character between two steps: its reaction and its muscles.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_HITS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_HITS_H

#include "ragdoll/character/character.h"

void character_hits_init(Character *character);

// Processes every hit on the character's parts in the last step. A drag by the user is not a hit.
void character_hits_update(Character *character);

// Changes the target pose by active responses to hits. Not for a character that is down.
void character_hits_respond(Character *character, double dt);

// Makes the muscles of a joint tense or slack, or all muscles for INTENT_WHOLE_BODY; for intent_script_apply.
// character: a Character.
void character_hits_tone(void *character, const char *joint, double tone);

#endif
