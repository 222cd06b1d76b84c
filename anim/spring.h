// The critically damped spring that smooths motion.
#ifndef STAGGER_ANIM_SPRING_H
#define STAGGER_ANIM_SPRING_H

// A critically damped spring toward a goal, in closed form: the result does not depend on how the time step is divided.
// w = 2/damp_seconds (Game Programming Gems 4, chapter 1.10). dt >= 0; damp_seconds > 0.
void spring_step(double *x, double *velocity, double goal, double damp_seconds, double dt);

// The same for many values with the same damp_seconds and dt, whose common terms, above all an exponential, are
// computed once.
typedef struct SpringStep {
  double w, decay; // w: 1/s; decay: factor of an offset at rest over dt; both are 0 if the goal is reached at once
  double dt;       // s
} SpringStep;

SpringStep spring_over(double damp_seconds, double dt);

// With y = x - goal and c = v + w y: y(t) = (y + c t) exp(-w t), v(t) = (v - w c t) exp(-w t).
static inline void spring_apply(const SpringStep *step, double *x, double *velocity, double goal) {
  double offset = *x - goal, c = *velocity + step->w * offset;
  *x = goal + (offset + c * step->dt) * step->decay;
  *velocity = (*velocity - step->w * c * step->dt) * step->decay;
}

// A value with its velocity and its goal. Zero-initialised it is at rest at 0.
typedef struct Spring {
  double value, velocity, goal;
} Spring;

// Advances the spring by dt toward a goal, which is remembered.
void spring_follow(Spring *spring, double goal, double damp_seconds, double dt);

// Advances the spring toward the goal that was set, for springs with the same damp_seconds and dt.
static inline void spring_go_on(const SpringStep *step, Spring *spring) {
  spring_apply(step, &spring->value, &spring->velocity, spring->goal);
}

#endif
