// Double support in walking: the weight passes evenly from the toes of the rear foot to the front foot, and only then
// the rear foot is lifted. The plan of the gait accounts for it by the formulas of lipm.h.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/balance/lipm.h"

// m off the nominal path, aside, ahead and behind. In undisturbed walking up to 1.2 m/s it is 0.02 aside, 0.04 ahead
// and 0.12 behind.
static const double THROWN_ASIDE = 0.05, THROWN_AHEAD = 0.1, THROWN_BEHIND = 0.25;

double balance_double_support(const Balancer *balance) {
  bool ahead = balance->walking && balance->speed.z > 0; // who walks backward does not roll over his toes
  return ahead && !balance->thrown ? balance->def.double_support * balance->body.time : 0;
}

bool balance_is_thrown(const Balancer *balance) {
  Plane2 error = plane2_scale(plane2_turn(balance->error, -balance->heading), 1 / balance->body.length);
  return fabs(error.x) > THROWN_ASIDE || error.z > THROWN_AHEAD || error.z < -THROWN_BEHIND;
}

void balance_lift_off(Balancer *balance) {
  balance->double_support += balance->step_time;
  balance->step_time = 0;
}

double balance_weight_share(const Balancer *balance) {
  return balance->step_time < 0 ? fmax(0, 1 + balance->step_time / balance->double_support) : 1;
}

Plane2 balance_whole_pressure(const Balancer *balance, Plane2 pressure) {
  if (balance->step_time >= 0)
    return pressure;
  const BalanceFoot *rear = &balance->feet[balance->swing];
  Plane2 toes = {.x = 0, .z = balance->body.legs[balance->swing].half_length};
  toes = plane2_add(plane2_of(rear->sole), plane2_turn(toes, rear->yaw));
  return plane2_between(toes, pressure, balance_weight_share(balance));
}

Plane2 balance_xi_as_it_counts(const Balancer *balance, Plane2 pressure) {
  if (balance->step_time >= 0)
    return balance->xi;
  double over = lipm_handover(balance_divergence(balance) * balance->omega, -balance->step_time);
  Plane2 way = plane2_sub(pressure, balance_whole_pressure(balance, pressure));
  return plane2_add(balance->xi, plane2_scale(way, over));
}

static HandOver hand_over(const Balancer *balance, double omega, double both) {
  return (HandOver){.handover = lipm_handover(omega, both),
                    .roll = {.x = 0, .z = balance->body.legs[balance->swing].half_length}};
}

Plane2 balance_gait_offset(const Balancer *balance, Plane2 velocity, double width, double side, double duration,
                           double both) {
  double omega = balance_divergence(balance) * balance->omega;
  Plane2 offset = lipm_offset(velocity, width, side, omega, duration + both);
  HandOver over = hand_over(balance, omega, both);
  return lipm_shared_offset(offset, omega, duration + both, &over);
}

Plane2 balance_gait_step(const Balancer *balance, Plane2 ahead, Plane2 offset) {
  HandOver over = hand_over(balance, balance_divergence(balance) * balance->omega, balance_double_support(balance));
  return lipm_shared_step(ahead, offset, &over);
}
