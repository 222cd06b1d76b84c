// Saving and restoring a scene: everything that its future depends on, to the bit. A scene that is restored, in this
// process or in another one of the same build, goes on as the one that was saved.
#ifndef STAGGER_SCENES_RUN_SCENE_STATE_H
#define STAGGER_SCENES_RUN_SCENE_STATE_H

#include "scenes/run/scene.h"

// Bytes that the state has now; it grows and shrinks with contacts and balls.
size_t scene_state_size(const Scene *scene);

// Writes the state. `size` as scene_state_size says. Changes nothing in the scene. Errors: too small a buffer.
bool scene_state_save(const Scene *scene, void *buffer, size_t size, Error *error);

// Puts a state into a scene of the same text and overrides, wherever it is: it may be new, or be anywhere in its run.
// What was changed in its parameters since it was read stays. Errors: no state, a damaged one, one of another scene, of
// another build; the scene is as it was then. A state is checked against damage, not against malice: restore those
// whose origin you trust.
bool scene_state_restore(Scene *scene, const void *buffer, size_t size, Error *error);

#endif
