// What hits do to a character between two steps: its reaction, its muscles, and what is shown of both.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_HITS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_HITS_H

#include "ragdoll/character/character.h"

void character_hits_init(Character *character);

// Every hit on an own part in the last step. A drag is none, but whoever is held shows his body.
void character_sense_impulses(Character *character);

// The shown pose from target and measured pose. lost: the animation does not describe the body, all of it is shown as
// it is. measured_before: one step earlier.
void character_blend_output(Character *character, const Pose *measured_before, bool lost);

// Makes a joint's muscles tense or slack, or those of INTENT_WHOLE_BODY; for intent_script_apply. character: a
// Character.
void character_hits_tone(void *character, const char *joint, double tone);

#endif
