// Which bodies collide, and how contacts reach the solver, for the files of the world.
#ifndef STAGGER_SIM_WORLD_WORLD_INTERNAL_H
#define STAGGER_SIM_WORLD_WORLD_INTERNAL_H

#include "sim/world/world.h"

enum { WORLD_PAIR_CONTACTS = 16 }; // largest number for a pair: the upper limit of the parameter

// Whether forces move a body: not the ground (NULL), nor a kinematic one.
bool world_is_moved(const WorldBody *body);

// Whether contacts between two bodies are made; NULL is the ground.
bool world_bodies_collide(const WorldBody *a, const WorldBody *b);

// Adds a contact of the coming step to its solver. a: a body that forces move; b may be NULL; second: the ODE body that
// it is attached to, that of `b` or one that moves alike. False without memory.
bool world_join(World *world, const WorldBody *a, const WorldBody *b, dBodyID second, const dContact *contact,
                dJointFeedback *feedback);

#endif
