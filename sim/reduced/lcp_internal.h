// A linear complementarity problem for its two solvers. Shared by sim/reduced/lcp.c, lcp_system.c and lcp_pivot.c.
#ifndef STAGGER_SIM_REDUCED_LCP_INTERNAL_H
#define STAGGER_SIM_REDUCED_LCP_INTERNAL_H

#include "sim/reduced/lcp.h"

typedef struct Problem {
  Lcp *lcp;
  Rows *rows;
  Row **listed;
  int count;
  double *momentum; // for each dof, of this problem only: zero between uses
} Problem;

enum { SIDE = 3 }; // rows of a contact

// Consecutive rows on the same bodies, up to SIDE: their branches have the same dofs.
struct Triple {
  const Row *row;                 // the first one
  int first, count;               // indices among the problem's rows
  int branches;                   // number of branches that are not empty
  const double *entries[2][SIDE]; // of each branch; if there are fewer rows, the last one is repeated
};

static inline Row *row_at(const Problem *p, int i) { return p->listed[i]; }
static inline double *system_row(const Problem *p, int i) { return &p->lcp->system[(size_t)i * (size_t)p->count]; }

static inline bool same_bodies(const Row *a, const Row *b) { return a->body == b->body && a->other == b->other; }

// Writes J M^-1 J^T + softness of all rows to lcp->system.
void system_fill(const Problem *p);

// Both compute the exact impulses within the rows' bounds, starting from their states and impulses; false when they
// give up. pivot_blocks changes all wrong rows at once, which usually needs few iterations but may cycle. pivot_rows
// changes one at a time, and is fast only from a good start.
bool pivot_blocks(const Problem *p);
bool pivot_rows(const Problem *p);

#endif
