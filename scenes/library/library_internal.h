// What the files of the public interface share: the scene behind a StaggerScene, and errors for the caller.
#ifndef STAGGER_SCENES_LIBRARY_LIBRARY_INTERNAL_H
#define STAGGER_SCENES_LIBRARY_LIBRARY_INTERNAL_H

#include "scenes/run/edits.h"
#include "scenes/run/scene.h"
#include <stagger/stagger.h>

// A channel of the recorder that is kept in memory for views.
typedef struct ViewChannel {
  char *path; // "/characters/man/parts/position"
  void *data;
  size_t size; // bytes
  TraceType type;
  int rows, columns;
  char *unit, *description;
} ViewChannel;

// The channels of all characters. Their memory stays at its place until the scene is closed, for any recorder.
typedef struct Views {
  Recorder *recorder; // NULL: no view has been requested yet
  ViewChannel *channels;
  int count, capacity;
  double **own; // the values of the channels that only views have, of each character
} Views;

struct StaggerScene {
  SceneDef *opened; // the description as it was opened, whose assets all later ones use
  bool shared;      // by the copies of a batch, which frees it
  SceneDef *def;    // the present one
  Edits *edits;
  Scene *scene;
  TraceWriter *trace; // NULL: nothing is recorded
  bool finished;
  Views views;
};

// Passes an error to the caller of the interface, who may pass NULL for it. Always false.
bool library_fail(StaggerError **error, const Error *cause);
bool library_error(StaggerError **error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The scene of a description, which it takes over, also on error. opened: lends its assets and outlives the scene;
// NULL: the description itself.
StaggerScene *library_open(SceneDef *def, SceneDef *opened, Error *cause);

// The description in a text. path: its name in errors.
SceneDef *library_parse(const char *text, const char *path, const char *const *overrides, int count, Error *cause);

// Ends a recording, if there is one, as interrupted.
void library_end_recording(StaggerScene *scene);

// The character of an index; NULL and an error when there is none. The same for a part of it.
Character *library_character(const StaggerScene *scene, int character, StaggerError **error);
Character *library_part(const StaggerScene *scene, int character, int part, StaggerError **error);

// Makes the views show the present scene, as after a step (stepped) or at its beginning. On error they show nothing.
// All is read from the last step, so that one update after several steps shows what one after each of them would.
bool views_attach(Views *views, Scene *scene, Error *error);
void views_detach(Views *views);
void views_update(Views *views, Scene *scene, bool stepped);
void views_free(Views *views);

#endif
