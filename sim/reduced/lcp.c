#include "sim/reduced/lcp.h"

#include <math.h>

#include "sim/reduced/spatial.h"

// Problems with more rows are swept: factoring grows with the third power.
enum { DIRECT_ROWS = 240 };
enum { MOST_PIVOTS = 40, PATIENCE = 3 }; // iterations; those without progress before single rows are pivoted
enum { SWEEPS = 50 };

// Impulses that differ by less than this share of the largest one are equal.
static const double SAME_IMPULSE = 1e-10, SAME_FRICTION = 1e-5, SWEPT_ENOUGH = 1e-6;

void lcp_free(Lcp *lcp) {
  free(lcp->system);
  free(lcp->factor);
  free(lcp->gap);
  free(lcp->residual);
  free(lcp->solution);
  free(lcp->free_rows);
  *lcp = (Lcp){0};
}

// A problem as the functions below see it.
typedef struct Problem {
  Lcp *lcp;
  Rows *rows;
  const int *list;
  int count;
  double *momentum; // also scratch: zero between uses until the end
} Problem;

static Row *row_at(const Problem *p, int i) { return &p->rows->rows[p->list[i]]; }

static double whitened_dot(const Rows *rows, const Row *row, const double *dense) {
  const int *columns = &rows->columns[row->columns];
  const double *whitened = &rows->whitened[row->values];
  double sum = 0;
  for (int i = 0; i < row->length; i++)
    sum += whitened[i] * dense[columns[i]];
  return sum;
}

static void whitened_add(const Rows *rows, const Row *row, double scale, double *dense) {
  const int *columns = &rows->columns[row->columns];
  const double *whitened = &rows->whitened[row->values];
  for (int i = 0; i < row->length; i++)
    dense[columns[i]] += scale * whitened[i];
}

static void whitened_clear(const Rows *rows, const Row *row, double *dense) {
  const int *columns = &rows->columns[row->columns];
  for (int i = 0; i < row->length; i++)
    dense[columns[i]] = 0;
}

static double *line(double *packed, int i) { return &packed[(size_t)i * ((size_t)i + 1) / 2]; }

static void build_system(const Problem *p) {
  for (int i = 0; i < p->count; i++) {
    const Row *row = row_at(p, i);
    double *own = line(p->lcp->system, i);
    whitened_add(p->rows, row, 1, p->momentum);
    for (int k = 0; k <= i; k++)
      own[k] = whitened_dot(p->rows, row_at(p, k), p->momentum);
    own[i] += row->softness;
    whitened_clear(p->rows, row, p->momentum);
  }
}

static double entry(const Problem *p, int i, int k) {
  return i >= k ? line(p->lcp->system, i)[k] : line(p->lcp->system, k)[i];
}

static void bounds_of(const Problem *p, const Row *row, double *low, double *high) {
  *low = row->low;
  *high = row->high;
  if (row->normal < 0)
    return;
  double normal = p->rows->rows[row->normal].impulse;
  *high = normal > 0 ? row->friction * normal : 0;
  *low = -*high;
}

static int gather_free(const Problem *p) {
  int count = 0;
  for (int i = 0; i < p->count; i++)
    if (row_at(p, i)->state == ROW_FREE)
      p->lcp->free_rows[count++] = i;
  return count;
}

// Cholesky of the free rows' part.
static void factor_free(const Problem *p, int free_count) {
  const int *free_rows = p->lcp->free_rows;
  for (int i = 0; i < free_count; i++) {
    double *own = line(p->lcp->factor, i);
    const double *source = line(p->lcp->system, free_rows[i]);
    for (int k = 0; k <= i; k++) {
      const double *other = line(p->lcp->factor, k);
      double sum = source[free_rows[k]];
      for (int q = 0; q < k; q++)
        sum -= own[q] * other[q];
      own[k] = k < i ? sum * other[k] : 1 / sqrt(sum); // the diagonal holds inverses
    }
  }
  p->lcp->factorings++;
}

// The impulses of the free rows, those of the others given.
static void solve_free(const Problem *p, int free_count) {
  double *x = p->lcp->solution;
  const int *free_rows = p->lcp->free_rows;
  for (int i = 0; i < free_count; i++)
    x[i] = p->lcp->gap[free_rows[i]];
  for (int k = 0; k < p->count; k++) {
    const Row *row = row_at(p, k);
    for (int i = 0; row->state != ROW_FREE && row->impulse != 0 && i < free_count; i++)
      x[i] -= entry(p, free_rows[i], k) * row->impulse;
  }
  for (int i = 0; i < free_count; i++) {
    const double *own = line(p->lcp->factor, i);
    for (int q = 0; q < i; q++)
      x[i] -= own[q] * x[q];
    x[i] *= own[i];
  }
  for (int i = free_count - 1; i >= 0; i--) {
    const double *own = line(p->lcp->factor, i);
    x[i] *= own[i];
    for (int q = 0; q < i; q++)
      x[q] -= own[q] * x[i];
  }
  for (int i = 0; i < free_count; i++)
    row_at(p, free_rows[i])->impulse = x[i];
}

// By how much each row's rate is beyond its target.
static void find_residuals(const Problem *p) {
  for (int i = 0; i < p->count; i++) {
    double sum = -p->lcp->gap[i];
    if (row_at(p, i)->state != ROW_FREE) // zero for the others
      for (int k = 0; k < p->count; k++)
        sum += entry(p, i, k) * row_at(p, k)->impulse;
    p->lcp->residual[i] = sum;
  }
}

static double largest_impulse(const Problem *p) {
  double largest = 1e-12;
  for (int i = 0; i < p->count; i++)
    largest = fmax(largest, fabs(row_at(p, i)->impulse));
  return largest;
}

// Where a row belongs, as the impulses and residuals are.
static RowState right_state(const Problem *p, int i, double tolerance) {
  const Row *row = row_at(p, i);
  double low, high, residual = p->lcp->residual[i];
  bounds_of(p, row, &low, &high);
  if (row->state == ROW_FREE)
    return row->impulse < low - tolerance ? ROW_LOW : row->impulse > high + tolerance ? ROW_HIGH : ROW_FREE;
  if (low == high) // friction of a contact that is off
    return row->state;
  double diagonal = line(p->lcp->system, i)[i];
  if (row->state == ROW_LOW)
    return residual < -tolerance * diagonal ? ROW_FREE : ROW_LOW;
  return residual > tolerance * diagonal ? ROW_FREE : ROW_HIGH;
}

// Takes rows to their right state: all, or the last wrong one alone. Returns how many were wrong.
static int pivot(const Problem *p, bool all, double tolerance) {
  int wrong = 0, last = -1;
  for (int i = 0; i < p->count; i++)
    if (right_state(p, i, tolerance) != row_at(p, i)->state) {
      wrong++;
      last = i;
    }
  if (wrong == 0)
    return 0;
  for (int i = all ? 0 : last; i <= last; i++) // normal rows before their friction rows, whose bounds they are
    row_at(p, i)->state = right_state(p, i, tolerance);
  return wrong;
}

// Impulses at bounds to where the bounds are now. Returns the largest change.
static double clamp(const Problem *p) {
  double change = 0;
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    double low, high;
    bounds_of(p, row, &low, &high);
    if (row->state == ROW_FREE)
      continue;
    double bound = row->state == ROW_LOW ? low : high;
    change = fmax(change, fabs(bound - row->impulse));
    row->impulse = bound;
  }
  return change;
}

// True when every row is where it belongs.
static bool solve_direct(const Problem *p) {
  int best = p->count + 1, patience = PATIENCE, free_count = 0;
  bool changed = true;
  clamp(p);
  for (int iteration = 0; iteration < MOST_PIVOTS; iteration++) {
    if (changed) {
      free_count = gather_free(p);
      factor_free(p, free_count);
    }
    solve_free(p, free_count);
    find_residuals(p);
    double largest = largest_impulse(p);
    patience--;
    int wrong = pivot(p, best == p->count + 1 || patience >= 0, SAME_IMPULSE * largest);
    if (wrong < best) {
      best = wrong;
      patience = PATIENCE;
    }
    changed = wrong > 0;
    if (clamp(p) <= SAME_FRICTION * largest && !changed)
      return true;
  }
  return false;
}

static double project(const Problem *p, Row *row, double wanted) {
  double low, high;
  bounds_of(p, row, &low, &high);
  row->state = wanted <= low ? ROW_LOW : wanted >= high ? ROW_HIGH : ROW_FREE;
  return fmin(fmax(wanted, low), high);
}

static void sweep(const Problem *p) {
  p->lcp->swept++;
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    const double *own = &p->rows->whitened[row->values];
    double sum = row->softness;
    for (int k = 0; k < row->length; k++)
      sum += own[k] * own[k];
    p->lcp->residual[i] = sum; // the diagonal
    row->impulse = isfinite(row->impulse) ? project(p, row, row->impulse) : 0;
    whitened_add(p->rows, row, row->impulse, p->momentum);
  }
  double change = 1, largest = 0;
  for (int s = 0; s < SWEEPS && change > SWEPT_ENOUGH * largest; s++) {
    change = largest = 0;
    for (int i = 0; i < p->count; i++) {
      Row *row = row_at(p, i);
      double rate = whitened_dot(p->rows, row, p->momentum) + row->softness * row->impulse - p->lcp->gap[i];
      double next = project(p, row, row->impulse - rate / p->lcp->residual[i]);
      change = fmax(change, fabs(next - row->impulse));
      largest = fmax(largest, fabs(next));
      whitened_add(p->rows, row, next - row->impulse, p->momentum);
      row->impulse = next;
    }
  }
}

bool lcp_solve(Lcp *lcp, Rows *rows, const int list[], int count, const double *u, double *momentum, bool is_new) {
  Problem p = {lcp, rows, list, count, momentum};
  bool direct = count <= DIRECT_ROWS;
  int packed = direct ? count * (count + 1) / 2 : 0;
  if (!reserve(&lcp->gap, &lcp->gap_capacity, count, sizeof(double)) ||
      !reserve(&lcp->residual, &lcp->residual_capacity, count, sizeof(double)) ||
      !reserve(&lcp->solution, &lcp->solution_capacity, count, sizeof(double)) ||
      !reserve(&lcp->free_rows, &lcp->free_capacity, count, sizeof(int)) ||
      !reserve(&lcp->system, &lcp->system_capacity, packed, sizeof(double)) ||
      !reserve(&lcp->factor, &lcp->factor_capacity, packed, sizeof(double)))
    return false;
  lcp->solves++;
  for (int i = 0; i < count; i++)
    lcp->gap[i] = row_at(&p, i)->target - rows_rate(rows, row_at(&p, i), u);
  if (direct && is_new)
    build_system(&p);
  if (!direct || !solve_direct(&p)) {
    sweep(&p);
    return true;
  }
  for (int i = 0; i < count; i++)
    whitened_add(rows, row_at(&p, i), row_at(&p, i)->impulse, momentum);
  return true;
}
