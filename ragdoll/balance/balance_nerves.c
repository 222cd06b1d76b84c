// Late senses: balance knows the motion of the centre of mass as it was some time ago, and predicts the present from it
// as a linear inverted pendulum on the pressure that it has applied since. So do people, who act on a prediction made
// from late senses and their own commands (Wolpert, Ghahramani and Jordan 1995, Science 269:1880-1882). What comes from
// outside, as a push, is known only when it has been sensed.
#include "ragdoll/balance/balance_internal.h"

#include "ragdoll/balance/lipm.h"

static BalanceSample *sample_before(BalanceNerves *nerves, int steps) {
  return &nerves->samples[(nerves->newest - steps + BALANCE_MOST_LATE) % BALANCE_MOST_LATE];
}

static void add_sample(Balancer *balance) {
  BalanceNerves *nerves = &balance->nerves;
  nerves->newest = (nerves->newest + 1) % BALANCE_MOST_LATE;
  nerves->count += nerves->count < BALANCE_MOST_LATE;
  Plane2 com = plane2_add(plane2_of(balance->com), balance->held);
  *sample_before(nerves, 0) = (BalanceSample){com, plane2_of(balance->velocity), com, balance->held};
}

void balance_sense_late(Balancer *balance, double h) {
  BalanceNerves *nerves = &balance->nerves;
  if (balance->def.delay <= 0) {
    nerves->count = nerves->newest = 0; // an edit that brings the delay back must not find samples of long ago
    return;
  }
  add_sample(balance);
  double omega = balance_divergence(balance) * balance->omega;
  int late = (int)fmin(round(balance->def.delay / h), nerves->count - 1);
  Plane2 com = sample_before(nerves, late)->com, velocity = sample_before(nerves, late)->velocity;
  for (int i = late; i > 0; i--) {
    Plane2 pressure = sample_before(nerves, i)->pressure;
    Plane2 xi = plane2_add(com, plane2_scale(velocity, 1 / omega));
    com = lipm_center(com, xi, pressure, omega, h);
    xi = lipm_predict(xi, pressure, omega, h);
    velocity = plane2_scale(plane2_sub(xi, com), omega);
  }
  balance->held = sample_before(nerves, late)->held;
  balance->com[0] = com.x - balance->held.x;
  balance->com[2] = com.z - balance->held.z;
  balance->velocity[0] = velocity.x;
  balance->velocity[2] = velocity.z;
}

void balance_apply_pressure(Balancer *balance, Plane2 pressure) {
  sample_before(&balance->nerves, 0)->pressure = pressure;
}

void balance_move_samples(Balancer *balance, Plane2 way) {
  BalanceNerves *nerves = &balance->nerves;
  for (int i = 0; i < nerves->count; i++) {
    nerves->samples[i].com = plane2_add(nerves->samples[i].com, way);
    nerves->samples[i].pressure = plane2_add(nerves->samples[i].pressure, way);
  }
}
