// Cost of a step of a blend graph of ten nodes: a machine whose state blends a synchronized walk and run, with a masked
// layer and an additive one on top. Prints CSV: median and smallest time of a window, per step.
//
//   bench_graph                  times
//   bench_graph --instructions   the same: instructions are not counted
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "anim/graph/graph.h"
#include "sim/base/document.h"
#include "tests/bench/measure.h"

enum { STEPS = 4096, WINDOWS = 15, KEYS = 64 };

static const char GRAPH[] = "name: bench\n"
                            "parameters: {speed: 2.1, arms: {default: 0.5, range: [0, 1]}}\n"
                            "output:\n"
                            "  machine:\n"
                            "    start: move\n"
                            "    states:\n"
                            "      stand: {clip: idle}\n"
                            "      jump: {clip: jump}\n"
                            "      move:\n"
                            "        add: {clip: lean}\n"
                            "        weight: arms\n"
                            "        to:\n"
                            "          layer: {clip: wave}\n"
                            "          over:\n"
                            "            blend: speed\n"
                            "            sync: true\n"
                            "            children: [{at: 1.3, clip: walk}, {at: 3.5, clip: run}]\n"
                            "          joints: [j3..]\n"
                            "          weight: arms\n"
                            "    transitions:\n"
                            "      - {from: move, to: move, event: again, time: 10}\n";

// A trunk with limbs: every joint's parent is the one before or joint 0.
static void make_skeleton(Skeleton *skeleton, int count) {
  *skeleton = (Skeleton){.count = count, .leg_count = 2};
  for (int i = 0; i < count; i++) {
    snprintf(skeleton->names[i], sizeof skeleton->names[i], "j%d", i);
    skeleton->parent[i] = i % 6 ? i - 1 : i > 0 ? 0 : -1;
    skeleton->twin[i] = i;
    skeleton->bind_position_l[i] = (vec3s){{0, 0.2f, 0}};
    skeleton->bind_rotation_l[i] = glms_quat_identity();
  }
}

typedef struct Library {
  const Skeleton *skeleton;
  Clip clips[8];
  Pose keys[8][KEYS];
  int count;
} Library;

static const Clip *find_clip(void *context, const Node *node, Error *error) {
  (void)error;
  Library *library = context;
  int n = library->count++;
  Clip *clip = &library->clips[n];
  *clip = (Clip){.skeleton = library->skeleton, .loop = true, .duration = 0.7f + 0.2f * (float)n, .key_count = KEYS};
  snprintf(clip->name, sizeof clip->name, "%s", node->text);
  clip->keys = library->keys[n];
  clip->safe_to = clip->duration;
  clip->marks[0] = (ClipMark){"left_strike", 0};
  clip->marks[1] = (ClipMark){"right_strike", clip->duration / 2};
  clip->contacts[0] = (ClipContact){.leg = 0, .begin = 0, .end = 0.4f};
  clip->contacts[1] = (ClipContact){.leg = 1, .begin = 0.35f, .end = 0.1f};
  clip->mark_count = clip->contact_count = 2;
  for (int k = 0; k < KEYS; k++) {
    clip->keys[k] = pose_bind(library->skeleton);
    for (int j = 0; j < library->skeleton->count; j++)
      clip->keys[k].rotation[j] = quat_exp((vec3s){{0.3f * sinf(0.1f * (float)(k + j * n)), 0.1f, 0.02f * (float)n}});
  }
  return clip;
}

static double read_clock(void) { // ns
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void measure(int joints, bool transition) {
  static Skeleton skeleton;
  static Library library;
  make_skeleton(&skeleton, joints);
  library.skeleton = &skeleton;
  library.count = 0;
  FileSet files = {.sealed = true};
  Error error = {0};
  files_put(&files, "bench.yaml", GRAPH, strlen(GRAPH));
  GraphDef *def = graph_read(&files, "bench.yaml", &skeleton, find_clip, &library, &error);
  Graph *graph = def ? graph_create(def, 1, "bench", &error) : NULL;
  if (!graph) {
    fprintf(stderr, "bench_graph: %s\n", error.text);
    exit(1);
  }
  double times[WINDOWS];
  volatile float sink = 0;
  for (int window = -1; window < WINDOWS; window++) { // the first one warms up
    double start = read_clock();
    for (int i = 0; i < STEPS; i++) {
      GraphOutput output;
      if (transition && i % 1024 == 0)
        graph_event(graph, "again");
      graph_step(graph, 1.0 / 240, 1, &output);
      sink = output.pose.rotation[joints - 1].x;
    }
    if (window >= 0)
      times[window] = (read_clock() - start) / STEPS;
  }
  (void)sink;
  qsort(times, WINDOWS, sizeof times[0], compare_doubles);
  printf("graph step,%d joints%s,ns,%.0f,%.0f,\n", joints, transition ? " in a transition" : "", times[WINDOWS / 2],
         times[0]);
  graph_destroy(graph);
  graph_def_free(def);
  files_free(&files);
}

int main(void) {
  static const int counts[] = {18, 60};
  for (int i = 0; i < 2; i++) {
    measure(counts[i], false);
    measure(counts[i], true);
  }
  return 0;
}
