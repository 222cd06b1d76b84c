// Sway in quiet standing. The place over the soles about which people balance wanders slowly (rambling), and the
// pressure trembles about that place (Zatsiorsky and Duarte 1999, Motor Control 3:28-38). Both are taken as
// Ornstein-Uhlenbeck processes, as is the noise in models of the ankles' control (Asai et al. 2009, PLoS ONE 4:e6169);
// the controller is the same that resists pushes. Sizes and times were fitted to the centre of pressure of 48 young
// adults with open eyes on firm ground (Santos and Duarte 2016, PeerJ 4:e2648): area of the 95 % ellipse, mean velocity
// and mean frequency.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"

// Ahead and to the side: standard deviations, m; time constants of the processes, s.
static const Plane2 RAMBLING = {.x = 0.0042, .z = 0.0065}, TREMBLING = {.x = 0.0003, .z = 0.0008};
static const double RAMBLING_TIME = 1.8, SMOOTHING_TIME = 0.5, TREMBLING_TIME = 0.3;

static void wander_flat(Plane2 *value, double h, double time, Rng *rng) {
  value->z = rng_wander(rng, value->z, h, time);
  value->x = rng_wander(rng, value->x, h, time);
}

void balance_sway(Balancer *balance, double h) {
  if (balance->def.sway <= 0)
    return;
  BalanceSway *sway = &balance->sway;
  wander_flat(&sway->rambling, h, RAMBLING_TIME * balance->body.time, &sway->rng);
  sway->smooth = plane2_between(sway->smooth, sway->rambling, -expm1(-h / (SMOOTHING_TIME * balance->body.time)));
  wander_flat(&sway->trembling, h, TREMBLING_TIME * balance->body.time, &sway->rng);
}

static Plane2 scaled(const Balancer *balance, Plane2 value, Plane2 size) {
  double scale = balance->def.sway * balance->body.length;
  return (Plane2){.x = scale * size.x * value.x, .z = scale * size.z * value.z};
}

Plane2 balance_rambling(const Balancer *balance) { return scaled(balance, balance->sway.smooth, RAMBLING); }
Plane2 balance_trembling(const Balancer *balance) { return scaled(balance, balance->sway.trembling, TREMBLING); }
