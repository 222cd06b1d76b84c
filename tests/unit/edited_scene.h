// A scene with something to edit, and the operations that its tests share.
#ifndef STAGGER_TESTS_EDITED_SCENE_H
#define STAGGER_TESTS_EDITED_SCENE_H

#include "tests/unit/small_scene.h"

#include "scenes/run/edits.h"

static const char SCENE[] = "# Two dolls and what befalls them.\n"
                            "purpose: Two dolls.\n"
                            "duration: 2 # s\n"
                            "world: {gravity: [0, -9.8, 0]}  # nearly Earth\n"
                            "characters:\n"
                            "  # the first\n"
                            "  - name: a\n"
                            "    body: boxes.yaml # two of them\n"
                            "    animation: {move: nod.yaml}\n"
                            "    start: {position: [0, 0.3, 0]}\n"
                            "    assist: {part: top, force: 20}\n"
                            "  - {name: b, body: boxes.yaml, start: {position: [3, 0, 0]}, assist: {part: base}}\n"
                            "events:\n"
                            "  - {character: a, time: 0.1, part: top, impulse: 3} # a single one\n"
                            "  - {character: b, kind: push, every: [0.2, 0.3], from: 0.1, until: 1, impulse: 4}\n"
                            "expect: [a.fell == 0] # not yet\n";

static inline Edits *make_edits(SceneDef *def) {
  Error error = {0};
  Edits *edits = edits_create(def, &error);
  if (!edits)
    fail_msg("%s", error.text);
  return edits;
}

static inline int find_group(const Edits *edits, const char *path) {
  for (int i = 0; i < edits_group_count(edits); i++)
    if (strcmp(edits_group(edits, i)->path, path) == 0)
      return i;
  fail_msg("no group %s", path);
  return -1;
}

static inline const Param *find_row(const Edits *edits, int group, const char *name) {
  const Param *row = param_find(edits_group(edits, group)->table, name);
  assert_non_null(row);
  return row;
}

static inline void set(Edits *edits, const char *path, const char *name, const char *text) {
  Error error = {0};
  int group = find_group(edits, path);
  if (!edits_set(edits, group, find_row(edits, group, name), text, &error))
    fail_msg("%s", error.text);
}

static inline uint64_t run(Scene *scene, int steps) {
  for (int i = 0; i < steps; i++)
    if (!scene_step(scene))
      fail_msg("%s", scene->world->stop_reason);
  return world_hash(scene->world);
}

static inline uint64_t run_def(SceneDef *def, int steps) {
  Scene *scene = small_scene(def);
  uint64_t hash = run(scene, steps);
  scene_destroy(scene);
  return hash;
}

#endif
