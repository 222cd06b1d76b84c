#include "sim/reduced/factor.h"

void factor_packed(double *matrix, const PackedRow rows[], int count) {
  for (int k = count - 1; k >= 0; k--) {
    const PackedRow *row = &rows[k];
    double *restrict own = &matrix[row->start];
    double inverse = 1 / own[row->depth];
    own[row->depth] = inverse;
    for (int p = row->depth - 1; p >= 0; p--) {
      double *restrict other = &matrix[rows[row->ancestors[p]].start];
      double ratio = own[p] * inverse;
      for (int q = 0; q <= p; q++)
        other[q] -= ratio * own[q];
      own[p] = ratio;
    }
  }
}

void factor_solve_lower(const double *factor, const PackedRow rows[], int count, double *x) {
  for (int k = 0; k < count; k++) {
    const PackedRow *row = &rows[k];
    const double *own = &factor[row->start];
    const int *ancestors = row->ancestors;
    double sum = x[k];
    for (int p = 0, depth = row->depth; p < depth; p++)
      sum -= own[p] * x[ancestors[p]];
    x[k] = sum;
  }
}

void factor_solve(const double *factor, const PackedRow rows[], int count, double *x) {
  for (int k = count - 1; k >= 0; k--) {
    const PackedRow *row = &rows[k];
    const double *restrict own = &factor[row->start];
    const int *restrict ancestors = row->ancestors;
    double value = x[k];
    for (int p = 0, depth = row->depth; p < depth; p++)
      x[ancestors[p]] -= own[p] * value;
  }
  for (int k = 0; k < count; k++)
    x[k] *= factor[rows[k].start + rows[k].depth];
  factor_solve_lower(factor, rows, count, x);
}
