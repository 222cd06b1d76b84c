// The critically damped spring in closed form, over a step of any length and stiffness.
#include "anim/spring.h"

#include <math.h>

SpringStep spring_over(double damp_seconds, double dt) {
  SpringStep step = {.w = 2 / damp_seconds, .dt = dt};
  step.decay = exp(-step.w * dt);
  if (!(damp_seconds > 0 && step.decay > 0))
    step.w = step.decay = 0;
  return step;
}

void spring_step(double *x, double *velocity, double goal, double damp_seconds, double dt) {
  if (*x == goal && *velocity == 0) // at rest
    return;
  SpringStep step = spring_over(damp_seconds, dt);
  spring_apply(&step, x, velocity, goal);
}

void spring_follow(Spring *spring, double goal, double damp_seconds, double dt) {
  spring->goal = goal;
  spring_step(&spring->value, &spring->velocity, goal, damp_seconds, dt);
}
