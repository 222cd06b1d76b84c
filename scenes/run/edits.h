// Parameters of a scene that are changed while it runs, and saved as a scene file. There is one list of all parameters,
// made from the parameter tables of the scene, its characters and its events.
//
// Curves have rows and a list of their own. Neither list contains values without a row in a table (clips, names,
// expectations), nor the joints and masses of a body. A body has a file of its own that characters share, and its
// joints contain derived state; to make joints softer or stronger, use the factors of `drive`, which act on one
// character.
#ifndef STAGGER_SCENES_RUN_EDITS_H
#define STAGGER_SCENES_RUN_EDITS_H

#include "scenes/run/scene.h"

// The rows of one table for one element of the scene: "world", "characters.runner.drive", "events.0". Seed, duration
// and purpose of the scene are in the group "run", whose rows are at the top level of the file.
typedef struct EditGroup {
  char path[160]; // for document_set: path "." row name; "" for the group "run": the row's name alone
  char title[96]; // for people: "runner: drive"
  int character;  // index of the character; -1: an element of the scene
  const ParamTable *table;
  void *values; // the struct inside the SceneDef
} EditGroup;

typedef struct Edits Edits;

// def remains the caller's; edits change it in place. NULL and an error when there is no memory.
Edits *edits_create(SceneDef *def, Error *error);
void edits_destroy(Edits *edits);

// Reads the scene again, for a reset, from the text with which it was opened, with all edits and some more overrides
// (such as a seed). The result belongs to the caller and is to be passed to edits_attach once a scene has been made
// from it. NULL and an error when it cannot be read.
SceneDef *edits_reread(const Edits *edits, const char *const *overrides, int count, Error *error);

// Moves the edits to that new description of the scene. Groups keep their indices; their values are now in the new one.
bool edits_attach(Edits *edits, SceneDef *def, Error *error);

int edits_group_count(const Edits *edits);
const EditGroup *edits_group(const Edits *edits, int group);

// Whether a row can be changed at all: not the target of an event, and of the other rows of an event only those that
// apply to its kind: `time`, or the rows of a random list; `duration` of a push.
bool edits_is_offered(const EditGroup *group, const Param *row);

// Whether a change acts in the running scene at once; otherwise it acts with the next reset (seed, terrain, start, dt
// ...). Changes of an event's rows act on the events that begin afterwards.
bool edits_is_live(const EditGroup *group, const Param *row);

// Sets a value from YAML text ("0.5", "[1, 2]", "true"), checked as in a file: by itself and, where rows depend on each
// other, with the whole scene. It is stored as an override. On error nothing changes.
bool edits_set(Edits *edits, int group, const Param *row, const char *text, Error *error);

// edits_revert restores the value with which the scene was opened; edits_is_changed: whether the value differs from
// that.
bool edits_revert(Edits *edits, int group, const Param *row, Error *error);
bool edits_is_changed(const Edits *edits, int group, const Param *row);

// Restores all rows, also in the running scene (which may be NULL), as scene_retune does for each. Added events remain.
// False and an error when the running scene could not apply all; the description is restored even then.
bool edits_revert_all(Edits *edits, Scene *scene, Error *error);
int edits_change_count(const Edits *edits); // number of rows for which edits_is_changed is true

// The struct of a group as the scene was opened.
const void *edits_opened(const Edits *edits, int group);

// A curve of the scene: a row of a section's or layer's table of curves.
typedef struct EditCurve {
  int group; // whose struct contains it
  const CurveRow *row;
  int line, column; // where it is in the scene's file; 0: it is not there, and has its default
} EditCurve;

int edits_curve_count(const Edits *edits);
const EditCurve *edits_curve(const Edits *edits, int index);
const Curve *edits_curve_now(const Edits *edits, int index);
const Curve *edits_curve_opened(const Edits *edits, int index); // as the scene was opened
bool edits_curve_is_changed(const Edits *edits, int index);

// Sets a curve, checked as in a file, and stores it as an override; the value with which the scene was opened takes the
// override back. Saved, only those numbers of the file change that differ. On error nothing changes.
bool edits_set_curve(Edits *edits, int index, const Curve *curve, Error *error);

// Applies a changed curve to the running scene, between two steps. Curves act at once.
bool scene_retune_curve(Scene *scene, const EditGroup *group, Error *error);

// Adds an event to the scene's list for the saved file (not to the running scene). text: one item in YAML.
bool edits_add_event(Edits *edits, const char *text, Error *error);

// The events added so far, in order. The text is valid until an event is removed.
int edits_event_count(const Edits *edits);
const char *edits_event(const Edits *edits, int index);
void edits_remove_event(Edits *edits, int index);

// edits_overrides: the present overrides, including those with which the scene was opened, for scene_def_reread; valid
// until the next change. edits_unsaved: whether there are changes or events that edits_save has not written.
int edits_overrides(const Edits *edits, const char *const **overrides);
bool edits_unsaved(const Edits *edits);

// The scene with all edits and added events as YAML text that reads back to the same scene, with the author's comments
// and layout (see document_edit). The caller frees it; NULL: no memory.
char *edits_text(const Edits *edits, Error *error);

// Writes it to a file, see scene_save. Error: the file is the scene's own, or that of the last call, and was changed by
// somebody else since.
bool edits_save(Edits *edits, const char *path, Error *error);

// Applies a changed row of the description to the running scene, between two steps; call it after edits_set and
// edits_revert. Only live rows change; of the intent, which the keyboard changes too, only this row. Without an edit
// nothing changes, to the bit. Error: an assist is turned on and the body lacks its part.
bool scene_retune(Scene *scene, const EditGroup *group, const Param *row, Error *error);

#endif
