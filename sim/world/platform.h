// Platforms: boxes that rest in the world or follow a given motion and carry what stands on them. No force moves them
// (they are kinematic). Feet, rays and metrics treat them as ground. They may turn and tilt; their upper side is
// ground.
#ifndef STAGGER_SIM_WORLD_PLATFORM_H
#define STAGGER_SIM_WORLD_PLATFORM_H

#include "sim/world/world.h"

enum { PLATFORM_MAX = WORLD_MAX_PLATFORMS };

// Adds a box of that size (m, along its own x, y, z) to the world, at rest; position: of its middle; rotation: w x y z,
// a unit quaternion. Returns the index of its body; -1 when the world is full, a number is not finite, the rotation is
// 0, or a size is not above 0. name must outlive the world.
int platform_create(World *world, const char *name, const double size[3], const double position[3],
                    const double rotation[4]);

// Gives a platform a Coulomb friction of its own with what touches it; below 0: the world's.
void platform_set_friction(World *world, int body, double friction);

// Sets where the platform will be at the end of the coming step: its velocity is chosen accordingly. For a moving
// platform, call before every world_step. It turns about one axis, the shorter way. False, and it stops, when a number
// is not finite, the rotation is 0, or the body is not a platform.
bool platform_move(World *world, int body, const double position[3], const double rotation[4]);

#endif
