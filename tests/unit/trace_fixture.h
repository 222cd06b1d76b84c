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

// A shipped scene.
static inline SceneDef *trace_fixture_def(const char *scene) {
  Error error = {0};
  SceneDef *def = scene_def_read(scene, NULL, 0, &error);
  trace_check(&error);
  return def;
}

// A trace of the measured pose of a scene's first character, which stands in its bind pose: frame i is 1 mm * i ahead,
// and turned to its left by `turn` degrees. times: [frames] s; NULL: 100 a second.
static inline void trace_fixture_standing_at(TraceFixture *trace, const SceneDef *def, int frames, double turn,
                                             const double *times) {
  char path[128];
  const CharacterDef *character = &def->characters[0];
  const int joints = character->body->skeleton.count;
  int channels[3];
  trace_fixture_start(trace, 100);
  snprintf(path, sizeof path, "/characters/%s/pose/measured/root_position", character->name);
  channels[0] = trace_fixture_channel(trace, path, TRACE_FLOAT32, 3, 0, "m", NULL);
  snprintf(path, sizeof path, "/characters/%s/pose/measured/root_rotation", character->name);
  channels[1] = trace_fixture_channel(trace, path, TRACE_FLOAT32, 4, 0, "", NULL);
  snprintf(path, sizeof path, "/characters/%s/pose/measured/rotation", character->name);
  channels[2] = trace_fixture_channel(trace, path, TRACE_FLOAT32, joints - 1, 4, "", NULL);
  for (int f = 0; f < frames; f++) {
    float *root = trace_row(trace->writer, channels[0]), *rotation = trace_row(trace->writer, channels[1]);
    memcpy(root, character->body->skeleton.bind_position_l[0].raw, 3 * sizeof *root);
    root[2] += 0.001f * (float)f;
    rotation[1] = (float)sin(turn * M_PI / 360);
    rotation[3] = (float)cos(turn * M_PI / 360);
    for (int j = 0; j < joints - 1; j++)
      ((float *)trace_row(trace->writer, channels[2]))[4 * j + 3] = 1;
    trace_end_frame(trace->writer, times ? times[f] : 0.01 * f);
  }
  trace_fixture_read(trace);
}

static inline void trace_fixture_standing(TraceFixture *trace, const SceneDef *def, int frames, double turn) {
  trace_fixture_standing_at(trace, def, frames, turn, NULL);
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
