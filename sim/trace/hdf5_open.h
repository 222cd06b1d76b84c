// The one door through which HDF5 files are opened for reading: a file from outside may name other files, whose bytes
// would then appear in what is made of it. Such a file is refused before any of them is opened.
#ifndef STAGGER_SIM_TRACE_HDF5_OPEN_H
#define STAGGER_SIM_TRACE_HDF5_OPEN_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

// Whether the path is that of a regular file that begins as HDF5 files do. Devices and pipes are not opened.
bool hdf5_is_file(const char *path);

// Opens a file whose groups and datasets all lie in the file itself. Close it with H5Fclose, which closes its objects,
// too. Negative with an error when HDF5 cannot open it, or when an object, which the error names, is a link other than
// a hard one, a dataset with external storage, a virtual dataset, or a dataset with a filter other than deflate,
// shuffle and fletcher32. No plugin of HDF5 is loaded.
hid_t hdf5_open(const char *path, Error *error);

// The text of an attribute, cut off at the buffer's end; "" when there is none, or when it is no text of variable
// length.
void hdf5_text(hid_t object, const char *attribute, char *text, size_t size);

// Whether the file's root says that it has that format: "stagger-trace", or that of a study's table. False as well of
// a file that is damaged or leads out of itself.
bool hdf5_has_format(const char *path, const char *format);

#endif
