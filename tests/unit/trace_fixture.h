// Traces that a test writes by hand, and their exports.
#ifndef STAGGER_TESTS_TRACE_FIXTURE_H
#define STAGGER_TESTS_TRACE_FIXTURE_H

#include "tests/unit/small_scene.h"

#include "scenes/export/export.h"

typedef struct TraceFixture {
  char path[32];
  TraceWriter *writer;
  TraceReader *reader;
} TraceFixture;

static inline void trace_check(const Error *error) {
  if (error->text[0] != '\0')
    fail_msg("%s", error->text);
}

static inline void trace_fixture_start(TraceFixture *f, double frame_rate) {
  Error error = {0};
  const TraceInfo info = {.scene_name = "small.yaml", .scene = "", .seed = 3, .dt = 0.005, .frame_rate = frame_rate};
  *f = (TraceFixture){.reader = NULL};
  small_file(f->path);
  f->writer = trace_create(f->path, &info, &error);
  trace_check(&error);
}

// names may be NULL; a width of 0 is a scalar or a plain row.
static inline int trace_fixture_channel(TraceFixture *f, const char *path, TraceType type, int rows, int width,
                                        const char *unit, const char *const *names) {
  Error error = {0};
  const TraceChannel channel = {path, type, {rows, width}, unit, "For a test.", names};
  const int index = trace_channel(f->writer, &channel, &error);
  trace_check(&error);
  return index;
}

static inline int trace_fixture_list(TraceFixture *f, const char *path, TraceType type, int width, const char *unit,
                                     const char *const *names, int name_count) {
  Error error = {0};
  const int index = trace_list(f->writer, &(TraceChannel){path, type, {width}, unit, "For a test.", NULL}, &error);
  if (names)
    trace_names(f->writer, path, names, name_count, &error);
  trace_check(&error);
  return index;
}

static inline void trace_fixture_read(TraceFixture *f) {
  Error error = {0};
  assert_true(trace_close(f->writer, "complete", &error));
  f->reader = trace_open(f->path, &error);
  trace_check(&error);
}

static inline void trace_fixture_end(TraceFixture *f) {
  trace_reader_close(f->reader);
  unlink(f->path);
}

// Runs a scene to its end into a trace.
static inline void trace_fixture_run(TraceFixture *f, SceneDef *def) {
  Error error = {0};
  const TraceInfo info = scene_trace_info(def);
  *f = (TraceFixture){.reader = NULL};
  small_file(f->path);
  Scene *scene = small_scene(def);
  f->writer = trace_create(f->path, &info, &error);
  trace_check(&error);
  assert_true(scene_record(scene, f->writer, &error));
  for (long i = 0; i < def->step_count; i++)
    assert_true(scene_step(scene));
  scene_finish(scene);
  trace_fixture_read(f);
  scene_destroy(scene);
}

typedef bool MakeExport(TraceReader *reader, SceneDef *def, const ExportOptions *options, ExportResult *result,
                        Error *error);

// The text of an export, which the caller frees. round_trip may be NULL.
static inline char *trace_fixture_export(TraceFixture *f, MakeExport *make, SceneDef *def, ExportOptions options,
                                         char round_trip[256]) {
  Error error = {0};
  ExportResult result = {0};
  if (!make(f->reader, def, &options, &result, &error)) {
    fail_msg("%s", error.text);
    exit(1); // not reached
  }
  assert_int_equal(strlen(result.bytes), result.size);
  if (round_trip)
    snprintf(round_trip, 256, "%s", result.round_trip);
  return result.bytes;
}

#endif
