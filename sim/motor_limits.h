// ODE's exact step, quicker where motors stay below their limits. To the stepper a motor with a limit is an inequality,
// which costs a pivot; without one it is an equation. So a step is first solved without the limits of motors that were
// far from theirs in the step before. Where none of them has been exceeded that is the solution with limits, too: such
// problems have one solution only. Where one has, the bodies are put back and the step is solved again with it.
#ifndef STAGGER_SIM_MOTOR_LIMITS_H
#define STAGGER_SIM_MOTOR_LIMITS_H

#include <ode/ode.h>

typedef struct MotorLimits MotorLimits;

// NULL without memory.
MotorLimits *motor_limits_create(void);
void motor_limits_free(MotorLimits *limits);

// dWorldStep for a world of these bodies. Takes angular motors in user mode and linear motors, with a feedback, whose
// axes are at right angles to each other; all others keep their limits. Forces and torques that the caller added act
// once, whatever is repeated. The motors' parameters are as before when it returns, and no limit is exceeded by more
// than rounding.
void motor_limits_step(MotorLimits *limits, dWorldID ode, const dBodyID bodies[], int body_count, double dt);

// Steps that were solved more than once.
long motor_limits_repeats(const MotorLimits *limits);

#endif
