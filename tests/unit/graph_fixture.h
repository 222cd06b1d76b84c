// What tests of blend graphs need: the human body, its clips and clips made by the test, graphs from text. Any error
// fails the test with its text.
#ifndef STAGGER_TESTS_GRAPH_FIXTURE_H
#define STAGGER_TESTS_GRAPH_FIXTURE_H

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "anim/graph/graph.h"
#include "ragdoll/body/body_def.h"
#include "sim/base/document.h"

enum { FIXTURE_CLIPS = 80 };

typedef struct GraphFixture {
  FileSet files;
  BodyDef *body;
  const Skeleton *skeleton;
  char names[FIXTURE_CLIPS][64];
  Clip *clips[FIXTURE_CLIPS];
  int clip_count, text_count;
} GraphFixture;

static inline void graph_fixture_init(GraphFixture *f) {
  Error error = {0};
  memset(f, 0, sizeof *f);
  snprintf(f->files.folder, sizeof f->files.folder, "%s", files_scenes_folder());
  f->body = body_read(&f->files, "bodies/human.yaml", &error);
  if (!f->body)
    fail_msg("%s", error.text);
  f->skeleton = &f->body->skeleton;
}

static inline void graph_fixture_end(GraphFixture *f) {
  for (int i = 0; i < f->clip_count; i++)
    clip_free(f->clips[i]);
  body_free(f->body);
  files_free(&f->files);
}

static inline Clip *fixture_add_clip(GraphFixture *f, const char *name, Clip *clip) {
  assert_non_null(clip);
  assert_true(f->clip_count < FIXTURE_CLIPS);
  snprintf(f->names[f->clip_count], sizeof f->names[0], "%s", name);
  f->clips[f->clip_count++] = clip;
  return clip;
}

static inline const Clip *fixture_find_clip(void *context, const Node *node, Error *error) {
  GraphFixture *f = context;
  for (int i = 0; i < f->clip_count; i++)
    if (strcmp(f->names[i], node->text) == 0)
      return f->clips[i];
  if (!strstr(node->text, ".yaml")) {
    node_error(node, error, "there is no clip '%s'", node->text);
    return NULL;
  }
  Clip *clip = clip_read(&f->files, node->text, f->skeleton, error);
  return clip ? fixture_add_clip(f, node->text, clip) : NULL;
}

static inline const Clip *fixture_clip(GraphFixture *f, const char *name) {
  Error error = {0};
  Node node = {.kind = NODE_SCALAR, .file = "test", .text = (char *)(uintptr_t)name};
  const Clip *clip = fixture_find_clip(f, &node, &error);
  if (!clip)
    fail_msg("%s", error.text);
  return clip;
}

// A clip of the bind pose that the test changes: keys, marks, contacts.
static inline Clip *fixture_make_clip(GraphFixture *f, const char *name, bool loop, float duration, int keys) {
  Clip *clip = calloc(1, sizeof *clip);
  assert_non_null(clip);
  snprintf(clip->name, sizeof clip->name, "%s", name);
  clip->skeleton = f->skeleton;
  clip->loop = loop;
  clip->duration = clip->safe_to = duration;
  clip->key_count = keys;
  clip->keys = calloc((size_t)keys, sizeof *clip->keys);
  assert_non_null(clip->keys);
  for (int k = 0; k < keys; k++)
    clip->keys[k] = pose_bind(f->skeleton);
  return fixture_add_clip(f, name, clip);
}

static inline void fixture_mark(Clip *clip, const char *name, float time) {
  ClipMark *mark = &clip->marks[clip->mark_count++];
  snprintf(mark->name, sizeof mark->name, "%s", name);
  mark->time = time;
}

static inline GraphDef *fixture_try_graph(GraphFixture *f, const char *text, Error *error) {
  char name[64];
  snprintf(name, sizeof name, "graph%d.yaml", f->text_count++);
  files_put(&f->files, name, text, strlen(text));
  return graph_read(&f->files, name, f->skeleton, fixture_find_clip, f, error);
}

static inline GraphDef *fixture_graph(GraphFixture *f, const char *text) {
  Error error = {0};
  GraphDef *def = fixture_try_graph(f, text, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

static inline GraphDef *fixture_graph_file(GraphFixture *f, const char *name) {
  Error error = {0};
  GraphDef *def = graph_read(&f->files, name, f->skeleton, fixture_find_clip, f, &error);
  if (!def)
    fail_msg("%s", error.text);
  return def;
}

static inline Graph *fixture_start_graph(const GraphDef *def) {
  Error error = {0};
  Graph *graph = graph_create(def, 1, "tester", &error);
  if (!graph)
    fail_msg("%s", error.text);
  return graph;
}

static inline void fixture_set(Graph *graph, const GraphDef *def, const char *parameter, double value) {
  int index = graph_parameter(def, parameter);
  assert_true(index >= 0);
  graph_set(graph, index, value);
}

static inline GraphOutput fixture_step_graph(Graph *graph, double dt) {
  GraphOutput output;
  graph_step(graph, dt, 1, &output);
  return output;
}

// What plays under that name and kind; its weight is 0 if it does not play.
static inline GraphActive fixture_active(const Graph *graph, const char *name, const char *kind) {
  GraphActive active[GRAPH_MAX_ACTIVE];
  int count = graph_active(graph, active, GRAPH_MAX_ACTIVE);
  for (int i = 0; i < count; i++)
    if (strcmp(active[i].name, name) == 0 && strcmp(active[i].kind, kind) == 0)
      return active[i];
  return (GraphActive){0};
}

static inline void assert_poses_equal(const Pose *a, const Pose *b) {
  size_t count = (size_t)a->count;
  assert_int_equal(a->count, b->count);
  assert_memory_equal(a->position, b->position, count * sizeof a->position[0]);
  assert_memory_equal(a->rotation, b->rotation, count * sizeof a->rotation[0]);
}

static inline void assert_pose_is_sound(const Pose *pose) {
  for (int i = 0; i < pose->count; i++) {
    assert_true(fabsf(glms_quat_norm(pose->rotation[i]) - 1) < 1e-4f);
    assert_true(isfinite(glms_vec3_norm(pose->position[i])));
  }
}

// The largest distances between two poses: of joints in m, of rotations in rad.
static inline float pose_distance(const Pose *a, const Pose *b) {
  float most = 0;
  for (int i = 0; i < a->count; i++) {
    most = fmaxf(most, glms_vec3_distance(a->position[i], b->position[i]));
    most = fmaxf(most, quat_angle_between(a->rotation[i], b->rotation[i]));
  }
  return most;
}

// For cmocka's groups: the fixture as their state.
static inline int graph_set_up(void **state) {
  static GraphFixture f;
  graph_fixture_init(&f);
  *state = &f;
  return 0;
}

static inline int graph_tear_down(void **state) {
  graph_fixture_end(*state);
  return 0;
}

#endif
