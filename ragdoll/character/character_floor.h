// Motion on the floor: crawling, rolling, getting up. Which parts may touch the ground is the clip's.
#ifndef STAGGER_RAGDOLL_CHARACTER_FLOOR_H
#define STAGGER_RAGDOLL_CHARACTER_FLOOR_H

#include "ragdoll/character/character.h"

// Finds the parts of the body, besides feet, that come to the ground in the clip that a character plays (`move`).
void character_floor_find(CharacterDef *def);

// Whether the clip takes more than feet to the ground. Then those parts do not count as fallen, and the character falls
// when it leaves its clip: when pelvis, chest or feet are farther from it than CHARACTER_LOST_GAP.
bool character_floor_goes(const CharacterDef *def);

#endif
