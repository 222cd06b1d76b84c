// Whether HDF5 survives a file: it crashes on some whose inside is damaged.
#ifndef STAGGER_SIM_TRACE_HDF5_PROBE_H
#define STAGGER_SIM_TRACE_HDF5_PROBE_H

#include <stdbool.h>

// Reads all but the values of datasets (names, types, attributes, indices) in a process of its own, which may crash or
// be late in place of this one, then does what the caller will do (NULL: nothing) and ends HDF5. False when that went
// wrong. True, and nothing is tried, when no process can be made, or when this one is writing a trace: such a copy
// would wait for the locks of the writer's thread, or write in its place.
bool hdf5_survives(const char *path, void (*attempt)(const char *path));

#endif
