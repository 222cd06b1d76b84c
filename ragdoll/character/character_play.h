// The animation of a character before layers and balance: a clip with its unstable variants, or a graph; the gaze; and
// the plans of the feet.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAY_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAY_H

#include "ragdoll/character/character.h"

// Sets the first pose. Error: no memory for the graph.
bool character_play_init(Character *character, Error *error);

// The animation of the present phase, without motion.
void character_play_begin(Character *character);

// The target is the present animation again, at rest in this step, after something else was the target.
void character_play_resume(Character *character);

// Whether the character stands, or is about to, and its `stand` clip is what plays: nobody wants it to go anywhere, or
// it has just got up; and its root is no faster than the slowest that the skill of its `move` clip can go. Never
// without a `stand` clip.
bool character_rests(const Character *character);

// Advances by dt: the animation, the target and the plans of the feet for the end of the step.
void character_play_step(Character *character, double dt);

// Whether play.graph.contact says which feet stand: with a graph or a planner.
bool character_tells_contact(const Character *character);

// Computes the present animation. dt: s by which the graph advances.
void character_animate(Character *character, double dt);

#endif
