// The lag of a pair of muscles behind what is asked of them.
#include "ragdoll/body/muscle.h"

#include <math.h>

void muscle_gave(Muscle *muscle, double torque) {
  double ahead = muscle->asked == 0 ? torque : -torque;
  muscle->pull[muscle->asked] = fmax(0, ahead + muscle->pull[1 - muscle->asked]);
}

// The change of a pull toward what is asked of it, in a step of h seconds.
static double change(const MuscleLag *lag, double pull, double asked, double limit, double h) {
  double lack = asked - pull, constant = lack > 0 ? lag->rise : lag->fall;
  double way = constant > 0 ? -expm1(-h / constant) * lack : lack;
  double most = lag->rate > 0 ? lag->rate * limit * h : HUGE_VAL;
  return fmax(-most, fmin(most, way));
}

double muscle_step(Muscle *muscle, const MuscleLag *lag, double asked, double limit, double h) {
  double *pull = muscle->pull;
  muscle->asked = asked < 0;
  for (int i = 0; i < 2; i++)
    pull[i] += change(lag, pull[i], i == muscle->asked ? fmin(fabs(asked), limit) : 0, limit, h);
  return pull[0] - pull[1];
}
