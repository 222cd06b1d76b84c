// The goals of a character's joints in a step.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_GOALS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_GOALS_H

#include "ragdoll/character/character.h"

// Goals that follow the target pose, in a step of length h, s; for a character that does not balance by itself.
void character_goals_follow(Character *character, double h);

// Adds to the goals what is independent of the controller: the user's offsets, feed-forward torques, and reflexes. To
// be called after the drive's strengths of this step have been set.
void character_goals_complete(Character *character, double h);

#endif
