// The impulses of a set of rows: a linear complementarity problem with bounds, solved exactly by pivoting whole blocks
// of rows between bound and free (Judice and Pires, "A block principal pivoting algorithm for large-scale strictly
// monotone linear complementarity problems", 1994), where that goes round in circles row by row, and where there are
// too many, by projected Gauss-Seidel sweeps (Erleben 2007), whose error is in the rates alone: impulses are within
// their bounds always. Friction is bounded by the normal impulses found without any, as in ODE's exact stepper.
#ifndef STAGGER_SIM_REDUCED_LCP_H
#define STAGGER_SIM_REDUCED_LCP_H

#include "sim/reduced/rows.h"

typedef struct Triple Triple;

typedef struct Lcp {
  double *system;         // J M^-1 J^T + softness of the rows, all of it
  double *factor;         // Cholesky's of the free ones, packed lower triangle
  Triple *triples;        // see lcp_system.c
  double *guess;          // by row
  double *friction_guess; // by row, and its state
  RowState *friction_state;
  double *gap;      // by row: target - J u of what moves without impulses
  double *residual; // by row
  double *solution; // by free row
  double *ahead;    // by free row: the factor's L^-1 times what its rate still lacks, see pivot_rows
  int *free_rows;
  int system_capacity, factor_capacity, guess_capacity, friction_guess_capacity, friction_state_capacity, gap_capacity,
      residual_capacity, solution_capacity, ahead_capacity, free_capacity, triple_capacity;
  long solves, factorings, swept; // counts: problems, factorings, problems that needed sweeps
} Lcp;

void lcp_free(Lcp *lcp);

// Memory for problems of so many rows. False when there is none.
bool lcp_reserve(Lcp *lcp, int count);

// Finds the impulses of the rows listed, which no row outside of the list shares a tree with. motions: of the bodies
// without any impulse. momentum: a number for each dof, zero; the sum of impulse * whitened is added. is_new: whether
// rows or matrix are others than in the last call. False when out of memory.
bool lcp_solve(Lcp *lcp, Rows *rows, const int list[], int count, const double *motions, double *momentum, bool is_new);

#endif
