// Constraint rows of the reduced-coordinate step. Row i wants the rate J u of something to be its target and gives the
// impulse p for it, within bounds and yielding by its softness:
//   J u + softness p = target   where low < p < high, and   J u + softness p >= target at p = low, <= at p = high.
// A friction row's bounds are its coefficient times an impulse of its normal row, see lcp.h.
#ifndef STAGGER_SIM_REDUCED_ROWS_H
#define STAGGER_SIM_REDUCED_ROWS_H

#include "sim/reduced/forest.h"

typedef enum RowState { ROW_LOW = -1, ROW_FREE = 0, ROW_HIGH = 1 } RowState;

typedef struct Row {
  int columns;          // start of its dofs in Rows.columns, ascending; several rows may share them
  int values;           // start of its entries in Rows.jacobian and Rows.whitened
  int length;           // of both
  double target;        // m/s or rad/s
  double softness;      // of the rate per impulse
  double low, high;     // N s or N m s; not used by friction rows
  int normal;           // friction: the row whose impulse bounds it, else -1
  double friction;      // coefficient
  double impulse;       // the result; before that a guess
  RowState state;       // the same: where the impulse is
  int root, other_root; // of the one or two trees that it acts on: indices into the forest's bodies
} Row;

typedef struct Rows {
  Row *rows;
  int *columns;
  double *jacobian;
  double *whitened; // D^-1/2 L^-T J^T: the inner products of two rows' are J M^-1 J^T
  int count, column_count, value_count;
  int row_capacity, column_capacity, jacobian_capacity, whitened_capacity;
  bool out_of_memory; // of a row that was not added
} Rows;

void rows_free(Rows *rows);
void rows_clear(Rows *rows);

// Memory for so many rows, shared columns and entries. False when there is none.
bool rows_reserve(Rows *rows, int count, int columns, int values);

// Appends `count` rows that act on the same bodies, one or two (second -1: none): all dofs on their paths, entries
// zero. Returns the first, or -1 when out of memory.
int rows_add(Rows *rows, const Forest *forest, int first_body, int second_body, int count);

// Adds sign times the rate of the body's turning about an axis, or of a point's motion along a direction, to a row that
// acts on the body. World axes; the point in m from O of the body's tree.
void rows_turn(Rows *rows, const Forest *forest, int row, int body, double sign, const double axis[3]);
void rows_move(Rows *rows, const Forest *forest, int row, int body, double sign, const double point[3],
               const double direction[3]);

// J u of a row.
double rows_rate(const Rows *rows, const Row *row, const double *u);

// Whitens all rows by the factored mass matrix. scratch: a number for each dof, zero, and left so.
void rows_whiten(Rows *rows, const Forest *forest, const double *factor, double *scratch);

#endif
