// The output pose of a character.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_SHOWN_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_SHOWN_H

#include "ragdoll/character/character.h"

// Starts with the target pose.
void character_shown_init(Character *character);

// Computes the output pose from target and measured pose. lost: the animation does not describe the body, which is
// shown as it is. measured_before: one step earlier.
void character_blend_output(Character *character, const Pose *measured_before, bool lost);

#endif
