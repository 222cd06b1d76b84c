// The public interface's states: saving and restoring a scene.
#include "scenes/library/library_internal.h"
#include "scenes/run/scene_state.h"

size_t stagger_scene_state_size(const StaggerScene *scene) { return scene_state_size(scene->scene); }

bool stagger_scene_save(const StaggerScene *scene, void *buffer, size_t size, StaggerError **error) {
  Error cause = {0};
  return scene_state_save(scene->scene, buffer, size, &cause) || library_fail(error, &cause);
}

bool stagger_scene_restore(StaggerScene *scene, const void *buffer, size_t size, StaggerError **error) {
  Error cause = {0};
  if (!scene_state_restore(scene->scene, buffer, size, &cause))
    return library_fail(error, &cause);
  library_end_recording(scene);
  scene->finished = false;
  views_update(&scene->views, scene->scene, false);
  return true;
}
