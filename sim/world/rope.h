// Ropes: elastic lines between two points of bodies, or a body and the world. A rope pulls when it is longer than at
// rest, and never pushes; it has no mass and touches nothing.
//
// For the solvers it is a contact without friction whose normal runs along the rope and whose depth is its stretch,
// with the softness of a spring and damper (ODE's manual, "How to use ERP and CFM"). So it is implicit: a stiff rope on
// a light body remains stable. Like a contact it regains its length at `correction_speed` at most: it bears no more
// than (stiffness dt + damping) correction_speed, and gives way beyond. Its direction is that at the beginning of a
// step, so that the force with which it resists a motion across is explicit: a body of mass m shakes where the sum of
// tension over length of its ropes comes near m / dt^2, as with ropes of 2 cm under 2 kN on a plank of 9 kg.
#ifndef STAGGER_SIM_WORLD_ROPE_H
#define STAGGER_SIM_WORLD_ROPE_H

#include "sim/world/world.h"

// Adds a rope. Its bodies are indices, the first one not WORLD_GROUND, the second one WORLD_GROUND for the world;
// points_l are in m from the bodies' centres along their own axes, of the world in its coordinates. length: m, at rest,
// 0 for that between its ends at present; stiffness: N/m, above 0; damping: N s/m, 0 or more. False when the world has
// WORLD_MAX_ROPES, a body does not exist, both are the same, or a number is not finite or out of range.
bool rope_create(World *world, const int bodies[2], const double points_l[2][3], double length, double stiffness,
                 double damping);

// The ends of a rope, m, world.
void rope_ends(const World *world, int rope, double ends[2][3]);

// N, in the last step; 0 when it is slack.
double rope_tension(const World *world, int rope);

// Adds the contacts of the ropes that are stretched; for world_step. False without memory.
bool ropes_pull(World *world);

#endif
