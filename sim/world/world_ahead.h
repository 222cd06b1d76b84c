// Contacts one step ahead of time; for world.c and world_ahead.c.
//
// For example, a character falls on its hands: a wrist strikes the ground at 5 m/s, and the impact turns the hand down
// at 15 m/s, which is 30 mm in a step of 1/480 s in which no contact of the hand has been found yet. Therefore fast
// descending shapes get their contacts while they are still close to the terrain; these contacts let them come down to
// the surface and no farther (speculative contacts; Catto 2013, Continuous Collision, GDC). In a level, which has walls
// and ceilings and nothing solid behind them, this concerns shapes that move in any direction.
#ifndef STAGGER_SIM_WORLD_WORLD_AHEAD_H
#define STAGGER_SIM_WORLD_WORLD_AHEAD_H

#include "sim/world/world.h"

// m: a shape that moves less than this in a step gets its contacts when it touches.
#define WORLD_AHEAD_WAY 0.006

// Creates a shape of each kind, which is used in place of descending shapes.
void world_ahead_create(World *world);
void world_ahead_destroy(World *world);

// m that the fastest of all bodies descends in a step, 0 if none does; in a level, that it moves in any direction.
double world_way_ahead(const World *world);

// Writes the contacts with the terrain that a body's shape does not have yet and may make in the step, at most `most`,
// and returns their number. Normals point to the shape; depths are negative distances. way_ahead: that of the world; a
// shape farther above the ground is skipped quickly.
int world_contacts_ahead(const World *world, dGeomID shape, double way_ahead, dContact contacts[], int most);

#endif
