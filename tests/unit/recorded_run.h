// Traces of short runs for the tests of exports: recorded into a file of their own, opened again.
#ifndef STAGGER_TESTS_RECORDED_RUN_H
#define STAGGER_TESTS_RECORDED_RUN_H

#include "tests/unit/small_scene.h"

typedef struct RecordedRun {
  char path[32];
  TraceReader *reader;
  SceneDef *def; // from the trace
} RecordedRun;

// Runs the scene to its end with a trace and takes the scene over. before_step may be NULL.
static inline void recorded_run_with(RecordedRun *run, SceneDef *def, void (*before_step)(Scene *scene, long step)) {
  Error error = {0};
  small_file(run->path);
  Scene *scene = small_scene(def);
  TraceInfo info = scene_trace_info(def);
  TraceWriter *writer = trace_create(run->path, &info, &error);
  assert_true(writer && scene_record(scene, writer, &error));
  for (long i = 0; i < def->step_count; i++) {
    if (before_step)
      before_step(scene, i);
    assert_true(scene_step(scene));
  }
  scene_finish(scene);
  assert_true(trace_close(writer, "complete", &error));
  scene_destroy(scene);
  scene_def_free(def);
  run->reader = trace_open(run->path, &error);
  run->def = run->reader ? scene_def_from_trace(run->reader, &error) : NULL;
  if (!run->def)
    fail_msg("%s", error.text);
}

static inline void recorded_run_of(RecordedRun *run, SceneDef *def) { recorded_run_with(run, def, NULL); }

// A shipped scene, for some seconds.
static inline void recorded_run(RecordedRun *run, const char *scene, const char *duration) {
  Error error = {0};
  const char *overrides[] = {duration};
  SceneDef *def = scene_def_read(scene, overrides, 1, &error);
  if (!def) {
    fail_msg("%s", error.text);
    exit(1); // not reached, which fail_msg does not tell the analyzers
  }
  recorded_run_of(run, def);
}

static inline void recorded_run_end(RecordedRun *run) {
  scene_def_free(run->def);
  trace_reader_close(run->reader);
  remove(run->path);
}

#endif
