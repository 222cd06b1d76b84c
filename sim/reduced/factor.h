// The mass matrix of trees in packed rows, and its L^T D L factors, which fill nothing in (Featherstone, "Efficient
// factorization of the joint-space inertia matrix for branched kinematic trees", 2005).
//
// Row k holds the entries of dof k with its ancestors, from the root down, and the diagonal last. As the ancestors of
// an ancestor are a prefix of one's own, all inner loops run over consecutive numbers.
#ifndef STAGGER_SIM_REDUCED_FACTOR_H
#define STAGGER_SIM_REDUCED_FACTOR_H

typedef struct PackedRow {
  int start;            // of the row in the matrix
  int depth;            // ancestors of the dof: the row is depth + 1 long
  const int *ancestors; // dofs, from the root down; itself after them
} PackedRow;

// In place. Afterwards the diagonal holds the inverse of D.
void factor_packed(double *matrix, const PackedRow rows[], int count);

// x := M^-1 x, M being what has been factored.
void factor_solve(const double *factor, const PackedRow rows[], int count, double *x);

// The second half of that alone: x := L^-1 x.
void factor_solve_lower(const double *factor, const PackedRow rows[], int count, double *x);

#endif
