// A run that continues from a state in a trace records what the whole run recorded, to the bit: every channel, list and
// state from that moment on, the hits, and the metrics. Scenes with balls, falls, platforms, planners and layers, by
// the reduced solver and one of the others, which take turns; moments at a state, between two states, and close to the
// end.
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenes/run/trace_states.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const char *const SCENES[] = {"hit_props", "plan_hit"};
static const double DURATION = 1.2; // s
#else
static const char *const SCENES[] = {"hit_props", "fall_getup", "terrain_platform", "lizard_attack",
                                     "plan_hit",  "scarf",      "spider",           "aim"};
static const double DURATION = 3.5;
#endif
static const char *const SOLVERS[] = {"step", "iterative", "reduced"};
static const double MOMENTS[] = {0.25, 0.71, 0.9}; // shares of the duration; states are saved every fifth of it

enum { COUNT_OF_SCENES = sizeof SCENES / sizeof *SCENES, COUNT_OF_MOMENTS = sizeof MOMENTS / sizeof *MOMENTS };

typedef struct Case {
  const char *scene, *solver;
  double moment; // s
  bool bad;
} Case;

static void fail(Case *one, const char *what, const char *detail) {
  printf("FAIL %s, %s, from %g s: %s%s\n", one->scene, one->solver, one->moment, what, detail);
  one->bad = true;
}

// Records a scene to its end.
static bool record(Scene *scene, const char *path, Error *error) {
  TraceInfo info = scene_trace_info(scene->def);
  TraceWriter *trace = trace_create(path, &info, error);
  if (!trace)
    return false;
  bool good = scene_record(scene, trace, error);
  while (good && scene->world->steps < scene->def->step_count && scene_step(scene))
    continue;
  if (good)
    scene_finish(scene);
  return trace_close(trace, "complete", error) && good;
}

static void close_scene(Scene *scene, SceneDef *def) {
  scene_destroy(scene);
  scene_def_free(def);
}

static bool record_whole(Case *one, const char *path) {
  Error error = {0};
  char solver[64], duration[64], states[64];
  snprintf(solver, sizeof solver, "world.solver=%s", one->solver);
  snprintf(duration, sizeof duration, "duration=%g", DURATION);
  snprintf(states, sizeof states, "trace.states=%g", DURATION / 5);
  SceneDef *def = scene_def_read(one->scene, (const char *const[]){solver, duration, states}, 3, &error);
  Scene *scene = def ? scene_create(def, &error) : NULL;
  if (!scene || !record(scene, path, &error))
    fail(one, error.text, "");
  close_scene(scene, def);
  return !one->bad;
}

static bool record_rest(Case *one, TraceReader *whole, const char *path) {
  Error error = {0};
  SceneDef *def = scene_def_from_trace(whole, &error);
  Scene *scene = def ? scene_create(def, &error) : NULL;
  if (!scene || !trace_states_go_to(whole, scene, one->moment, &error) || !record(scene, path, &error))
    fail(one, error.text, "");
  close_scene(scene, def);
  return !one->bad;
}

// ---- Comparing ----

typedef struct Pair {
  Case *one;
  TraceReader *whole, *rest;
} Pair;

static size_t size_of(TraceType type) {
  return type == TRACE_UINT8 ? 1 : type == TRACE_FLOAT32 || type == TRACE_INT32 ? 4 : 8;
}

// The last rows of a dataset.
static void *read_last(TraceReader *reader, const char *path, TraceType type, long count) {
  long rows = 0;
  int width = 0;
  trace_shape(reader, path, &rows, &width);
  void *values = calloc((size_t)count * (size_t)width + 1, size_of(type));
  if (rows < count || (count > 0 && !trace_read(reader, path, type, rows - count, count, values, NULL))) {
    free(values);
    return NULL;
  }
  return values;
}

// The first contacts of frames are counted from the beginning of the recording.
static void count_anew(int *first, long count) {
  const int base = count > 0 ? first[0] : 0;
  for (long i = 0; i < count; i++)
    first[i] -= base;
}

static void compare_dataset(void *context, const char *path) {
  const Pair *pair = context;
  TraceType type;
  long rows;
  int width;
  if (strncmp(path, "/states/", 8) == 0 || !trace_type(pair->rest, path, &type) ||
      !trace_shape(pair->rest, path, &rows, &width))
    return; // events, files
  void *a = read_last(pair->whole, path, type, rows), *b = read_last(pair->rest, path, type, rows);
  if (a && b && strcmp(path, "/contacts/first") == 0) {
    count_anew(a, rows);
    count_anew(b, rows);
  }
  if (!a || !b || memcmp(a, b, (size_t)rows * (size_t)width * size_of(type)) != 0)
    fail(pair->one, "what was recorded differs in ", path);
  free(a);
  free(b);
}

// States of the second recording except the first, which is that of its beginning.
static void compare_states(const Pair *pair) {
  static const TraceType TYPES[] = {TRACE_FLOAT64, TRACE_UINT64, TRACE_UINT64, TRACE_UINT64};
  double first, last;
  int count = trace_states_count(pair->rest, &first, &last) - 1;
  uint64_t size = 0;
  long rows = count, words;
  int width;
  trace_read_column(pair->rest, state_channels[STATE_SIZE].path, TRACE_UINT64, 0, 1, &size, NULL);
  trace_shape(pair->rest, state_channels[STATE_WORDS].path, &words, &width);
  for (int i = 0; i < STATE_LISTS; i++) {
    const char *path = state_channels[i].path;
    long last_rows = i == STATE_WORDS ? words - (long)((size + 7) / 8) : rows;
    void *a = read_last(pair->whole, path, TYPES[i], last_rows), *b = read_last(pair->rest, path, TYPES[i], last_rows);
    if (!a || !b || memcmp(a, b, (size_t)last_rows * 8) != 0)
      fail(pair->one, "what was recorded differs in ", path);
    free(a);
    free(b);
  }
}

static void compare_metric(void *context, const char *name) {
  const Pair *pair = context;
  double a = 0, b = 0;
  char text_a[64] = "", text_b[64] = "";
  int count_a = trace_values(pair->whole, "/metrics", name, &a, 1);
  int count_b = trace_values(pair->rest, "/metrics", name, &b, 1);
  trace_value_text(pair->whole, "/metrics", name, text_a, sizeof text_a);
  trace_value_text(pair->rest, "/metrics", name, text_b, sizeof text_b);
  if (count_a != count_b ||
      memcmp(&a, &b, sizeof a) != 0 || // NOLINT(bugprone-suspicious-memory-comparison): bit for bit, NaN as well
      strcmp(text_a, text_b) != 0)
    fail(pair->one, "the metrics differ in ", name);
}

// Events, from the first one of the second recording on.
static void compare_events(Pair *pair) {
  int whole_count, rest_count;
  TraceEvent *whole = trace_events(pair->whole, &whole_count), *rest = trace_events(pair->rest, &rest_count);
  if (whole_count < rest_count)
    fail(pair->one, "more events than in the whole run", "");
  else
    for (int i = 0; i < rest_count; i++)
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bit for bit, and read into zeroed memory
      if (memcmp(&whole[whole_count - rest_count + i], &rest[i], sizeof *rest) != 0)
        fail(pair->one, "an event is another one", "");
  free(whole);
  free(rest);
}

static void try_moment(Case *one, TraceReader *whole, const char *path) {
  Error error = {0};
  TraceReader *rest = record_rest(one, whole, path) ? trace_open(path, &error) : NULL;
  if (rest) {
    Pair pair = {one, whole, rest};
    trace_visit(rest, compare_dataset, &pair);
    trace_visit_attributes(whole, "/metrics", compare_metric, &pair);
    compare_states(&pair);
    compare_events(&pair);
  } else if (!one->bad) {
    fail(one, error.text, "");
  }
  trace_reader_close(rest);
}

static bool try_scene(Case *one, const char *folder) {
  char whole_path[256], rest_path[256];
  snprintf(whole_path, sizeof whole_path, "%s/whole.h5", folder);
  snprintf(rest_path, sizeof rest_path, "%s/rest.h5", folder);
  Error error = {0};
  TraceReader *whole = record_whole(one, whole_path) ? trace_open(whole_path, &error) : NULL;
  if (!whole && !one->bad)
    fail(one, error.text, "");
  for (int i = 0; whole && i < COUNT_OF_MOMENTS; i++) {
    one->moment = MOMENTS[i] * DURATION;
    try_moment(one, whole, rest_path);
  }
  trace_reader_close(whole);
  unlink(whole_path);
  unlink(rest_path);
  return !one->bad;
}

int main(void) {
  char folder[] = "/tmp/stagger-run-from-XXXXXX";
  if (!mkdtemp(folder))
    return 1;
  int passed = 0, failed = 0;
  for (int i = 0; i < COUNT_OF_SCENES; i++)
    for (int k = 0; k < 3; k++) {
      if (k < 2 && k != i % 2)
        continue;
      Case one = {.scene = SCENES[i], .solver = SOLVERS[k]};
      *(try_scene(&one, folder) ? &passed : &failed) += 1;
    }
  rmdir(folder);
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
