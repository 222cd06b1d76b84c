// A character whose animation is a graph (anim/graph): its inputs and outputs.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_GRAPH_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_GRAPH_H

#include "ragdoll/character/character.h"

// Creates the graph's instance in its first pose. seed: of the scene. NULL and an error: no memory.
Graph *character_graph_create(const Character *character, Error *error);

// Looks up the parameters that the graph has, once.
void character_graph_inputs(Character *character);

// Sets the graph's inputs, advances it by dt, and takes its pose as the animation. A graph may have these parameters,
// which are set in every step:
//   speed, forward, left   m/s: of the root over the ground, along the heading and to the left of it
//   turn                   deg: angle that remains to the intended heading, positive to the left
//   stagger                0..1: magnitude of staggering after hits; stagger_left, stagger_forward: direction, -1..1
//   down                   1: it lies on the ground
void character_graph_step(Character *character, double dt);

// Passes an event to the graph; for intent_script_apply. character: a Character.
void character_graph_event(void *character, const char *name);

// Whether the clips turn the body on the spot, with which the root then turns. rad/s.
bool character_graph_turns(const Character *character, double *turn_rate);

#endif
