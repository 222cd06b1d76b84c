// Reads arrays of numbers from NumPy's .npz files in memory: zip files (PKWARE's APPNOTE) of .npy files (NumPy's NEP
// 1), stored or deflated.
#ifndef STAGGER_ANIM_MOTION_NPZ_H
#define STAGGER_ANIM_MOTION_NPZ_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"
#include "sim/base/files.h"

enum { NPZ_MAX_RANK = 4, NPZ_MAX_VALUES = 64 << 20 };

// An array in row order, as doubles.
typedef struct NpzArray {
  int rank; // 0: a single value
  size_t shape[NPZ_MAX_RANK];
  size_t count;
  double *values;
} NpzArray;

// Whether the file has an array with that name.
bool npz_has(const File *file, const char *name);

// Reads an array of whole or real numbers (little-endian). False and an error that names the file and the array: it is
// missing, cut, compressed in another way, not of numbers, too large, or has values that are not finite. Free with
// npz_free.
bool npz_read(const File *file, const char *name, NpzArray *array, Error *error);
void npz_free(NpzArray *array);

#endif
