// A step of an ODE world in reduced coordinates: ODE's bodies, joints, motors and contacts are used as they are, but
// instead of six coordinates of every body only the dofs of the joints are solved for (Featherstone 2008). Joints
// cannot drift apart, motors are implicit and never exceed their limits, contacts have ODE's meaning. It takes a
// fraction of the time.
//
// The step is of second order in free motion: forces act at its ends, velocities are means over steps (Stoermer's
// scheme as in SHAKE, Ryckaert et al. 1977), whereas ODE projects old velocities onto new joints and loses energy.
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
  long problems;   // number of contact problems: sets of trees that touch something or each other
  long swept;      // number of these without an exact solution in the allowed iterations, solved by sweeps
} ReducedStats;

Reduced *reduced_create(void); // NULL: out of memory
void reduced_destroy(Reduced *reduced);

// Adds a contact for the coming step. first, second: indices of the bodies of that step; -1: not one of them, then
// second_ode or first_ode is a kinematic body or NULL. The contact is as for an ODE joint attached to both in this
// order, and so is f1 of the feedback, whose rest is 0. False when out of memory.
bool reduced_add_contact(Reduced *reduced, int first, int second, dBodyID first_ode, dBodyID second_ode,
                         const dContact *contact, dJointFeedback *feedback);

// Makes one step of all these bodies of one world. Allocates only when the numbers of bodies, rows etc. are larger than
// ever before. Errors (nothing has moved then): see forest_build and motors_build.
bool reduced_step(Reduced *reduced, dWorldID world, const dBodyID bodies[], int count, double h, Error *error);

ReducedStats reduced_stats(const Reduced *reduced);

// Saves or restores, between two steps, the data that steps leave for later ones; bodies and h as in reduced_step. The
// bodies' own state must be restored before.
void reduced_state(Reduced *reduced, const dBodyID bodies[], int count, double h, StateStream *stream);

#endif
