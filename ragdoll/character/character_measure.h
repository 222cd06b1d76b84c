// What a step did to a character's body: pose, contacts, forces, and its metrics.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_MEASURE_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_MEASURE_H

#include "ragdoll/character/character.h"

void character_measure(Character *character);

#endif
