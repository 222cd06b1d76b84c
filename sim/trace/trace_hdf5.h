// Declarations shared by the writer and the reader of traces: HDF5 types, and the attributes and datasets of a new
// file.
#ifndef STAGGER_SIM_TRACE_TRACE_HDF5_H
#define STAGGER_SIM_TRACE_TRACE_HDF5_H

#include <hdf5.h>
#include <stdbool.h>

#include "sim/trace/trace.h"
#include "sim/trace/trace_file.h"

#define TRACE_FORMAT "stagger-trace"
#define TRACE_EVENTS "/events"

enum { TRACE_MAX_RANK = 3 };

// Attribute `rows` of a dataset: what its rows are.
#define TRACE_ROWS "rows"
#define TRACE_ROWS_FRAME "frame"
#define TRACE_ROWS_LIST "appended"

// The type of values in memory and in the file. Must not be closed.
hid_t trace_native_type(TraceType type);

// Variable length UTF-8 text, which h5py shows as str. Close with H5Tclose.
hid_t trace_text_type(void);

// TraceEvent as in memory. Close with H5Tclose.
hid_t trace_event_type(void);

// Whether this process is writing a trace.
bool trace_is_writing_here(void);

// Whether a name of an object contains no control characters.
bool trace_is_printable(const char *name);

// Turns off HDF5's own printing of errors in this thread; functions report errors as sentences instead.
void trace_silence_hdf5(void);

// Attributes of an open object: an array of `count` values, or a scalar when count is 0; texts; a single text (NULL:
// "").
bool trace_write_attribute(hid_t object, const char *name, hid_t type, int count, const void *values);
bool trace_write_texts(hid_t object, const char *name, int count, const char *const *texts);
bool trace_write_text(hid_t object, const char *name, const char *text);

// Makes an open file an empty HDF5 file. Negative on failure.
hid_t trace_create_hdf5(TraceFile *file, const char *path);

// Limits HDF5's cache of what it has written, which would grow with the length of the run: for each dataset only the
// header and the end of the index are needed.
bool trace_limit_cache(hid_t hdf5, int datasets);

// Opens the file of a trace again in the state in which a write failed, to change it. Negative on failure.
hid_t trace_reopen_hdf5(TraceFile *file, const char *path);

// The root attributes with status "running", the empty group /metrics, and the files under /files.
bool trace_write_info(hid_t hdf5, const TraceInfo *info);

// Creates an empty dataset that grows by rows. dims[1] and dims[2] are the shape of a row. missing: rows that are never
// written read as NaN instead of 0. Negative on failure.
hid_t trace_create_rows(hid_t hdf5, const char *path, hid_t type, int rank, const hsize_t dims[TRACE_MAX_RANK],
                        hsize_t chunk_rows, bool missing);

// trace_create_group: a group with all links in its header, so that a flush adds a member by a single write. Members
// can be added to it at any time, see trace_file.h; trace_can_grow: whether the object with that path is, or would be,
// in such a group.
bool trace_create_group(hid_t hdf5, const char *path);
bool trace_can_grow(hid_t hdf5, const char *path);

// The address of an object's header in the file.
bool trace_header_address(hid_t object, haddr_t *address);

#endif
