// The shown pose of a character.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_SHOWN_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_SHOWN_H

#include "ragdoll/character/character.h"

// Shows the target pose.
void character_shown_init(Character *character);

// The shown pose from target and measured pose. lost: the animation does not describe the body, all of it is shown as
// it is. measured_before: one step earlier.
void character_blend_output(Character *character, const Pose *measured_before, bool lost);

#endif
