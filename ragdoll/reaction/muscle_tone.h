// Tension of the muscles of the whole body and of single joints: slack muscles have less strength, and
// leave a joint only the stiffness of its tissues, without reflexes; tense ones are stiffer and lose less strength in a
// hit. Tone changes at the rate of muscles.
#ifndef STAGGER_RAGDOLL_REACTION_MUSCLE_TONE_H
#define STAGGER_RAGDOLL_REACTION_MUSCLE_TONE_H

#include "ragdoll/reaction/hit_reaction.h"
#include "sim/base/state.h"

typedef struct MuscleTone {
  double whole;                  // -1 slack .. 0 normal .. 1 tense
  float joint[BODY_MAX_PARTS];   // added to it
  float tension[BODY_MAX_PARTS]; // both together as they are now, -1..1
} MuscleTone;

void muscle_tone_init(MuscleTone *tone, const HitReactionDef *def);

// Tension follows whole + joint, within -1..1, in about 0.1 s.
void muscle_tone_step(MuscleTone *tone, int count, double dt);

// A joint's strength, from the strength that hits have left of it, 0..1. A tone of 0 leaves it unchanged to the bit.
float muscle_tone_strength(const MuscleTone *tone, int joint, float left);

// Stiffness that a joint gains as its muscles work against each other, as a share of its own: up to 3 when it is wholly
// tense (assumed), 0 when it is not.
static inline double muscle_tone_stiffness(const MuscleTone *tone, int joint) {
  const double tension = (double)tone->tension[joint];
  return tension > 0 ? 3 * tension : 0;
}

// Share of its reflexes that a joint's tone leaves: 0 when it is wholly slack, 1 when it is not slack.
static inline float muscle_tone_reflex(const MuscleTone *tone, int joint) {
  const float tension = tone->tension[joint];
  return tension < 0 ? 1 + tension : 1;
}

// Takes from a joint's stiffness (N m/rad) and damping (N m s/rad) what slack muscles do not give: a wholly slack joint
// keeps the passive stiffness of its tissues, 0.01 /rad of its largest torque (N m; assumed), after the drive has
// multiplied by muscle_tone_strength. Unchanged to the bit without slack.
void muscle_tone_slacken(const MuscleTone *tone, int joint, double torque, double *stiffness, double *damping);

// Saves or restores the tone of that many joints.
void muscle_tone_state(MuscleTone *tone, int count, StateStream *stream);

#endif
