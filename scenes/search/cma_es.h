// CMA-ES: the covariance matrix adaptation evolution strategy, which minimizes a function of a few numbers without its
// derivatives. Points are drawn from a normal distribution; their ranks move its mean, and adapt its covariances and
// its size. Formulas and default parameters: Hansen 2016, The CMA Evolution Strategy: A Tutorial, arXiv:1604.00772,
// figure 6 and table 1, with negative weights.
#ifndef STAGGER_SCENES_SEARCH_CMA_ES_H
#define STAGGER_SCENES_SEARCH_CMA_ES_H

#include <stdbool.h>

#include "sim/base/rng.h"

enum { CMA_MOST_NUMBERS = 16, CMA_MOST_POINTS = 4096 };

typedef double CmaVector[CMA_MOST_NUMBERS];

typedef struct CmaEs {
  int n, points; // numbers of a point; points of a generation
  CmaVector mean;
  double step; // the tutorial's sigma
  CmaVector covariance[CMA_MOST_NUMBERS];
  CmaVector axes[CMA_MOST_NUMBERS]; // eigenvectors of the covariance in columns, B
  CmaVector lengths;                // square roots of its eigenvalues, the diagonal of D
  CmaVector path_step, path_covariance;
  double weights[CMA_MOST_POINTS]; // by rank, the best first; negative for the worse half
  int parents;                     // positive weights
  double parents_effective;
  double rate_step, damping, rate_path, rate_one, rate_parents; // c_sigma, d_sigma, c_c, c_1, c_mu
  double normal_length;                                         // expected length of a standard normal vector
  int generation;
  Rng rng;
} CmaEs;

int cma_default_points(int n); // 4 + 3 ln n, rounded down

// n: 1 to CMA_MOST_NUMBERS. start, step: mean and standard deviation of the first points, in units in which all numbers
// are alike. points: 4 to CMA_MOST_POINTS. The same seed draws the same points.
void cma_init(CmaEs *cma, int n, const double *start, double step, int points, uint64_t seed);

// Draws the points of a generation.
void cma_ask(CmaEs *cma, CmaVector *points);

// Takes the costs of these points, which are to be small: only their order matters, NAN is the worst, and of equal ones
// the first is the better one.
void cma_tell(CmaEs *cma, const CmaVector *points, const double *costs);

// The largest standard deviation of a number of the next points.
double cma_spread(const CmaEs *cma);

// Whether rounding errors outweigh what can still be learnt: the covariance's longest axis is 1e7 times the shortest.
bool cma_is_degenerate(const CmaEs *cma);

#endif
