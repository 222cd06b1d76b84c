// States in a trace: each is packed by zlib, since most of it is zeros, and appended to one list of bytes.
#include "scenes/run/trace_states.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <zlib.h>

#include "scenes/run/scene_state.h"

const TraceChannel state_channels[STATE_LISTS] = {
    [STATE_STEP] = {.path = "/states/step",
                    .type = TRACE_INT32,
                    .unit = "-",
                    .description = "Physics steps done when the state was saved"},
    [STATE_SIZE] = {.path = "/states/size", .type = TRACE_UINT64, .unit = "byte", .description = "Of the state"},
    [STATE_PACKED] = {.path = "/states/packed",
                      .type = TRACE_UINT64,
                      .unit = "byte",
                      .description = "Of the state as it is in `bytes`, packed by zlib"},
    [STATE_BYTES] = {.path = "/states/bytes",
                     .type = TRACE_UINT8,
                     .unit = "byte",
                     .description = "All states, one after the other; they hold for the build that wrote them"},
};

// Larger ones are damage, not states.
static const uint64_t LARGEST = (uint64_t)1 << 30; // bytes

struct TraceStates {
  TraceWriter *trace;
  int lists[STATE_LISTS];
};

// ---- Writing ----

TraceStates *trace_states_create(TraceWriter *trace, Error *error) {
  TraceStates *states = calloc(1, sizeof *states);
  if (!states) {
    error_set(error, "out of memory");
    return NULL;
  }
  states->trace = trace;
  for (int i = 0; i < STATE_LISTS; i++) {
    states->lists[i] = trace_list(trace, &state_channels[i], error);
    if (states->lists[i] < 0) {
      free(states);
      return NULL;
    }
  }
  return states;
}

void trace_states_destroy(TraceStates *states) { free(states); }

void trace_states_append(TraceStates *states, const Scene *scene) {
  uint64_t size = scene_state_size(scene);
  uLongf packed_size = compressBound((uLong)size);
  unsigned char *bytes = malloc(size), *packed = malloc(packed_size);
  if (bytes && packed && scene_state_save(scene, bytes, size, NULL) &&
      compress2(packed, &packed_size, bytes, (uLong)size, Z_BEST_SPEED) == Z_OK && packed_size <= INT_MAX) {
    const int32_t step = (int32_t)scene->world->steps;
    const uint64_t length = packed_size;
    trace_append(states->trace, states->lists[STATE_STEP], &step, 1);
    trace_append(states->trace, states->lists[STATE_SIZE], &size, 1);
    trace_append(states->trace, states->lists[STATE_PACKED], &length, 1);
    trace_append(states->trace, states->lists[STATE_BYTES], packed, (int)packed_size);
  }
  free(bytes);
  free(packed);
}

// ---- Reading ----

static long count_states(TraceReader *reader) {
  long rows;
  int width;
  return trace_shape(reader, state_channels[STATE_STEP].path, &rows, &width) ? rows : 0;
}

static bool read_column(TraceReader *reader, int list, long index, TraceType type, void *value, Error *error) {
  return trace_read_column(reader, state_channels[list].path, type, index, 1, value, error);
}

static double time_of(TraceReader *reader, long index) {
  int32_t step;
  return read_column(reader, STATE_STEP, index, TRACE_INT32, &step, NULL) ? step * trace_number(reader, "dt")
                                                                          : (double)NAN;
}

int trace_states_count(TraceReader *reader, double *first, double *last) {
  const long count = count_states(reader);
  if (count > 0) {
    *first = time_of(reader, 0);
    *last = time_of(reader, count - 1);
  }
  return (int)count;
}

// The last state that is not later than a step, and where its bytes begin. -1 and an error: none.
static long find_state(TraceReader *reader, long step, uint64_t *offset, Error *error) {
  const long count = count_states(reader);
  long found = -1;
  uint64_t begin = 0;
  for (long i = 0; i < count; i++) {
    int32_t at;
    uint64_t packed;
    if (!read_column(reader, STATE_STEP, i, TRACE_INT32, &at, error) ||
        !read_column(reader, STATE_PACKED, i, TRACE_UINT64, &packed, error))
      return -1;
    if (at > step)
      break;
    found = i;
    *offset = begin;
    begin += packed;
  }
  if (found < 0)
    error_set(error, "the trace has no state at or before step %ld", step);
  return found;
}

static bool restore(TraceReader *reader, Scene *scene, long index, uint64_t offset, Error *error) {
  uint64_t size, packed_size;
  if (!read_column(reader, STATE_SIZE, index, TRACE_UINT64, &size, error) ||
      !read_column(reader, STATE_PACKED, index, TRACE_UINT64, &packed_size, error))
    return false;
  if (size > LARGEST || packed_size > LARGEST || offset > LONG_MAX)
    return error_set(error, "state %ld of the trace is damaged", index);
  unsigned char *bytes = malloc(size + 1), *packed = malloc(packed_size + 1);
  uLongf unpacked = (uLongf)size;
  bool good = bytes && packed ? trace_read(reader, state_channels[STATE_BYTES].path, TRACE_UINT8, (long)offset,
                                           (long)packed_size, packed, error)
                              : error_set(error, "out of memory for a state");
  if (good && (uncompress(bytes, &unpacked, packed, (uLong)packed_size) != Z_OK || unpacked != size))
    good = error_set(error, "state %ld of the trace is damaged", index);
  good = good && scene_state_restore(scene, bytes, size, error);
  free(bytes);
  free(packed);
  return good;
}

// The time of a recorded frame, s; NAN: it cannot be read.
static double frame_time(TraceReader *reader, long frame) {
  double time;
  return trace_read_column(reader, trace_time_channel.path, TRACE_FLOAT64, frame, 1, &time, NULL) ? time : (double)NAN;
}

bool trace_states_go_to(TraceReader *reader, Scene *scene, double time, Error *error) {
  const int frames = trace_frame_count(reader);
  const double first = frames > 0 ? frame_time(reader, 0) : NAN,
               last = frames > 0 ? frame_time(reader, frames - 1) : NAN;
  if (count_states(reader) == 0)
    return error_set(error, "the trace has no states: record it again with --set trace.states=1, a state every second");
  if (!(time >= first && time <= last))
    return error_set(error, "%g s is outside of the recorded run, which is from %g s to %g s", time, first, last);
  const int per_frame = scene->def->steps_per_frame;
  const long step = (long)floor(time / scene->world->def.dt * (1 + 1e-12) + 1e-6) / per_frame * per_frame;
  uint64_t offset = 0;
  const long index = find_state(reader, step, &offset, error);
  if (index < 0 || !restore(reader, scene, index, offset, error))
    return false;
  while (scene->world->steps < step)
    if (!scene_step(scene))
      return error_set(error, "the run was stopped before %g s: %s", time, scene->world->stop_reason);
  return true;
}
