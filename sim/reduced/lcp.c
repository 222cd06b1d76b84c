#include "sim/reduced/lcp.h"

#include <math.h>

#include "sim/reduced/spatial.h"

// Problems with more rows are swept: factoring grows with the third power.
enum { DIRECT_ROWS = 240 };

// What is tried in turn: so many pivots; sweeps that tell where the rows are, and pivots from there; sweeps alone.
enum { MOST_ROUNDS = 60, MOST_BLOCKS = 4, FEW_SWEEPS = 15, MANY_SWEEPS = 60 };
enum { FULL_UPDATES = 3, MOST_UPDATES = 12 }; // of the bounds of friction

// Impulses that differ by less than this share of the largest one are equal.
static const double SAME_IMPULSE = 1e-10, SAME_FRICTION = 1e-4, SWEPT_ENOUGH = 1e-6;

void lcp_free(Lcp *lcp) {
  free(lcp->system);
  free(lcp->factor);
  free(lcp->gap);
  free(lcp->bound);
  free(lcp->guess);
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

static double largest_impulse(const Problem *p) {
  double largest = 1e-12;
  for (int i = 0; i < p->count; i++)
    largest = fmax(largest, fabs(row_at(p, i)->impulse));
  return largest;
}

static void bounds_of(const Problem *p, int i, double *low, double *high) {
  const Row *row = row_at(p, i);
  *low = row->normal < 0 ? row->low : -p->lcp->bound[i];
  *high = row->normal < 0 ? row->high : p->lcp->bound[i];
}

static double friction_bound(const Problem *p, const Row *row) {
  double normal = p->rows->rows[row->normal].impulse;
  return normal > 0 ? row->friction * normal : 0;
}

// Bounds of friction toward what the normal impulses allow now, by a share. Returns by how much the bounds were wrong.
static double update_bounds(const Problem *p, double share) {
  double change = 0;
  for (int i = 0; i < p->count; i++) {
    const Row *row = row_at(p, i);
    if (row->normal < 0)
      continue;
    double wrong = friction_bound(p, row) - p->lcp->bound[i];
    change = fmax(change, fabs(wrong));
    p->lcp->bound[i] += share * wrong;
  }
  return change;
}

// A solution for the present bounds of friction: whether they were right, or have been corrected so often that they are
// left. They swing where friction bears the weight; half steps calm that.
static bool bounds_agree(const Problem *p, int *updates) {
  double most = SAME_FRICTION * largest_impulse(p);
  return update_bounds(p, ++*updates > FULL_UPDATES ? 0.5 : 1) <= most || *updates == MOST_UPDATES;
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
  double low, high, residual = p->lcp->residual[i];
  bounds_of(p, i, &low, &high);
  if (row->state == ROW_FREE)
    return row->impulse < low - tolerance ? ROW_LOW : row->impulse > high + tolerance ? ROW_HIGH : ROW_FREE;
  if (low == high) // friction of a contact that is off
    return row->state;
  double diagonal = line(p->lcp->system, i)[i];
  if (row->state == ROW_LOW)
    return residual < -tolerance * diagonal ? ROW_FREE : ROW_LOW;
  return residual > tolerance * diagonal ? ROW_FREE : ROW_HIGH;
}

// Takes all rows to their right state; normal rows come before their friction rows, whose bounds they are.
static bool pivot(const Problem *p, double tolerance) {
  bool changed = false;
  for (int i = 0; i < p->count; i++) {
    RowState state = right_state(p, i, tolerance);
    changed |= state != row_at(p, i)->state;
    row_at(p, i)->state = state;
  }
  return changed;
}

// Impulses at bounds to where the bounds are.
static void clamp(const Problem *p) {
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    double low, high;
    bounds_of(p, i, &low, &high);
    if (row->state != ROW_FREE)
      row->impulse = row->state == ROW_LOW ? low : high;
  }
}

// True when every row is where it belongs. With given bounds of friction that is a convex problem; once it is solved
// the bounds follow the normal impulses, and so on.
static bool pivot_blocks(const Problem *p) {
  int free_count = 0, pivots = 0, updates = 0;
  bool changed = true;
  update_bounds(p, 1);
  clamp(p);
  for (int round = 0; round < MOST_ROUNDS && pivots <= MOST_BLOCKS; round++) {
    if (changed) {
      free_count = gather_free(p);
      if (!factor_free(p, free_count))
        return false;
    }
    solve_free(p, free_count);
    take_solution(p, free_count);
    find_residuals(p);
    changed = pivot(p, SAME_IMPULSE * largest_impulse(p));
    pivots += changed;
    if (!changed && bounds_agree(p, &updates))
      return true;
    clamp(p);
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
    double low, high, now = row_at(p, p->lcp->free_rows[i])->impulse, wanted = p->lcp->solution[i];
    bounds_of(p, p->lcp->free_rows[i], &low, &high);
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

// Impulses back within bounds that have moved.
static void clip(const Problem *p) {
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    double low, high;
    bounds_of(p, i, &low, &high);
    if (row->state != ROW_FREE)
      row->impulse = row->state == ROW_LOW ? low : high;
    row->impulse = fmin(fmax(row->impulse, low), high);
  }
}

// The same by single pivots, which always ends for given bounds (Stark and Parker's bounded least squares, 1995); it
// begins at impulses within bounds, and is quick when most rows are where they belong.
static bool pivot_rows(const Problem *p) {
  int free_count = 0, updates = 0;
  bool changed = true;
  update_bounds(p, 1);
  clip(p);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    if (changed) {
      free_count = gather_free(p);
      if (!factor_free(p, free_count))
        return false;
    }
    solve_free(p, free_count);
    changed = advance(p, free_count);
    if (changed) {
      clip(p);
      continue;
    }
    find_residuals(p);
    changed = release(p);
    if (!changed && bounds_agree(p, &updates))
      return true;
    clip(p);
  }
  return false;
}

static double project(const Problem *p, Row *row, double wanted) {
  double high = row->normal < 0 ? row->high : friction_bound(p, row), low = row->normal < 0 ? row->low : -high;
  row->state = wanted <= low ? ROW_LOW : wanted >= high ? ROW_HIGH : ROW_FREE;
  return fmin(fmax(wanted, low), high);
}

// Sweeps from given impulses. The momentum of the impulses is in p->momentum then.
static void sweep(const Problem *p, const double *guess, int most) {
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    const double *own = &p->rows->whitened[row->values];
    double sum = row->softness;
    for (int k = 0; k < row->length; k++)
      sum += own[k] * own[k];
    p->lcp->residual[i] = sum; // the diagonal
    row->impulse = project(p, row, guess[i]);
    whitened_add(p->rows, row, row->impulse, p->momentum);
  }
  double change = 1, largest = 0;
  for (int s = 0; s < most && change > SWEPT_ENOUGH * largest; s++) {
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

// Exactly if that goes; else by sweeps, which leave the impulses' momentum in p->momentum: then false.
static bool solve_exactly(const Problem *p) {
  double *guess = p->lcp->guess;
  for (int i = 0; i < p->count; i++)
    guess[i] = row_at(p, i)->impulse;
  bool direct = p->count <= DIRECT_ROWS;
  if (direct && pivot_blocks(p))
    return true;
  if (direct) {
    sweep(p, guess, FEW_SWEEPS);
    for (int i = 0; i < p->count; i++) {
      whitened_clear(p->rows, row_at(p, i), p->momentum);
      guess[i] = row_at(p, i)->impulse;
    }
    if (pivot_rows(p))
      return true;
  }
  p->lcp->swept++;
  sweep(p, guess, MANY_SWEEPS);
  return false;
}

bool lcp_reserve(Lcp *lcp, int count) {
  int packed = count <= DIRECT_ROWS ? count * (count + 1) / 2 : 0;
  return reserve(&lcp->gap, &lcp->gap_capacity, count, sizeof(double)) &&
         reserve(&lcp->guess, &lcp->guess_capacity, count, sizeof(double)) &&
         reserve(&lcp->bound, &lcp->bound_capacity, count, sizeof(double)) &&
         reserve(&lcp->residual, &lcp->residual_capacity, count, sizeof(double)) &&
         reserve(&lcp->solution, &lcp->solution_capacity, count, sizeof(double)) &&
         reserve(&lcp->free_rows, &lcp->free_capacity, count, sizeof(int)) &&
         reserve(&lcp->system, &lcp->system_capacity, packed, sizeof(double)) &&
         reserve(&lcp->factor, &lcp->factor_capacity, packed, sizeof(double));
}

bool lcp_solve(Lcp *lcp, Rows *rows, const int list[], int count, const double *u, double *momentum, bool is_new) {
  Problem p = {lcp, rows, list, count, momentum};
  if (!lcp_reserve(lcp, count))
    return false;
  lcp->solves++;
  for (int i = 0; i < count; i++)
    lcp->gap[i] = row_at(&p, i)->target - rows_rate(rows, row_at(&p, i), u);
  if (count <= DIRECT_ROWS && is_new)
    build_system(&p);
  memset(lcp->bound, 0, (size_t)count * sizeof *lcp->bound);
  bool exact = solve_exactly(&p);
  for (int i = 0; exact && i < count; i++)
    whitened_add(rows, row_at(&p, i), row_at(&p, i)->impulse, momentum);
  return true;
}
