// Fills the matrix of a contact problem, J M^-1 J^T, from the whitened rows, block by block along shared paths.
#include "sim/base/wide.h"
#include "sim/reduced/lcp_internal.h"

static Triple triple_at(const Problem *p, int first) {
  Triple triple = {.first = first, .count = 1, .row = row_at(p, first)};
  triple.branches = triple.row->branches[1].length > 0 ? 2 : 1;
  while (triple.count < SIDE && first + triple.count < p->count &&
         same_bodies(row_at(p, first + triple.count), triple.row))
    triple.count++;
  for (int n = 0; n < SIDE; n++) {
    const Row *row = row_at(p, first + (n < triple.count ? n : triple.count - 1));
    for (int branch = 0; branch < 2; branch++)
      triple.entries[branch][n] = &p->rows->whitened[row->branches[branch].values];
  }
  return triple;
}

// Writes both halves of a block.
WIDE_PART void put_block(const Problem *p, double *block, double *mirror, int rows, int columns,
                         double sums[SIDE][SIDE]) {
  for (int m = 0; m < rows; m++)
    for (int n = 0; n < columns; n++)
      block[m * p->count + n] = mirror[n * p->count + m] = sums[m][n];
}

// Completes a block, whose products up to the entry `from` are summed, and adds it or, if it is the first, writes it.
WIDE_PART void finish_block(const Problem *p, const Triple *t, const Triple *s, const double *const x[SIDE],
                            const double *const y[SIDE], int from, int count, bool is_first, double sums[SIDE][SIDE]) {
  double *block = &system_row(p, t->first)[s->first], *mirror = &system_row(p, s->first)[t->first];
  if (from < count)
    for (int m = 0; m < SIDE; m++)
      for (int n = 0; n < SIDE; n++)
        sums[m][n] += x[m][from] * y[n][from];
  for (int m = 0; m < t->count && !is_first; m++)
    for (int n = 0; n < s->count; n++)
      sums[m][n] += block[m * p->count + n];
  if (t->count == SIDE && s->count == SIDE)
    put_block(p, block, mirror, SIDE, SIDE, sums);
  else
    put_block(p, block, mirror, t->count, s->count, sums);
}

// Adds the inner products of the beginnings of two triples' branches x and y.
WIDE static void add_block(const Problem *p, const Triple *t, const Triple *s, const double *const x[SIDE],
                           const double *const y[SIDE], int count, bool is_first) {
  Pair pairs[SIDE][SIDE] = {{{0}}};
  int q = 0;
  for (; q + 2 <= count; q += 2) {
    const Pair left[SIDE] = {pair_at(&x[0][q]), pair_at(&x[1][q]), pair_at(&x[2][q])};
    for (int n = 0; n < SIDE; n++) {
      const Pair right = pair_at(&y[n][q]);
      for (int m = 0; m < SIDE; m++)
        pairs[m][n] += left[m] * right;
    }
  }
  double sums[SIDE][SIDE];
  for (int m = 0; m < SIDE; m++)
    for (int n = 0; n < SIDE; n++)
      sums[m][n] = pairs[m][n][0] + pairs[m][n][1];
  finish_block(p, t, s, x, y, q, count, is_first, sums);
}

// Two numbers at a, then two at b. A macro, see QUAD_AT.
#define TWO_PAIRS(a, b) ((Quad){pair_at(a)[0], pair_at(a)[1], pair_at(b)[0], pair_at(b)[1]})

// The same for s and the triple after it, with branches y and z, at once.
WIDE static void add_two_blocks(const Problem *p, const Triple *t, const Triple *s, const double *const x[SIDE],
                                const double *const y[SIDE], const double *const z[SIDE], int count, bool is_first) {
  Quad quads[SIDE][SIDE] = {{{0}}};
  int q = 0;
  for (; q + 2 <= count; q += 2)
    for (int n = 0; n < SIDE; n++) {
      const Quad right = TWO_PAIRS(&y[n][q], &z[n][q]);
      for (int m = 0; m < SIDE; m++)
        quads[m][n] += TWO_PAIRS(&x[m][q], &x[m][q]) * right;
    }
  double sums[2][SIDE][SIDE];
  for (int m = 0; m < SIDE; m++)
    for (int n = 0; n < SIDE; n++) {
      sums[0][m][n] = quads[m][n][0] + quads[m][n][1];
      sums[1][m][n] = quads[m][n][2] + quads[m][n][3];
    }
  finish_block(p, t, s, x, y, q, count, is_first, sums[0]);
  finish_block(p, t, s + 1, x, z, q, count, is_first, sums[1]);
}

// Numbers of dofs that the branches of two triples share.
static void find_shared(const Triple *t, const Triple *s, int shared[2][2]) {
  for (int a = 0; a < t->branches; a++)
    for (int b = 0; b < s->branches; b++)
      shared[a][b] = rows_shared(&t->row->branches[a], &s->row->branches[b]);
}

static void fill_line(const Problem *p, const Triple *triples, int i) {
  const Triple *t = &triples[i];
  int shared[2][2] = {{0}};
  for (int k = 0, next; k <= i; k = next) {
    const Triple *s = &triples[k];
    if (k == 0 || !same_bodies(s->row, s[-1].row))
      find_shared(t, s, shared);
    const bool two = k < i && same_bodies(s[1].row, s->row);
    next = two ? k + 2 : k + 1;
    bool is_first = true;
    for (int a = 0; a < t->branches; a++)
      for (int b = 0; b < s->branches; b++) {
        if (shared[a][b] == 0)
          continue;
        if (two)
          add_two_blocks(p, t, s, t->entries[a], s->entries[b], s[1].entries[b], shared[a][b], is_first);
        else
          add_block(p, t, s, t->entries[a], s->entries[b], shared[a][b], is_first);
        is_first = false;
      }
    for (int n = k; n < next && is_first; n++)
      add_block(p, t, &triples[n], t->entries[0], triples[n].entries[0], 0, true);
  }
}

void system_fill(const Problem *p) {
  Triple *triples = p->lcp->triples;
  int count = 0;
  for (int i = 0; i < p->count; i += triples[count++].count) {
    triples[count] = triple_at(p, i);
    fill_line(p, triples, count);
  }
  for (int i = 0; i < p->count; i++)
    system_row(p, i)[i] += row_at(p, i)->softness;
}
