#include "sim/reduced/rows.h"

#include <math.h>

#include "sim/reduced/spatial.h"

void rows_free(Rows *rows) {
  free(rows->rows);
  free(rows->columns);
  free(rows->jacobian);
  free(rows->whitened);
  *rows = (Rows){0};
}

bool rows_reserve(Rows *rows, int count, int columns, int values) {
  return reserve(&rows->rows, &rows->row_capacity, count, sizeof *rows->rows) &&
         reserve(&rows->columns, &rows->column_capacity, columns, sizeof *rows->columns) &&
         reserve(&rows->jacobian, &rows->jacobian_capacity, values, sizeof(double)) &&
         reserve(&rows->whitened, &rows->whitened_capacity, values, sizeof(double));
}

void rows_clear(Rows *rows) {
  rows->count = rows->column_count = rows->value_count = 0;
  rows->out_of_memory = false;
}

// The dofs of one or two paths in ascending order, each once. Returns how many.
static int merge_paths(const ForestBody *a, const ForestBody *b, int *merged) {
  int i = 0, k = 0, count = 0, b_depth = b ? b->depth : 0;
  while (i < a->depth || k < b_depth) {
    bool from_a = k >= b_depth || (i < a->depth && a->path[i] <= b->path[k]);
    int dof = from_a ? a->path[i] : b->path[k];
    i += i < a->depth && a->path[i] == dof;
    k += k < b_depth && b->path[k] == dof;
    merged[count++] = dof;
  }
  return count;
}

int rows_add(Rows *rows, const Forest *forest, int first_body, int second_body, int count) {
  const ForestBody *a = &forest->bodies[first_body], *b = second_body < 0 ? NULL : &forest->bodies[second_body];
  int most = a->depth + (b ? b->depth : 0), values = rows->value_count + count * most;
  if (!rows_reserve(rows, rows->count + count, rows->column_count + most, values)) {
    rows->out_of_memory = true;
    return -1;
  }
  int columns = rows->column_count, length = merge_paths(a, b, &rows->columns[columns]), first = rows->count;
  rows->column_count += length;
  for (int i = 0; i < count; i++) {
    rows->rows[rows->count++] = (Row){.columns = columns,
                                      .values = rows->value_count,
                                      .length = length,
                                      .normal = -1,
                                      .root = a->root,
                                      .other_root = b ? b->root : a->root};
    memset(&rows->jacobian[rows->value_count], 0, (size_t)length * sizeof(double));
    rows->value_count += length;
  }
  return first;
}

// sign (axis . a_k + direction . v_k) into the row's columns, k being the dofs of the body's path.
static void add_wrench(Rows *rows, const Forest *forest, int row, int body, double sign, const double axis[3],
                       const double *direction) {
  const ForestBody *on = &forest->bodies[body];
  const int *columns = &rows->columns[rows->rows[row].columns];
  double *values = &rows->jacobian[rows->rows[row].values];
  for (int i = 0, c = 0; i < on->depth; i++) {
    const ForestDof *dof = &forest->dofs[on->path[i]];
    double rate = dot3(axis, dof->a) + (direction ? dot3(direction, dof->v) : 0);
    while (columns[c] != on->path[i])
      c++;
    values[c] += sign * rate;
  }
}

void rows_turn(Rows *rows, const Forest *forest, int row, int body, double sign, const double axis[3]) {
  add_wrench(rows, forest, row, body, sign, axis, NULL);
}

void rows_move(Rows *rows, const Forest *forest, int row, int body, double sign, const double point[3],
               const double direction[3]) {
  double moment[3];
  cross3(point, direction, moment);
  add_wrench(rows, forest, row, body, sign, moment, direction);
}

double rows_rate(const Rows *rows, const Row *row, const double *u) {
  const int *columns = &rows->columns[row->columns];
  const double *values = &rows->jacobian[row->values];
  double rate = 0;
  for (int i = 0; i < row->length; i++)
    rate += values[i] * u[columns[i]];
  return rate;
}

static void whiten(Rows *rows, const Forest *forest, const double *factor, const Row *row, double *scratch) {
  const int *columns = &rows->columns[row->columns];
  const double *values = &rows->jacobian[row->values];
  double *whitened = &rows->whitened[row->values];
  for (int i = 0; i < row->length; i++)
    scratch[columns[i]] = values[i];
  for (int i = row->length - 1; i >= 0; i--) {
    const PackedRow *packed = &forest->rows[columns[i]];
    const double *own = &factor[packed->start];
    double value = scratch[columns[i]];
    scratch[columns[i]] = 0;
    if (value == 0)
      whitened[i] = 0;
    else {
      for (int q = 0; q < packed->depth; q++)
        scratch[packed->ancestors[q]] -= own[q] * value;
      whitened[i] = value * sqrt(own[packed->depth]);
    }
  }
}

void rows_whiten(Rows *rows, const Forest *forest, const double *factor, double *scratch) {
  for (int i = 0; i < rows->count; i++)
    whiten(rows, forest, factor, &rows->rows[i], scratch);
}
