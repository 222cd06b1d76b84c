// A character whose animation is a graph (anim/graph): what the graph is told, and what comes of it.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_GRAPH_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_GRAPH_H

#include "ragdoll/character/character.h"

// The graph's instance in its first pose. seed: of the scene. NULL and an error: no memory.
Graph *character_graph_create(const Character *character, Error *error);

// Finds the parameters that the graph asks for, once.
void character_graph_inputs(Character *character);

// Tells the graph what is wanted and what hits did, lets dt pass, and takes its pose as the animation. Parameters that
// a graph may have, all set in every step:
//   speed, forward, left   m/s: of the root over the ground, along the heading and to the left of it
//   turn                   deg: left to turn to the intended heading, positive to the left
//   stagger                0..1: how much hits throw it; stagger_left, stagger_forward: which way, -1..1
//   down                   1: it lies on the ground
void character_graph_step(Character *character, double dt);

// Tells the graph an event; for intent_script_apply. character: a Character.
void character_graph_event(void *character, const char *name);

// Whether the clips turn the body on the spot: the root then turns with them. rad/s.
bool character_graph_turns(const Character *character, double *turn_rate);

#endif
