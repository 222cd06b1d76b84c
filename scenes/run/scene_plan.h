// What the planners of a scene's characters see: each other, platforms and props.
#ifndef STAGGER_SCENES_RUN_SCENE_PLAN_H
#define STAGGER_SCENES_RUN_SCENE_PLAN_H

#include "scenes/run/scene.h"

// Memory for what one planner after the other sees.
typedef struct Surroundings Surroundings;

// NULL with an error: no memory.
Surroundings *scene_plan_create(Error *error);
void scene_plan_destroy(Surroundings *all);

// Updates what every planned character senses, from the present positions.
void scene_plan(Scene *scene);

#endif
