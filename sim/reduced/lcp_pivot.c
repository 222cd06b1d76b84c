// Block principal pivoting: rows change between bound and free until all signs are right; the free ones are solved by a
// Cholesky factor that is updated.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wide.h"
#include "sim/reduced/lcp_internal.h"

enum { MOST_BLOCKS = 6, MOST_TURNS = 200 };

// Impulses that differ by less than this share of the largest one count as equal.
static const double SAME_IMPULSE = 1e-10;

static double *line(double *packed, int i) { return &packed[(size_t)i * ((size_t)i + 1) / 2]; }

WIDE_PART Pair halves(const Quad *q) { return (Pair){(*q)[0], (*q)[1]} + (Pair){(*q)[2], (*q)[3]}; }

// Four independent sums, so that additions need not wait for each other.
WIDE_PART double dot(const double *a, const double *b, int count) {
  Quad sums = {0};
  int i = 0;
  for (; i + 4 <= count; i += 4)
    sums += QUAD_AT(&a[i]) * QUAD_AT(&b[i]);
  const Pair half = halves(&sums);
  double sum = half[0] + half[1];
  for (; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

// The same for two lists at once, so that b is loaded only once; each sum has the same bits as alone.
WIDE_PART void two_dots(const double *a, const double *c, const double *b, int count, double products[2]) {
  Quad first = {0}, second = {0};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    const Quad y = QUAD_AT(&b[i]);
    first += QUAD_AT(&a[i]) * y;
    second += QUAD_AT(&c[i]) * y;
  }
  const Pair first_half = halves(&first), second_half = halves(&second);
  products[0] = first_half[0] + first_half[1];
  products[1] = second_half[0] + second_half[1];
  for (; i < count; i++) {
    products[0] += a[i] * b[i];
    products[1] += c[i] * b[i];
  }
}

// For an even count, with two lists on either side; the products with b come first.
WIDE_PART void four_dots(const double *a, const double *c, const double *b, const double *d, int count,
                         double products[4]) {
  Quad ab = {0}, cb = {0}, ad = {0}, cd = {0};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    const Quad x = QUAD_AT(&a[i]), y = QUAD_AT(&c[i]), z = QUAD_AT(&b[i]), w = QUAD_AT(&d[i]);
    ab += x * z;
    cb += y * z;
    ad += x * w;
    cd += y * w;
  }
  Pair sums[4] = {halves(&ab), halves(&cb), halves(&ad), halves(&cd)};
  if (i < count) {
    const Pair x = pair_at(&a[i]), y = pair_at(&c[i]), z = pair_at(&b[i]), w = pair_at(&d[i]);
    sums[0] += x * z;
    sums[1] += y * z;
    sums[2] += x * w;
    sums[3] += y * w;
  }
  for (int k = 0; k < 4; k++)
    products[k] = sums[k][0] + sums[k][1];
}

// ---- The factor for the free rows ----

static double largest_impulse(const Problem *p) {
  double largest = 1e-12;
  for (int i = 0; i < p->count; i++)
    largest = max_d(largest, fabs(row_at(p, i)->impulse));
  return largest;
}

static int gather_free(const Problem *p) {
  int count = 0;
  for (int i = 0; i < p->count; i++)
    if (row_at(p, i)->state == ROW_FREE)
      p->lcp->free_rows[count++] = i;
  return count;
}

// The entries of a line of the Cholesky factor in columns k and k + 1, from the products of the preceding ones.
WIDE_PART void factor_entries(const Problem *p, double *own, const double *source, int k, const double products[2]) {
  const int *free_rows = p->lcp->free_rows;
  const double *first = line(p->lcp->factor, k), *second = line(p->lcp->factor, k + 1);
  own[k] = (source[free_rows[k]] - products[0]) * first[k];
  own[k + 1] = (source[free_rows[k + 1]] - products[1] - own[k] * second[k]) * second[k + 1];
}

// The diagonal, which contains inverses. False when rounding has made the matrix indefinite.
WIDE_PART bool factor_diagonal(double *own, double source, int i) {
  double square = source - dot(own, own, i);
  own[i] = 1 / sqrt(square);
  return square > 0;
}

// Computes a line, two entries at a time.
WIDE static bool factor_line(const Problem *p, int i) {
  const int *free_rows = p->lcp->free_rows;
  double *own = line(p->lcp->factor, i), products[2];
  const double *source = system_row(p, free_rows[i]);
  int k = 0;
  for (; k + 2 <= i; k += 2) {
    two_dots(line(p->lcp->factor, k), line(p->lcp->factor, k + 1), own, k, products);
    factor_entries(p, own, source, k, products);
  }
  if (k < i) {
    const double *other = line(p->lcp->factor, k);
    own[k] = (source[free_rows[k]] - dot(own, other, k)) * other[k];
  }
  return factor_diagonal(own, source[free_rows[i]], i);
}

// Computes a line and the next one; i is even.
WIDE_PART bool factor_two_lines(const Problem *p, int i) {
  const int *free_rows = p->lcp->free_rows;
  double *own = line(p->lcp->factor, i), *next = line(p->lcp->factor, i + 1), products[4];
  const double *source = system_row(p, free_rows[i]), *next_source = system_row(p, free_rows[i + 1]);
  for (int k = 0; k < i; k += 2) {
    four_dots(line(p->lcp->factor, k), line(p->lcp->factor, k + 1), own, next, k, products);
    factor_entries(p, own, source, k, products);
    factor_entries(p, next, next_source, k, products + 2);
  }
  if (!factor_diagonal(own, source[free_rows[i]], i))
    return false;
  next[i] = (next_source[free_rows[i]] - dot(own, next, i)) * own[i];
  return factor_diagonal(next, next_source[free_rows[i + 1]], i + 1);
}

WIDE static bool factor_free(const Problem *p, int free_count) {
  p->lcp->factorings++;
  int i = 0;
  for (; i + 2 <= free_count; i += 2)
    if (!factor_two_lines(p, i))
      return false;
  return i == free_count || factor_line(p, i);
}

// Removes one of the free rows from the factor: the lines below it lose a column, which is compensated by an update of
// rank one (Golub and Van Loan, "Matrix Computations", 2013, 6.5.4). `ahead` is rotated with the columns.
WIDE static void drop_free(const Problem *p, int place, int free_count) {
  double *cosine = p->lcp->residual, *sine = p->lcp->solution; // of each column's rotation
  double *ahead = p->lcp->ahead, ahead_lost = ahead[place];
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
    double kept = ahead[i + 1];
    ahead[i] = cosine[i] * kept + sine[i] * ahead_lost;
    ahead_lost = cosine[i] * ahead_lost - sine[i] * kept;
  }
}

// ---- Impulses ----

// Solves L x = gap - given, two lines at a time; the second line's last product uses the first one's x.
WIDE static void substitute_forward(const Problem *p, int free_count, const double *given, double *restrict x) {
  const int *free_rows = p->lcp->free_rows;
  int i = 0;
  for (; i + 2 <= free_count; i += 2) {
    int first = free_rows[i], second = free_rows[i + 1];
    const double *own = line(p->lcp->factor, i), *next = line(p->lcp->factor, i + 1);
    double from_given[2] = {0}, sums[2];
    if (given)
      two_dots(system_row(p, first), system_row(p, second), given, p->count, from_given);
    two_dots(own, next, x, i, sums);
    x[i] = (p->lcp->gap[first] - from_given[0] - sums[0]) * own[i];
    x[i + 1] = (p->lcp->gap[second] - from_given[1] - (sums[1] + next[i] * x[i])) * next[i + 1];
  }
  if (i == free_count)
    return;
  const double *own = line(p->lcp->factor, i);
  double from_given = given ? dot(system_row(p, free_rows[i]), given, p->count) : 0;
  x[i] = (p->lcp->gap[free_rows[i]] - from_given - dot(own, x, i)) * own[i];
}

// Solves L^T x = x in place, two columns at a time.
WIDE static void substitute_back(const Problem *p, int free_count, double *restrict x) {
  int i = free_count - 1;
  for (; i > 0; i -= 2) {
    const double *restrict own = line(p->lcp->factor, i), *restrict next = line(p->lcp->factor, i - 1);
    double last = x[i] * own[i], before = (x[i - 1] - own[i - 1] * last) * next[i - 1];
    for (int q = 0; q < i - 1; q++)
      x[q] = x[q] - own[q] * last - next[q] * before;
    x[i] = last;
    x[i - 1] = before;
  }
  if (i == 0)
    x[0] *= p->lcp->factor[0];
}

// Solves for the impulses of the free rows, with those of the others given, into lcp->solution.
static void solve_free(const Problem *p, int free_count) {
  double *given = p->lcp->residual;
  bool any_given = false;
  for (int i = 0; i < p->count; i++) {
    given[i] = row_at(p, i)->state == ROW_FREE ? 0 : row_at(p, i)->impulse;
    any_given |= given[i] != 0;
  }
  substitute_forward(p, free_count, any_given ? given : NULL, p->lcp->solution);
  substitute_back(p, free_count, p->lcp->solution);
}

static void take_solution(const Problem *p, int free_count) {
  for (int i = 0; i < free_count; i++)
    row_at(p, p->lcp->free_rows[i])->impulse = p->lcp->solution[i];
}

// Whether a row's residual says in which state it belongs: that of a free row is zero, and that of friction without
// normal impulse changes nothing.
static inline bool needs_residual(const Row *row) { return row->state != ROW_FREE && row->low != row->high; }

// Computes how much the rate of each row at a bound exceeds its target, two at a time; the others' residuals are zero.
WIDE static void find_residuals(const Problem *p) {
  double *impulses = p->lcp->solution, *residual = p->lcp->residual, rates[2]; // impulses of all rows
  int waiting = -1;
  for (int i = 0; i < p->count; i++)
    impulses[i] = row_at(p, i)->impulse;
  for (int i = 0; i < p->count; i++) {
    residual[i] = 0;
    if (!needs_residual(row_at(p, i)))
      continue;
    if (waiting < 0) {
      waiting = i;
      continue;
    }
    two_dots(system_row(p, waiting), system_row(p, i), impulses, p->count, rates);
    residual[waiting] = rates[0] - p->lcp->gap[waiting];
    residual[i] = rates[1] - p->lcp->gap[i];
    waiting = -1;
  }
  if (waiting >= 0)
    residual[waiting] = dot(system_row(p, waiting), impulses, p->count) - p->lcp->gap[waiting];
}

// The state in which a row belongs with the present impulses and residuals.
static RowState right_state(const Problem *p, int i, double tolerance) {
  const Row *row = row_at(p, i);
  double low = row->low, high = row->high, residual = p->lcp->residual[i];
  if (row->state == ROW_FREE)
    return row->impulse < low - tolerance ? ROW_LOW : row->impulse > high + tolerance ? ROW_HIGH : ROW_FREE;
  if (low == high) // friction of a contact without normal impulse
    return row->state;
  double diagonal = system_row(p, i)[i];
  if (row->state == ROW_LOW)
    return residual < -tolerance * diagonal ? ROW_FREE : ROW_LOW;
  return residual > tolerance * diagonal ? ROW_FREE : ROW_HIGH;
}

// Changes all rows to their right state. Returns whether any has changed.
static bool pivot(const Problem *p, double tolerance) {
  bool changed = false;
  for (int i = 0; i < p->count; i++) {
    RowState state = right_state(p, i, tolerance);
    changed |= state != row_at(p, i)->state;
    row_at(p, i)->state = state;
  }
  return changed;
}

// Moves impulses to within their bounds, and onto the bounds for rows at bounds.
static void clip(const Problem *p) {
  for (int i = 0; i < p->count; i++) {
    Row *row = row_at(p, i);
    if (row->state != ROW_FREE)
      row->impulse = row->state == ROW_LOW ? row->low : row->high;
    row->impulse = min_d(max_d(row->impulse, row->low), row->high);
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

// Moves the impulses by the step of the free rows in lcp->solution, as far as all stay within bounds: the row that
// reaches its bound first stays there. Returns its index among the free ones, -1 when none was reached.
static int advance(const Problem *p, int free_count) {
  double share = 1;
  int blocking = -1;
  RowState side = ROW_FREE;
  for (int i = 0; i < free_count; i++) {
    const Row *row = row_at(p, p->lcp->free_rows[i]);
    double step = p->lcp->solution[i], wanted = row->impulse + step;
    if (wanted >= row->low && wanted <= row->high)
      continue;
    double reach = ((wanted < row->low ? row->low : row->high) - row->impulse) / step;
    if (reach < share || blocking < 0) {
      share = reach < share ? reach : share;
      blocking = i;
      side = wanted < row->low ? ROW_LOW : ROW_HIGH;
    }
  }
  for (int i = 0; i < free_count; i++) {
    row_at(p, p->lcp->free_rows[i])->impulse += share * p->lcp->solution[i];
    p->lcp->ahead[i] *= 1 - share;
  }
  if (blocking >= 0)
    row_at(p, p->lcp->free_rows[blocking])->state = side;
  return blocking;
}

// Frees the row at a bound whose rate is farthest on the wrong side. Returns it; -1 when all are right.
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

// Computes L^-1 of the factor times the missing rates of the free rows at the present impulses, into lcp->ahead.
static void look_ahead(const Problem *p, int free_count) {
  double *impulses = p->lcp->residual;
  for (int i = 0; i < p->count; i++)
    impulses[i] = row_at(p, i)->impulse;
  substitute_forward(p, free_count, impulses, p->lcp->ahead);
}

static void find_step(const Problem *p, int free_count) {
  memcpy(p->lcp->solution, p->lcp->ahead, (size_t)free_count * sizeof *p->lcp->solution);
  substitute_back(p, free_count, p->lcp->solution);
}

// An active-set method as in bounded least squares (Stark and Parker 1995), whose factor and steps are updated row by
// row. It always ends, except for rounding errors; those accumulated are corrected at the end.
bool pivot_rows(const Problem *p) {
  clip(p);
  int free_count = gather_free(p);
  if (!factor_free(p, free_count))
    return false;
  look_ahead(p, free_count);
  for (int turn = 0; turn < MOST_TURNS; turn++) {
    find_step(p, free_count);
    int blocking = advance(p, free_count);
    clip(p);
    if (blocking >= 0) {
      drop_free(p, blocking, free_count--);
      continue;
    }
    find_residuals(p);
    int released = release(p);
    if (released < 0 && turn > 0) {
      look_ahead(p, free_count);
      find_step(p, free_count);
      advance(p, free_count);
      clip(p);
    }
    if (released < 0)
      return true;
    p->lcp->free_rows[free_count] = released;
    if (!factor_line(p, free_count))
      return false;
    // The other rows are right: only this one's rate has an error.
    p->lcp->ahead[free_count] = -p->lcp->residual[released] * line(p->lcp->factor, free_count)[free_count];
    free_count++;
  }
  return false;
}
