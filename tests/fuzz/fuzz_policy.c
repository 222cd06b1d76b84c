// How to run: ./dev fuzz
// Any bytes are read as a planner, which then goes among obstacles by any of its moves, and as what a small planner has
// learnt, which must come back from being written. Whatever is refused must come with an error.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/planner/policy.h"
#include "sim/document.h"
#include "sim/rng.h"

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

static void check(bool ok) {
  if (!ok)
    abort();
}

static const Skeleton *skeleton(void) {
  static Skeleton s;
  static const char *const names[] = {"pelvis", "chest", "thigh_l", "thigh_r"};
  for (int i = 0; s.count < 4; i++, s.count++) {
    snprintf(s.names[i], sizeof s.names[i], "%s", names[i]);
    s.parent[i] = i > 0 ? 0 : -1;
    s.twin[i] = i < 2 ? i : 5 - i;
    s.bind_position_l[i] = (vec3s){{i < 2 ? 0 : 2.5f - (float)i, 0.5f, 0}};
    s.bind_rotation_l[i] = glms_quat_identity();
  }
  s.legs[0] = (Leg){.name = "left", .hip = 2, .knee = 2, .ankle = 2};
  s.legs[1] = (Leg){.name = "right", .hip = 3, .knee = 3, .ankle = 3};
  s.leg_count = 2;
  return &s;
}

// Any name stands for the same walk.
static const Clip *find_clip(void *context, const Node *node, Error *error) {
  static Pose keys[3];
  static Clip walk = {.name = "walk", .loop = true, .duration = 1, .safe_to = 1};
  (void)context;
  if (node->kind != NODE_SCALAR) {
    node_error(node, error, "a clip's name is wanted");
    return NULL;
  }
  for (int k = 0; walk.skeleton == NULL && k < 3; k++) {
    keys[k] = pose_bind(skeleton());
    keys[k].rotation[1] = quat_exp((vec3s){{0.1f * (float)k, 0, 0}});
  }
  if (walk.skeleton == NULL) {
    walk.keys = keys;
    walk.key_count = 3;
    walk.mark_count = 2;
    walk.marks[0] = (ClipMark){"left_strike", 0.1f};
    walk.marks[1] = (ClipMark){"right_strike", 0.6f};
    walk.contacts[walk.contact_count++] = (ClipContact){.leg = 0, .begin = 0.1f, .end = 0.7f};
    walk.root_velocity_l = (vec3s){{0, 0, 1}};
    walk.skeleton = skeleton();
  }
  return &walk;
}

static PlannerDef *read_planner(const char *bytes, size_t size, FileSet *files, Error *error) {
  check(files_put(files, "fuzz.yaml", bytes, size) != NULL);
  files->sealed = true;
  PlannerDef *def = planner_def_read(files, "fuzz.yaml", skeleton(), find_clip, NULL, error);
  check((def != NULL) == (error->text[0] == '\0'));
  return def;
}

static int choose_any(void *context, const Planner *planner, int state, const bool *allowed) {
  check(state >= 0 && state < planner_states(planner->def, planner->direct));
  const int count = planner_actions(planner->def), first = rng_index(context, count);
  for (int i = 0; i < count; i++)
    if (allowed[(first + i) % count])
      return (first + i) % count;
  abort(); // after every move another one is open
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
    for (int j = 0; j < pose.count; j++)
      check(fabsf(glms_quat_norm(pose.rotation[j]) - 1) < 1e-3f && isfinite(glms_vec3_norm(pose.position[j])));
  }
}

static void check_policy(const char *text) {
  static PlannerDef *small;
  static FileSet files;
  Error error = {0};
  if (small == NULL)
    small = read_planner(PLANNER, sizeof PLANNER - 1, &files, &error);
  check(small != NULL);
  Policy policy, again;
  bool good = policy_read(&policy, small, "fuzz.yaml", text, &error);
  check(good == (error.text[0] == '\0'));
  if (!good)
    return;
  char *written = policy_write(&policy, small);
  check(written != NULL && policy_read(&again, small, "again.yaml", written, NULL));
  char *rewritten = policy_write(&again, small);
  check(rewritten != NULL && strcmp(written, rewritten) == 0);
  free(rewritten);
  free(written);
  policy_free(&again);
  policy_free(&policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FileSet files = {0};
  Error error = {0};
  PlannerDef *def = read_planner((const char *)data, size, &files, &error);
  if (def != NULL) {
    go(def, false);
    go(def, true);
  }
  planner_def_free(def);
  check_policy(files.files[0].bytes);
  files_free(&files);
  return 0;
}
