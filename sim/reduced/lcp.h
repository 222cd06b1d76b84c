// The impulses of a set of rows: a linear complementarity problem with bounds. It is solved exactly by pivoting whole
// blocks of rows between bound and free (Judice and Pires, "A block principal pivoting algorithm for large-scale
// strictly monotone linear complementarity problems", 1994); if that cycles, row by row; and if there are too many
// rows, by projected Gauss-Seidel sweeps (Erleben 2007), whose error is only in the rates: impulses are always within
// their bounds. Friction is bounded by the normal impulses of the solution without friction, as in ODE's exact stepper.
#ifndef STAGGER_SIM_REDUCED_LCP_H
#define STAGGER_SIM_REDUCED_LCP_H

#include "sim/reduced/rows.h"

typedef struct Triple Triple;

typedef struct Lcp {
  double *system;         // J M^-1 J^T + softness of the rows, full matrix
  double *factor;         // Cholesky factor for the free rows, packed lower triangle
  Triple *triples;        // see lcp_system.c
  double *guess;          // for each row
  double *friction_guess; // for each row, with its state
  RowState *friction_state;
  double *gap;      // for each row: target - J u of the motion without impulses
  double *residual; // for each row
  double *solution; // for each free row
  double *ahead;    // for each free row: L^-1 of the factor times the missing rate, see pivot_rows
  int *free_rows;
  Row **listed; // the rows of the problem
  int system_capacity, factor_capacity, guess_capacity, friction_guess_capacity, friction_state_capacity, gap_capacity,
      residual_capacity, solution_capacity, ahead_capacity, free_capacity, triple_capacity, listed_capacity;
  int ready_for;                  // rows of problems solved directly for which all of these suffice
  long solves, factorings, swept; // numbers of problems, of factorings, and of problems that needed sweeps
} Lcp;

void lcp_free(Lcp *lcp);

// Allocates memory for problems of `count` rows. False when there is none.
bool lcp_reserve(Lcp *lcp, int count);

// Finds the impulses of the rows listed, which no row outside of the list shares a tree with. motions: of the bodies
// without any impulse. momentum: a number for each dof, zero; the sum of impulse * whitened is added. is_new: whether
// rows or matrix are others than in the last call. False when out of memory.
bool lcp_solve(Lcp *lcp, Rows *rows, const int list[], int count, const double *motions, double *momentum, bool is_new);

#endif
