// Muscle tone: follows the wanted tension with the delay of muscles, and modifies the strength that a hit leaves a
// joint.
#include "ragdoll/reaction/muscle_tone.h"

#include <string.h>

// Time in which muscles build up tension (electromechanical delay and twitch: 50 to 150 ms).
static const float BUILD_TIME = 0.1f; // s

// Share of its strength that a wholly slack joint lacks.
static const float SLACK_LOSS = 0.8f;

// Stiffness that a wholly tense joint gains, as a share of its own.
static const double CO_CONTRACTION = 3;

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

double muscle_tone_stiffness(const MuscleTone *tone, int joint) {
  const double tension = (double)tone->tension[joint];
  return tension > 0 ? CO_CONTRACTION * tension : 0;
}

void muscle_tone_state(MuscleTone *tone, int count, StateStream *stream) {
  STATE(stream, tone->whole);
  state_bytes(stream, tone->joint, (size_t)count * sizeof *tone->joint);
  state_bytes(stream, tone->tension, (size_t)count * sizeof *tone->tension);
}
