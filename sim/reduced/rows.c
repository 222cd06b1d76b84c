#include "sim/reduced/rows.h"

#include "sim/reduced/articulated.h"
#include "sim/reduced/spatial.h"

void rows_free(Rows *rows) {
  free(rows->rows);
  free(rows->columns);
  free(rows->whitened);
  *rows = (Rows){0};
}

bool rows_reserve(Rows *rows, int count, int columns, int values) {
  return reserve(&rows->rows, &rows->row_capacity, count, sizeof *rows->rows) &&
         reserve(&rows->columns, &rows->column_capacity, columns, sizeof *rows->columns) &&
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
    rows->rows[rows->count++] = (Row){.body = first_body,
                                      .other = second_body,
                                      .columns = columns,
                                      .values = rows->value_count,
                                      .length = length,
                                      .is_path = length == (b && b->depth > a->depth ? b->depth : a->depth),
                                      .normal = -1,
                                      .root = a->root,
                                      .other_root = b ? b->root : a->root};
    rows->value_count += length;
  }
  return first;
}

static void add_wrench(double wrench[6], double sign, const double point[3], const double direction[3]) {
  double moment[3];
  cross3(point, direction, moment);
  add_scaled3(wrench, sign, moment);
  add_scaled3(wrench + 3, sign, direction);
}

void rows_turn(Rows *rows, int row, const double axis[3]) {
  Row *to = &rows->rows[row];
  add_scaled3(to->wrench[0], 1, axis);
  if (to->other >= 0)
    add_scaled3(to->wrench[1], -1, axis);
}

void rows_move(Rows *rows, int row, const double point[3], const double other_point[3], const double direction[3]) {
  Row *to = &rows->rows[row];
  add_wrench(to->wrench[0], 1, point, direction);
  if (to->other >= 0)
    add_wrench(to->wrench[1], -1, other_point, direction);
}

double rows_rate(const Row *row, const double *motions) {
  double rate = dot6(six(row->wrench[0]), six(&motions[6 * row->body]));
  return row->other < 0 ? rate : rate + dot6(six(row->wrench[1]), six(&motions[6 * row->other]));
}

void rows_whiten(Rows *rows, const Forest *forest) {
  for (int i = 0; i < rows->count; i++) {
    const Row *row = &rows->rows[i];
    const int *columns = &rows->columns[row->columns];
    double *whitened = &rows->whitened[row->values];
    memset(whitened, 0, (size_t)row->length * sizeof *whitened);
    articulated_whiten(forest, row->body, row->wrench[0], columns, row->length, whitened);
    if (row->other >= 0)
      articulated_whiten(forest, row->other, row->wrench[1], columns, row->length, whitened);
  }
}
