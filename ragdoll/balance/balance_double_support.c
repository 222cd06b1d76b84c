// Double support in walking: the weight passes evenly from the toes of the rear foot to the front foot, and only then
// the rear foot is lifted. The plan of the gait accounts for it by the formulas of lipm.h.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "ragdoll/balance/lipm.h"

// m of xi off its nominal path: up to CALM the walk goes on as planned; from GREAT on there is no time for double
// support and, but behind, the next step is as quick as can be. In undisturbed walking it is up to 0.02 aside, 0.05
// ahead and, while he gets faster, 0.22 behind.
typedef struct PathError {
  double aside, ahead, behind;
} PathError;
static const PathError CALM = {0.045, 0.09, 0.25}, GREAT = {0.09, 0.16, 0.4};

// m/s: up to SLOW he takes all of the time for double support, from FAST on none: his legs do not reach far enough.
static const double SLOW = 1, FAST = 1.4;

// Ground that rises or falls by up to LOW_RISE, m, in LOOK_STEP, m, is as good as level; by HIGH_RISE there is no time
// for double support, since the legs have to lift the body or let it down.
static const double LOW_RISE = 0.03, HIGH_RISE = 0.06, LOOK_STEP = 0.3;
enum { LOOK_BEHIND = 1, LOOK_AHEAD = 3 };

static double share_between(double value, double low, double high) {
  return fmax(0, fmin(1, (value - low) / (high - low)));
}

// The error of xi, m ahead and left.
static Plane2 path_error(const Balancer *balance) {
  return plane2_scale(plane2_turn(balance->error, -balance->heading), 1 / balance->body.length);
}

static double behind(const Balancer *balance) {
  return share_between(-path_error(balance).z, CALM.behind, GREAT.behind);
}

static double ahead_or_aside(const Balancer *balance) {
  Plane2 error = path_error(balance);
  double aside = share_between(fabs(error.x), CALM.aside, GREAT.aside);
  return fmax(share_between(error.z, CALM.ahead, GREAT.ahead), aside);
}

// 0 .. 1: how far the times of a step are his own choice. On uneven ground and over an obstacle the place decides to
// which the foot has to come.
static double choice_of_times(const Balancer *balance) { return balance->trip.high_steps > 0 ? 0 : balance->evenness; }

double balance_haste(const Balancer *balance) { return choice_of_times(balance) * ahead_or_aside(balance); }

double balance_evenness(const Balancer *balance, const Ground *ground, int stance) {
  const BalanceFoot *foot = &balance->feet[stance];
  double length = balance->body.length, most = 0, last = 0;
  for (int i = -LOOK_BEHIND; i <= LOOK_AHEAD; i++) {
    Plane2 way = plane2_turn((Plane2){.x = 0, .z = i * LOOK_STEP * length}, balance->heading);
    double height = balance_ground(ground, plane2_add(plane2_of(foot->sole), way), foot->hip[1], foot->lowest);
    most = i > -LOOK_BEHIND ? fmax(most, fabs(height - last)) : 0;
    last = height;
  }
  return 1 - share_between(most / length, LOW_RISE, HIGH_RISE);
}

static bool walks_ahead(const Balancer *balance) {
  return balance->walking && balance->speed.z > 0 && balance->def.double_support > 0;
}

double balance_roll_share(const Balancer *balance) {
  double off = fmax(behind(balance), ahead_or_aside(balance));
  return walks_ahead(balance) ? choice_of_times(balance) * (1 - off) : 0;
}

// 0 .. 1: how slowly he walks.
static double leisure(const Balancer *balance) {
  return 1 - share_between(balance->speed.z * balance->body.time / balance->body.length, SLOW, FAST);
}

double balance_calm_double_support(const Balancer *balance) {
  return leisure(balance) * balance->def.double_support * balance->body.time;
}

double balance_straightness(const Balancer *balance) {
  return balance->walking && balance->def.double_support > 0 ? balance->trust * leisure(balance) : 0;
}

double balance_double_support(const Balancer *balance) {
  return balance_roll_share(balance) * balance_calm_double_support(balance);
}

void balance_lift_off(Balancer *balance) {
  balance->double_support += balance->step_time;
  balance->step_time = 0;
}

double balance_weight_share(const Balancer *balance) {
  return balance->step_time < 0 ? fmax(0, 1 + balance->step_time / balance->double_support) : 1;
}

Plane2 balance_swing_toes(const Balancer *balance) {
  const BalanceFoot *foot = &balance->feet[balance->swing];
  Plane2 ahead = {.x = 0, .z = balance->body.legs[balance->swing].half_length};
  return plane2_add(plane2_of(foot->sole), plane2_turn(ahead, foot->yaw));
}

Plane2 balance_whole_pressure(const Balancer *balance, Plane2 pressure) {
  if (balance->step_time >= 0)
    return pressure;
  return plane2_between(balance_swing_toes(balance), pressure, balance_weight_share(balance));
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
