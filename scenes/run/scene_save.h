// Writing a scene with overrides as a scene file.
#ifndef STAGGER_SCENES_RUN_SCENE_SAVE_H
#define STAGGER_SCENES_RUN_SCENE_SAVE_H

#include "scenes/description/scene_def.h"

// Writes the source of a scene with the assignments made in it (see document_edit) to a file, in whole or not at all,
// after having read it back as a scene from there. Files that the scene names and that are not found from the new
// folder, or are others there, are named by their way from it. Errors: a file that is there and no scene, a place that
// cannot be written, a file in a trace alone that the new folder does not have.
bool scene_save(const SceneDef *def, const char *const *assignments, int count, const char *path, Error *error);

#endif
