// Unsure senses: balance acts on a velocity of the centre of mass, an orientation of the trunk and angles of the legs'
// joints that are each a little off, by noise of the seed. The trunk's orientation and the legs' angles tell where the
// feet are under the centre of mass, so an error of these is one of that. The noise is a first-order process (as that
// of the sway, balance_sway.c), exact for any step, so that its size and time do not depend on the step.
//
// Sizes that people have: while standing they notice a sway of 0.003 rad (0.17 deg) at 0.001 rad/s, by the ankles alone
// as well as with all senses; by the vestibular sense alone an order of magnitude more (Fitzpatrick and McCloskey 1994,
// J. Physiol. 478:173-186). What is barely noticed is about as large as the noise.
#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

static bool is_unsure(const BalanceDef *def) {
  return def->noise_velocity > 0 || def->noise_trunk > 0 || def->noise_joints > 0;
}

void balance_noise_begin(BalanceNoise *noise, uint64_t seed, const char *consumer) {
  noise->rng = rng_make(seed, consumer);
  for (int i = 0; i < BALANCE_NOISES; i++)
    noise->value[i] = rng_normal(&noise->rng);
}

// A turn about the left axis of a yaw and about its axis ahead, rad.
static versors felt_turn(double yaw, double size, const double pitch_roll[2]) {
  double pitch = size * pitch_roll[0], roll = size * pitch_roll[1];
  const double turn[3] = {pitch * cos(yaw) + roll * sin(yaw), 0, roll * cos(yaw) - pitch * sin(yaw)};
  return quat_exp(vec3_from_ode(turn));
}

static void turn_points(double *points[], int count, const double about[3], versors turn) {
  for (int i = 0; i < count; i++) {
    const double arm[3] = {points[i][0] - about[0], points[i][1] - about[1], points[i][2] - about[2]};
    vec3s turned = glms_quat_rotatev(turn, vec3_from_ode(arm));
    for (int axis = 0; axis < 3; axis++)
      points[i][axis] = about[axis] + (double)turned.raw[axis];
  }
}

static versors trunk_turn(const Balancer *balance) {
  return felt_turn(balance->heading, balance->def.noise_trunk * RAD_PER_DEGREE,
                   balance->noise.value + BALANCE_NOISE_TRUNK);
}

void balance_feel_trunk(Balancer *balance, double h) {
  const BalanceDef *def = &balance->def;
  BalanceNoise *noise = &balance->noise;
  if (!is_unsure(def))
    return;
  for (int i = 0; i < BALANCE_NOISES; i++)
    noise->value[i] = rng_wander(&noise->rng, noise->value[i], h, def->noise_time);
  balance->velocity[0] += def->noise_velocity * noise->value[BALANCE_NOISE_VELOCITY];
  balance->velocity[2] += def->noise_velocity * noise->value[BALANCE_NOISE_VELOCITY + 1];
  balance->pelvis = glms_quat_mul(trunk_turn(balance), balance->pelvis);
}

void balance_feel_leg(Balancer *balance, int side) {
  BalanceFoot *foot = &balance->feet[side];
  foot->misplaced = (Plane2){.x = 0, .z = 0};
  if (!is_unsure(&balance->def))
    return;
  const double *angles = balance->noise.value + BALANCE_NOISE_LEGS + side * BALANCE_NOISES_OF_LEG;
  const double size = balance->def.noise_joints * RAD_PER_DEGREE, knee[2] = {angles[2], 0};
  double *points[] = {foot->sole, foot->ankle, foot->knee, foot->hip};
  Plane2 sole = plane2_of(foot->sole);
  turn_points(points, 1, foot->ankle, felt_turn(foot->yaw, size, angles + 3));
  turn_points(points, 2, foot->knee, felt_turn(foot->yaw, size, knee));
  turn_points(points, 3, foot->hip, felt_turn(foot->yaw, size, angles));
  turn_points(points, 4, balance->com, trunk_turn(balance));
  foot->misplaced = plane2_sub(plane2_of(foot->sole), sole);
}
