// Platforms: boxes that stand in the world or move through it by a given motion and carry what stands on them. Nothing
// moves them but that motion (they are kinematic). Feet, rays and metrics take them for ground.
#ifndef STAGGER_SIM_PLATFORM_H
#define STAGGER_SIM_PLATFORM_H

#include "sim/world.h"

enum { PLATFORM_MAX = 64 };

// Adds a box of that size (m, along its own x, y, z) to the world. Returns the index of its body; -1 when the world is
// full. name must outlive the world.
int platform_create(World *world, const char *name, const double size[3], const double position[3], double yaw);

// Where it shall be at the end of the coming step: its velocity takes it there. Before every world_step of one that
// moves. False, and it stands, when a number is not finite.
bool platform_move(World *world, int body, const double position[3], double yaw);

#endif
