// What plays on a character before layers and balance: a clip with its unstable variants, or a graph, and where it
// looks; and what that says of its feet.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAY_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAY_H

#include "ragdoll/character/character.h"

// The first pose. Errors: no memory for the graph.
bool character_play_init(Character *character, Error *error);

// Lets dt pass: the animation, the target and the plans of its feet for the end of the step.
void character_play_step(Character *character, double dt);

// Whether play.contact says which feet stand: a graph or a planner plays.
bool character_tells_contact(const Character *character);

// The animation as it is now. dt: s that the graph advances.
void character_animate(Character *character, double dt);

#endif
