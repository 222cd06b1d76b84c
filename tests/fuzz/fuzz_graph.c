// How to run: ./dev fuzz
// Any bytes are read as a graph of a small skeleton. Whatever is refused must come with an error; whatever is accepted
// must run: with steps of any length, jumping parameters and events, poses stay finite and of unit rotations, and a
// reset gives the same poses again.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/graph/graph.h"
#include "sim/document.h"
#include "sim/rng.h"

static void check(bool ok) {
  if (!ok)
    abort();
}

static const Skeleton *skeleton(void) {
  static Skeleton s;
  static const char *const names[] = {"pelvis", "chest", "thigh_l", "thigh_r"};
  if (s.count > 0)
    return &s;
  for (int i = 0; i < 4; i++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = i ? 0 : -1;
    s.twin[i] = i < 2 ? i : 5 - i;
    s.bind_position_l[i] = (vec3s){{i < 2 ? 0 : 2.5f - (float)i, 0.5f, 0}};
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  s.legs[0] = (Leg){.name = "left", .hip = 2, .knee = 2, .ankle = 2};
  s.legs[1] = (Leg){.name = "right", .hip = 3, .knee = 3, .ankle = 3};
  s.leg_count = 2;
  s.count = 4;
  return &s;
}

// Two clips, "walk" (with marks) and "jump" (that ends).
static const Clip *find_clip(void *context, const Node *node, Error *error) {
  static Pose keys[3];
  static Clip walk = {.name = "walk", .loop = true, .duration = 1, .safe_to = 1},
              jump = {.name = "jump", .duration = 0.5f};
  (void)context;
  if (walk.key_count == 0) {
    for (int k = 0; k < 3; k++) {
      keys[k] = pose_bind(skeleton());
      keys[k].rotation[1 + k] = quat_exp((vec3s){{0.5f, 0.2f * (float)k, 0}});
    }
    walk.skeleton = jump.skeleton = skeleton();
    walk.keys = jump.keys = keys;
    walk.key_count = jump.key_count = 3;
    walk.mark_count = 2;
    walk.marks[0] = (ClipMark){"left_strike", 0.1f};
    walk.marks[1] = (ClipMark){"right_strike", 0.6f};
    walk.contacts[walk.contact_count++] = (ClipContact){.leg = 0, .begin = 0.1f, .end = 0.7f};
  }
  if (strcmp(node->text, "walk") == 0)
    return &walk;
  if (strcmp(node->text, "jump") == 0)
    return &jump;
  node_error(node, error, "there is no clip `%s`", node->text);
  return NULL;
}

static void run(Graph *graph, const GraphDef *def, GraphOutput *last) {
  static const double lengths[] = {0, 1, 1.0 / 60, 1e-4, NAN, 100};
  static const char *const events[] = {"go", "stop", "a"};
  Rng rng = rng_make(1, "fuzz");
  for (int i = 0; i < 40; i++) {
    for (int p = 0; p < graph_parameter_count(def); p++)
      graph_set(graph, p, rng_range(&rng, -2, 2));
    graph_event(graph, events[rng_index(&rng, 3)]);
    graph_step(graph, lengths[rng_index(&rng, 6)], rng_range(&rng, -1, 3), last);
    for (int j = 0; j < last->pose.count; j++) {
      check(fabsf(glms_quat_norm(last->pose.rotation[j]) - 1) < 1e-3f);
      check(isfinite(glms_vec3_norm(last->pose.position[j])));
    }
    GraphActive active[GRAPH_MAX_ACTIVE];
    check(graph_active(graph, active, GRAPH_MAX_ACTIVE) > 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FileSet files = {.sealed = true};
  Error error = {0};
  files_put(&files, "fuzz.yaml", (const char *)data, size);
  GraphDef *def = graph_read(&files, "fuzz.yaml", skeleton(), find_clip, NULL, &error);
  check((def != NULL) == (error.text[0] == '\0'));
  if (def) {
    Graph *graph = graph_create(def, 1, "fuzz", &error);
    check(graph != NULL);
    GraphOutput first, again;
    run(graph, def, &first);
    graph_reset(graph);
    run(graph, def, &again);
    for (int j = 0; j < first.pose.count; j++)
      for (int k = 0; k < 4; k++)
        check(first.pose.rotation[j].raw[k] == again.pose.rotation[j].raw[k]);
    graph_destroy(graph);
    graph_free(def);
  }
  files_free(&files);
  return 0;
}
