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

// Adds the inner products of the beginnings of two triples' branches x and y.
WIDE static void add_block(const Problem *p, const Triple *t, const Triple *s, const double *const x[SIDE],
                           const double *const y[SIDE], int count, bool is_first) {
  double *block = &system_row(p, t->first)[s->first], *mirror = &system_row(p, s->first)[t->first];
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
  if (q < count)
    for (int m = 0; m < SIDE; m++)
      for (int n = 0; n < SIDE; n++)
        sums[m][n] += x[m][q] * y[n][q];
  for (int m = 0; m < t->count && !is_first; m++)
    for (int n = 0; n < s->count; n++)
      sums[m][n] += block[m * p->count + n];
  if (t->count == SIDE && s->count == SIDE)
    put_block(p, block, mirror, SIDE, SIDE, sums);
  else
    put_block(p, block, mirror, t->count, s->count, sums);
}

static void fill_line(const Problem *p, const Triple *triples, int i) {
  const Triple *t = &triples[i];
  int shared[2][2] = {{0}};
  for (int k = 0; k <= i; k++) {
    const Triple *s = &triples[k];
    if (k == 0 || !same_bodies(s->row, s[-1].row))
      for (int a = 0; a < t->branches; a++)
        for (int b = 0; b < s->branches; b++)
          shared[a][b] = rows_shared(&t->row->branches[a], &s->row->branches[b]);
    bool is_first = true;
    for (int a = 0; a < t->branches; a++)
      for (int b = 0; b < s->branches; b++)
        if (shared[a][b] > 0) {
          add_block(p, t, s, t->entries[a], s->entries[b], shared[a][b], is_first);
          is_first = false;
        }
    if (is_first)
      add_block(p, t, s, t->entries[0], s->entries[0], 0, true);
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
