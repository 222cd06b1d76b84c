// The feet of a character for its metrics.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_FEET_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_FEET_H

#include "ragdoll/character/character_metrics.h"

// Call once in each step after the target is made: reports stances that begin refused to the metrics.
void character_count_refusals(const Character *character);

// Fills feet and plans of a frame, and updates the platforms that carry the feet. measured, output: model-space
// versions of the character's poses, in the world; both the same one if the output pose is that of the body.
void character_sample_feet(Character *character, const ModelPose *measured, const ModelPose *output,
                           MetricsFrame *frame);

#endif
