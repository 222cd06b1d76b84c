// A scene that runs: world, terrain, platforms, characters and events made from a description.
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
  int props[SCENE_MAX_PROPS];           // the same
  int steps_per_judgement;              // physics steps between two looks of the metrics that compare frames
  int steps_per_plan;                   // the same, of those who plan
  struct Surroundings *surroundings;    // of scenes with characters who plan, see scenes/run/scene_plan.h
  Recorder *recorder;                   // NULL: nothing is recorded; without a trace: see scene_watch
  struct TraceStates *states;           // of a trace that has some, see scenes/run/trace_states.h
  bool record_failed;                   // writing the trace has failed
} Scene;

// def must outlive the scene; only its file set changes (the terrain's image). NULL and an error when the scene cannot
// be built: unusable terrain, more bodies than a world holds.
Scene *scene_create(SceneDef *def, Error *error);
void scene_destroy(Scene *scene);

// Declares the scene's channels in a trace and writes the frame of the present state; the recording begins here. The
// trace stays the caller's and is closed after the scene is destroyed or finished.
bool scene_record(Scene *scene, TraceWriter *trace, Error *error);

// Sums from here on what the first frame of a recording sums, as if it were recorded already: for a scene that a state
// brings to the middle of a run. scene_record goes on with it.
bool scene_watch(Scene *scene, Error *error);

// Records nothing from here on. The trace stays the caller's.
void scene_stop_recording(Scene *scene);

// One physics step, and a frame when one is due. False when the world has stopped (world->stop_reason) or the trace
// cannot be written any more; the scene is not stepped any further then.
bool scene_step(Scene *scene);

// Closes the metrics and hands them to the trace; call once, after the last step.
void scene_finish(Scene *scene);

// Facts of the trace that a scene is recorded into.
TraceInfo scene_trace_info(const SceneDef *def);

#endif
