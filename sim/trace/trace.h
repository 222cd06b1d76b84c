// Traces: self-describing HDF5 files of named channels, with one row for each frame. Writing copies a row into a block
// in memory; a writer thread writes whole blocks (block = chunk) to the file and flushes at least once a second, so
// that a killed run leaves a file that any HDF5 reader can open, with all data up to the last flush.
#ifndef STAGGER_SIM_TRACE_TRACE_H
#define STAGGER_SIM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/base/files.h"

enum { TRACE_NAME_SIZE = 64, TRACE_FORMAT_VERSION = 1 };

typedef enum TraceType { TRACE_FLOAT32, TRACE_FLOAT64, TRACE_UINT8, TRACE_INT32, TRACE_UINT64 } TraceType;

// Description of a channel. shape: dimensions of one row: {0} a scalar, {3} a vector, {16, 4} sixteen rotations.
typedef struct TraceChannel {
  const char *path; // "/characters/runner/parts/position"
  TraceType type;
  int shape[2];
  const char *unit;
  const char *description;
  const char *const *row_names; // [shape[0]] names of the rows, attribute `names`; NULL: rows have no names
} TraceChannel;

// Declared by the writer itself: the first channel of every trace, /time, which it fills; the list of events, whose
// rows are trace_event_fields; and the description of embedded files, "/files/...".
extern const TraceChannel trace_time_channel, trace_events_channel, trace_files_channel;

// An attribute, or a field of a record, for the reference.
typedef struct TraceAttribute {
  const char *where; // "/", "/characters/NAME/parts/*"
  const char *name, *type, *unit, *description;
} TraceAttribute;

// Contents of every trace: attributes of the root, of its datasets and of embedded files; the fields of /events.
extern const TraceAttribute trace_attributes[], trace_event_fields[];
extern const int trace_attribute_count, trace_event_field_count;

// Root attributes.
typedef struct TraceInfo {
  const char *scene_name; // file name of the scene
  const char *scene;      // full text after overrides
  const FileSet *files;   // embedded under /files, may be NULL
  uint64_t seed;
  double dt, frame_rate; // s, Hz
} TraceInfo;

// An event, or one step of a push, as it was applied.
typedef struct TraceEvent {
  double time;                     // s
  char kind[TRACE_NAME_SIZE];      // "bullet"
  char character[TRACE_NAME_SIZE]; // "runner"
  char part[TRACE_NAME_SIZE];      // "chest"
  float point[3], impulse[3];      // world, m and N s
} TraceEvent;

typedef struct TraceWriter TraceWriter;

// Creates the file. On error nothing is created. Next channels are declared, then frames are written.
TraceWriter *trace_create(const char *path, const TraceInfo *info, Error *error);

// Declares a channel with one row per frame, or a list that grows independently (contacts, hashes). Returns its index,
// -1 on error.
int trace_channel(TraceWriter *writer, const TraceChannel *channel, Error *error);
int trace_list(TraceWriter *writer, const TraceChannel *channel, Error *error);

// Declares a group whose members may be added later: channels, groups in it and their attributes can be declared even
// after the first frame, between two frames. Earlier frames are then missing: NaN, or 0 in channels of integers. Waits
// for the writer thread.
bool trace_group(TraceWriter *writer, const char *path, Error *error);

// Attributes of a declared channel, a group or the root "/": `count` doubles (limits of joints, masses and inertias of
// parts), a number, a text. trace_attribute: with a count of 0 nothing is written.
bool trace_attribute(TraceWriter *writer, const char *path, const char *name, const double *values, int count,
                     Error *error);
bool trace_number_attribute(TraceWriter *writer, const char *path, const char *name, double value, Error *error);
bool trace_text_attribute(TraceWriter *writer, const char *path, const char *name, const char *text, Error *error);

// The attribute `names` of a declared channel or list whose values are indices: a name for each index (copied).
bool trace_names(TraceWriter *writer, const char *path, const char *const *names, int count, Error *error);

// Memory for the current frame's values of a channel, valid until trace_end_frame and zero at the start of a frame.
void *trace_row(TraceWriter *writer, int channel);

// Appends rows to a list (copied).
void trace_append(TraceWriter *writer, int list, const void *rows, int count);
void trace_append_event(TraceWriter *writer, const TraceEvent *event);

// Ends the current frame: its time becomes a row of /time. False once writing has failed (disk full): the run should
// stop; trace_close gives the cause.
bool trace_end_frame(TraceWriter *writer, double time);

// Writes final metrics as attributes of /metrics (each may be written once, before closing).
void trace_metric(TraceWriter *writer, const char *name, double value);
void trace_text_metric(TraceWriter *writer, const char *name, const char *text);

// Writes the remaining data, sets the status ("complete", "interrupted", "stopped: why"), closes and frees. False with
// the first error of writing; data flushed before it remains readable, with a status that gives the cause if there is
// room for it. It is an error if the file has been removed.
bool trace_close(TraceWriter *writer, const char *status, Error *error);

// ---- Reading ----

typedef struct TraceReader TraceReader;

// Whether the file begins like an HDF5 file: a trace may have any name. False also when it cannot be read, and for a
// device or a pipe.
bool trace_is_hdf5(const char *path);

// Whether the file's root identifies it as a trace of Stagger. False also for a damaged file.
bool trace_is_trace(const char *path);

// Whether the file is what is left of a trace whose writing broke off, as when memory ran out: an HDF5 file that
// contains the name of the format within its first MB, readable or not.
bool trace_is_remnant(const char *path);

// Whether a run is writing a trace to that file now, which at first does not look like a trace.
bool trace_is_written(const char *path);

// Errors: not HDF5, not a Stagger trace, a newer format, cut short, damaged, times that do not increase, an object that
// refers to another file (sim/trace/hdf5_open.h). HDF5 crashes on some damaged files, so a file is first tried in a
// child process (sim/trace/hdf5_probe.h).
TraceReader *trace_open(const char *path, Error *error);
void trace_reader_close(TraceReader *reader);
int trace_frame_count(const TraceReader *reader);
// Root attributes as text ("" when absent); numbers are formatted.
const char *trace_text(TraceReader *reader, const char *attribute);
double trace_number(TraceReader *reader, const char *attribute); // NAN when absent
// A numeric attribute of a dataset or group: mass and inertia of parts, limit of joints, values of /metrics. Returns
// the number of values read, at most `max`.
int trace_values(TraceReader *reader, const char *path, const char *attribute, double *values, int max);
// The same for a text attribute, cut to the buffer's size; "" when absent.
void trace_value_text(TraceReader *reader, const char *path, const char *attribute, char *text, size_t size);
// Fills an empty FileSet with the embedded files and seals it. Errors: a file of more than 16 MiB, or more than 64 MiB
// in all, if the trace itself is smaller than that.
bool trace_files(TraceReader *reader, FileSet *files, Error *error);
// Reads rows [first, first + count) of a dataset, converted to the given type. `values`: room for count * row size.
bool trace_read(TraceReader *reader, const char *path, TraceType type, long first, long count, void *values,
                Error *error);
// The same for `count` rows from the first on, every step-th (>= 1).
bool trace_read_every(TraceReader *reader, const char *path, TraceType type, long step, long count, void *values,
                      Error *error);
// As trace_read, for a dataset with one value per row; otherwise an error.
bool trace_read_column(TraceReader *reader, const char *path, TraceType type, long first, long count, void *values,
                       Error *error);
// Number of rows of a dataset and of values in a row; false when there is no such dataset.
bool trace_shape(TraceReader *reader, const char *path, long *rows, int *row_size);
// The shape of a channel's rows as in TraceChannel; false when there is no such dataset, or it does not have one row
// per frame.
bool trace_channel_shape(TraceReader *reader, const char *path, int shape[2]);
// The type of a dataset's values in the file; false when there is no such dataset or it is not numeric.
bool trace_type(TraceReader *reader, const char *path, TraceType *type);
// trace_events: events [0, count), which the caller frees. trace_row_names: the attribute `names` of a channel's rows;
// returns the number, at most `max`.
TraceEvent *trace_events(TraceReader *reader, int *count);
int trace_row_names(TraceReader *reader, const char *path, char (*names)[TRACE_NAME_SIZE], int max);
// Calls visit for every dataset, sorted by path.
void trace_visit(TraceReader *reader, void (*visit)(void *context, const char *path), void *context);

// Calls visit for every attribute of a dataset, a group or the root "/", sorted by name.
void trace_visit_attributes(TraceReader *reader, const char *path, void (*visit)(void *context, const char *name),
                            void *context);

// The unit and the description of a dataset ("" when absent).
void trace_describe(TraceReader *reader, const char *path, char unit[32], char description[256]);

// Compares two traces bit for bit. Writes the differences to the report: the first step (by its hash), event, frame,
// channel and row, and the largest difference of each channel; or that there is none. True when all datasets and
// attributes are identical, except for attributes of wall-clock time. For runs of different lengths the common part is
// reported.
bool trace_compare(TraceReader *a, TraceReader *b, char *report, size_t size);

// The same for a recording that was cut short: true when both begin the same. Lengths do not matter, nor data written
// at the end of a run: metrics and status.
bool trace_compare_begun(TraceReader *a, TraceReader *b, char *report, size_t size);

#endif
