// Constraint rows: the dofs on which each acts, its rate, and its whitened form.
#include "sim/reduced/rows.h"

#include "sim/base/reserve.h"
#include "sim/reduced/articulated.h"
#include "sim/reduced/spatial.h"

void rows_free(Rows *rows) {
  free(rows->rows);
  free(rows->whitened);
  *rows = (Rows){0};
}

bool rows_reserve(Rows *rows, int count, int values) {
  return reserve(&rows->rows, &rows->row_capacity, count, sizeof *rows->rows) &&
         reserve(&rows->whitened, &rows->whitened_capacity, values, sizeof(double));
}

void rows_clear(Rows *rows) {
  rows->count = rows->value_count = 0;
  rows->out_of_memory = false;
}

int rows_add(Rows *rows, const Forest *forest, int first_body, int second_body, int count) {
  const ForestBody *a = &forest->bodies[first_body], *b = second_body < 0 ? NULL : &forest->bodies[second_body];
  int length = a->depth + (b ? b->depth : 0), first = rows->count;
  if (!rows_reserve(rows, first + count, rows->value_count + count * length)) {
    rows->out_of_memory = true;
    return -1;
  }
  for (; rows->count < first + count; rows->value_count += length)
    rows->rows[rows->count++] =
        (Row){.body = first_body,
              .other = second_body,
              .branches = {{a->path, a->depth, rows->value_count},
                           {b ? b->path : NULL, b ? b->depth : 0, rows->value_count + a->depth}},
              .normal = -1,
              .root = a->root,
              .other_root = b ? b->root : a->root};
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

// Removes from a row's second path the part that it shares with the first.
static void merge_branches(Rows *rows, Row *row) {
  double *first = &rows->whitened[row->branches[0].values], *second = &rows->whitened[row->branches[1].values];
  int shared = rows_shared(&row->branches[0], &row->branches[1]);
  for (int i = 0; i < shared; i++) {
    first[i] += second[i];
    second[i] = 0;
  }
  if (shared == row->branches[1].length)
    row->branches[1].length = 0;
}

// Whitens one branch of up to three rows on the same bodies.
static void whiten_branch(Rows *rows, const Forest *forest, int first, int count, int branch) {
  const double *wrenches[3];
  double *entries[3];
  for (int n = 0; n < count; n++) {
    wrenches[n] = rows->rows[first + n].wrench[branch];
    entries[n] = &rows->whitened[rows->rows[first + n].branches[branch].values];
  }
  const Row *row = &rows->rows[first];
  articulated_whiten(forest, branch == 0 ? row->body : row->other, count, wrenches, entries);
}

void rows_whiten(Rows *rows, const Forest *forest) {
  for (int i = 0, end; i < rows->count; i = end) {
    const Row *row = &rows->rows[i];
    for (end = i + 1; end < rows->count && end < i + 3; end++)
      if (rows->rows[end].body != row->body || rows->rows[end].other != row->other)
        break;
    whiten_branch(rows, forest, i, end - i, 0);
    if (row->other < 0)
      continue;
    whiten_branch(rows, forest, i, end - i, 1);
    for (int n = i; n < end && row->root == row->other_root; n++)
      merge_branches(rows, &rows->rows[n]);
  }
}
