// A scene that goes on from the saved state of another.
#ifndef STAGGER_TESTS_RENEWED_SCENE_H
#define STAGGER_TESTS_RENEWED_SCENE_H

#include "tests/unit/small_scene.h"

#include "scenes/run/scene_state.h"

// Another scene of the same description that gets the state of the first, which ends.
static inline Scene *renewed_scene(Scene *scene, SceneDef *def) {
  Error error = {0};
  const size_t size = scene_state_size(scene);
  void *bytes = malloc(size);
  assert_true(bytes && scene_state_save(scene, bytes, size, &error));
  Scene *fresh = small_scene(def);
  if (!scene_state_restore(fresh, bytes, size, &error))
    fail_msg("%s", error.text);
  free(bytes);
  scene_destroy(scene);
  return fresh;
}

#endif
