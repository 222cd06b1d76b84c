// Leaning on a cable. A cable that holds the body has a moment about the ground, as if the centre of mass were moved
// toward the cable by that moment over the weight: by this the body is still balanced. So the extrapolated centre of
// mass is reckoned from there, and jumps ahead when the cable lets go. While it holds, the body leans on it with
// straight hips, and does not resist along the cable.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"

static const double LEAST_HELD = 5e-4;   // m: less is no cable
static const double LEAN_ON = 0.015;     // m behind the reference: the pressure of a body that leans on a cable
static const double LEAN_TIME = 0.15;    // s in which the pelvis follows the lean of the legs
static const double STEEPEST_LEAN = 0.7; // rad

bool balance_is_held(const Balancer *balance) { return plane2_length(balance->held) > LEAST_HELD; }

// The lean of the legs, from the middle of the ankles to that of the hips.
static Plane2 legs_lean(const Balancer *balance) {
  const BalanceFoot *feet = balance->feet;
  Plane2 hips = plane2_between(plane2_of(feet[0].hip), plane2_of(feet[1].hip), 0.5);
  Plane2 ankles = plane2_between(plane2_of(feet[0].ankle), plane2_of(feet[1].ankle), 0.5);
  double yaw = feet[0].yaw + wrap_angle(feet[1].yaw - feet[0].yaw) / 2;
  double rise = (feet[0].hip[1] + feet[1].hip[1] - feet[0].ankle[1] - feet[1].ankle[1]) / 2;
  Plane2 way = plane2_turn(plane2_sub(hips, ankles), -yaw);
  double length = plane2_length(way);
  double angle = fmin(STEEPEST_LEAN, atan2(length, fmax(rise, 0)));
  return length > 0 ? plane2_scale(way, angle / length) : way;
}

void balance_lean(Balancer *balance, double h) {
  bool leans = balance_is_held(balance) && balance->mode == BALANCE_STANDING;
  Plane2 goal = leans ? legs_lean(balance) : (Plane2){.x = 0, .z = 0};
  balance->lean = plane2_between(balance->lean, goal, fmin(1, h / (LEAN_TIME * balance->body.time)));
}

versors balance_lean_turn(const Balancer *balance) {
  return quat_exp((vec3s){{(float)balance->lean.z, 0, (float)-balance->lean.x}});
}

static Plane2 toward_anchor(const Balancer *balance) {
  return plane2_scale(balance->held, 1 / plane2_length(balance->held));
}

Plane2 balance_without_cable(const Balancer *balance, Plane2 way) {
  if (!balance_is_held(balance))
    return way;
  Plane2 back = toward_anchor(balance);
  return plane2_sub(way, plane2_scale(back, plane2_dot(way, back)));
}

Plane2 balance_lean_pressure(const Balancer *balance, Plane2 pressure) {
  Plane2 back = toward_anchor(balance);
  Plane2 real = plane2_sub(balance->xi, balance->held), error = plane2_sub(real, balance->reference);
  double usual = (1 + balance->def.standing_gain) * plane2_dot(error, back); // stops a fall away from the lean
  double wanted = fmax(LEAN_ON * balance->body.length, usual);
  double lack = wanted - plane2_dot(plane2_sub(pressure, balance->reference), back);
  return plane2_add(pressure, plane2_scale(back, lack));
}
