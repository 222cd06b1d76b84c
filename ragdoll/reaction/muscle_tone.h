// How tense the muscles are, of the whole body and of single joints: slack ones have less strength, tense ones lose
// less of it when they are hit, and are stiffer. Tone changes as fast as muscles do.
#ifndef STAGGER_RAGDOLL_REACTION_MUSCLE_TONE_H
#define STAGGER_RAGDOLL_REACTION_MUSCLE_TONE_H

#include "ragdoll/reaction/hit_reaction.h"
#include "sim/base/state.h"

typedef struct MuscleTone {
  double whole;                  // -1 slack .. 0 normal .. 1 tense
  float joint[BODY_MAX_PARTS];   // beside it
  float tension[BODY_MAX_PARTS]; // both together as they are now, -1..1
} MuscleTone;

void muscle_tone_init(MuscleTone *tone, const HitReactionDef *def);

// Tension follows whole + joint, within -1..1, in about 0.1 s.
void muscle_tone_step(MuscleTone *tone, int count, double dt);

// A joint's strength from what hits have left of it, 0..1. No tone leaves it bit for bit.
float muscle_tone_strength(const MuscleTone *tone, int joint, float left);

// Stiffness that a joint gains as its muscles work against each other, as a share of its own: up to 3 when it is wholly
// tense (assumed), 0 when it is not.
double muscle_tone_stiffness(const MuscleTone *tone, int joint);

// Saves or restores, for so many joints.
void muscle_tone_state(MuscleTone *tone, int count, StateStream *stream);

#endif
