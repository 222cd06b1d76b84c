// What sensors on a character's body would measure after a step: pose, contacts, forces.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_SENSE_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_SENSE_H

#include "ragdoll/character/character.h"

// Starts from the target pose: nothing has moved yet.
void character_sense_init(Character *character);

// The centre of mass and its velocity, as the bodies are now.
void character_sense_mass(Character *character);

// After the world's step: all of `sensed` but the time of a drag.
void character_sense(Character *character);

// Whether the user drags the body. To be called when the target is final: fall may have changed it.
void character_sense_drag(Character *character);

#endif
