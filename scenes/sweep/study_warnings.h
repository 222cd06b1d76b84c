// Warnings about a valid study.
#ifndef STAGGER_SCENES_SWEEP_STUDY_WARNINGS_H
#define STAGGER_SCENES_SWEEP_STUDY_WARNINGS_H

#include <stdio.h>

#include "scenes/sweep/study.h"

// Prints one line for each: a key of `set` that an axis or a later `set` overrides; equal values of an axis, whose
// cells are the same; responses that no trial can have. False: no memory for the search.
bool study_warnings(const StudyDef *study, FILE *out);

#endif
