// Draws points, ranks them by their costs, and adapts the distribution of the next ones.
#include "scenes/search/cma_es.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cma_default_points(int n) { return 4 + (int)floor(3 * log(n)); }

// ---- Parameters ----

// Sum and effective number of the raw weights ln((points + 1) / 2) - ln(rank) with one sign.
typedef struct WeightSum {
  double sum, squares;
} WeightSum;

static double effective(WeightSum sum) { return sum.squares > 0 ? sum.sum * sum.sum / sum.squares : 0; }

static void set_rates(CmaEs *cma) {
  const double n = cma->n, parents = cma->parents_effective;
  cma->rate_step = (parents + 2) / (n + parents + 5);
  cma->damping = 1 + 2 * fmax(0, sqrt((parents - 1) / (n + 1)) - 1) + cma->rate_step;
  cma->rate_path = (4 + parents / n) / (n + 4 + 2 * parents / n);
  cma->rate_one = 2 / ((n + 1.3) * (n + 1.3) + parents);
  cma->rate_parents = fmin(1 - cma->rate_one, 2 * (0.25 + parents + 1 / parents - 2) / ((n + 2) * (n + 2) + parents));
  cma->normal_length = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

// Positive weights have the sum 1; the sum of negative ones is limited so that the covariance remains positive.
static void set_weights(CmaEs *cma) {
  WeightSum good = {0}, bad = {0};
  cma->parents = cma->points / 2;
  for (int i = 0; i < cma->points; i++) {
    cma->weights[i] = log((cma->points + 1) / 2.0) - log(i + 1);
    WeightSum *sum = i < cma->parents ? &good : &bad;
    sum->sum += fabs(cma->weights[i]);
    sum->squares += cma->weights[i] * cma->weights[i];
  }
  cma->parents_effective = effective(good);
  set_rates(cma);
  const double positive_definite = (1 - cma->rate_one - cma->rate_parents) / (cma->n * cma->rate_parents);
  const double most =
      fmin(fmin(1 + cma->rate_one / cma->rate_parents, 1 + 2 * effective(bad) / (cma->parents_effective + 2)),
           positive_definite);
  for (int i = 0; i < cma->points; i++)
    cma->weights[i] *= i < cma->parents ? 1 / good.sum : most / bad.sum;
}

void cma_init(CmaEs *cma, int n, const double *start, double step, int points, uint64_t seed) {
  *cma = (CmaEs){.n = n, .points = points, .step = step, .rng = rng_make(seed, "cma_es")};
  for (int i = 0; i < n; i++) {
    cma->mean[i] = start[i];
    cma->covariance[i][i] = cma->axes[i][i] = cma->lengths[i] = 1;
  }
  set_weights(cma);
}

// ---- Drawing ----

void cma_ask(CmaEs *cma, CmaVector *points) {
  for (int k = 0; k < cma->points; k++) {
    CmaVector scaled;
    for (int i = 0; i < cma->n; i++)
      scaled[i] = cma->lengths[i] * rng_normal(&cma->rng);
    for (int i = 0; i < cma->n; i++) {
      double offset = 0;
      for (int j = 0; j < cma->n; j++)
        offset += cma->axes[i][j] * scaled[j];
      points[k][i] = cma->mean[i] + cma->step * offset;
    }
  }
}

// ---- Eigenvectors, by Jacobi's rotations ----

// Turns rows and columns p and q of a symmetric matrix so that its element p, q becomes 0.
static void rotate(CmaEs *cma, CmaVector *matrix, int p, int q) {
  const double theta = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
  const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < cma->n; k++) {
    const double kp = matrix[k][p], kq = matrix[k][q];
    matrix[k][p] = c * kp - s * kq;
    matrix[k][q] = s * kp + c * kq;
  }
  for (int k = 0; k < cma->n; k++) {
    const double pk = matrix[p][k], qk = matrix[q][k];
    matrix[p][k] = c * pk - s * qk;
    matrix[q][k] = s * pk + c * qk;
    const double kp = cma->axes[k][p], kq = cma->axes[k][q];
    cma->axes[k][p] = c * kp - s * kq;
    cma->axes[k][q] = s * kp + c * kq;
  }
}

static void find_axes(CmaEs *cma) {
  enum { MOST_SWEEPS = 50 };
  CmaVector matrix[CMA_MOST_NUMBERS];
  memcpy(matrix, cma->covariance, sizeof matrix);
  memset(cma->axes, 0, sizeof cma->axes);
  for (int i = 0; i < cma->n; i++)
    cma->axes[i][i] = 1;
  bool turned = true;
  for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
    turned = false;
    for (int p = 0; p < cma->n; p++)
      for (int q = p + 1; q < cma->n; q++)
        if (fabs(matrix[p][q]) > 1e-16 * sqrt(fabs(matrix[p][p] * matrix[q][q]))) {
          rotate(cma, matrix, p, q);
          turned = true;
        }
  }
  for (int i = 0; i < cma->n; i++)
    cma->lengths[i] = sqrt(fmax(matrix[i][i], 1e-300));
}

// The offset without the covariance's stretching: C^(-1/2) offset.
static void whiten(const CmaEs *cma, const double *offset, double *white) {
  CmaVector inner;
  for (int j = 0; j < cma->n; j++) {
    inner[j] = 0;
    for (int i = 0; i < cma->n; i++)
      inner[j] += cma->axes[i][j] * offset[i];
    inner[j] /= cma->lengths[j];
  }
  for (int i = 0; i < cma->n; i++) {
    white[i] = 0;
    for (int j = 0; j < cma->n; j++)
      white[i] += cma->axes[i][j] * inner[j];
  }
}

static double length_of(const CmaEs *cma, const double *vector) {
  double square = 0;
  for (int i = 0; i < cma->n; i++)
    square += vector[i] * vector[i];
  return sqrt(square);
}

// ---- Learning ----

typedef struct Ranked {
  double cost;
  int point;
} Ranked;

static int compare_costs(const void *a, const void *b) {
  const Ranked *x = a, *y = b;
  if (isnan(x->cost) || isnan(y->cost))
    return isnan(x->cost) != isnan(y->cost) ? (isnan(x->cost) ? 1 : -1) : x->point - y->point;
  return x->cost < y->cost ? -1 : x->cost > y->cost ? 1 : x->point - y->point;
}

// Adds the weighted outer products of the offsets to the covariance. Bad points far out get no more weight than near
// ones.
static void add_offsets(CmaEs *cma, const CmaVector *points, const Ranked *ranked, const double *old_mean) {
  for (int rank = 0; rank < cma->points; rank++) {
    CmaVector offset, white;
    for (int i = 0; i < cma->n; i++)
      offset[i] = (points[ranked[rank].point][i] - old_mean[i]) / cma->step;
    double weight = cma->rate_parents * cma->weights[rank];
    if (rank >= cma->parents) {
      whiten(cma, offset, white);
      const double length = length_of(cma, white);
      weight *= length > 0 ? cma->n / (length * length) : 0;
    }
    for (int i = 0; i < cma->n; i++)
      for (int j = 0; j < cma->n; j++)
        cma->covariance[i][j] += weight * offset[i] * offset[j];
  }
}

static void adapt_covariance(CmaEs *cma, const CmaVector *points, const Ranked *ranked, const double *old_mean,
                             bool slow) {
  double weights = 0;
  for (int i = 0; i < cma->points; i++)
    weights += cma->weights[i];
  const double lost = slow ? 0 : cma->rate_path * (2 - cma->rate_path);
  const double kept = 1 + cma->rate_one * lost - cma->rate_one - cma->rate_parents * weights;
  for (int i = 0; i < cma->n; i++)
    for (int j = 0; j < cma->n; j++)
      cma->covariance[i][j] =
          kept * cma->covariance[i][j] + cma->rate_one * cma->path_covariance[i] * cma->path_covariance[j];
  add_offsets(cma, points, ranked, old_mean);
}

// Moves the mean to the weighted one of the better half, and both paths with it. Returns whether the path is short
// enough for the covariance to learn from it (h_sigma).
static bool move(CmaEs *cma, const CmaVector *points, const Ranked *ranked) {
  CmaVector offset = {0}, white;
  for (int rank = 0; rank < cma->parents; rank++)
    for (int i = 0; i < cma->n; i++)
      offset[i] += cma->weights[rank] * (points[ranked[rank].point][i] - cma->mean[i]) / cma->step;
  whiten(cma, offset, white);
  const double c = cma->rate_step, gain = sqrt(c * (2 - c) * cma->parents_effective);
  for (int i = 0; i < cma->n; i++) {
    cma->mean[i] += cma->step * offset[i];
    cma->path_step[i] = (1 - c) * cma->path_step[i] + gain * white[i];
  }
  const double settled = sqrt(1 - pow(1 - c, 2.0 * (cma->generation + 1)));
  const bool slow = length_of(cma, cma->path_step) / settled < (1.4 + 2.0 / (cma->n + 1)) * cma->normal_length;
  const double rate = cma->rate_path;
  for (int i = 0; i < cma->n; i++)
    cma->path_covariance[i] = (1 - rate) * cma->path_covariance[i] +
                              (slow ? sqrt(rate * (2 - rate) * cma->parents_effective) * offset[i] : 0);
  return slow;
}

void cma_tell(CmaEs *cma, const CmaVector *points, const double *costs) {
  Ranked ranked[CMA_MOST_POINTS];
  for (int k = 0; k < cma->points; k++)
    ranked[k] = (Ranked){costs[k], k};
  qsort(ranked, (size_t)cma->points, sizeof *ranked, compare_costs);
  CmaVector old_mean;
  memcpy(old_mean, cma->mean, sizeof old_mean);
  const bool slow = move(cma, points, ranked);
  adapt_covariance(cma, points, ranked, old_mean, slow);
  cma->step *= exp(cma->rate_step / cma->damping * (length_of(cma, cma->path_step) / cma->normal_length - 1));
  find_axes(cma);
  cma->generation++;
}

double cma_spread(const CmaEs *cma) {
  double most = 0;
  for (int i = 0; i < cma->n; i++)
    most = fmax(most, cma->covariance[i][i]);
  return cma->step * sqrt(most);
}

bool cma_is_degenerate(const CmaEs *cma) {
  double least = INFINITY, most = 0;
  for (int i = 0; i < cma->n; i++) {
    least = fmin(least, cma->lengths[i]);
    most = fmax(most, cma->lengths[i]);
  }
  return !(most < 1e7 * least);
}
