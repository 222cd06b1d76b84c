// Contacts a step ahead of time. Between sim/world/world.c and sim/world/world_ahead.c.
//
// The wrist of who falls on his hands strikes the ground at 5 m/s, and the impact flings the hand down at 15 m/s: 30 mm
// in a step of 1/480 s, in which nothing has yet found that the hand touches. What comes down fast gets its contacts
// while it is still close to the terrain: they let it come down to the surface and no farther (speculative contacts;
// Catto 2013, Continuous Collision, GDC).
#ifndef STAGGER_SIM_WORLD_WORLD_AHEAD_H
#define STAGGER_SIM_WORLD_WORLD_AHEAD_H

#include "sim/world/world.h"

// What comes down by less than this in a step is found when it touches. m
#define WORLD_AHEAD_WAY 0.006

// A shape of each kind, which takes the place of those that come down.
void world_ahead_create(World *world);
void world_ahead_destroy(World *world);

// m that the fastest of all bodies comes down in a step, 0 where none does.
double world_way_down(const World *world);

// Writes the contacts with the terrain that a body's shape does not have yet and may make in the step, at most `most`,
// and returns their number. Normals point to the shape; depths are negative: how far it is still away. way_down: of the
// world; who is too high for it needs no closer look.
int world_contacts_ahead(const World *world, dGeomID shape, double way_down, dContact contacts[], int most);

#endif
