// What only the judge knows of a character: metrics, and what they are made from. No controller includes this header,
// so that none knows more than a sensor on its body would.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_METRICS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_METRICS_H

#include "ragdoll/character/character.h"
#include "ragdoll/character/foot_platform.h"
#include "sim/metrics/metrics.h"

// A foot of the body as it stands now.
typedef struct FootState {
  double position[3];   // middle of the sole, m, world
  double ground_height; // m, of the ground under it
  double clearance;     // m, lower of heel and toe above the ground, negative inside
  bool planted;         // carries load
  bool flat;            // carries load and lies flat: slip, float and angle are judged only then
  float phase;          // 0..1: time since the animation's last touch-down as a share of the cycle
} FootState;

// Only character_metrics.c and character_feet.c write it.
struct CharacterMetrics {
  Metrics *metrics;
  double support_margin;             // m, NAN when no foot carries
  FootState feet[SKELETON_MAX_LEGS]; // see character_measure_feet
  FootPlatform measured_platforms[SKELETON_MAX_LEGS], output_platforms[SKELETON_MAX_LEGS];
  bool refused[SKELETON_MAX_LEGS]; // the stance under way has been counted as refused
};

// NULL and an error: no memory.
CharacterMetrics *character_metrics_create(const CharacterDef *def, Error *error);
void character_metrics_destroy(CharacterMetrics *judged);

// The metrics of a step, after sensing and before the fall's state changes.
void character_metrics_step(Character *character);

// What a planned character has reached and how close it came to something. To be called when it has looked around.
void character_metrics_plan(Character *character);

// Updates `feet`, for a caller that looks at them now and has not just sampled the character.
void character_measure_feet(Character *character);

// The metrics that compare frames: to be called at regular times, 60 times a second. Updates `feet`, too.
void character_sample_metrics(Character *character);

#endif
