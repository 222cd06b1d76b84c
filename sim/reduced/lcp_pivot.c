#include <math.h>

#include "sim/reduced/lcp_problem.h"

enum { MOST_BLOCKS = 6, MOST_TURNS = 60 };

// Impulses that differ by less than this share of the largest one are equal.
static const double SAME_IMPULSE = 1e-10;

static double *line(double *packed, int i) { return &packed[(size_t)i * ((size_t)i + 1) / 2]; }

void pivot_prepare(const Problem *p) {
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

static double largest_impulse(const Problem *p) {
  double largest = 1e-12;
  for (int i = 0; i < p->count; i++)
    largest = larger(largest, fabs(row_at(p, i)->impulse));
  return largest;
}

static int gather_free(const Problem *p) {
  int count = 0;
  for (int i = 0; i < p->count; i++)
    if (row_at(p, i)->state == ROW_FREE)
      p->lcp->free_rows[count++] = i;
  return count;
}

// Cholesky of the free rows' part. False when rounding has made it indefinite.
static bool factor_free(const Problem *p, int free_count) {
  const int *free_rows = p->lcp->free_rows;
  for (int i = 0; i < free_count; i++) {
    double *own = line(p->lcp->factor, i);
    const double *source = line(p->lcp->system, free_rows[i]);
    for (int k = 0; k <= i; k++) {
      const double *other = line(p->lcp->factor, k);
      double sum = source[free_rows[k]];
      for (int q = 0; q < k; q++)
        sum -= own[q] * other[q];
      if (k == i && !(sum > 0))
        return false;
      own[k] = k < i ? sum * other[k] : 1 / sqrt(sum); // the diagonal holds inverses
    }
  }
  p->lcp->factorings++;
  return true;
}

// The impulses of the free rows, those of the others given, into lcp->solution.
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
}

static void take_solution(const Problem *p, int free_count) {
  for (int i = 0; i < free_count; i++)
    row_at(p, p->lcp->free_rows[i])->impulse = p->lcp->solution[i];
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

// Where a row belongs, as the impulses and residuals are.
static RowState right_state(const Problem *p, int i, double tolerance) {
  const Row *row = row_at(p, i);
  double low = row->low, high = row->high, residual = p->lcp->residual[i];
  if (row->state == ROW_FREE)
    return row->impulse < low - tolerance ? ROW_LOW : row->impulse > high + tolerance ? ROW_HIGH : ROW_FREE;
  if (low == high) // friction of a contact that is off
    return row->state;
  double diagonal = line(p->lcp->system, i)[i];
  if (row->state == ROW_LOW)
    return residual < -tolerance * diagonal ? ROW_FREE : ROW_LOW;
  return residual > tolerance * diagonal ? ROW_FREE : ROW_HIGH;
}

// Takes all rows to their right state.
static bool pivot(const Problem *p, double tolerance) {
  bool changed = false;
  for (int i = 0; i < p->count; i++) {
    RowState state = right_state(p, i, tolerance);
    changed |= state != row_at(p, i)->state;
    row_at(p, i)->state = state;
  }
  return changed;
}

// Impulses back within bounds, and on them where they stay there.
static void clip(const Problem *p) {
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    if (row->state != ROW_FREE)
      row->impulse = row->state == ROW_LOW ? row->low : row->high;
    row->impulse = smaller(larger(row->impulse, row->low), row->high);
  }
}

bool pivot_blocks(const Problem *p) {
  clip(p);
  for (int turn = 0; turn < MOST_BLOCKS; turn++) {
    int free_count = gather_free(p);
    if (!factor_free(p, free_count))
      return false;
    solve_free(p, free_count);
    take_solution(p, free_count);
    find_residuals(p);
    bool changed = pivot(p, SAME_IMPULSE * largest_impulse(p));
    clip(p);
    if (!changed)
      return true;
  }
  return false;
}

// Goes from the impulses toward the free rows' solution, as far as all stay within bounds: the row that is there first
// stays at its bound. False when none was in the way.
static bool advance(const Problem *p, int free_count) {
  double share = 1;
  int blocking = -1;
  RowState side = ROW_FREE;
  for (int i = 0; i < free_count; i++) {
    const Row *row = row_at(p, p->lcp->free_rows[i]);
    double low = row->low, high = row->high, now = row->impulse, wanted = p->lcp->solution[i];
    double bound = wanted < low ? low : high;
    if (wanted >= low && wanted <= high)
      continue;
    double reach = (bound - now) / (wanted - now);
    if (reach < share || blocking < 0) {
      share = reach < share ? reach : share;
      blocking = p->lcp->free_rows[i];
      side = wanted < low ? ROW_LOW : ROW_HIGH;
    }
  }
  for (int i = 0; i < free_count; i++) {
    Row *row = row_at(p, p->lcp->free_rows[i]);
    row->impulse += share * (p->lcp->solution[i] - row->impulse);
  }
  if (blocking >= 0)
    row_at(p, blocking)->state = side;
  return blocking >= 0;
}

// Frees the row at a bound whose rate is the farthest on the wrong side. False when all are right.
static bool release(const Problem *p) {
  double tolerance = SAME_IMPULSE * largest_impulse(p), worst = 0;
  int wrong = -1;
  for (int i = 0; i < p->count; i++) {
    if (row_at(p, i)->state == ROW_FREE || right_state(p, i, tolerance) != ROW_FREE)
      continue;
    double gain = p->lcp->residual[i] * p->lcp->residual[i] / line(p->lcp->system, i)[i];
    if (gain > worst) {
      worst = gain;
      wrong = i;
    }
  }
  if (wrong >= 0)
    row_at(p, wrong)->state = ROW_FREE;
  return wrong >= 0;
}

// Active sets as in bounded least squares (Stark and Parker 1995): it always ends, but for rounding.
bool pivot_rows(const Problem *p) {
  clip(p);
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    int free_count = gather_free(p);
    if (!factor_free(p, free_count))
      return false;
    solve_free(p, free_count);
    bool blocked = advance(p, free_count);
    clip(p);
    if (blocked)
      continue;
    find_residuals(p);
    if (!release(p))
      return true;
  }
  return false;
}
