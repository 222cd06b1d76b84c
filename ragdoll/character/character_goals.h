// What the joints of a character are driven to in a step.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_GOALS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_GOALS_H

#include "ragdoll/character/character.h"

// Goals that follow the target pose, in a step of length h, s; of who does not balance by himself.
void character_goals_follow(Character *character, double h);

// Adds what does not depend on who leads the body: the user's offsets, the torques that the motion takes by itself, and
// what reflexes give. After the drive's strengths of this step are set.
void character_goals_complete(Character *character, double h);

#endif
