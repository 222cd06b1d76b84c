// Finds saved states in a trace, and brings a scene to a moment of the recorded run.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "scenes/run/scene_state.h"
#include "scenes/run/trace_states.h"

// larger sizes can only be damage
static const uint64_t LARGEST = (uint64_t)1 << 30; // bytes

static long count_states(TraceReader *reader) {
  long count = LONG_MAX;
  for (int i = 0; i < STATE_WORDS; i++) {
    long rows;
    int width;
    if (!trace_shape(reader, state_channels[i].path, &rows, &width))
      return 0;
    count = rows < count ? rows : count;
  }
  return count;
}

int trace_states_count(TraceReader *reader, double *first, double *last) {
  const long count = count_states(reader);
  const char *path = state_channels[STATE_TIME].path;
  return count > 0 && trace_read_column(reader, path, TRACE_FLOAT64, 0, 1, first, NULL) &&
                 trace_read_column(reader, path, TRACE_FLOAT64, count - 1, 1, last, NULL)
             ? (int)count
             : 0;
}

// The place of a state in the trace.
typedef struct Place {
  long first_word;
  uint64_t size; // bytes
} Place;

// Finds the last state at or before a step. False and an error: there is none.
static bool find_state(TraceReader *reader, long count, long step, Place *place, Error *error) {
  long words = 0;
  int width;
  trace_shape(reader, state_channels[STATE_WORDS].path, &words, &width);
  uint64_t *steps = calloc((size_t)count, sizeof *steps), *sizes = calloc((size_t)count, sizeof *sizes);
  bool read = steps && sizes &&
              trace_read_column(reader, state_channels[STATE_STEP].path, TRACE_UINT64, 0, count, steps, error) &&
              trace_read_column(reader, state_channels[STATE_SIZE].path, TRACE_UINT64, 0, count, sizes, error);
  bool found = false;
  uint64_t next = 0;
  for (long i = 0; read && i < count && steps[i] <= (uint64_t)step && sizes[i] <= LARGEST; i++) {
    Place here = {(long)next, sizes[i]};
    next += trace_states_words(sizes[i]);
    if (next > (uint64_t)words) // the run was killed while writing
      break;
    found = true;
    *place = here;
  }
  free(steps);
  free(sizes);
  return found || error_set(error, "the trace has no state at or before step %ld", step);
}

static bool restore(TraceReader *reader, Scene *scene, const Place *place, Error *error) {
  const uint64_t count = trace_states_words(place->size);
  uint64_t *words = calloc(count + 1, sizeof *words);
  bool good = words ? trace_read_column(reader, state_channels[STATE_WORDS].path, TRACE_UINT64, place->first_word,
                                        (long)count, words, error)
                    : error_set(error, "out of memory for a state");
  good = good && scene_state_restore(scene, words, place->size, error);
  free(words);
  return good;
}

// The time of a recorded frame, s; NAN when it cannot be read.
static double frame_time(TraceReader *reader, long frame) {
  double time;
  return trace_read_column(reader, trace_time_channel.path, TRACE_FLOAT64, frame, 1, &time, NULL) ? time : (double)NAN;
}

// The step of the last frame at or before a time; -1 and an error when the time is outside the recorded run.
static long step_of(TraceReader *reader, const Scene *scene, double time, Error *error) {
  const int frames = trace_frame_count(reader), per_frame = scene->def->steps_per_frame;
  const double first = frames > 0 ? frame_time(reader, 0) : (double)NAN;
  const double last = frames > 0 ? frame_time(reader, frames - 1) : (double)NAN;
  if (time >= first && time <= last)
    return (long)floor(time / scene->world->def.dt * (1 + 1e-12) + 1e-6) / per_frame * per_frame;
  error_set(error, "%g s is outside of the recorded run, which is from %g s to %g s", time, first, last);
  return -1;
}

bool trace_states_go_to(TraceReader *reader, Scene *scene, double time, Error *error) {
  const long count = count_states(reader);
  if (count == 0)
    return error_set(error, "the trace has no states: record it again with --set trace.states=1, a state every second");
  const long step = step_of(reader, scene, time, error);
  Place place = {0};
  if (step < 0 || !find_state(reader, count, step, &place, error) || !scene_watch(scene, error) ||
      !restore(reader, scene, &place, error))
    return false;
  while (scene->world->steps < step)
    if (!scene_step(scene))
      return error_set(error, "the run was stopped before %g s: %s", time, scene->world->stop_reason);
  return true;
}
