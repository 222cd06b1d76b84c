// The state of a running scene as bytes. A scene that is saved and restored, also in another process, continues exactly
// as one that was never interrupted, to the last bit, including all that it records and its metrics.
//
// A state fits scenes with the same description (files and overrides included), made by the same version of Stagger on
// a machine with the same byte order. Settings that do not affect the simulation - duration, purpose, expectations,
// cameras, what a trace records - may differ. Parameters edited while the scene ran are not part of a state, and keep
// their values.
#ifndef STAGGER_SCENES_RUN_SCENE_STATE_H
#define STAGGER_SCENES_RUN_SCENE_STATE_H

#include "scenes/run/scene.h"

// Bytes that scene_state_save needs now, which depends on the moment (contacts, hits). 0: the scene cannot be saved.
size_t scene_state_size(const Scene *scene);

// Saves the state between two steps. The scene is not changed; the same state gives the same bytes. Errors: fewer bytes
// than scene_state_size; a run that ODE stopped in the middle of a step.
bool scene_state_save(const Scene *scene, void *bytes, size_t size, Error *error);

// Restores a state into a new scene or one that has run; balls thrown in the meantime are removed. A recording in
// progress would have a jump, so the caller must end it. Errors: not a state, of another version or scene, cut short,
// damaged; a scene that ODE stopped in the middle of a step. After an error the scene is unchanged. A checksum detects
// damage; forged bytes with a valid checksum cannot cause access outside any array, but may make the run nonsense.
bool scene_state_restore(Scene *scene, const void *bytes, size_t size, Error *error);

// Whether scene_state_restore would accept it, as far as its head, checksum and description say.
bool scene_state_fits(const Scene *scene, const void *bytes, size_t size, Error *error);

// Number of steps made before a state was saved, -1 when the bytes are not a state.
long scene_state_steps(const void *bytes, size_t size);

#endif
