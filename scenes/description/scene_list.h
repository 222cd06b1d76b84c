// The scenes and studies that come with Stagger, and their purposes.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_LIST_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_LIST_H

#include <stdbool.h>

#include "sim/base/error.h"

typedef struct SceneEntry {
  const char *name;    // file name, "hit_run.yaml"; every program finds it by that, see scene_find
  const char *purpose; // "" when the file gives none
  const char *problem; // why it cannot be read; NULL: it can
} SceneEntry;

typedef struct SceneList {
  SceneEntry *entries; // sorted by name
  int count;
} SceneList;

// Reads the scenes folder (see files_scenes_folder). Files without characters are left out, since they are not scenes.
// Errors: no such folder, no memory. Free with scene_list_free.
bool scene_list_read(SceneList *list, Error *error);

// The same for scenes that copy experiments, in its subfolder `laboratory`: "laboratory/push.yaml". That there are none
// is not an error.
bool laboratory_list_read(SceneList *list, Error *error);

// The same for studies, in its subfolder `studies`: files with axes, named "studies/hit_stand.yaml". That there is no
// such file or no such folder is not an error.
bool study_list_read(SceneList *list, Error *error);

// The same for all files of another subfolder: "bodies", "clips", "graphs", "planners", "skills". Their purpose is the
// first line of the comment at their beginning.
bool asset_list_read(SceneList *list, const char *folder, Error *error);
void scene_list_free(SceneList *list);

#endif
