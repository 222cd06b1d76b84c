// Writing a scene with overrides as a scene file.
#ifndef STAGGER_SCENES_RUN_SCENE_SAVE_H
#define STAGGER_SCENES_RUN_SCENE_SAVE_H

#include "scenes/description/scene_def.h"

// Writes the source of a scene, with the assignments made in it (see document_edit), to a file: in whole or not at all,
// after it has been read back as a scene from there. Files of the scene that are not found from the new folder, or are
// other files there, are named by relative paths. Errors: the file exists and is not a scene, it cannot be written, or
// a file exists only inside a trace and not in the new folder.
bool scene_save(const SceneDef *def, const char *const *assignments, int count, const char *path, Error *error);

#endif
