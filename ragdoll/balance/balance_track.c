// The track of a walk: how far apart the feet are. On even ground people put them down 0.05 to 0.14 m apart and swing
// one close by the other; off their path and on uneven ground they take more room.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"

static const double WIDE = 0.2;         // m: between the feet of who is not calm
static const double LEAST_APART = 0.16; // m: least sideways distance of the feet
static const double CLEAR_SIDE = 0.13;  // m from the stance ankle: clear of the leg
// m between the hips for which the narrow track is told: whose hips are farther apart walks wider.
static const double HIPS_APART = 0.18;
static const double GAP = 0.004; // m between the soles of a calm walker as one passes the other

// 0 .. 1: how calm this step has been from its begin until now. 0 of who stops.
static double calm(const Balancer *balance) { return balance->calmness * balance_roll_share(balance); }

static double passing(const Balancer *balance) {
  return 2 * balance->body.legs[balance->swing].half_width + GAP * balance->body.length;
}

double balance_calmness(const Balancer *balance) { return balance->trust * balance_roll_share(balance); }

double balance_step_width(const Balancer *balance) {
  const BalanceBody *body = &balance->body;
  double hips = body->legs[BALANCE_LEFT].hip_left - body->legs[BALANCE_RIGHT].hip_left;
  double narrow = balance->def.step_width * hips / HIPS_APART, wide = fmax(WIDE * body->length, narrow);
  return mix_d(wide, narrow, balance->calmness);
}

double balance_least_apart(const Balancer *balance) {
  double wide = LEAST_APART * balance->body.length;
  return mix_d(wide, fmin(wide, passing(balance)), calm(balance));
}

double balance_clear_side(const Balancer *balance) {
  double wide = CLEAR_SIDE * balance->body.length;
  return mix_d(wide, fmin(wide, passing(balance)), balance->calmness);
}
