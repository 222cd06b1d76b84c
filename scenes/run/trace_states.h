// States of a run in its trace, saved at an interval while it is recorded (`trace: {states: 1}`), so that a later run
// can begin from any moment of it.
#ifndef STAGGER_SCENES_RUN_TRACE_STATES_H
#define STAGGER_SCENES_RUN_TRACE_STATES_H

#include "scenes/run/scene.h"

// The lists of a trace with states: one row for each state, except for the words. Used by the recorder and the
// reference.
enum { STATE_TIME, STATE_STEP, STATE_SIZE, STATE_WORDS, STATE_LISTS };
extern const TraceChannel state_channels[STATE_LISTS];

typedef struct TraceStates TraceStates;

// Declares the lists; before the first frame. NULL and an error: they cannot be declared, or no memory.
TraceStates *trace_states_create(TraceWriter *trace, Error *error);
void trace_states_destroy(TraceStates *states);

// Appends the scene's present state. If there is no memory for it, it is left out and the run continues.
void trace_states_append(TraceStates *states, const Scene *scene);

// Number of 64-bit words that a state of `size` bytes takes in the list.
uint64_t trace_states_words(uint64_t size);

// Number of states in a trace, and the times (s) of the first and the last one. 0: none.
int trace_states_count(TraceReader *reader, double *first, double *last);

// Brings a scene, made from the description in the trace, to a moment of the recorded run, which is that of the last
// frame at or before `time` (s): restores the last state at or before it and makes the remaining steps. The sums of the
// present frame are then known, and scene_record continues with them. Errors: no states, a time outside the recorded
// run, a state that does not fit.
bool trace_states_go_to(TraceReader *reader, Scene *scene, double time, Error *error);

#endif
