// Columns of numbers and texts as an HDF5 file that any HDF5 reader shows as a table: one dataset for each column.
#ifndef STAGGER_SIM_TRACE_COLUMNS_HDF5_H
#define STAGGER_SIM_TRACE_COLUMNS_HDF5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HdfColumn {
  const char *name; // of the dataset, without '/'
  const char *unit; // attribute `unit`
  const double *numbers;
  const char *const *texts; // instead of numbers; no entry is NULL
} HdfColumn;

// A dataset beside the columns with several values for each row, which is written row by row.
typedef struct HdfBlock {
  const char *name, *unit, *doc;
  double scale; // attribute `scale`: values times scale are in that unit
  int rank;     // dimensions of a row's values
  int dims[3];
  const char *const *labels; // attribute `labels`: of the entries of dimension label_dim; NULL: none
  int label_dim;
  void *context;
  bool (*read)(void *context, long row, int16_t *values); // fills a row's values; false: it cannot be read
} HdfBlock;

// Row r of a column is numbers[r * stride] or texts[r * stride]. Datasets contain float64, or UTF-8 texts of one length
// padded with zero bytes, and have the attributes `unit` and `kind` ("number", "text"). The root has `format`,
// `format_version`, `stagger_version` and `columns`, the names in order. block: NULL for none; its dataset of int16 is
// no column. False and the cause (errno): the file cannot be written, or no memory; the incomplete file is then
// useless.
bool columns_write_hdf5(const char *path, const char *format, int version, const HdfColumn *columns, int count,
                        long rows, int stride, const HdfBlock *block, int *cause);

// Whether a file has that format.
bool columns_are_hdf5(const char *path, const char *format);

// Calls visit for every column, in order. False: the file cannot be read.
bool columns_visit_hdf5(const char *path,
                        void (*visit)(void *context, const char *name, const char *unit, bool is_text, long rows),
                        void *context);

// The texts of a column, of `size` bytes each including a zero byte at the end. The caller frees them; NULL: no such
// column of texts, it cannot be read, over 256 MiB, no memory.
char *columns_read_texts(const char *path, const char *column, long *rows, size_t *size);

#endif
