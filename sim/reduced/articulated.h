// The equations of motion of trees solved in articulated-body form, in time linear in the number of dofs (Featherstone,
// "Rigid Body Dynamics Algorithms", 2008, chapter 7; as factors of the mass matrix: Rodriguez, Jain and Kreutz-Delgado,
// "Spatial operator algebra for multibody system dynamics", 1992).
//
// Let M be the mass matrix with a stiffness on its diagonal; M = L^T D L. Row k of L is the push of dof k (see
// ForestDof) times the motions of the dofs above it, so neither M nor L is stored: a row is represented by 6 numbers
// for its dof.
//
// Motions are (angular velocity, velocity of the point at O), wrenches (moment about O, force), in world axes.
#ifndef STAGGER_SIM_REDUCED_ARTICULATED_H
#define STAGGER_SIM_REDUCED_ARTICULATED_H

#include "sim/reduced/forest.h"

// Factors M of a forest that has been read. stiffness: for each dof, kg or kg m^2.
void articulated_factor(Forest *forest, const double *stiffness);

// z := (L^T D)^-1 (J^T wrenches + drive). wrenches: 6 numbers for each body; those transmitted through joints are added
// to them. drive: N s or N m s for each dof.
void articulated_gather(const Forest *forest, double *wrenches, const double *drive, double *z);

// The motions of all bodies, 6 numbers each, and the rates u := L^-1 z.
void articulated_spread(const Forest *forest, const double *z, double *motions, double *u);

// Computes D^-1/2 L^-T J^T wrench for several wrenches on one body: entries for the dofs of its path.
void articulated_whiten(const Forest *forest, int body, int count, const double *const wrenches[],
                        double *const entries[]);

#endif
