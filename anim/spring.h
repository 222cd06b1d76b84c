// The critically damped spring, by which motion is smoothed.
#ifndef STAGGER_ANIM_SPRING_H
#define STAGGER_ANIM_SPRING_H

// Critically damped spring toward a goal, in closed form: the same result for any split of the time step.
// w = 2/damp_seconds (Game Programming Gems 4, chapter 1.10). dt >= 0; damp_seconds > 0.
void spring_step(double *x, double *velocity, double goal, double damp_seconds, double dt);

// The same for many values of one damp_seconds and dt: what they share, above all an exponential, is found once.
typedef struct SpringStep {
  double w, decay; // 1/s; of an offset at rest in dt; both 0: so stiff that it arrives at once
  double dt;       // s
} SpringStep;

SpringStep spring_over(double damp_seconds, double dt);

// With y = x - goal and c = v + w y: y(t) = (y + c t) exp(-w t), v(t) = (v - w c t) exp(-w t).
static inline void spring_apply(const SpringStep *step, double *x, double *velocity, double goal) {
  double offset = *x - goal, c = *velocity + step->w * offset;
  *x = goal + (offset + c * step->dt) * step->decay;
  *velocity = (*velocity - step->w * c * step->dt) * step->decay;
}

// A value with its velocity and the goal toward which it goes. Zero: at rest at 0.
typedef struct Spring {
  double value, velocity, goal;
} Spring;

// Lets dt pass, toward a goal that is remembered.
void spring_follow(Spring *spring, double goal, double damp_seconds, double dt);

// The same toward the goal that was set, for springs of one damp_seconds and dt.
static inline void spring_go_on(const SpringStep *step, Spring *spring) {
  spring_apply(step, &spring->value, &spring->velocity, spring->goal);
}

#endif
