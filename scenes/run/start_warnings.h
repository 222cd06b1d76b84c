// What is odd about how a scene begins, and allowed: bodies inside of each other or of the ground.
#ifndef STAGGER_SCENES_RUN_START_WARNINGS_H
#define STAGGER_SCENES_RUN_START_WARNINGS_H

#include <stdio.h>

#include "scenes/run/scene.h"

// Writes a line for each, before the first step.
void start_warnings(const Scene *scene, FILE *out);

#endif
