// Saving and restoring a world, see sim/base/state.h.
#ifndef STAGGER_SIM_WORLD_WORLD_STATE_H
#define STAGGER_SIM_WORLD_WORLD_STATE_H

#include "sim/base/state.h"
#include "sim/world/world.h"

// Between two steps. Bodies that were made while the world ran, balls and the stand-ins of platforms, are made again or
// go; all others have to be those of the scene. World and scene know each other by that: the description and its
// parameters are not written. A world that ODE left in the middle of a step (world->broken) can neither be saved nor
// restored: an error.
void world_state(World *world, StateStream *stream);

#endif
