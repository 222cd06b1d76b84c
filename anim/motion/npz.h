// Reads and writes NumPy's .npz files in memory: zip files (PKWARE's APPNOTE) of .npy files (NumPy's NEP 1). Read are
// arrays of numbers, stored or deflated; written are numbers and texts, stored.
#ifndef STAGGER_ANIM_MOTION_NPZ_H
#define STAGGER_ANIM_MOTION_NPZ_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text_buffer.h"

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

// Writing: zero-initialise, put arrays, finish; then `file` is the whole file. Free with npz_writer_free.
typedef struct NpzWriter {
  TextBuffer file, directory;
  unsigned count;
} NpzWriter;

// Puts an array in row order. type: as NumPy writes it, little-endian: "<f4", "<f8", "<i4". rank: at most NPZ_MAX_RANK,
// 0 for a single value.
void npz_put(NpzWriter *writer, const char *name, const char *type, int rank, const size_t *shape, const void *values);

// Puts a list of texts in ASCII, or a single one.
void npz_put_texts(NpzWriter *writer, const char *name, size_t count, const char *const *texts);
void npz_put_text(NpzWriter *writer, const char *name, const char *text);

// False and an error when memory has run out, or the file would be larger than the 4 GB that it can have.
bool npz_finish(NpzWriter *writer, Error *error);
void npz_writer_free(NpzWriter *writer);

#endif
