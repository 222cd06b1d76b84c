// The soft motor: an implicit spring and damper made from an ODE motor with a speed, a compliance and a limit. In a
// step of length h ODE then solves force = clamp(kp (error - h v) + kd (v_goal - v) + feed-forward), where v is the new
// velocity: stable for all gains. (Stable PD after Tan, Liu and Turk 2011, solved by ODE itself.)
#ifndef STAGGER_RAGDOLL_BODY_SOFT_MOTOR_H
#define STAGGER_RAGDOLL_BODY_SOFT_MOTOR_H

#include <math.h>

// One axis. Linear: m, m/s, N; angular: rad, rad/s, N m.
typedef struct SoftAxis {
  double speed; // the motor's target speed (dParamVel)
  double cfm;   // its compliance (dParamCFM)
  double force; // force of spring and damper at the beginning of the step
} SoftAxis;

// All zero when both gains are 0.
static inline SoftAxis soft_axis(double kp, double kd, double error, double goal_velocity, double velocity,
                                 double feed_forward, double h) {
  double d = h * kp + kd;
  if (d <= 0)
    return (SoftAxis){.cfm = 1};
  return (SoftAxis){.speed = (kp * error + kd * goal_velocity + feed_forward) / d,
                    .cfm = 1 / d,
                    .force = kp * error + kd * (goal_velocity - velocity) + feed_forward};
}

// Each axis gets at least this share of the limit, so that none becomes slack while another one is loaded.
#define SOFT_LEAST_SHARE 0.3

// Divides a limit on the norm of the force among `count` <= 3 axes according to the forces they ask for; the squares of
// the shares sum up to the square of the limit, so that the norm never exceeds it. (ODE itself limits each axis
// separately.)
static inline void soft_share_limit(const SoftAxis *axes, int count, double limit, double shares[3]) {
  double norm = 0, sum = 0;
  for (int i = 0; i < count; i++)
    norm += axes[i].force * axes[i].force;
  norm = sqrt(norm);
  for (int i = 0; i < count; i++) {
    double asked = norm > 0 ? fabs(axes[i].force) / norm : 1;
    shares[i] = asked > SOFT_LEAST_SHARE ? asked : SOFT_LEAST_SHARE;
    sum += shares[i] * shares[i];
  }
  double scale = limit / sqrt(sum);
  for (int i = 0; i < count; i++)
    shares[i] *= scale;
}

#endif
