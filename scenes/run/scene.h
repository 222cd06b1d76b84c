// A running scene: world, terrain, platforms, characters and events, made from a description.
#ifndef STAGGER_SCENES_RUN_SCENE_H
#define STAGGER_SCENES_RUN_SCENE_H

#include "scenes/description/scene_def.h"
#include "scenes/record/record.h"
#include "scenes/run/events.h"

typedef struct Scene {
  const SceneDef *def;
  Terrain *terrain;
  World *world;
  Character *characters[SCENE_MAX_CHARACTERS];
  int character_count;
  Events events;
  double targets[SCENE_MAX_TARGETS][3]; // m, world, at the end of the coming step
  int platforms[SCENE_MAX_PLATFORMS];   // indices of their bodies
  int props[SCENE_MAX_PROPS];           // indices of their bodies
  double props_struck[SCENE_MAX_PROPS]; // s: when each first hit a character; -1: not yet
  int steps_per_judgement;              // physics steps between two samples of the frame metrics
  int steps_per_plan;                   // physics steps between two plans of planned characters
  struct Surroundings *surroundings;    // of scenes with planned characters, see scenes/run/scene_plan.h
  Recorder *recorder;                   // NULL: nothing is recorded; for a recorder without a trace see scene_watch
  struct TraceStates *states;           // of a trace with saved states, see scenes/run/trace_states.h
  bool unseen;                          // nobody looks at shown poses and metrics, which are not computed
  bool record_failed;                   // writing the trace has failed
} Scene;

// def must outlive the scene; only its file set is changed (by the terrain's image). NULL and an error when the scene
// cannot be built: unusable terrain, more bodies than a world holds.
Scene *scene_create(SceneDef *def, Error *error);
void scene_destroy(Scene *scene);

// Declares the scene's channels in a trace and writes the frame of the present state, with which the recording begins.
// The trace remains the caller's and is closed after the scene is finished or destroyed.
bool scene_record(Scene *scene, TraceWriter *trace, Error *error);

// From here on accumulates what the first frame of a recording sums over its steps, as if recording had begun. For a
// scene that is brought to the middle of a run by a saved state; scene_record continues with the sums.
bool scene_watch(Scene *scene, Error *error);

// Ends the recording. The trace remains the caller's.
void scene_stop_recording(Scene *scene);

// Makes one physics step and records a frame when one is due. False when the world has stopped (world->stop_reason) or
// the trace cannot be written; the scene must not be stepped further then.
bool scene_step(Scene *scene);

// Finishes the metrics and writes them to the trace; call once, after the last step.
void scene_finish(Scene *scene);

// The header data of a trace into which a scene is recorded.
TraceInfo scene_trace_info(const SceneDef *def);

#endif
