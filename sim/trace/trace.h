// Traces: self-describing HDF5 files of named channels, one row for each frame. Writing copies a row into a block in
// memory; a writer thread puts whole blocks (block = chunk) into the file and flushes at least once a second, so a
// killed run leaves a file that any HDF5 reader opens up to the last flush.
#ifndef STAGGER_SIM_TRACE_TRACE_H
#define STAGGER_SIM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/base/files.h"

enum { TRACE_NAME_SIZE = 64, TRACE_FORMAT_VERSION = 1 };

typedef enum TraceType { TRACE_FLOAT32, TRACE_FLOAT64, TRACE_UINT8, TRACE_INT32, TRACE_UINT64 } TraceType;

// What a channel is. shape counts the values of one row: {0} a scalar, {3} a vector, {16, 4} sixteen rotations.
typedef struct TraceChannel {
  const char *path; // "/characters/runner/parts/position"
  TraceType type;
  int shape[2];
  const char *unit;
  const char *description;
  const char *const *row_names; // [shape[0]] names of the rows, attribute `names`; NULL when they have none
} TraceChannel;

// What the writer itself declares: the first channel of every trace, /time, which it fills; the list of events, whose
// rows are trace_event_fields; and how it describes embedded files, "/files/...".
extern const TraceChannel trace_time_channel, trace_events_channel, trace_files_channel;

// An attribute or a field of a record as the reference shows it.
typedef struct TraceAttribute {
  const char *where; // "/", "/characters/NAME/parts/*"
  const char *name, *type, *unit, *description;
} TraceAttribute;

// What every trace has: attributes of the root, of its datasets and of embedded files; the fields of /events.
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

// An event or one step of a push: what was applied.
typedef struct TraceEvent {
  double time;                     // s
  char kind[TRACE_NAME_SIZE];      // "bullet"
  char character[TRACE_NAME_SIZE]; // "runner"
  char part[TRACE_NAME_SIZE];      // "chest"
  float point[3], impulse[3];      // world, m and N s
} TraceEvent;

typedef struct TraceWriter TraceWriter;

// Creates the file. Nothing is created when it cannot be written. Channels are declared next, then frames are written.
TraceWriter *trace_create(const char *path, const TraceInfo *info, Error *error);

// Declares a channel with one row a frame, or a list that grows on its own (contacts, hashes). Returns its index, -1 on
// error.
int trace_channel(TraceWriter *writer, const TraceChannel *channel, Error *error);
int trace_list(TraceWriter *writer, const TraceChannel *channel, Error *error);

// A group whose members may come late: channels and groups in it, and their attributes, can be declared after the first
// frame too, between two frames. The frames before are missing then: NaN, or 0 in channels of whole numbers. Waits for
// the thread that writes.
bool trace_group(TraceWriter *writer, const char *path, Error *error);

// Attributes of a declared channel, a group or the root "/": `count` doubles (joints' limits, parts' masses and
// inertias), a number, a text. trace_attribute: a count of 0 writes nothing.
bool trace_attribute(TraceWriter *writer, const char *path, const char *name, const double *values, int count,
                     Error *error);
bool trace_number_attribute(TraceWriter *writer, const char *path, const char *name, double value, Error *error);
bool trace_text_attribute(TraceWriter *writer, const char *path, const char *name, const char *text, Error *error);

// The attribute `names` of a declared channel or list whose values are indices: what each index stands for (copied).
bool trace_names(TraceWriter *writer, const char *path, const char *const *names, int count, Error *error);

// Where to write the current frame's values of a channel. Good until trace_end_frame. Zeroed at the start of a frame.
void *trace_row(TraceWriter *writer, int channel);

// Appends rows to a list (copied).
void trace_append(TraceWriter *writer, int list, const void *rows, int count);
void trace_append_event(TraceWriter *writer, const TraceEvent *event);

// Closes the current frame: its time becomes a row of /time. False once writing has failed (disk full): the run
// should stop; trace_close tells the cause.
bool trace_end_frame(TraceWriter *writer, double time);

// Writes the final metrics as attributes of /metrics (may be called once for each, before closing).
void trace_metric(TraceWriter *writer, const char *name, double value);
void trace_text_metric(TraceWriter *writer, const char *name, const char *text);

// Writes what is left, sets the status ("complete", "interrupted", "stopped: why"), closes and frees. False with the
// first error that writing met; what was flushed before stays readable, with a status that says so if there is room for
// it. A file that was removed meanwhile is an error.
bool trace_close(TraceWriter *writer, const char *status, Error *error);

// Reading.

typedef struct TraceReader TraceReader;

// Whether the file begins as HDF5 files do: a trace may have any name. False as well when it cannot be read, and of a
// device or a pipe.
bool trace_is_hdf5(const char *path);

// Whether the file's root says that it is a trace of Stagger. False as well of a damaged file.
bool trace_is_trace(const char *path);

// Whether a run is writing a trace to that file now; in its first moments it looks like no trace yet.
bool trace_is_written(const char *path);

// Errors: not HDF5, not a Stagger trace, a newer format, cut short, damaged, times that do not rise, an object that
// leads out of the file (sim/trace/hdf5_open.h). HDF5 crashes on some files that are damaged inside: what it makes of
// one is tried in a process of its own first (sim/trace/hdf5_probe.h).
TraceReader *trace_open(const char *path, Error *error);
void trace_reader_close(TraceReader *reader);
int trace_frame_count(const TraceReader *reader);
// Root attributes as text ("" when absent); "seed" and numbers are printed.
const char *trace_text(TraceReader *reader, const char *attribute);
double trace_number(TraceReader *reader, const char *attribute); // NAN when absent
// An attribute with numbers of a dataset or group: mass and inertia of parts, limit of joints, /metrics' values.
// Returns how many were read, at most `max`.
int trace_values(TraceReader *reader, const char *path, const char *attribute, double *values, int max);
// The same of an attribute that is a text, cut off at the buffer's end; "" when absent.
void trace_value_text(TraceReader *reader, const char *path, const char *attribute, char *text, size_t size);
// Fills an empty FileSet with the embedded files and seals it. Errors: a file of more than 16 MiB, more than 64 MiB in
// all, where the trace itself is smaller than that.
bool trace_files(TraceReader *reader, FileSet *files, Error *error);
// Rows [first, first + count) of a dataset, converted to the given type. `values` holds count * row size of them.
bool trace_read(TraceReader *reader, const char *path, TraceType type, long first, long count, void *values,
                Error *error);
// The same of a dataset with one value a row; an error when it has another number of them.
bool trace_read_column(TraceReader *reader, const char *path, TraceType type, long first, long count, void *values,
                       Error *error);
// Rows of a dataset and values in a row; false when there is no such dataset.
bool trace_shape(TraceReader *reader, const char *path, long *rows, int *row_size);
// The shape of a channel's rows as in TraceChannel; false when the dataset is none or has not one row a frame.
bool trace_channel_shape(TraceReader *reader, const char *path, int shape[2]);
// The type that a dataset's values have in the file; false when there is none or when they are no numbers.
bool trace_type(TraceReader *reader, const char *path, TraceType *type);
// Events [0, count): caller frees. Names of a channel's rows: attribute `names`; returns the count, at most `max`.
TraceEvent *trace_events(TraceReader *reader, int *count);
int trace_row_names(TraceReader *reader, const char *path, char (*names)[TRACE_NAME_SIZE], int max);
// Calls visit for every dataset, in alphabetical order of path.
void trace_visit(TraceReader *reader, void (*visit)(void *context, const char *path), void *context);

// Calls visit for every attribute of a dataset, a group or the root "/", in alphabetical order.
void trace_visit_attributes(TraceReader *reader, const char *path, void (*visit)(void *context, const char *name),
                            void *context);

// The unit and the description of a dataset ("" when absent).
void trace_describe(TraceReader *reader, const char *path, char unit[32], char description[256]);

// Bit for bit comparison of two traces. Prints to the report buffer what differs, the first step (by its hash), event,
// frame, channel and row, and the largest difference of each channel, or that nothing does. True when all datasets and
// attributes are identical, but for attributes of wall-clock time. Of runs of different lengths what both have is told.
bool trace_compare(TraceReader *a, TraceReader *b, char *report, size_t size);

// The same for a recording that was cut short: true when both begin the same. Lengths do not count, nor what is written
// at the end of a run: metrics and status.
bool trace_compare_begun(TraceReader *a, TraceReader *b, char *report, size_t size);

#endif
