// Warnings about the start of a scene that are not errors: bodies that overlap each other or the ground.
#ifndef STAGGER_SCENES_RUN_START_WARNINGS_H
#define STAGGER_SCENES_RUN_START_WARNINGS_H

#include <stdio.h>

#include "scenes/run/scene.h"

// Writes a line for each such pair, before the first step.
void start_warnings(const Scene *scene, FILE *out);

#endif
