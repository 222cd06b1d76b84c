// What is odd about a study though it can be run.
#ifndef STAGGER_SCENES_SWEEP_STUDY_WARNINGS_H
#define STAGGER_SCENES_SWEEP_STUDY_WARNINGS_H

#include <stdio.h>

#include "scenes/sweep/study.h"

// Prints one line for each: a key of `set` that an axis sets again, or that `set` has twice; equal values of an axis,
// whose cells are the same. False: no memory to look for these.
bool study_warnings(const StudyDef *study, FILE *out);

#endif
