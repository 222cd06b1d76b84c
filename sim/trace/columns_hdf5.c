// Writes columns as one HDF5 dataset each, in a file with a format of its own; columns_read.c reads it.
#include "sim/trace/columns_hdf5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/trace/trace_hdf5.h"

// Creates the dataset and writes its values and attributes. values: of the given type.
static bool write_dataset(hid_t file, const HdfColumn *column, hid_t type, long rows, const void *values) {
  hid_t space = H5Screate_simple(1, &(hsize_t){(hsize_t)rows}, NULL);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(creation, false); // equal tables then give equal files
  hid_t dataset = H5Dcreate2(file, column->name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Pclose(creation);
  bool good = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
              trace_write_text(dataset, "unit", column->unit) &&
              trace_write_text(dataset, "kind", column->texts ? "text" : "number");
  if (dataset >= 0)
    good = H5Dclose(dataset) >= 0 && good;
  H5Sclose(space);
  return good;
}

static bool write_numbers(hid_t file, const HdfColumn *column, long rows, int stride) {
  double *values = calloc((size_t)rows + 1, sizeof *values);
  for (long i = 0; i < rows && values; i++)
    values[i] = column->numbers[i * stride];
  bool good = values && write_dataset(file, column, H5T_NATIVE_DOUBLE, rows, values);
  free(values);
  return good;
}

static bool write_texts(hid_t file, const HdfColumn *column, long rows, int stride) {
  size_t length = 1; // HDF5 has no texts of length 0
  for (long i = 0; i < rows; i++) {
    size_t own = strlen(column->texts[i * stride]);
    length = own > length ? own : length;
  }
  char *values = calloc((size_t)rows + 1, length);
  for (long i = 0; i < rows && values; i++)
    memcpy(values + (size_t)i * length, column->texts[i * stride], strlen(column->texts[i * stride]));
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  bool good = values && write_dataset(file, column, type, rows, values);
  H5Tclose(type);
  free(values);
  return good;
}

// ---- The block ----

static bool write_labels(hid_t dataset, const HdfBlock *block) {
  return !block->labels || trace_write_texts(dataset, "labels", block->dims[block->label_dim], block->labels);
}

static bool write_block_rows(hid_t dataset, hid_t space, const HdfBlock *block, long rows) {
  hsize_t start[4] = {0}, count[4] = {1};
  size_t size = 1;
  for (int i = 0; i < block->rank; i++) {
    count[1 + i] = (hsize_t)block->dims[i];
    size *= (size_t)block->dims[i];
  }
  int16_t *values = malloc(size * sizeof *values);
  hid_t memory = H5Screate_simple(block->rank + 1, count, NULL);
  bool good = values != NULL;
  for (long row = 0; row < rows && good; row++) {
    start[0] = (hsize_t)row;
    good = block->read(block->context, row, values) &&
           H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
           H5Dwrite(dataset, H5T_NATIVE_INT16, memory, space, H5P_DEFAULT, values) >= 0;
  }
  H5Sclose(memory);
  free(values);
  return good;
}

static bool write_block(hid_t file, const HdfBlock *block, long rows) {
  hsize_t dims[4] = {(hsize_t)rows};
  for (int i = 0; i < block->rank; i++)
    dims[1 + i] = (hsize_t)block->dims[i];
  hid_t space = H5Screate_simple(block->rank + 1, dims, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(creation, false);
  hid_t dataset = H5Dcreate2(file, block->name, H5T_STD_I16LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Pclose(creation);
  bool good = dataset >= 0 && trace_write_text(dataset, "unit", block->unit) &&
              trace_write_attribute(dataset, "scale", H5T_NATIVE_DOUBLE, 0, &block->scale) &&
              trace_write_text(dataset, "doc", block->doc) && write_labels(dataset, block) &&
              write_block_rows(dataset, space, block, rows);
  if (dataset >= 0)
    good = H5Dclose(dataset) >= 0 && good;
  H5Sclose(space);
  return good;
}

// ---- The file ----

static bool write_root(hid_t file, const char *format, int version, const HdfColumn *columns, int count) {
  const char **names = calloc((size_t)count + 1, sizeof *names);
  for (int i = 0; i < count && names; i++)
    names[i] = columns[i].name;
  hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
  bool good = root >= 0 && names && trace_write_text(root, "format", format) &&
              trace_write_attribute(root, "format_version", H5T_NATIVE_INT, 0, &version) &&
              trace_write_text(root, "stagger_version", STAGGER_VERSION) &&
              trace_write_texts(root, "columns", count, names);
  if (root >= 0)
    H5Gclose(root);
  free(names);
  return good;
}

static bool write_file(TraceFile *under, const char *path, const char *format, int version, const HdfColumn *columns,
                       int count, long rows, int stride, const HdfBlock *block) {
  hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = trace_file_access(under);
  H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED); // keeps the columns' order
  H5Pset_obj_track_times(creation, false);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  H5Pclose(access);
  H5Pclose(creation);
  if (file < 0)
    return false;
  bool good = write_root(file, format, version, columns, count);
  for (int i = 0; i < count && good; i++)
    good = columns[i].texts ? write_texts(file, &columns[i], rows, stride)
                            : write_numbers(file, &columns[i], rows, stride);
  good = good && (!block || write_block(file, block, rows));
  return H5Fclose(file) >= 0 && good;
}

bool columns_write_hdf5(const char *path, const char *format, int version, const HdfColumn *columns, int count,
                        long rows, int stride, const HdfBlock *block, int *cause) {
  trace_silence_hdf5();
  TraceFile under = {0};
  if (!trace_file_open(&under, path)) {
    *cause = errno;
    return false;
  }
  bool good = write_file(&under, path, format, version, columns, count, rows, stride, block) && under.error == 0;
  *cause = under.error != 0 ? under.error : ENOMEM;
  trace_file_close(&under);
  return good;
}
