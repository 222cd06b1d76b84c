// Platforms: boxes that stand in the world or move through it by a given motion and carry what stands on them. Nothing
// moves them but that motion (they are kinematic). Feet, rays and metrics take them for ground. They stay level: they
// turn about up alone.
#ifndef STAGGER_SIM_WORLD_PLATFORM_H
#define STAGGER_SIM_WORLD_PLATFORM_H

#include "sim/world/world.h"

enum { PLATFORM_MAX = WORLD_MAX_PLATFORMS };

// Adds a box of that size (m, along its own x, y, z) to the world, at rest; position: of its middle, yaw: rad about up.
// Returns the index of its body; -1 when the world is full or a number is not finite or a size not above 0. name must
// outlive the world.
int platform_create(World *world, const char *name, const double size[3], const double position[3], double yaw);

// Where it shall be at the end of the coming step: its velocity takes it there. Before every world_step of one that
// moves. It turns the short way. False, and it stands, when a number is not finite or the body is no platform.
bool platform_move(World *world, int body, const double position[3], double yaw);

#endif
