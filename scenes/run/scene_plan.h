// What the planners of a scene's characters see of each other, of platforms and props.
#ifndef STAGGER_SCENES_RUN_SCENE_PLAN_H
#define STAGGER_SCENES_RUN_SCENE_PLAN_H

#include "scenes/run/scene.h"

// What they see now, one after the other.
typedef struct Surroundings Surroundings;

// Room for it; NULL with an error.
Surroundings *scene_plan_create(Error *error);

// All who plan look around, at the places where all are now.
void scene_plan(Scene *scene);

#endif
