// The feet of a character as its metrics see them.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_FEET_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_FEET_H

#include "ragdoll/character/character_metrics.h"

// Once in each step, after its target is made: tells the metrics of stances that begin where they were not to.
void character_count_refusals(const Character *character);

// Feet and plans of a frame, and what carries the feet from now on. measured, output: the character's poses as models,
// in the world, both the same one where the output shows the body as it is.
void character_sample_feet(Character *character, const ModelPose *measured, const ModelPose *output,
                           MetricsFrame *frame);

#endif
