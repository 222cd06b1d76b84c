// The public interface's traces: recorded runs to read.
#include <stdlib.h>
#include <string.h>

#include "scenes/library/library_internal.h"
#include "sim/base/reserve.h"

struct StaggerTrace {
  TraceReader *reader;
  char **paths; // of its datasets
  int count, capacity;
  bool full; // memory for a path was missing
  char unit[32], description[256];
};

static void note_path(void *context, const char *path) {
  StaggerTrace *trace = context;
  const bool room = reserve(&trace->paths, &trace->capacity, trace->count + 1, sizeof *trace->paths);
  char *copy = room ? strdup(path) : NULL;
  if (copy)
    trace->paths[trace->count++] = copy;
  else
    trace->full = true;
}

StaggerTrace *stagger_trace_open(const char *path, StaggerError **error) {
  Error cause = {0};
  StaggerTrace *trace = calloc(1, sizeof *trace);
  if (trace)
    trace->reader = trace_open(path, &cause);
  if (trace && trace->reader)
    trace_visit(trace->reader, note_path, trace);
  if (trace && trace->reader && !trace->full)
    return trace;
  if (!cause.text[0])
    error_set(&cause, "%s: out of memory", path);
  stagger_trace_close(trace);
  library_fail(error, &cause);
  return NULL;
}

void stagger_trace_close(StaggerTrace *trace) {
  if (!trace)
    return;
  trace_reader_close(trace->reader);
  for (int i = 0; i < trace->count; i++)
    free(trace->paths[i]);
  free(trace->paths);
  free(trace);
}

int64_t stagger_trace_frame_count(const StaggerTrace *trace) { return trace_frame_count(trace->reader); }

const char *stagger_trace_attribute(StaggerTrace *trace, const char *name) { return trace_text(trace->reader, name); }

const char *stagger_trace_dataset(StaggerTrace *trace, int index) {
  return index >= 0 && index < trace->count ? trace->paths[index] : NULL;
}

bool stagger_trace_shape(StaggerTrace *trace, const char *path, int64_t *rows, StaggerView *view,
                         StaggerError **error) {
  static const StaggerType TYPES[] = {[TRACE_FLOAT32] = STAGGER_FLOAT32,
                                      [TRACE_FLOAT64] = STAGGER_FLOAT64,
                                      [TRACE_UINT8] = STAGGER_UINT8,
                                      [TRACE_INT32] = STAGGER_INT32,
                                      [TRACE_UINT64] = STAGGER_UINT64};
  TraceType type;
  long count;
  int row_size;
  if (!trace_shape(trace->reader, path, &count, &row_size) || !trace_type(trace->reader, path, &type))
    return library_error(error, "the trace has no numbers '%s': stagger_trace_dataset lists them", path);
  trace_describe(trace->reader, path, trace->unit, trace->description);
  *rows = count;
  *view = (StaggerView){
      .type = TYPES[type], .rows = 1, .columns = row_size, .unit = trace->unit, .description = trace->description};
  int shape[2];
  if (trace_channel_shape(trace->reader, path, shape) && shape[0] > 0 && shape[1] > 0) {
    view->rows = shape[0];
    view->columns = shape[1];
  }
  return true;
}

bool stagger_trace_read(StaggerTrace *trace, const char *path, int64_t first, int64_t count, double *values,
                        StaggerError **error) {
  Error cause = {0};
  long rows;
  int row_size;
  if (!trace_shape(trace->reader, path, &rows, &row_size))
    return library_error(error, "the trace has no dataset '%s': stagger_trace_dataset lists them", path);
  if (first < 0 || count < 0 || first > rows || count > rows - first)
    return library_error(error, "%s: has the rows 0 to %ld, not %lld to %lld", path, rows - 1, (long long)first,
                         (long long)(first + count - 1));
  return count == 0 || trace_read(trace->reader, path, TRACE_FLOAT64, (long)first, (long)count, values, &cause) ||
         library_fail(error, &cause);
}
