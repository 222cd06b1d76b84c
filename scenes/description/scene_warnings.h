// What is odd about a scene that is good.
#ifndef STAGGER_SCENES_DESCRIPTION_SCENE_WARNINGS_H
#define STAGGER_SCENES_DESCRIPTION_SCENE_WARNINGS_H

#include <stdio.h>

#include "scenes/description/scene_def.h"

// One line each, "file: warning: ...": masses that only the iterative solver minds when the scene uses it, gains out of
// reach, feet without legs, a speed that nothing goes at or a clip that waits for one, keys that the terrain's kind
// does not read, events after the end. Nothing when all is well.
void scene_warnings(const SceneDef *def, FILE *out);

#endif
