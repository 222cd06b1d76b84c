// Constraint rows of the reduced-coordinate step. Row i requires a rate J u to equal its target and applies the impulse
// p for that, within bounds and yielding by its softness:
//   J u + softness p = target   where low < p < high, and   J u + softness p >= target at p = low, <= at p = high.
// The bounds of a friction row are its coefficient times an impulse of its normal row, see lcp.h.
#ifndef STAGGER_SIM_REDUCED_ROWS_H
#define STAGGER_SIM_REDUCED_ROWS_H

#include "sim/reduced/forest.h"

typedef enum RowState { ROW_LOW = -1, ROW_FREE = 0, ROW_HIGH = 1 } RowState;

// The dofs of a row along the path of a body. For two bodies of one tree, the shared part of the paths is in the first.
typedef struct RowBranch {
  const int *path; // indices of dofs, from the root down
  int length;      // of the path; 0: no branch
  int values;      // index of its first entry in Rows.whitened
} RowBranch;

typedef struct Row {
  int body, other;       // forest bodies on which it acts, other -1: none
  double wrench[2][6];   // of unit impulse on both bodies about their O: the rate J u is the product with the motions
  RowBranch branches[2]; // for both bodies
  double target;         // m/s or rad/s
  double softness;       // rate per impulse
  double low, high;      // N s or N m s; not used by friction rows
  int normal;            // friction: index of the row whose impulse bounds it, else -1
  double friction;       // coefficient
  double impulse;        // the result; before that a guess
  RowState state;        // state of the impulse, likewise
  double smooth_impulse; // impulse and state of the solution without friction
  RowState smooth_state;
  int root, other_root; // of the one or two trees on which it acts: indices of the forest's bodies
} Row;

typedef struct Rows {
  Row *rows;
  double *whitened; // D^-1/2 L^-T J^T: the inner product of two rows is J M^-1 J^T
  int count, value_count;
  int row_capacity, whitened_capacity;
  bool out_of_memory; // a row could not be added
} Rows;

void rows_free(Rows *rows);
void rows_clear(Rows *rows);

// Allocates memory for that many rows and entries. False when there is none.
bool rows_reserve(Rows *rows, int count, int values);

// Appends `count` rows on the same one or two bodies (second -1: none), with zero wrenches. Returns the first, or -1
// when out of memory.
int rows_add(Rows *rows, const Forest *forest, int first_body, int second_body, int count);

// Adds to a row the rate of rotation about an axis, or of a point's motion along a direction, of its first body
// relative to its second one. World axes; points in m from O of each body's tree; other_point is unused without a
// second body.
void rows_turn(Rows *rows, int row, const double axis[3]);
void rows_move(Rows *rows, int row, const double point[3], const double other_point[3], const double direction[3]);

// The rate J u of a row, from the motions of all bodies at the rates u.
double rows_rate(const Row *row, const double *motions);

// Number of dofs that two paths have in common at their beginning.
static inline int rows_shared(const RowBranch *a, const RowBranch *b) {
  int most = a->length < b->length ? a->length : b->length, shared = 0;
  if (a->path == b->path) // of the same body
    return most;
  while (shared < most && a->path[shared] == b->path[shared])
    shared++;
  return shared;
}

// Whitens all rows with the forest's factors.
void rows_whiten(Rows *rows, const Forest *forest);

#endif
