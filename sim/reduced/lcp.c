// Solves the contact problem of an island: pivoting from a guess, sweeps where that fails; friction is bounded by the
// normal impulses of the frictionless solution.
#include <math.h>

#include "sim/base/reserve.h"
#include "sim/reduced/lcp_internal.h"
#include "sim/reduced/spatial.h"

// Larger problems are solved by sweeps, since factoring takes time proportional to the third power.
enum { DIRECT_ROWS = 240 };

// In problems with more rows, as of lying bodies, block pivoting usually cycles, while few rows change their state from
// the last step.
enum { MANY_ROWS = 36 };

enum { FEW_SWEEPS = 15, MANY_SWEEPS = 60 }; // to find the rows' states; as the final solution
static const double SWEPT_ENOUGH = 1e-6;    // change in a sweep, relative to the largest impulse

void lcp_free(Lcp *lcp) {
  free(lcp->system);
  free(lcp->factor);
  free(lcp->gap);
  free(lcp->guess);
  free(lcp->friction_guess);
  free(lcp->friction_state);
  free(lcp->residual);
  free(lcp->solution);
  free(lcp->ahead);
  free(lcp->triples);
  free(lcp->free_rows);
  free(lcp->listed);
  *lcp = (Lcp){0};
}

bool lcp_reserve(Lcp *lcp, int count) {
  if (count <= lcp->ready_for)
    return true;
  const int direct = count <= DIRECT_ROWS ? count : 0;
  const bool done = reserve(&lcp->gap, &lcp->gap_capacity, count, sizeof(double)) &&
                    reserve(&lcp->guess, &lcp->guess_capacity, count, sizeof(double)) &&
                    reserve(&lcp->friction_guess, &lcp->friction_guess_capacity, count, sizeof(double)) &&
                    reserve(&lcp->friction_state, &lcp->friction_state_capacity, count, sizeof *lcp->friction_state) &&
                    reserve(&lcp->residual, &lcp->residual_capacity, count, sizeof(double)) &&
                    reserve(&lcp->solution, &lcp->solution_capacity, count, sizeof(double)) &&
                    reserve(&lcp->ahead, &lcp->ahead_capacity, count, sizeof(double)) &&
                    reserve(&lcp->free_rows, &lcp->free_capacity, count, sizeof(int)) &&
                    reserve(&lcp->listed, &lcp->listed_capacity, count, sizeof *lcp->listed) &&
                    reserve(&lcp->triples, &lcp->triple_capacity, direct, sizeof *lcp->triples) &&
                    reserve(&lcp->system, &lcp->system_capacity, direct * direct, sizeof(double)) &&
                    reserve(&lcp->factor, &lcp->factor_capacity, direct * (direct + 1) / 2, sizeof(double));
  if (done && direct > 0)
    lcp->ready_for = direct;
  return done;
}

static double whitened_dot(const Rows *rows, const Row *row, const double *dense) {
  double sum = 0;
  for (int b = 0; b < 2; b++) {
    const RowBranch *branch = &row->branches[b];
    for (int i = 0; i < branch->length; i++)
      sum += rows->whitened[branch->values + i] * dense[branch->path[i]];
  }
  return sum;
}

// J M^-1 J^T of a row.
static double whitened_square(const Rows *rows, const Row *row) {
  double sum = 0;
  for (int b = 0; b < 2; b++) {
    const double *values = &rows->whitened[row->branches[b].values];
    for (int i = 0; i < row->branches[b].length; i++)
      sum += values[i] * values[i];
  }
  return sum;
}

// Most impulses that are 0, or do not change, are those of rows at a bound.
static void whitened_add(const Rows *rows, const Row *row, double scale, double *dense) {
  if (scale == 0)
    return;
  for (int b = 0; b < 2; b++) {
    const RowBranch *branch = &row->branches[b];
    for (int i = 0; i < branch->length; i++)
      dense[branch->path[i]] += scale * rows->whitened[branch->values + i];
  }
}

// The same for all rows: three on the same bodies, as those of a contact, at once. For each dof they are added in
// order.
static void whitened_add_all(const Problem *p, double *dense) {
  for (int first = 0, count; first < p->count; first += count) {
    const Row *row = row_at(p, first);
    const bool three =
        first + 3 <= p->count && same_bodies(row_at(p, first + 1), row) && same_bodies(row_at(p, first + 2), row);
    count = three ? 3 : 1;
    if (!three) {
      whitened_add(p->rows, row, row->impulse, dense);
      continue;
    }
    const Row *second = row_at(p, first + 1), *third = row_at(p, first + 2);
    if (row->impulse == 0 && second->impulse == 0 && third->impulse == 0)
      continue;
    for (int b = 0; b < 2; b++) {
      const int *path = row->branches[b].path, length = row->branches[b].length;
      const double *x = &p->rows->whitened[row->branches[b].values];
      const double *y = &p->rows->whitened[second->branches[b].values];
      const double *z = &p->rows->whitened[third->branches[b].values];
      for (int i = 0; i < length; i++)
        dense[path[i]] = dense[path[i]] + row->impulse * x[i] + second->impulse * y[i] + third->impulse * z[i];
    }
  }
}

static void whitened_clear(const Row *row, double *dense) {
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < row->branches[b].length; i++)
      dense[row->branches[b].path[i]] = 0;
}

static double project(Row *row, double wanted) {
  row->state = wanted <= row->low ? ROW_LOW : wanted >= row->high ? ROW_HIGH : ROW_FREE;
  return min_d(max_d(wanted, row->low), row->high);
}

// Gauss-Seidel sweeps from given impulses.
static void sweep(const Problem *p, const double *guess, int most) {
  double *diagonal = p->lcp->residual, change = 1, largest = 0;
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    diagonal[i] = whitened_square(p->rows, row) + row->softness;
    row->impulse = project(row, guess[i]);
    whitened_add(p->rows, row, row->impulse, p->momentum);
  }
  for (int s = 0; s < most && change > SWEPT_ENOUGH * largest; s++) {
    change = largest = 0;
    for (int i = 0; i < p->count; i++) {
      Row *row = row_at(p, i);
      double rate = whitened_dot(p->rows, row, p->momentum) + row->softness * row->impulse - p->lcp->gap[i];
      double next = project(row, row->impulse - rate / diagonal[i]);
      change = max_d(change, fabs(next - row->impulse));
      largest = max_d(largest, fabs(next));
      whitened_add(p->rows, row, next - row->impulse, p->momentum);
      row->impulse = next;
    }
  }
  for (int i = 0; i < p->count; i++)
    whitened_clear(row_at(p, i), p->momentum);
}

static void note_impulses(const Problem *p) {
  for (int i = 0; i < p->count; i++)
    p->lcp->guess[i] = row_at(p, i)->impulse;
}

// Computes the impulses within the rows' bounds, exactly if possible.
static void settle(const Problem *p) {
  bool direct = p->count <= DIRECT_ROWS;
  note_impulses(p);
  if (direct && p->count > MANY_ROWS && pivot_rows(p))
    return;
  if (direct && p->count <= MANY_ROWS && pivot_blocks(p))
    return;
  if (direct) {
    sweep(p, p->lcp->guess, FEW_SWEEPS);
    note_impulses(p);
    if (pivot_rows(p))
      return;
  }
  p->lcp->swept++;
  sweep(p, p->lcp->guess, MANY_SWEEPS);
}

// Friction as in ODE's exact stepper: bounded by the normal impulses of the solution without friction.
static void bound_friction(const Problem *p) {
  bool any = false;
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    p->lcp->friction_guess[i] = row->impulse;
    p->lcp->friction_state[i] = row->state;
    row->impulse = row->smooth_impulse;
    row->state = row->smooth_state;
    if (row->normal < 0)
      continue;
    any = true;
    row->low = row->high = row->impulse = 0;
    row->state = ROW_LOW;
  }
  if (any)
    settle(p);
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    row->smooth_impulse = row->impulse;
    row->smooth_state = row->state;
    row->impulse = p->lcp->friction_guess[i];
    row->state = p->lcp->friction_state[i];
    if (row->normal < 0)
      continue;
    row->high = row->friction * max_d(p->rows->rows[row->normal].smooth_impulse, 0); // the normal row precedes it
    row->low = -row->high;
  }
}

bool lcp_solve(Lcp *lcp, Rows *rows, const int list[], int count, const double *motions, double *momentum,
               bool is_new) {
  if (!lcp_reserve(lcp, count))
    return false;
  const Problem p = {lcp, rows, lcp->listed, count, momentum};
  for (int i = 0; i < count; i++)
    lcp->listed[i] = &rows->rows[list[i]];
  lcp->solves++;
  for (int i = 0; i < count; i++)
    lcp->gap[i] = row_at(&p, i)->target - rows_rate(row_at(&p, i), motions);
  if (count <= DIRECT_ROWS && is_new)
    system_fill(&p);
  bound_friction(&p);
  settle(&p);
  whitened_add_all(&p, momentum);
  return true;
}
