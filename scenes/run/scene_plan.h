// What the planners of a scene's characters see of each other, of platforms and props.
#ifndef STAGGER_SCENES_RUN_SCENE_PLAN_H
#define STAGGER_SCENES_RUN_SCENE_PLAN_H

#include "scenes/run/scene.h"

// All who plan look around, at the places where all are now.
void scene_plan(Scene *scene);

#endif
