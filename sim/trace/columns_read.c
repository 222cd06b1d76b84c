// Reads tables written by columns_write_hdf5.
#include <stdlib.h>
#include <string.h>

#include "sim/trace/columns_hdf5.h"
#include "sim/trace/hdf5_format.h"
#include "sim/trace/hdf5_open.h"
#include "sim/trace/trace_hdf5.h"

enum { TEXT_SIZE = 128, LARGEST_COLUMN = 256 << 20 }; // bytes

static long count_rows(hid_t dataset) {
  hid_t space = H5Dget_space(dataset);
  hssize_t rows = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  return rows > 0 ? (long)rows : 0;
}

bool columns_are_hdf5(const char *path, const char *format) { return hdf5_has_format(path, format); }

typedef struct ColumnsVisit {
  void (*visit)(void *context, const char *name, const char *unit, bool is_text, long rows);
  void *context;
} ColumnsVisit;

static herr_t visit_column(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  (void)info;
  const ColumnsVisit *visit = context;
  char unit[TEXT_SIZE], kind[TEXT_SIZE];
  hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  if (dataset < 0)
    return 0; // not a table of ours
  hdf5_text(dataset, "unit", unit, sizeof unit);
  hdf5_text(dataset, "kind", kind, sizeof kind);
  visit->visit(visit->context, name, unit, strcmp(kind, "text") == 0, count_rows(dataset));
  H5Dclose(dataset);
  return 0;
}

bool columns_visit_hdf5(const char *path,
                        void (*visit)(void *context, const char *name, const char *unit, bool is_text, long rows),
                        void *context) {
  ColumnsVisit visiting = {visit, context};
  hid_t file = hdf5_open(path, NULL);
  if (file < 0)
    return false;
  bool good = H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, visit_column, &visiting) >= 0;
  H5Fclose(file);
  return good;
}

// Reads texts of fixed length and adds a zero byte to each.
static char *read_texts(hid_t dataset, long *rows, size_t *size) {
  hid_t type = H5Dget_type(dataset);
  bool fixed = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  *rows = count_rows(dataset);
  *size = fixed ? H5Tget_size(type) + 1 : 1;
  fixed = fixed && (size_t)*rows < LARGEST_COLUMN / *size;
  char *texts = fixed ? calloc((size_t)*rows + 1, *size) : NULL;
  hid_t wanted = H5Tcopy(H5T_C_S1);
  H5Tset_size(wanted, *size);
  H5Tset_cset(wanted, H5Tget_cset(type));
  if (texts && H5Dread(dataset, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) < 0) {
    free(texts);
    texts = NULL;
  }
  H5Tclose(wanted);
  H5Tclose(type);
  return texts;
}

char *columns_read_texts(const char *path, const char *column, long *rows, size_t *size) {
  hid_t file = hdf5_open(path, NULL);
  hid_t dataset = H5Dopen2(file, column, H5P_DEFAULT); // fails where there is no file, or no such column
  char *texts = dataset >= 0 ? read_texts(dataset, rows, size) : NULL;
  if (dataset >= 0)
    H5Dclose(dataset);
  if (file >= 0)
    H5Fclose(file);
  return texts;
}
