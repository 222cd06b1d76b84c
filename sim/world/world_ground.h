// The ground of a world as animation sees it: terrain, platforms, and what lies about; never a character's own parts.
#ifndef STAGGER_SIM_WORLD_WORLD_GROUND_H
#define STAGGER_SIM_WORLD_WORLD_GROUND_H

#include "sim/terrain/ground.h"
#include "sim/world/world.h"

// The world must outlive it. Masks as in ground.h: GROUND_TERRAIN the terrain, GROUND_PLATFORMS bodies that are ground
// (WorldBody.ground), GROUND_PROPS other bodies without an owner (a ray that starts inside of one meets its far side).
// Heights are those of terrain and platforms.
Ground world_ground(const World *world);

// The platform that is the highest ground at x, z, as Ground.height finds it; NULL where terrain is, or nothing.
const WorldPlatform *world_platform_under(const World *world, double x, double z, double from);

#endif
