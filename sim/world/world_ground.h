// The ground of a world for animation: terrain, platforms, and loose objects; never a character's own parts.
#ifndef STAGGER_SIM_WORLD_WORLD_GROUND_H
#define STAGGER_SIM_WORLD_WORLD_GROUND_H

#include "sim/terrain/ground.h"
#include "sim/world/world.h"

// The world must outlive it. Masks as in ground.h: GROUND_TERRAIN the terrain, GROUND_PLATFORMS bodies that are ground
// (WorldBody.ground), GROUND_PROPS other bodies without an owner (a ray that starts inside one hits its far side).
// Heights are those of terrain and platforms.
Ground world_ground(const World *world);

// The platform that is the highest ground at x, z, as found by Ground.height; NULL where that is terrain, or nothing.
const WorldPlatform *world_platform_under(const World *world, double x, double z, double from);

#endif
