// How to run: ./dev fuzz
// Any bytes are read as a planner, which then walks among obstacles by any of its moves, and as the policy of a small
// planner, which must be the same when written and read again. A refused file must come with an error.
#include <string.h>

#include "small_figure.h"

#include "anim/planner/policy.h"
#include "sim/base/document.h"
#include "sim/base/rng.h"

static const char PLANNER[] =
    "planner: small\n"
    "fuzzy:\n"
    "  method: sugeno\n"
    "  inputs: {way: {range: [-180, 180], terms: {right: [-180, -180, 0, 0], left: [0, 0, 180, 180]}}}\n"
    "  outputs:\n"
    "    turn: {range: [-90, 90], terms: {right: -45, left: 45}}\n"
    "    speed: {range: [0, 2], terms: {slow: 1}}\n"
    "  rules:\n"
    "    - {name: r, if: {way: right}, then: {turn: right, speed: slow}}\n"
    "    - {name: l, if: {way: left}, then: {turn: left}}\n"
    "demand: {turn: [-45, 45], speed: [0, 1]}\n"
    "limits: {slip: 1, shift: 1, jump: 10}\n"
    "moves:\n"
    "  - {name: stand, clip: walk, cancel: 0.3, hold: true, phase: standing}\n"
    "  - {name: walk, clip: walk, mirror: true, phase: standing}\n"
    "blends: [0.1, 0.25]\n"
    "direct: {goal_sectors: 4, goal_distances: [1], obstacle_sectors: 4, obstacle_distances: [1]}\n";

// Any name stands for the same walk.
static const Clip *find_clip(void *context, const Node *node, Error *error) {
  (void)context;
  if (node->kind == NODE_SCALAR)
    return small_walk();
  node_error(node, error, "a clip's name is wanted");
  return NULL;
}

static PlannerDef *read_planner(const char *bytes, size_t size, FileSet *files, Error *error) {
  check(files_put(files, "fuzz.yaml", bytes, size) != NULL);
  files->sealed = true;
  PlannerDef *def = planner_def_read(files, "fuzz.yaml", small_skeleton(), find_clip, NULL, error);
  check((def != NULL) == (error->text[0] == '\0'));
  return def;
}

static int choose_any(void *context, const Planner *planner, int state, const bool *allowed) {
  check(state >= 0 && state < planner_states(planner->def, planner->direct));
  const int count = planner_actions(planner->def), first = rng_index(context, count);
  for (int i = 0; i < count; i++)
    if (allowed[(first + i) % count])
      return (first + i) % count;
  abort(); // each move allows another one
}

static void go(const PlannerDef *def, bool direct) {
  Rng rng = rng_make(1, "fuzz");
  Planner planner = planner_make(def, NULL, direct);
  planner.choose = choose_any;
  planner.context = &rng;
  SensePlace place = {0};
  for (int i = 0; i < 60; i++) {
    Sense sense = sense_make(&place, (double[]){rng_range(&rng, -9, 9), rng_range(&rng, -9, 9)}, rng_range(&rng, 0, 3));
    for (int k = 0; k < 3; k++)
      sense_add(&sense, &place, (double[]){rng_range(&rng, -5, 5), rng_range(&rng, -5, 5)}, (double[]){1, -1}, 0.4);
    const PlannerStep step = planner_step(&planner, &sense, 1.0 / 60);
    check(isfinite(step.forward) && isfinite(step.left) && isfinite(step.turn) && isfinite(planner.demand_turn));
    Pose pose;
    planner_pose(&planner, &pose);
    check_pose(&pose);
  }
}

static void check_policy(const char *text) {
  static PlannerDef *small;
  static FileSet files;
  Error error = {0};
  if (!small)
    small = read_planner(PLANNER, sizeof PLANNER - 1, &files, &error);
  check(small != NULL);
  Policy policy, again;
  bool good = policy_read(&policy, small, "fuzz.yaml", text, &error);
  check(good == (error.text[0] == '\0'));
  if (!good)
    return;
  char *written = policy_write(&policy, small);
  check(written && policy_read(&again, small, "again.yaml", written, NULL));
  char *rewritten = policy_write(&again, small);
  check(rewritten && strcmp(written, rewritten) == 0);
  free(rewritten);
  free(written);
  policy_free(&again);
  policy_free(&policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FileSet files = {0};
  Error error = {0};
  PlannerDef *def = read_planner((const char *)data, size, &files, &error);
  if (def) {
    go(def, false);
    go(def, true);
  }
  planner_def_free(def);
  check_policy(files.files[0].bytes);
  files_free(&files);
  return 0;
}
