// Writes saved states into a trace: one list of 64-bit words, in which each state begins at a word, and lists of the
// states' times and sizes.
#include "scenes/run/trace_states.h"

#include <limits.h>
#include <stdlib.h>

#include "scenes/run/scene_state.h"

const TraceChannel state_channels[STATE_LISTS] = {
    [STATE_TIME] = {.path = "/states/time",
                    .type = TRACE_FLOAT64,
                    .unit = "s",
                    .description = "Times at which a state of the whole scene was saved, with trace.states"},
    [STATE_STEP] = {.path = "/states/step",
                    .type = TRACE_UINT64,
                    .unit = "-",
                    .description = "Number of physics steps before each state"},
    [STATE_SIZE] = {.path = "/states/size", .type = TRACE_UINT64, .unit = "byte", .description = "Length of the state"},
    [STATE_WORDS] = {.path = "/states/words",
                     .type = TRACE_UINT64,
                     .unit = "-",
                     .description = "All states one after another, each aligned to words of 8 bytes"},
};

struct TraceStates {
  TraceWriter *trace;
  int lists[STATE_LISTS];
};

uint64_t trace_states_words(uint64_t size) { return (size + sizeof(uint64_t) - 1) / sizeof(uint64_t); }

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

// The words are written first: in the trace of a killed run no state is listed whose words are missing.
void trace_states_append(TraceStates *states, const Scene *scene) {
  const uint64_t size = scene_state_size(scene), count = trace_states_words(size), step = (uint64_t)scene->world->steps;
  uint64_t *words = calloc(count, sizeof *words);
  if (words && size > 0 && count <= INT_MAX && scene_state_save(scene, words, size, NULL)) {
    trace_append(states->trace, states->lists[STATE_WORDS], words, (int)count);
    trace_append(states->trace, states->lists[STATE_SIZE], &size, 1);
    trace_append(states->trace, states->lists[STATE_STEP], &step, 1);
    trace_append(states->trace, states->lists[STATE_TIME], &scene->world->time, 1);
  }
  free(words);
}
