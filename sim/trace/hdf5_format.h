// The format that an HDF5 file says it has.
#ifndef STAGGER_SIM_TRACE_HDF5_FORMAT_H
#define STAGGER_SIM_TRACE_HDF5_FORMAT_H

#include <stdbool.h>

// Whether the file's root has that format: "stagger-trace", or that of a study's table. False also for a file that is
// damaged or refers to other files.
bool hdf5_has_format(const char *path, const char *format);

#endif
