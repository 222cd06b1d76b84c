#include "ragdoll/soft_motor.h"

#include <math.h>

// Each axis keeps at least this share, so that none goes slack while another one strains.
static const double LEAST_SHARE = 0.3;

SoftAxis soft_axis(double kp, double kd, double error, double goal_velocity, double velocity, double feed_forward,
                   double h) {
  double d = h * kp + kd;
  if (d <= 0)
    return (SoftAxis){.cfm = 1};
  return (SoftAxis){.speed = (kp * error + kd * goal_velocity + feed_forward) / d,
                    .cfm = 1 / d,
                    .force = kp * error + kd * (goal_velocity - velocity) + feed_forward};
}

void soft_share_limit(const SoftAxis *axes, int count, double limit, double shares[3]) {
  double norm = 0, sum = 0;
  for (int i = 0; i < count; i++)
    norm += axes[i].force * axes[i].force;
  norm = sqrt(norm);
  for (int i = 0; i < count; i++) {
    double asked = norm > 0 ? fabs(axes[i].force) / norm : 1;
    shares[i] = asked > LEAST_SHARE ? asked : LEAST_SHARE;
    sum += shares[i] * shares[i];
  }
  double scale = limit / sqrt(sum);
  for (int i = 0; i < count; i++)
    shares[i] *= scale;
}
