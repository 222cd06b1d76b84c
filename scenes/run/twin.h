// A run beside the same run without one of its hits: same scene, same seed, all else happens in both.
#ifndef STAGGER_SCENES_RUN_TWIN_H
#define STAGGER_SCENES_RUN_TWIN_H

#include "scenes/run/scene.h"

// The next impulse of the last step, from index *next on, that a bullet or a push gave a character, or a ball or a prop
// too. Moves *next behind it. NULL: there is none.
const Impulse *twin_next_hit(const World *world, int *next);
const Impulse *twin_next_blow(const World *world, int *next);

// The scene without that event, -1: with all. See scene_create.
Scene *twin_create(SceneDef *def, int event, Error *error);

// Takes an event away, before its first effect: it gives no impulse, and its ball or prop touches no character.
void twin_mute(Scene *scene, int event);

#endif
