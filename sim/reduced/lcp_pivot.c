#include <math.h>

#include "sim/reduced/lcp_problem.h"

enum { MOST_BLOCKS = 6, MOST_TURNS = 200 };

// Impulses that differ by less than this share of the largest one are equal.
static const double SAME_IMPULSE = 1e-10;

static double *line(double *packed, int i) { return &packed[(size_t)i * ((size_t)i + 1) / 2]; }

// Four sums at a time: one would wait for itself.
static double dot(const double *a, const double *b, int count) {
  Pair sums[2] = {{0}};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    Pair x[2], y[2];
    memcpy(x, &a[i], sizeof x);
    memcpy(y, &b[i], sizeof y);
    sums[0] += x[0] * y[0];
    sums[1] += x[1] * y[1];
  }
  sums[0] += sums[1];
  double sum = sums[0][0] + sums[0][1];
  for (; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

// The product of two rows of one path each: what the paths share is their beginning.
static double product_of_paths(const Rows *rows, const Row *a, const Row *b) {
  const int *columns = &rows->columns[a->columns], *others = &rows->columns[b->columns];
  const double *x = &rows->whitened[a->values], *y = &rows->whitened[b->values];
  int most = a->length < b->length ? a->length : b->length;
  double sum = 0;
  for (int i = 0; i < most && columns[i] == others[i]; i++)
    sum += x[i] * y[i];
  return sum;
}

void pivot_prepare(const Problem *p) {
  for (int i = 0; i < p->count; i++) {
    const Row *row = row_at(p, i);
    double *own = system_row(p, i);
    whitened_add(p->rows, row, 1, p->momentum);
    for (int k = 0; k <= i; k++) {
      const Row *other = row_at(p, k);
      own[k] = system_row(p, k)[i] = row->is_path && other->is_path ? product_of_paths(p->rows, row, other)
                                                                    : whitened_dot(p->rows, other, p->momentum);
    }
    own[i] += row->softness;
    whitened_clear(p->rows, row, p->momentum);
  }
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

// A line of Cholesky's factor of the free rows' part; the diagonal holds inverses. False when rounding has made the
// part indefinite.
static bool factor_line(const Problem *p, int i) {
  const int *free_rows = p->lcp->free_rows;
  double *own = line(p->lcp->factor, i);
  const double *source = system_row(p, free_rows[i]);
  for (int k = 0; k < i; k++) {
    const double *other = line(p->lcp->factor, k);
    own[k] = (source[free_rows[k]] - dot(own, other, k)) * other[k];
  }
  double square = source[free_rows[i]] - dot(own, own, i);
  own[i] = 1 / sqrt(square);
  return square > 0;
}

static bool factor_free(const Problem *p, int free_count) {
  p->lcp->factorings++;
  for (int i = 0; i < free_count; i++)
    if (!factor_line(p, i))
      return false;
  return true;
}

// Takes one of the free rows out of their factor: the lines below it lose a column, which comes back as an update of
// rank one (Golub and Van Loan, "Matrix Computations", 2013, 6.5.4).
static void drop_free(const Problem *p, int place, int free_count) {
  double *cosine = p->lcp->residual, *sine = p->lcp->solution; // of each column's rotation
  for (int i = place; i < free_count - 1; i++) {
    double *own = line(p->lcp->factor, i);
    const double *from = line(p->lcp->factor, i + 1);
    double lost = from[place], diagonal = 1 / from[i + 1];
    memmove(own, from, (size_t)place * sizeof *own);
    for (int k = place; k < i; k++) {
      own[k] = cosine[k] * from[k + 1] + sine[k] * lost;
      lost = cosine[k] * lost - sine[k] * from[k + 1];
    }
    own[i] = 1 / sqrt(diagonal * diagonal + lost * lost);
    cosine[i] = diagonal * own[i];
    sine[i] = lost * own[i];
    p->lcp->free_rows[i] = p->lcp->free_rows[i + 1];
  }
}

// The impulses of the free rows, those of the others given, into lcp->solution.
static void solve_free(const Problem *p, int free_count) {
  double *restrict x = p->lcp->solution, *given = p->lcp->residual;
  const int *free_rows = p->lcp->free_rows;
  for (int i = 0; i < p->count; i++)
    given[i] = row_at(p, i)->state == ROW_FREE ? 0 : row_at(p, i)->impulse;
  for (int i = 0; i < free_count; i++) {
    const double *own = line(p->lcp->factor, i);
    double wanted = p->lcp->gap[free_rows[i]] - dot(system_row(p, free_rows[i]), given, p->count);
    x[i] = (wanted - dot(own, x, i)) * own[i];
  }
  for (int i = free_count - 1; i >= 0; i--) {
    const double *restrict own = line(p->lcp->factor, i);
    x[i] *= own[i];
    for (int q = 0; q < i; q++)
      x[q] -= own[q] * x[i];
  }
}

static void take_solution(const Problem *p, int free_count) {
  for (int i = 0; i < free_count; i++)
    row_at(p, p->lcp->free_rows[i])->impulse = p->lcp->solution[i];
}

// By how much each row's rate is beyond its target: zero for free ones.
static void find_residuals(const Problem *p) {
  double *impulses = p->lcp->solution; // of all rows now
  for (int i = 0; i < p->count; i++)
    impulses[i] = row_at(p, i)->impulse;
  for (int i = 0; i < p->count; i++)
    p->lcp->residual[i] =
        row_at(p, i)->state == ROW_FREE ? 0 : dot(system_row(p, i), impulses, p->count) - p->lcp->gap[i];
}

// Where a row belongs, as the impulses and residuals are.
static RowState right_state(const Problem *p, int i, double tolerance) {
  const Row *row = row_at(p, i);
  double low = row->low, high = row->high, residual = p->lcp->residual[i];
  if (row->state == ROW_FREE)
    return row->impulse < low - tolerance ? ROW_LOW : row->impulse > high + tolerance ? ROW_HIGH : ROW_FREE;
  if (low == high) // friction of a contact that is off
    return row->state;
  double diagonal = system_row(p, i)[i];
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
// stays at its bound. Returns its place among the free ones, -1 when none was in the way.
static int advance(const Problem *p, int free_count) {
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
      blocking = i;
      side = wanted < low ? ROW_LOW : ROW_HIGH;
    }
  }
  for (int i = 0; i < free_count; i++) {
    Row *row = row_at(p, p->lcp->free_rows[i]);
    row->impulse += share * (p->lcp->solution[i] - row->impulse);
  }
  if (blocking >= 0)
    row_at(p, p->lcp->free_rows[blocking])->state = side;
  return blocking;
}

// Frees the row at a bound whose rate is the farthest on the wrong side. Returns it, -1 when all are right.
static int release(const Problem *p) {
  double tolerance = SAME_IMPULSE * largest_impulse(p), worst = 0;
  int wrong = -1;
  for (int i = 0; i < p->count; i++) {
    if (row_at(p, i)->state == ROW_FREE || right_state(p, i, tolerance) != ROW_FREE)
      continue;
    double gain = p->lcp->residual[i] * p->lcp->residual[i] / system_row(p, i)[i];
    if (gain > worst) {
      worst = gain;
      wrong = i;
    }
  }
  if (wrong >= 0)
    row_at(p, wrong)->state = ROW_FREE;
  return wrong;
}

// Active sets as in bounded least squares (Stark and Parker 1995), whose factors follow row by row: it always ends, but
// for rounding.
bool pivot_rows(const Problem *p) {
  clip(p);
  int free_count = gather_free(p);
  if (!factor_free(p, free_count))
    return false;
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    solve_free(p, free_count);
    int blocking = advance(p, free_count);
    clip(p);
    if (blocking >= 0) {
      drop_free(p, blocking, free_count--);
      continue;
    }
    find_residuals(p);
    int released = release(p);
    if (released < 0)
      return true;
    p->lcp->free_rows[free_count] = released;
    if (!factor_line(p, free_count++))
      return false;
  }
  return false;
}
