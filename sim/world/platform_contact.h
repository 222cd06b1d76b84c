// Contacts of the world with its platforms; for world.c and platform_contact.c.
#ifndef STAGGER_SIM_WORLD_PLATFORM_CONTACT_H
#define STAGGER_SIM_WORLD_PLATFORM_CONTACT_H

#include "sim/world/world.h"

// Prepares a contact of a body with a platform, the normal pointing toward the body. Returns the ODE body to which the
// joint must be attached: not the platform's own, which would connect all bodies on it in one system of equations, but
// one that moves alike and touches no other body.
dBodyID platform_contact(World *world, const WorldBody *body, const WorldBody *platform, dContact *contact);

// How far a point at `arm` (m, from the middle) of a body of that angular velocity (rad/s) comes within dt (s) on its
// arc, less `tangent` times the way along the arc's first tangent.
void platform_arc(const double spin[3], const double arm[3], double dt, double tangent, double way[3]);

// Call after ODE's step.
void platform_contacts_end(World *world);

#endif
