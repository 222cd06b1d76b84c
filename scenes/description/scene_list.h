// The scenes and studies that come with Stagger, with what they are for.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_LIST_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_LIST_H

#include <stdbool.h>

#include "sim/base/error.h"

typedef struct SceneEntry {
  const char *name;    // of its file, "hit_run.yaml"; every program finds it by that, see scene_find
  const char *purpose; // "" when it gives none
  const char *problem; // why it cannot be read, NULL: it can
} SceneEntry;

typedef struct SceneList {
  SceneEntry *entries; // in the order of their names
  int count;
} SceneList;

// Looks into the scenes folder (see files_scenes_folder). Files without characters are no scenes and are left out.
// Error: there is none, no memory. Free with scene_list_free.
bool scene_list_read(SceneList *list, Error *error);

// The same for studies, in the folder `studies` below it: files with axes, named "studies/hit_stand.yaml". A folder
// without any is no error, nor is none.
bool study_list_read(SceneList *list, Error *error);

// The same for the files of another folder below it, all of them: "bodies", "clips", "graphs", "planners". Their
// purpose is the first line of the comment that they begin with.
bool asset_list_read(SceneList *list, const char *folder, Error *error);
void scene_list_free(SceneList *list);

#endif
