// Tests whether HDF5 can read a file: it crashes on some damaged ones.
#ifndef STAGGER_SIM_TRACE_HDF5_PROBE_H
#define STAGGER_SIM_TRACE_HDF5_PROBE_H

#include <stdbool.h>

// Reads everything but the values of datasets (names, types, attributes, indices) in a child process, which may crash
// or take too long instead of this one, then does what the caller will do (NULL: nothing) and ends HDF5. False when
// that failed. True, without a test, when no process can be created, or when this one is writing a trace: a forked copy
// would wait for locks of the writer's thread, or write to the trace.
bool hdf5_survives(const char *path, void (*attempt)(const char *path));

// Whether the file's root has that format: "stagger-trace", or that of a study's table. False also for a file that is
// damaged or refers to other files.
bool hdf5_has_format(const char *path, const char *format);

#endif
