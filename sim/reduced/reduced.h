// A step of an ODE world in reduced coordinates: ODE's bodies, joints, motors and contacts as they are, but what its
// stepper would solve for every body is solved for the dofs of the joints alone (Featherstone 2008). Joints cannot
// open, motors are implicit and never pull beyond their limits, contacts have ODE's meaning. It is a fraction of the
// work.
//
// The step is of second order in free motion: forces act at its ends, velocities are the mean ones of steps (Stoermer's
// scheme as in SHAKE, Ryckaert et al. 1977), where ODE projects old velocities onto new joints and loses energy.
#ifndef STAGGER_SIM_REDUCED_REDUCED_H
#define STAGGER_SIM_REDUCED_REDUCED_H

#include <ode/ode.h>

#include "sim/base/error.h"
#include "sim/base/state.h"

typedef struct Reduced Reduced;

// Counts since creation.
typedef struct ReducedStats {
  long steps;
  long factorings; // of mass matrices
  long pivots;     // factorings of contact problems
  long problems;   // contact problems: sets of trees that touch something or each other
  long swept;      // of these, those without an exact solution in the iterations allowed: solved by sweeps
} ReducedStats;

Reduced *reduced_create(void); // NULL: out of memory
void reduced_free(Reduced *reduced);

// Notes a contact for the coming step. first, second: indices into the bodies of that step, -1: none of them, then
// second_ode or first_ode is a kinematic body or NULL. The contact is as for an ODE joint attached to both in this
// order, and so is the feedback. False when out of memory.
bool reduced_add_contact(Reduced *reduced, int first, int second, dBodyID first_ode, dBodyID second_ode,
                         const dContact *contact, dJointFeedback *feedback);

// One step of all these bodies, which are of one world. It allocates only when there is more of something than ever
// before. Errors (nothing has moved then): see forest_build and motors_build.
bool reduced_step(Reduced *reduced, dWorldID world, const dBodyID bodies[], int count, double h, Error *error);

ReducedStats reduced_stats(const Reduced *reduced);

// Saves or restores, between two steps, what steps leave for those that follow; bodies and h as in reduced_step. When
// it restores, the bodies have their state already.
void reduced_state(Reduced *reduced, const dBodyID bodies[], int count, double h, StateStream *stream);

#endif
