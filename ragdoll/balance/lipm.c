// Closed forms of the linear inverted pendulum: how its divergent component grows, and where a foot must stand to stop
// it.
#include "ragdoll/balance/lipm.h"

#include <math.h>

Flat lipm_predict(Flat xi, Flat r, double omega, double t) {
  return flat_add(r, flat_scale(flat_sub(xi, r), exp(omega * t)));
}

Flat lipm_center(Flat center, Flat xi, Flat r, double omega, double t) {
  Flat diverging = lipm_predict(xi, r, omega, t), stable = flat_sub(flat_scale(center, 2), xi); // c - v / w
  return flat_between(lipm_predict(stable, r, -omega, t), diverging, 0.5);
}

Flat lipm_offset(Flat velocity, double width, double side, double omega, double duration) {
  double growth = exp(omega * duration);
  Flat offset = flat_scale(velocity, duration / (growth - 1));
  offset.x += side * width / (growth + 1);
  return offset;
}

double lipm_limit_step(Flat *step, double swing_side, const StepLimits *limits) {
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
  double length = flat_length(*step);
  if (length > limits->length) {
    beyond += length - limits->length;
    *step = flat_scale(*step, limits->length / length);
  }
  return beyond;
}
