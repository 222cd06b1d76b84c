// Warnings about a valid scene.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_WARNINGS_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_WARNINGS_H

#include <stdio.h>

#include "scenes/description/scene_def.h"

// Writes one line for each, "file: warning: ...": masses that are difficult for the iterative solver if the scene uses
// it, unreachable gains, feet without legs, a speed that nothing can produce or a clip that needs one, keys that the
// terrain's kind does not read, events after the end. Writes nothing when there is none.
void scene_warnings(const SceneDef *def, FILE *out);

#endif
