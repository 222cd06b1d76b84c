// What the files of edits share.
#ifndef STAGGER_SCENES_RUN_EDITS_INTERNAL_H
#define STAGGER_SCENES_RUN_EDITS_INTERNAL_H

#include <stdint.h>

#include "scenes/run/edits.h"

struct Edits {
  SceneDef *def;
  EditGroup *groups;
  void **opened; // for each group, a copy of the struct as the scene was opened
  int group_count;
  EditCurve *curves;
  int curve_count;
  char **overrides; // "path=text": the scene's own overrides, then the edits; with room for one that is being tried
  int override_count, own_count;
  char **events; // assignments that append added events
  int event_count;
  uint64_t saved;       // hash of the changes that have been saved
  char saved_path[512]; // the file to which they were saved last; "": none yet
  uint64_t saved_text;  // hash of that file then
};

// Moves an override from the list to the place behind its end.
char *edits_take_out(Edits *edits, int index);

// Whether a table is that of a kind of layer, or of what all layers have.
bool edits_is_of_layer(const ParamTable *table);

// Lists the curves of the groups. False: no memory.
bool edits_list_curves(Edits *edits);

// Restores all curves, also in the running scene (which may be NULL); their overrides are left to the caller.
bool edits_revert_curves(Edits *edits, Scene *scene, Error *error);

#endif
