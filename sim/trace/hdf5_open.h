// The only function with which HDF5 files are opened for reading. A file from an unknown source may refer to other
// files, whose contents would then appear in results. Such a file is refused before any other file is opened.
#ifndef STAGGER_SIM_TRACE_HDF5_OPEN_H
#define STAGGER_SIM_TRACE_HDF5_OPEN_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

// Whether the path is a regular file that begins like an HDF5 file. Devices and pipes are not opened.
bool hdf5_is_file(const char *path);

// Opens a file whose groups and datasets are all contained in it. Close it with H5Fclose, which closes its objects,
// too. Negative with an error when HDF5 cannot open it, or when an object, which the error names, is a link other than
// a hard one, a dataset with external storage, a virtual dataset, or a dataset with a filter other than deflate,
// shuffle and fletcher32. No HDF5 plugins are loaded.
hid_t hdf5_open(const char *path, Error *error);

// Opens a dataset for reads of few rows, one after the other: with memory for at least one of its chunks, unless these
// have more than 1 MiB. Negative when HDF5 cannot.
hid_t hdf5_open_dataset(hid_t file, const char *name);

// The text of an attribute, cut to the buffer's size; "" when there is none, or when it is not a text of variable
// length.
void hdf5_text(hid_t object, const char *attribute, char *text, size_t size);

#endif
