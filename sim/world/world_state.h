// Saves and restores a world, see sim/base/state.h.
#ifndef STAGGER_SIM_WORLD_WORLD_STATE_H
#define STAGGER_SIM_WORLD_WORLD_STATE_H

#include "sim/base/state.h"
#include "sim/world/world.h"

// Between two steps. Bodies created at run time (balls and stand-ins of platforms) are created again or removed; all
// others must be those of the scene. The description and its parameters are not written; the caller must use the same.
// A world that ODE left in an unfinished step (world->broken) can neither be saved nor restored: an error.
void world_state(World *world, StateStream *stream);

#endif
