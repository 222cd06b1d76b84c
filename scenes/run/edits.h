// Parameters of a scene that are changed while it runs, and written back as a scene file. One list of all parameters,
// made from the parameter tables of the scene, its characters and its events.
//
// Not in the list: what is no row of a table (curves, clips, names, expectations), and the joints and masses of a body.
// A body is a file of its own that characters share, and its joints hold state made from it; what a slider would be
// wanted for, softer or stronger joints, the factors of `drive` do for one character alone.
#ifndef STAGGER_SCENES_RUN_EDITS_H
#define STAGGER_SCENES_RUN_EDITS_H

#include "scenes/run/scene.h"

// The rows of one table for one thing of the scene: "world", "characters.runner.drive", "events.0". The scene's seed,
// duration and purpose are the group "run", whose rows stand at the top level of the file.
typedef struct EditGroup {
  char path[160]; // for document_set: path "." row name; "" for the group "run": the row's name alone
  char title[96]; // for people: "runner: drive"
  int character;  // whose it is; -1: the scene's
  const ParamTable *table;
  void *values; // the struct inside the SceneDef
} EditGroup;

typedef struct Edits Edits;

// def stays the caller's; edits change it in place. NULL and an error: no memory.
Edits *edits_create(SceneDef *def, Error *error);
void edits_free(Edits *edits);

// The scene read again from the text that it was opened with, all edits and then some more overrides (a seed), for a
// reset: the caller's, to be given to edits_attach once a scene could be made of it. NULL and an error when it cannot
// be read.
SceneDef *edits_reread(const Edits *edits, const char *const *overrides, int count, Error *error);

// The same edits on that other reading of the scene. Groups keep their numbers, their values move.
bool edits_attach(Edits *edits, SceneDef *def, Error *error);

int edits_group_count(const Edits *edits);
const EditGroup *edits_group(const Edits *edits, int group);

// Whether a row can be changed at all: not whom an event strikes, and of an event's rows only those that mean something
// for its kind: `time`, or the rows of a random list; `duration` of a push.
bool edits_is_offered(const EditGroup *group, const Param *row);

// Whether a change shows in the running scene at once; otherwise with the next reset (seed, terrain, start, dt ...).
// Rows of events act with the next event that begins.
bool edits_is_live(const EditGroup *group, const Param *row);

// Sets a value from YAML text ("0.5", "[1, 2]", "true"), checked as in a file: by itself, and where rows hang on each
// other with the whole scene. Remembers it as an override. On error nothing has changed.
bool edits_set(Edits *edits, int group, const Param *row, const char *text, Error *error);

// Back to the value that the scene was opened with. Whether it differs from that.
bool edits_revert(Edits *edits, int group, const Param *row, Error *error);
bool edits_is_changed(const Edits *edits, int group, const Param *row);

// All of them back at once, also in the running scene (may be NULL), as scene_retune does it for each. Added events
// stay. False and an error when the running scene could not take all; the description is as it was opened anyway.
bool edits_revert_all(Edits *edits, Scene *scene, Error *error);
int edits_change_count(const Edits *edits); // rows that edits_is_changed

// The struct of a group as the scene was opened.
const void *edits_opened(const Edits *edits, int group);

// Adds an event to the scene's list for the saved file (not to the running scene): YAML text of one item.
bool edits_add_event(Edits *edits, const char *text, Error *error);

// The events added so far, in their order. The text stays good until one is removed.
int edits_event_count(const Edits *edits);
const char *edits_event(const Edits *edits, int index);
void edits_remove_event(Edits *edits, int index);

// The overrides so far, those that the scene was opened with among them, for scene_def_reread; they stay good until the
// next change. And whether there are changes or events that edits_save has not written.
int edits_overrides(const Edits *edits, const char *const **overrides);
bool edits_unsaved(const Edits *edits);

// The scene with all edits and added events as YAML text that reads back to the same scene, with the comments and the
// layout of its author (see document_edit); the caller frees it. NULL: no memory.
char *edits_text(const Edits *edits, Error *error);

// Writes it to a file, see scene_save.
bool edits_save(Edits *edits, const char *path, Error *error);

// Hands what was changed in the description over to the running scene, between two steps; call it after edits_set and
// edits_revert. Only what is live changes; of the intent, which the keyboard holds as well, only this row. Without an
// edit nothing changes, bit for bit. Error: an assist is turned on and the body has no such part.
bool scene_retune(Scene *scene, const EditGroup *group, const Param *row, Error *error);

#endif
