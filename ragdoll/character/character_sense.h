// What sensors on a character's body would measure after a step: pose, contacts, forces.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_SENSE_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_SENSE_H

#include "ragdoll/character/character.h"

// Starts from the target pose, before anything has moved.
void character_sense_init(Character *character);

// Updates the centre of mass and its velocity from the bodies.
void character_sense_mass(Character *character);

// Call after the world's step: updates all of `sensed`, except for the time of a drag.
void character_sense(Character *character);

// Updates the time of a drag by the user. To be called when the target is final, since falling may have changed it.
void character_sense_drag(Character *character);

#endif
