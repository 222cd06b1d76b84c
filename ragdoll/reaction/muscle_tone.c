// Muscle tone: follows the wanted tension with the delay of muscles, and modifies the strength that a hit leaves a
// joint.
#include "ragdoll/reaction/muscle_tone.h"

#include <math.h>
#include <string.h>

// Time in which muscles build up tension (electromechanical delay and twitch: 50 to 150 ms).
static const float BUILD_TIME = 0.1f; // s

// Share of its strength that a wholly slack joint lacks.
static const float SLACK_LOSS = 0.8f;

// What is left of a wholly slack joint: the passive stiffness of its tissues, /rad of its largest torque, and how long
// their damping takes. The elbow's 70 N m give 0.7 N m/rad, the wrist's 20 N m 0.2. Assumed.
static const double PASSIVE_STIFFNESS = 0.01, PASSIVE_TIME = 0.05; // /rad, s

static float wanted(const MuscleTone *tone, int joint) {
  float sum = (float)tone->whole + tone->joint[joint];
  return sum < -1 ? -1 : sum > 1 ? 1 : sum;
}

void muscle_tone_init(MuscleTone *tone, const HitReactionDef *def) {
  tone->whole = def->tone;
  memcpy(tone->joint, def->tones, sizeof tone->joint);
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    tone->tension[i] = wanted(tone, i);
}

void muscle_tone_step(MuscleTone *tone, int count, double dt) {
  float most = (float)dt / BUILD_TIME;
  for (int i = 0; i < count; i++) {
    float change = wanted(tone, i) - tone->tension[i];
    tone->tension[i] += change < -most ? -most : change > most ? most : change;
  }
}

float muscle_tone_strength(const MuscleTone *tone, int joint, float left) {
  float tension = tone->tension[joint];
  if (tension <= 0)
    return left * (1 + SLACK_LOSS * tension);
  return left + (1 - left) * tension;
}

void muscle_tone_slacken(const MuscleTone *tone, int joint, double torque, double *stiffness, double *damping) {
  const double slack = -(double)tone->tension[joint];
  if (slack <= 0)
    return;
  const double strength = (double)muscle_tone_strength(tone, joint, 1); // the drive multiplies both gains by it
  const double passive = fmin(PASSIVE_STIFFNESS * torque / strength, *stiffness);
  *stiffness += slack * (passive - *stiffness);
  *damping += slack * (fmin(passive * PASSIVE_TIME, *damping) - *damping);
}

void muscle_tone_state(MuscleTone *tone, int count, StateStream *stream) {
  STATE(stream, tone->whole);
  state_bytes(stream, tone->joint, (size_t)count * sizeof *tone->joint);
  state_bytes(stream, tone->tension, (size_t)count * sizeof *tone->tension);
}
