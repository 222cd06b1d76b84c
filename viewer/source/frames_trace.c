// Frames of a trace, read in blocks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/source/frames_internal.h"

enum {
  BLOCK_FRAMES = 60,      // the size of a trace's chunks, which HDF5 reads as a whole
  BLOCK_VALUES = 1 << 18, // limit of a block, unless a single frame has more
  MOST_VALUES = 65536,    // limit for a channel in a frame
  CONTACTS_AT_ONCE = 256,
};

typedef struct TraceFrames {
  Frames frames;
  TraceReader *reader;
  double *times;                            // s
  int32_t *contacts_first, *contacts_count; // of each frame; NULL: the trace has no contacts
} TraceFrames;

static const char CONTACTS_FIRST[] = "/contacts/first", CONTACTS_COUNT[] = "/contacts/count";

// ---- Values ----

static const float *read_values(Frames *frames, int index, int frame, Error *error) {
  StoredChannel *channel = &frames->channels[index];
  size_t size = channel_size(&channel->shown);
  if (!channel->block || frame < channel->block_first || frame >= channel->block_first + channel->block_count) {
    int whole = (int)(BLOCK_VALUES / size);
    whole = whole < 1 ? 1 : whole > BLOCK_FRAMES ? BLOCK_FRAMES : whole;
    if (!channel->block)
      channel->block = malloc((size_t)whole * size * sizeof(float));
    if (!channel->block) {
      error_set(error, "%s: out of memory", channel->shown.path);
      return NULL;
    }
    channel->block_first = frame - frame % whole;
    channel->block_count = frames->end - channel->block_first < whole ? frames->end - channel->block_first : whole;
    if (!trace_read(((TraceFrames *)frames)->reader, channel->shown.path, TRACE_FLOAT32, channel->block_first,
                    channel->block_count, channel->block, error)) {
      channel->block_count = 0;
      return NULL;
    }
  }
  return channel->block + (size_t)(frame - channel->block_first) * size;
}

static double read_time(const Frames *frames, int frame) { return ((const TraceFrames *)frames)->times[frame]; }

// ---- Contacts ----

// Rows of a list of contacts, `width` values each.
static bool read_list(TraceReader *reader, const char *path, TraceType type, int width, long first, int count,
                      void *values, Error *error) {
  long rows;
  int size;
  if (trace_shape(reader, path, &rows, &size) && size != width)
    return error_set(error, "%s: a contact has %d values there, not %d", path, size, width);
  return trace_read(reader, path, type, first, count, values, error);
}

static bool read_some_contacts(TraceReader *reader, long first, int count, FrameContact *contacts, Error *error) {
  int32_t body[CONTACTS_AT_ONCE], other[CONTACTS_AT_ONCE];
  vec3s position[CONTACTS_AT_ONCE], normal[CONTACTS_AT_ONCE], impulse[CONTACTS_AT_ONCE];
  if (!read_list(reader, "/contacts/part", TRACE_INT32, 1, first, count, body, error) ||
      !read_list(reader, "/contacts/other", TRACE_INT32, 1, first, count, other, error) ||
      !read_list(reader, "/contacts/position", TRACE_FLOAT32, 3, first, count, position, error) ||
      !read_list(reader, "/contacts/normal", TRACE_FLOAT32, 3, first, count, normal, error) ||
      !read_list(reader, "/contacts/impulse", TRACE_FLOAT32, 3, first, count, impulse, error))
    return false;
  for (int i = 0; i < count; i++)
    contacts[i] = (FrameContact){body[i], other[i], position[i], normal[i], impulse[i]};
  return true;
}

static int read_contacts(Frames *frames, int frame, FrameContact *contacts, int most, Error *error) {
  TraceFrames *trace = (TraceFrames *)frames;
  if (!trace->contacts_first)
    return 0;
  int count = trace->contacts_count[frame] < most ? trace->contacts_count[frame] : most;
  for (int done = 0; done < count; done += CONTACTS_AT_ONCE) {
    int some = count - done < CONTACTS_AT_ONCE ? count - done : CONTACTS_AT_ONCE;
    if (!read_some_contacts(trace->reader, (long)trace->contacts_first[frame] + done, some, contacts + done, error))
      return -1;
  }
  return count > 0 ? count : 0;
}

// ---- Opening ----

typedef struct Visit {
  TraceFrames *trace;
  Error *error;
  bool good;
} Visit;

static void add_channel(void *context, const char *path) {
  Visit *visit = context;
  TraceReader *reader = visit->trace->reader;
  char unit[32], description[256];
  TraceChannel channel = {.path = path, .unit = unit, .description = description};
  long rows;
  int size;
  if (!visit->good || !trace_channel_shape(reader, path, channel.shape) || !trace_shape(reader, path, &rows, &size) ||
      size < 1 || size > MOST_VALUES || strlen(path) >= sizeof((FrameChannel *)0)->path)
    return;
  trace_describe(reader, path, unit, description);
  char one[1][TRACE_NAME_SIZE];
  bool named = channel.shape[0] > 0 && trace_row_names(reader, path, one, 1) == 1;
  StoredChannel *stored = frames_add_channel(&visit->trace->frames, &channel, named);
  if (stored && named) {
    FrameChannel *shown = &stored->shown;
    shown->names = calloc((size_t)shown->rows, sizeof *shown->names);
    if (shown->names)
      trace_row_names(reader, path, shown->names, shown->rows);
  }
  visit->good = stored && (!named || stored->shown.names);
}

// All rows of a channel that has one value a frame. The caller frees them; NULL and an error.
static void *read_column(const TraceFrames *trace, const char *path, TraceType type, size_t value_size, Error *error) {
  long rows;
  int size;
  if (trace_shape(trace->reader, path, &rows, &size) && size != 1) {
    error_set(error, "%s: the trace has %d values a frame there, not one", path, size);
    return NULL;
  }
  void *values = malloc((size_t)trace->frames.end * value_size);
  if (!values)
    error_set(error, "%s: out of memory", path);
  if (!values || trace_read(trace->reader, path, type, 0, trace->frames.end, values, error))
    return values;
  free(values);
  return NULL;
}

static bool read_columns(TraceFrames *trace, Error *error) {
  trace->times = read_column(trace, trace_time_channel.path, TRACE_FLOAT64, sizeof(double), error);
  if (!trace->times)
    return false;
  long rows;
  int size;
  if (!trace_shape(trace->reader, CONTACTS_FIRST, &rows, &size))
    return true;
  trace->contacts_first = read_column(trace, CONTACTS_FIRST, TRACE_INT32, sizeof(int32_t), error);
  trace->contacts_count = read_column(trace, CONTACTS_COUNT, TRACE_INT32, sizeof(int32_t), error);
  return trace->contacts_first && trace->contacts_count;
}

static void free_trace(Frames *frames) {
  TraceFrames *trace = (TraceFrames *)frames;
  free(trace->times);
  free(trace->contacts_first);
  free(trace->contacts_count);
}

static const FramesKind TRACE_KIND = {read_values, read_time, read_contacts, free_trace};

Frames *frames_of_trace(TraceReader *reader, Error *error) {
  int count = trace_frame_count(reader);
  if (count < 1) {
    error_set(error, "the trace has no frames");
    return NULL;
  }
  TraceFrames *trace = calloc(1, sizeof *trace);
  if (!trace) {
    error_set(error, "out of memory");
    return NULL;
  }
  trace->frames.kind = &TRACE_KIND;
  trace->frames.end = count;
  trace->reader = reader;
  Visit visit = {trace, error, true};
  if (read_columns(trace, error)) {
    trace_visit(reader, add_channel, &visit);
    if (visit.good) {
      frames_sort_channels(&trace->frames);
      return &trace->frames;
    }
    error_set(error, "out of memory");
  }
  frames_free(&trace->frames);
  return NULL;
}
