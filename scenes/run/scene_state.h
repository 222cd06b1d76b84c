// The state of a running scene as bytes: a scene that is saved, restored (in another process too) and goes on equals
// one that was never interrupted, to the last bit, with all that it records and its metrics.
//
// A state fits scenes of the same description (files and overrides included), built by the same version of Stagger on a
// machine of the same byte order. What is only said of a run - duration, purpose, expectations, cameras, what a trace
// records - may differ. Parameters that were edited while the scene ran are not in a state, and stay as they are.
#ifndef STAGGER_SCENES_RUN_SCENE_STATE_H
#define STAGGER_SCENES_RUN_SCENE_STATE_H

#include "scenes/run/scene.h"

// Bytes that scene_state_save needs now: it depends on the moment (contacts, hits). 0: it cannot be saved.
size_t scene_state_size(const Scene *scene);

// Between two steps. Nothing of the scene changes; the same state gives the same bytes. Errors: fewer bytes than
// scene_state_size; a run that ODE stopped in the middle of a step.
bool scene_state_save(const Scene *scene, void *bytes, size_t size, Error *error);

// Into a scene that was just made, or has run, in whatever state: balls that it has thrown since then are gone. A
// recording that goes on would jump: it is for the caller to end it. Errors: no state, of another version or scene, cut
// short, damaged; a scene that ODE stopped in the middle of a step. The scene is as it was then. A checksum tells
// damage from states: bytes that were made up so as to pass it cannot lead out of any list, but may make a run
// nonsense.
bool scene_state_restore(Scene *scene, const void *bytes, size_t size, Error *error);

// Steps that had been done when a state was saved, -1 when these bytes are none.
long scene_state_steps(const void *bytes, size_t size);

#endif
