// Products of dense matrices of floats, as the training of networks needs them.
#ifndef STAGGER_SCENES_TRAIN_MATRIX_H
#define STAGGER_SCENES_TRAIN_MATRIX_H

#include <stddef.h>

// A matrix to read: the entry of row i and column k is at[i * row + k * column]. Exchanged steps give the transpose.
typedef struct MatrixView {
  const float *at;
  size_t row, column;
} MatrixView;

// c += a b, with a [rows][depth], b [depth][columns] and c [rows][columns] without gaps. Each entry of c adds its
// products in the order of the depth, so that the result has the same bits on every machine, and does not depend on how
// many rows or columns are computed at a time. c must not overlap a and b.
void matrix_add_product(int rows, int columns, int depth, MatrixView a, MatrixView b, float *c);

// c = a b: what the sum is where c is 0, without reading it.
void matrix_set_product(int rows, int columns, int depth, MatrixView a, MatrixView b, float *c);

#endif
