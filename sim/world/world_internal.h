// Which bodies collide, for the files of the world.
#ifndef STAGGER_SIM_WORLD_WORLD_INTERNAL_H
#define STAGGER_SIM_WORLD_WORLD_INTERNAL_H

#include "sim/world/world.h"

enum { WORLD_PAIR_CONTACTS = 16 }; // largest number for a pair: the upper limit of the parameter

// Whether contacts between two bodies are made; NULL is the ground.
bool world_bodies_collide(const WorldBody *a, const WorldBody *b);

#endif
