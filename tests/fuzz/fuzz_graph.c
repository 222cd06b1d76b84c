// How to run: ./dev fuzz
// Any bytes are read as a graph of a small skeleton. A refused graph must come with an error; an accepted one must run:
// with steps of any length, jumping parameters and events, poses stay finite and of unit rotations, and a reset gives
// the same poses again.
#include <string.h>

#include "small_figure.h"

#include "anim/graph/graph.h"
#include "sim/base/document.h"
#include "sim/base/rng.h"

// Two clips, "walk" (with marks) and "jump" (that ends).
static const Clip *find_clip(void *context, const Node *node, Error *error) {
  static Clip jump = {.name = "jump", .duration = 0.5f};
  const Clip *walk = small_walk();
  (void)context;
  jump.skeleton = walk->skeleton;
  jump.keys = walk->keys;
  jump.key_count = walk->key_count;
  if (strcmp(node->text, "walk") == 0)
    return walk;
  if (strcmp(node->text, "jump") == 0)
    return &jump;
  node_error(node, error, "there is no clip '%s'", node->text);
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
    check_pose(&last->pose);
    GraphActive active[GRAPH_MAX_ACTIVE];
    check(graph_active(graph, active, GRAPH_MAX_ACTIVE) > 0);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FileSet files = {.sealed = true};
  Error error = {0};
  files_put(&files, "fuzz.yaml", (const char *)data, size);
  GraphDef *def = graph_read(&files, "fuzz.yaml", small_skeleton(), find_clip, NULL, &error);
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
    graph_def_free(def);
  }
  files_free(&files);
  return 0;
}
