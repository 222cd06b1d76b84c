// Metrics of a character, and the data from which they are made. No controller includes this header, so that none uses
// more information than sensors on the body would give.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_METRICS_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_METRICS_H

#include "ragdoll/character/character.h"
#include "ragdoll/character/foot_platform.h"
#include "sim/metrics/metrics.h"

// The state of a foot of the body.
typedef struct FootState {
  double position[3];   // middle of the sole, m, world
  double ground_height; // m, of the ground under it
  double clearance;     // m, lower of heel and toe above the ground, negative inside
  bool planted;         // carries load
  bool flat;            // carries load and lies flat: slip, float and angle are evaluated only then
  float phase;          // 0..1: time since the animation's last touchdown as a share of the cycle
} FootState;

// Only character_metrics.c and character_feet.c write it.
struct CharacterMetrics {
  Metrics *metrics;
  double support_margin;             // m, NAN when no foot carries load
  double pressure[2];                // m, x and z: centre of pressure of the feet; NAN when none carries load
  FootState feet[SKELETON_MAX_LEGS]; // see character_measure_feet
  FootPlatform measured_platforms[SKELETON_MAX_LEGS], output_platforms[SKELETON_MAX_LEGS];
  bool refused[SKELETON_MAX_LEGS]; // the present stance has been counted as refused
};

// NULL and an error: no memory.
CharacterMetrics *character_metrics_create(const CharacterDef *def, Error *error);
void character_metrics_destroy(CharacterMetrics *judged);

// The metrics of a step; to be called after sensing and before the state of falling changes.
void character_metrics_step(Character *character);

// Metrics of a planned character: goals reached and least distance to obstacles. To be called after sensing.
void character_metrics_plan(Character *character);

// Updates `feet`, for a caller that needs them now and has not just called character_sample_metrics.
void character_measure_feet(Character *character);

// Frame metrics: to be called at regular intervals, 60 times a second. Also updates `feet`.
void character_sample_metrics(Character *character);

#endif
