// The state of the physical world: ODE's bodies to the bit, the order in which ODE keeps their shapes, balls in flight,
// and what the solvers remember of the last step.
#ifndef STAGGER_SIM_WORLD_WORLD_STATE_H
#define STAGGER_SIM_WORLD_WORLD_STATE_H

#include "sim/base/state.h"
#include "sim/world/world.h"

// Parameters of the description (def) are no part of it. Restoring fails, with the world half restored, when the bytes
// hold other bodies than the world was made with, or numbers that are not finite: the caller then restores what it was.
void world_state(World *world, StateStream *stream);

#endif
