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
    sums[0] += pair_at(&a[i]) * pair_at(&b[i]);
    sums[1] += pair_at(&a[i + 2]) * pair_at(&b[i + 2]);
  }
  sums[0] += sums[1];
  double sum = sums[0][0] + sums[0][1];
  for (; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

// The same with two lists at once, which need not load b twice: each sum is what it would be alone.
static void two_dots(const double *a, const double *c, const double *b, int count, double products[2]) {
  Pair sums[4] = {{0}};
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    const Pair y[2] = {pair_at(&b[i]), pair_at(&b[i + 2])};
    sums[0] += pair_at(&a[i]) * y[0];
    sums[1] += pair_at(&a[i + 2]) * y[1];
    sums[2] += pair_at(&c[i]) * y[0];
    sums[3] += pair_at(&c[i + 2]) * y[1];
  }
  sums[0] += sums[1];
  sums[2] += sums[3];
  double first = sums[0][0] + sums[0][1], second = sums[2][0] + sums[2][1];
  for (; i < count; i++) {
    first += a[i] * b[i];
    second += c[i] * b[i];
  }
  products[0] = first;
  products[1] = second;
}

// Rows that share their columns, as the three of a contact do, follow each other. Where those from i on end.
static int group_end(const Problem *p, int i) {
  int end = i + 1;
  while (end < p->count && row_at(p, end)->columns == row_at(p, i)->columns)
    end++;
  return end;
}

// How many dofs two paths share: their beginning.
static int shared_length(const Rows *rows, const Row *a, const Row *b) {
  const int *columns = &rows->columns[a->columns], *others = &rows->columns[b->columns];
  int most = a->length < b->length ? a->length : b->length, shared = 0;
  while (shared < most && columns[shared] == others[shared])
    shared++;
  return shared;
}

static const double *whitened_of(const Problem *p, int i) { return &p->rows->whitened[row_at(p, i)->values]; }

static double product(const double *x, const double *y, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += x[i] * y[i];
  return sum;
}

// Of one row with the three of a contact: sums side by side need not wait for each other.
static void three_products(const double *x, const double *y, int stride, int count, double products[3]) {
  double first = 0, second = 0, third = 0;
  for (int i = 0; i < count; i++) {
    first += x[i] * y[i];
    second += x[i] * y[i + stride];
    third += x[i] * y[i + 2 * stride];
  }
  products[0] = first, products[1] = second, products[2] = third;
}

// All products of two groups of rows of one path each. The entries of a group's rows follow each other.
static void fill_block(const Problem *p, int i, int i_end, int k, int k_end) {
  int shared = shared_length(p->rows, row_at(p, i), row_at(p, k)), stride = row_at(p, k)->length;
  const double *y = whitened_of(p, k);
  for (; i < i_end; i++) {
    const double *x = whitened_of(p, i);
    double *own = &system_row(p, i)[k];
    if (k_end - k == 3)
      three_products(x, y, stride, shared, own);
    else
      for (int n = 0; n < k_end - k; n++)
        own[n] = product(x, &y[n * stride], shared);
    for (int n = 0; n < k_end - k; n++)
      system_row(p, k + n)[i] = own[n];
  }
}

// The products of which a row is not of one path.
static void fill_others(const Problem *p) {
  bool any = false;
  for (int i = 0; i < p->count; i++) {
    const Row *row = row_at(p, i);
    any |= !row->is_path;
    if (!any)
      continue;
    whitened_add(p->rows, row, 1, p->momentum);
    for (int k = 0; k <= i; k++)
      if (!(row->is_path && row_at(p, k)->is_path))
        system_row(p, i)[k] = system_row(p, k)[i] = whitened_dot(p->rows, row_at(p, k), p->momentum);
    whitened_clear(p->rows, row, p->momentum);
  }
}

void pivot_prepare(const Problem *p) {
  for (int i = 0, i_end; i < p->count; i = i_end) {
    i_end = group_end(p, i);
    for (int k = 0, k_end; k <= i && row_at(p, i)->is_path; k = k_end) {
      k_end = group_end(p, k);
      if (row_at(p, k)->is_path)
        fill_block(p, i, i_end, k, k_end);
    }
  }
  fill_others(p);
  for (int i = 0; i < p->count; i++)
    system_row(p, i)[i] += row_at(p, i)->softness;
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

// A line of Cholesky's factor of the free rows' part, from one of its entries on; the diagonal holds inverses. False
// when rounding has made the part indefinite.
static bool factor_line(const Problem *p, int i, int from) {
  const int *free_rows = p->lcp->free_rows;
  double *own = line(p->lcp->factor, i);
  const double *source = system_row(p, free_rows[i]);
  for (int k = from; k < i; k++) {
    const double *other = line(p->lcp->factor, k);
    own[k] = (source[free_rows[k]] - dot(own, other, k)) * other[k];
  }
  double square = source[free_rows[i]] - dot(own, own, i);
  own[i] = 1 / sqrt(square);
  return square > 0;
}

// A line and the next one.
static bool factor_two_lines(const Problem *p, int i) {
  const int *free_rows = p->lcp->free_rows;
  double *own = line(p->lcp->factor, i), *next = line(p->lcp->factor, i + 1);
  const double *source = system_row(p, free_rows[i]), *next_source = system_row(p, free_rows[i + 1]);
  const double *other = p->lcp->factor;
  for (int k = 0; k < i; other += ++k) {
    double products[2];
    two_dots(own, next, other, k, products);
    own[k] = (source[free_rows[k]] - products[0]) * other[k];
    next[k] = (next_source[free_rows[k]] - products[1]) * other[k];
  }
  return factor_line(p, i, i) && factor_line(p, i + 1, i);
}

static bool factor_free(const Problem *p, int free_count) {
  p->lcp->factorings++;
  int i = 0;
  for (; i + 2 <= free_count; i += 2)
    if (!factor_two_lines(p, i))
      return false;
  return i == free_count || factor_line(p, i, 0);
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

// L x = gap - what is given, two lines at a time: of the second one the last product comes after the first one's x.
static void substitute_forward(const Problem *p, int free_count, const double *given, double *restrict x) {
  const int *free_rows = p->lcp->free_rows;
  int i = 0;
  for (; i + 2 <= free_count; i += 2) {
    int first = free_rows[i], second = free_rows[i + 1];
    const double *own = line(p->lcp->factor, i), *next = line(p->lcp->factor, i + 1);
    double borne[2] = {0}, sums[2];
    if (given)
      two_dots(system_row(p, first), system_row(p, second), given, p->count, borne);
    two_dots(own, next, x, i, sums);
    x[i] = (p->lcp->gap[first] - borne[0] - sums[0]) * own[i];
    x[i + 1] = (p->lcp->gap[second] - borne[1] - (sums[1] + next[i] * x[i])) * next[i + 1];
  }
  if (i == free_count)
    return;
  const double *own = line(p->lcp->factor, i);
  double borne = given ? dot(system_row(p, free_rows[i]), given, p->count) : 0;
  x[i] = (p->lcp->gap[free_rows[i]] - borne - dot(own, x, i)) * own[i];
}

// L^T x = x, two columns at a time.
static void substitute_back(const Problem *p, int free_count, double *restrict x) {
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

// The impulses of the free rows, those of the others given, into lcp->solution.
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

// By how much each row's rate is beyond its target: zero for free ones. The others two at a time.
static void find_residuals(const Problem *p) {
  double *impulses = p->lcp->solution, *residual = p->lcp->residual, rates[2]; // impulses of all rows now
  int waiting = -1;
  for (int i = 0; i < p->count; i++)
    impulses[i] = row_at(p, i)->impulse;
  for (int i = 0; i < p->count; i++) {
    residual[i] = 0;
    if (row_at(p, i)->state == ROW_FREE)
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
    if (!factor_line(p, free_count++, 0))
      return false;
  }
  return false;
}
