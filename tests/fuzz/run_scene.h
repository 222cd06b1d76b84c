// What fuzzers of scenes and bodies do with a text: read it, build and step the scene, and repeat.
#ifndef STAGGER_TESTS_RUN_SCENE_H
#define STAGGER_TESTS_RUN_SCENE_H

#include "fuzzer.h"

#include "scenes/run/scene.h"

// The state after at most that many steps, and the text of the scene that was run; NULL with an error if it was
// refused. Takes the files over.
static inline char *run_once(const char *text, FileSet *files, int steps, uint64_t *hash) {
  Error error = {0};
  SceneDef *def = scene_def_from_text("fuzz.yaml", text, files, NULL, 0, &error);
  check((def != NULL) == (error.text[0] == '\0'));
  Scene *scene = def ? scene_create(def, &error) : NULL;
  check((scene != NULL) == (error.text[0] == '\0'));
  char *full = scene ? strdup(def->text) : NULL;
  if (scene) {
    while (scene->world->steps < steps && scene_step(scene))
      continue;
    scene_finish(scene);
    check(!scene->world->stopped || scene->world->stop_reason[0] != '\0');
    *hash = world_hash(scene->world);
  }
  scene_destroy(scene);
  scene_def_free(def);
  return full;
}

// A refused scene comes with an error; an accepted one runs or stops with a reason, and its text with all defaults and
// overrides reads back to the same run.
static inline void run_scene_text(const char *text, const FileSet *files, int steps) {
  FileSet copy;
  uint64_t first = 0, again = 0;
  check(files_copy(&copy, files));
  char *full = run_once(text, &copy, steps, &first);
  if (!full)
    return;
  check(files_copy(&copy, files));
  char *same = run_once(full, &copy, steps, &again);
  check(same && first == again);
  free(same);
  free(full);
}

#endif
