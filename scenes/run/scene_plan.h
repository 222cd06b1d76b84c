// What the planners of a scene's characters see: each other, platforms and props.
#ifndef STAGGER_SCENES_RUN_SCENE_PLAN_H
#define STAGGER_SCENES_RUN_SCENE_PLAN_H

#include "scenes/run/scene.h"

// Memory for what one planner after the other sees.
typedef struct Surroundings Surroundings;

// Allocates it; NULL with an error.
Surroundings *scene_plan_create(Error *error);

// Updates what every planned character senses, from the present positions.
void scene_plan(Scene *scene);

#endif
