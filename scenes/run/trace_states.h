// States of a run in its trace: saved at an interval while it is recorded (`trace: {states: 1}`), so that a later run
// begins from any moment of it.
#ifndef STAGGER_SCENES_RUN_TRACE_STATES_H
#define STAGGER_SCENES_RUN_TRACE_STATES_H

#include "scenes/run/scene.h"

// The lists that a trace with states has, one row a state but for the words: for the recorder and the reference.
enum { STATE_TIME, STATE_STEP, STATE_SIZE, STATE_WORDS, STATE_LISTS };
extern const TraceChannel state_channels[STATE_LISTS];

typedef struct TraceStates TraceStates;

// Declares the lists; before the first frame. NULL and an error: they cannot be, or no memory.
TraceStates *trace_states_create(TraceWriter *trace, Error *error);
void trace_states_destroy(TraceStates *states);

// Appends the scene's present state. Without memory for it none is appended: a run does not end for that.
void trace_states_append(TraceStates *states, const Scene *scene);

// How many states a trace has, and the times (s) of the first and the last one. 0: none.
int trace_states_count(TraceReader *reader, double *first, double *last);

// Brings a scene, which has been made from the description in the trace, to a moment of the recorded run: the last
// state at or before it is restored, and the rest is stepped. The moment is the last frame at or before `time` (s).
// What a frame sums since the one before is known there: scene_record goes on with it. Errors: no states, a time
// outside of the recorded run, a state that does not fit.
bool trace_states_go_to(TraceReader *reader, Scene *scene, double time, Error *error);

#endif
