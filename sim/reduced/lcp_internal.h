// A linear complementarity problem as its two ways of solving see it. Between sim/reduced/lcp.c, lcp_system.c and
// lcp_pivot.c.
#ifndef STAGGER_SIM_REDUCED_LCP_INTERNAL_H
#define STAGGER_SIM_REDUCED_LCP_INTERNAL_H

#include "sim/reduced/lcp.h"

typedef struct Problem {
  Lcp *lcp;
  Rows *rows;
  const int *list;
  int count;
  double *momentum; // by dof, of this problem's alone: zero between uses
} Problem;

enum { SIDE = 3 }; // rows of a contact

// Rows that follow each other on the same bodies, up to SIDE: their branches go by the same dofs.
struct Triple {
  const Row *row;                 // the first
  int first, count;               // of the problem's rows
  int branches;                   // that are not empty
  const double *entries[2][SIDE]; // of each branch; where there are fewer rows, the last one stands for others
};

static inline Row *row_at(const Problem *p, int i) { return &p->rows->rows[p->list[i]]; }
static inline double *system_row(const Problem *p, int i) { return &p->lcp->system[(size_t)i * (size_t)p->count]; }

// J M^-1 J^T + softness of all rows into lcp->system.
void system_fill(const Problem *p);

// Both find the exact impulses within the rows' bounds, from their states and impulses; false when they give up. The
// first one takes all rows at once to where they belong, which mostly takes few turns but may go round in circles. The
// second one takes one at a time, and needs a good beginning to be quick.
bool pivot_blocks(const Problem *p);
bool pivot_rows(const Problem *p);

#endif
