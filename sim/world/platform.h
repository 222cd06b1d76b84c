// Platforms: boxes that carry what stands on them. Feet, rays and metrics treat them as ground; they may turn and tilt,
// their upper side is ground. They rest or follow a given motion, which no force changes (they are kinematic); or they
// have a mass, and what stands on them moves them: a seesaw on its axle, the planks of a bridge on their ropes.
#ifndef STAGGER_SIM_WORLD_PLATFORM_H
#define STAGGER_SIM_WORLD_PLATFORM_H

#include "sim/world/world.h"

enum { PLATFORM_MAX = WORLD_MAX_PLATFORMS };

// Adds a box of that size (m, along its own x, y, z) to the world, at rest; position: of its middle; rotation: w x y z,
// a unit quaternion. Returns the index of its body; -1 when the world is full, a number is not finite, the rotation is
// 0, or a size is not above 0. name must outlive the world.
int platform_create(World *world, const char *name, const double size[3], const double position[3],
                    const double rotation[4]);

typedef struct PlatformAxle {
  double pivot_w[3], axis_w[3]; // m, a point of it; its direction, not 0; world, at present
} PlatformAxle;

// Lets forces move a platform that has this mass, kg, evenly distributed, and turns about an axle that is fixed to the
// world (NULL: moves freely). `decay`: s, in which its speed decays to 1/e by friction of its bearings or ropes and by
// the air. Not to be called for one body twice. False when a number is not finite, the axis is 0, mass or decay is not
// above 0, or the body is not a platform.
bool platform_release(World *world, int body, double mass, const PlatformAxle *axle, double decay);

// Gives a platform a Coulomb friction of its own with what touches it; below 0: the world's.
void platform_set_friction(World *world, int body, double friction);

// Sets where the platform will be at the end of the coming step: its velocity is chosen accordingly. For a moving
// platform, call before every world_step. It turns about one axis, the shorter way. False, and it stops, when a number
// is not finite, the rotation is 0, or the body is not a platform that follows a given motion.
bool platform_move(World *world, int body, const double position[3], const double rotation[4]);

#endif
