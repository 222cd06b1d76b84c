// Closed forms of the linear inverted pendulum: how its divergent component grows, and where a foot must stand to stop
// it.
#include "ragdoll/balance/lipm.h"

#include <math.h>

Plane2 lipm_predict(Plane2 xi, Plane2 r, double omega, double t) {
  return plane2_add(r, plane2_scale(plane2_sub(xi, r), exp(omega * t)));
}

Plane2 lipm_center(Plane2 center, Plane2 xi, Plane2 r, double omega, double t) {
  Plane2 diverging = lipm_predict(xi, r, omega, t), stable = plane2_sub(plane2_scale(center, 2), xi); // c - v / w
  return plane2_between(lipm_predict(stable, r, -omega, t), diverging, 0.5);
}

Plane2 lipm_offset(Plane2 velocity, double width, double side, double omega, double duration) {
  double growth = exp(omega * duration);
  Plane2 offset = plane2_scale(velocity, duration / (growth - 1));
  offset.x += side * width / (growth + 1);
  return offset;
}

double lipm_handover(double omega, double time) {
  double growth = omega * time;
  return growth > 0 ? 1 + expm1(-growth) / growth : 0;
}

Plane2 lipm_shared_offset(Plane2 offset, double omega, double duration, const HandOver *over) {
  double growth = exp(omega * duration);
  return plane2_add(plane2_scale(offset, 1 - over->handover), plane2_scale(over->roll, over->handover / (growth - 1)));
}

// With xi' = xi + handover (step - roll) it has to be xi' - step = offset.
Plane2 lipm_shared_step(Plane2 ahead, Plane2 offset, const HandOver *over) {
  Plane2 rest = plane2_sub(ahead, plane2_add(offset, plane2_scale(over->roll, over->handover)));
  return plane2_scale(rest, 1 / (1 - over->handover));
}

double lipm_limit_step(Plane2 *step, double swing_side, const StepLimits *limits) {
  double beyond = 0, outward = step->x * swing_side;
  if (fabs(step->z) > limits->ahead) {
    beyond += fabs(step->z) - limits->ahead;
    step->z = copysign(limits->ahead, step->z);
  }
  if (outward < limits->apart) {
    double lack = limits->apart - outward;
    beyond += lack > limits->tolerated ? 2 * lack : 0;
    outward = limits->apart;
  }
  if (outward > limits->side) {
    beyond += outward - limits->side;
    outward = limits->side;
  }
  step->x = outward * swing_side;
  double length = plane2_length(*step);
  if (length > limits->length) {
    beyond += length - limits->length;
    *step = plane2_scale(*step, limits->length / length);
  }
  return beyond;
}
