// Contacts of the world with its platforms. Between sim/world/world.c and sim/world/platform_contact.c.
#ifndef STAGGER_SIM_WORLD_PLATFORM_CONTACT_H
#define STAGGER_SIM_WORLD_PLATFORM_CONTACT_H

#include "sim/world/world.h"

// Prepares a contact of a body with a platform, the normal pointing toward the body. Returns the ODE body that its
// joint is to be attached to: not the platform's own, through which all that stand on it would become one system of
// equations, but one that moves alike and touches nobody else.
dBodyID platform_contact(World *world, const WorldBody *body, const WorldBody *platform, dContact *contact);

// After ODE's step.
void platform_contacts_end(World *world);

#endif
