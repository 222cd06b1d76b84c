// Saves and restores a character, see sim/base/state.h.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_STATE_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_STATE_H

#include "ragdoll/character/character.h"
#include "sim/base/state.h"

// Between two steps, after the world, which has the bodies. Restores into a character of the same description.
void character_state(Character *character, StateStream *stream);

#endif
