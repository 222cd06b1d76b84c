// Legs: a struck knee gives way for a moment; the foot of a struck shin comes off the ground.
#include <math.h>

#include "ragdoll/response/responses_internal.h"

static const double LEAST_LEFT = 0.35; // of the knee's strength
static const double HOP_PAIN = 0.25;   // pain from which the foot of a struck shin is lifted
static const double HOP_TIME = 0.5;    // s for which the lift of the foot is requested

// The leg that a part belongs to, -1: none.
static int leg_of(const Responses *responses, int part, bool shin) {
  const Skeleton *skeleton = &responses->body.body->skeleton;
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    if (part == leg->knee || (shin ? part == leg->ankle : part == leg->hip))
      return i;
  }
  return -1;
}

void response_buckle(Responses *responses, const Blow *blow, const ResponseStep *step) {
  (void)step;
  const ResponsesDef *def = &responses->def;
  int leg = leg_of(responses, blow->part, false);
  if (leg < 0)
    return;
  double size = response_wave(blow, def->buckle, def->buckle_latency, 0.05, 0.08, 0.2);
  float *knee = &responses->strength[responses->body.body->skeleton.legs[leg].knee];
  *knee = fminf(*knee, (float)fmax(LEAST_LEFT, 1 - size));
}

void response_hop(Responses *responses, const Blow *blow, const ResponseStep *step) {
  (void)step;
  const ResponsesDef *def = &responses->def;
  int leg = leg_of(responses, blow->part, true);
  double since = blow->age - def->hop_latency * blow->late;
  if (leg >= 0 && blow->pain * def->hop > HOP_PAIN && since >= 0 && since < HOP_TIME)
    responses->lifts[leg] = true;
}
