// ODE's exact step, faster if motors are below their limits and contacts push and stick. For the stepper a row with a
// bound (a motor with a limit, a contact that can only push, friction) is an inequality, which costs a pivot; a row
// without one is an equation. A step is first solved without the bounds of rows that were far from them in the previous
// steps. If none of these bounds is exceeded, that is also the solution with bounds, since such problems have only one
// solution. If one is, the bodies of that island are reset and their step is solved again with it.
//
// There is one difference. ODE limits a contact's friction by the normal force that it would have if no contact had
// friction, which may be less than half of its actual normal force. So contacts are solved as equations only where
// their friction is below a third of the latter's limit, and where none of the bodies joined to them slides. Of 9110
// such steps of eight scenes 27 end at velocities that differ by more than 1e-5 (m/s, rad/s) from ODE's, by 0.11 at
// most.
#ifndef STAGGER_SIM_WORLD_EXACT_H
#define STAGGER_SIM_WORLD_EXACT_H

#include <ode/ode.h>
#include <stdbool.h>

#include "sim/base/state.h"

typedef struct Exact Exact;

// NULL without memory.
Exact *exact_create(void);
void exact_destroy(Exact *exact);

// Adds a contact of the next step, instead of dJointCreateContact, dJointAttach and dJointSetFeedback. `second` may be
// NULL; the feedback must not be NULL and must be valid until the step is done. False without memory.
bool exact_add_contact(Exact *exact, dBodyID first, dBodyID second, const dContact *contact, dJointFeedback *feedback);

// dWorldStep for a world of these bodies, all of them enabled, with the contacts added since the last step; their
// joints are created in the group, which the caller empties. Frees angular motors in user mode and linear motors that
// have a feedback and perpendicular axes; all others keep their limits. Forces and torques added by the caller act
// once, whatever is repeated. Afterwards the motors' parameters are as before, no limit is exceeded by more than
// rounding, and no contact pulls. False without memory for a step: bodies may then have moved or not, and the world
// cannot be used any more.
bool exact_step(Exact *exact, dWorldID ode, dJointGroupID contacts, const dBodyID bodies[], int body_count, double dt);

// Number of steps of which a part was solved more than once.
long exact_repeats(const Exact *exact);

// Saves or restores, between two steps, the data of the last step's contacts. bodies: all to which contacts can be
// attached, in a fixed order.
void exact_state(Exact *exact, const dBodyID bodies[], int body_count, StateStream *stream);

#endif
