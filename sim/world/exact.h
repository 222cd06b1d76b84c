// ODE's exact step, quicker where motors stay below their limits and contacts press and stick. To the stepper a row of
// its problem with a bound (a motor with a limit, a contact that can only push, friction) is an inequality, which costs
// a pivot; without one it is an equation. So a step is first solved without the bounds of rows that were far from
// theirs in the steps before. Where none of them is exceeded that is the solution with bounds, too: such problems have
// one solution only. Where one is, the bodies of that island are put back and their step is solved again with it.
//
// One thing differs. ODE allows a contact as much friction as goes with what it would press if no contact had friction,
// which may be less than half of what goes with what it presses. So contacts are solved as equations only where they
// rub with less than a third of the latter, and none of the bodies they are joined to slides. Of 9110 such steps of
// eight scenes 27 end at velocities that differ by more than 1e-5 (m/s, rad/s) from ODE's, by 0.11 at most.
#ifndef STAGGER_SIM_WORLD_EXACT_H
#define STAGGER_SIM_WORLD_EXACT_H

#include <ode/ode.h>
#include <stdbool.h>

#include "sim/base/state.h"

typedef struct Exact Exact;

// NULL without memory.
Exact *exact_create(void);
void exact_free(Exact *exact);

// A contact of the next step, in place of dJointCreateContact, dJointAttach and dJointSetFeedback. `second` may be
// NULL; the feedback is not, and lives until the step is done. False without memory.
bool exact_add_contact(Exact *exact, dBodyID first, dBodyID second, const dContact *contact, dJointFeedback *feedback);

// dWorldStep for a world of these bodies, all of them enabled, with the contacts that were added since the last step;
// their joints are made in the group, which the caller empties. Takes angular motors in user mode and linear motors,
// with a feedback, whose axes are at right angles to each other; all others keep their limits. Forces and torques that
// the caller added act once, whatever is repeated. The motors' parameters are as before when it returns, no limit is
// exceeded by more than rounding, and no contact pulls. False without memory for a step: then bodies may have moved or
// not, and the world is of no use any more.
bool exact_step(Exact *exact, dWorldID ode, dJointGroupID contacts, const dBodyID bodies[], int body_count, double dt);

// Steps of which a part was solved more than once.
long exact_repeats(const Exact *exact);

// Saves or restores, between two steps, what it keeps of the contacts of the last one. bodies: all that contacts can be
// attached to, in an order that stays the same.
void exact_state(Exact *exact, const dBodyID bodies[], int body_count, StateStream *stream);

#endif
