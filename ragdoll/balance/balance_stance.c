// The leg that carries in a step: its ankle places the pressure, its knee the height, its hip holds the pelvis upright.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

// N m/rad, s. The ankle's stiffness only keeps the sole flat: its main torque is a feed-forward from the pressure.
static const double HIP_STIFFNESS = 1500, KNEE_STIFFNESS = 1600, ANKLE_STIFFNESS = 240;
static const double HIP_DAMPING_TIME = 0.1, KNEE_DAMPING_TIME = 0.07, ANKLE_DAMPING_TIME = 0.05;

static const double SEEKING_STIFFNESS = 1000, SEEKING_DAMPING_TIME = 0.07; // N m/rad, s: of a leg without load
// Share of the pelvis' turning by which the thigh of such a leg turns back. By 0 the foot would go out with a body that
// a push has set spinning; by 1 all of the spin would be left to the trunk.
static const double TURN_BACK = 0.3;

static const double WEIGHT_HELD = 0.7;     // share of the weight of trunk and swing leg held by the hip
static const double LOWER_BY_SPEED = 0.02; // m per m/s that the hips are lower in walking
// The same in addition on even ground, for its longer steps.
static const double LOWER_ON_EVEN = 0.01;
// On even ground a walker who has time goes with straighter knees: as they pass over the foot that stands, his hips are
// higher by HIGHER, m, and less low by speed, m per m/s. They go along an arc between the level of a pendulum of
// constant height (0) and the circle of a stiff leg (1), m ahead or behind. People's rise and fall by 6 cm at 1.4 m/s
// (Winter 2009, Biomechanics and Motor Control of Human Movement, Table A.1).
static const double HIGHER = 0.005, STRAIGHT_LOWER_BY_SPEED = 0.009, ARC = 0.7, ARC_END = 0.4;
static const double STEEPEST = 0.3, LOWER_BY_SLOPE = 0.1; // largest slope; m per unit of slope, downhill
static const double LEAST_WAY = 0.15, LEAST_AHEAD = 0.1;  // m: a shorter way to the landing counts as level
static const double RECOVERY_LOWER = 0.013;               // m that the hips are lower in recovery than in standing
// m/s at which the hips may still sink until the swing leg lands. Down a step, a ground lower by LEAST_DROP (m), the
// body comes down over the toes of the foot that stands: bent so far, its ankle would be at the end of its range.
static const double SINKING = 0.5, SINKING_DOWN = 1.2, LEAST_DROP = 0.05;
// m: the hips' goal is at most this far above or below the hips. A larger demand on a stretched knee
// throws the body up after it has landed, or pulls the foot off the ground: either way the sole loses its hold.
static const double LARGEST_RISE = 0.01, LARGEST_SINK = 0.02;
static const double HIGH_DROP = 0.1,
                    SINK_BY_DROP = 0.5;   // m; m below the hips more, per m of a landing deeper than that
static const double RISE_SHARE = 0.3;     // share of the missing height, used where it is larger: to rise from a squat
static const double RISE_BY_SLOPE = 0.05; // m per unit of slope, uphill, added to LARGEST_RISE
static const double LARGEST_FORCE = 500;  // N to hold the height
static const double ROLLING = 0.3;        // share of the swing from which the heel may rise
static const double ONSET = 0.05;         // s in which the ankle's torque rises to its full value

// The slope along the heading, from the stance foot to the planned landing. Returns false if that is too near to tell.
static bool find_rise_ahead(const Balancer *balance, double *rise) {
  const BalanceFoot *foot = &balance->feet[1 - balance->swing];
  double length = balance->body.length;
  Plane2 way = plane2_sub(plane2_of(balance->landing.ankle), plane2_of(foot->ankle));
  double ahead = plane2_turn(way, -balance->heading).z;
  if (plane2_length(way) < LEAST_WAY * length || fabs(ahead) < LEAST_AHEAD * length)
    return false;
  *rise = (balance->landing.ankle[1] - foot->ankle[1]) / ahead;
  return true;
}

static double rise_ahead(const Balancer *balance) {
  double rise = 0;
  find_rise_ahead(balance, &rise);
  return rise;
}

double balance_plane_rise(const BalanceLanding *landing, Plane2 way) {
  return -(landing->normal[0] * way.x + landing->normal[2] * way.z) / landing->normal[1];
}

double balance_slope_ahead(const Balancer *balance) {
  if (!balance->landing.sloped)
    return 0;
  double slope = balance_plane_rise(&balance->landing, plane2_turn((Plane2){.x = 0, .z = 1}, balance->heading)), rise;
  if (!find_rise_ahead(balance, &rise))
    return slope;
  return rise * slope > 0 ? copysign(fmin(fabs(rise), fabs(slope)), rise) : 0;
}

double balance_drop_ahead(const Balancer *balance) {
  double foot_height = balance->body.legs[balance->swing].foot_height;
  return balance->feet[1 - balance->swing].lowest - (balance->landing.ankle[1] - foot_height);
}

// Greatest height of the stance hip, m, from which the swing leg still reaches its landing.
static double height_for_landing(const Balancer *balance) {
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  double left = fmax(0, balance->duration - balance->step_time), length = balance->body.length;
  double touching[3];
  balance_touching_ankle(balance, touching);
  Plane2 apart = plane2_sub(plane2_of(touching), balance_landing_hip(balance));
  double reach = BALANCE_REACH * (leg->thigh + leg->shin);
  double rise = sqrt(fmax(0.35 * length * length, reach * reach - plane2_dot(apart, apart)));
  double raised = balance->feet[balance->swing].hip[1] - balance->feet[1 - balance->swing].hip[1];
  double sinking = balance_drop_ahead(balance) > LEAST_DROP * length ? SINKING_DOWN : SINKING;
  return touching[1] + rise - raised + sinking * left;
}

// Height of the stance hip over its ankle, m, on level ground, as it is so far ahead of it, m.
static double standing_height(const Balancer *balance, double ahead) {
  const BalanceDef *def = &balance->def;
  double length = balance->body.length, speed = fabs(balance->speed.z);
  if (!balance->walking)
    return (def->leg_stretch - RECOVERY_LOWER) * length;
  double straight = balance_straightness(balance);
  double bent = def->walking_stretch - (LOWER_BY_SPEED + LOWER_ON_EVEN * balance->evenness) * speed;
  double over = def->walking_stretch + HIGHER - STRAIGHT_LOWER_BY_SPEED * speed;
  double top = (bent + straight * (over - bent)) * length, way = fmin(ARC_END * length, fabs(ahead));
  return sqrt(top * top - straight * ARC * way * way);
}

// Height of the stance hip to aim at, m, world. Uphill the legs stay as straight as on level ground: with a more bent
// leg the ankle would reach the end of its range. ankle: height of the ankle with the heel on the ground. whole: out,
// the height that is wanted in the end.
static double wanted_height(const Balancer *balance, const BalanceFoot *foot, double ankle, double *whole) {
  double length = balance->body.length, slope = fmax(-STEEPEST, fmin(STEEPEST, rise_ahead(balance)));
  double ahead = plane2_turn(plane2_sub(plane2_of(foot->hip), plane2_of(foot->ankle)), -balance->heading).z;
  double height = ankle + standing_height(balance, ahead) + slope * ahead - fmax(0, -slope) * LOWER_BY_SLOPE * length;
  height = fmin(height, height_for_landing(balance));
  *whole = height;
  double lack = height - foot->hip[1], rise = (LARGEST_RISE + fmax(0, slope) * RISE_BY_SLOPE) * length;
  double sink = LARGEST_SINK * length + SINK_BY_DROP * fmax(0, balance_drop_ahead(balance) - HIGH_DROP * length);
  return foot->hip[1] + fmax(-sink, fmin(fmax(rise, RISE_SHARE * lack), lack));
}

static void hold_pelvis(BalanceStep *step, int side) {
  const Leg *leg = step->balance->body.legs[side].leg;
  double weight[3] = {0};
  balance_aim(step, leg->hip, step->pelvis, balance_part_rotation(step->ragdoll, leg->hip), HIP_STIFFNESS,
              HIP_DAMPING_TIME);
  vec3s turn = {{0, (float)-step->balance->turn_rate, 0}}; // the thigh stays as the pelvis turns over it
  step->goals[leg->hip].angular_velocity_l = glms_quat_rotatev(glms_quat_conjugate(step->balance->pelvis), turn);
  balance_add_weight_except_leg(step, side, step->balance->feet[side].hip, weight);
  for (int i = 0; i < 3; i++)
    weight[i] *= WEIGHT_HELD * balance_weight_share(step->balance);
  balance_push(step, leg->hip, weight); // the thigh is pushed as the pelvis is held back
}

static void carry(BalanceStep *step, int side) {
  const Balancer *balance = step->balance;
  const BalanceLeg *leg = &balance->body.legs[side];
  const BalanceFoot *foot = &balance->feet[side];
  Plane2 apart = plane2_sub(plane2_of(foot->hip), plane2_of(foot->ankle));
  double longest = BALANCE_REACH * (leg->thigh + leg->shin);
  double rise = balance->hip_height - foot->ankle[1], wanted = sqrt(plane2_dot(apart, apart) + rise * rise);
  balance_aim_knee(step, leg->leg->knee, balance_knee_angle(leg, fmin(longest, wanted)), KNEE_STIFFNESS,
                   KNEE_DAMPING_TIME);

  // The force on the hip lies along the leg.
  double along[3], force = balance_height_force(balance, balance->hip_height - foot->hip[1], LARGEST_FORCE), torque[3];
  for (int i = 0; i < 3; i++)
    along[i] = foot->hip[i] - foot->ankle[i];
  double distance = fmax(1e-6, length3(along));
  for (int i = 0; i < 3; i++)
    along[i] *= -force * balance_weight_share(balance) / distance;
  balance_torque(foot->hip, foot->knee, along, torque);
  balance_push(step, leg->leg->knee, torque);
}

// The ground's horizontal force on the foot, N. In walking the measured force is used: hips and swing leg add to the
// pendulum's force. This part has a moment about the ankle, so if it were neglected, the pressure would move to the
// sole's edge and the foot would tip.
static Plane2 sideways_force(const Balancer *balance, const BalanceFoot *foot, Plane2 pressure) {
  double pull = balance->body.mass * balance->omega * balance->omega;
  Plane2 lever = plane2_sub(plane2_of(balance->com), pressure);
  return balance->walking ? plane2_of(foot->force) : plane2_scale(lever, pull);
}

static void press_sole(BalanceStep *step, int side, Plane2 pressure, double rise) {
  const Balancer *balance = step->balance;
  const BalanceLeg *leg = &balance->body.legs[side];
  const BalanceFoot *foot = &balance->feet[side];
  double torque[3];
  balance_keep_foot(step, side);
  step->feet[side].sole = balance_raise_heel(step->feet[side].sole, balance_falling_toes(balance));
  if (rise > 0) {
    step->feet[side].sole = balance_raise_heel(step->feet[side].sole, rise);
    pressure = balance_roll_pressure(step, side, pressure, rise);
  }
  balance_aim(step, leg->leg->ankle, balance_part_rotation(step->ragdoll, leg->leg->knee), step->feet[side].sole,
              ANKLE_STIFFNESS, ANKLE_DAMPING_TIME);
  Plane2 sideways = sideways_force(balance, foot, pressure);
  const double at[3] = {pressure.x, foot->ankle[1] - leg->foot_height, pressure.z};
  const double force[3] = {sideways.x, balance->body.mass * balance->body.gravity, sideways.z};
  balance_torque(at, foot->ankle, force, torque);
  double share = balance->double_support > 0 ? balance_weight_share(balance)
                                             : fmin(1, balance->step_time / (ONSET * balance->body.time));
  torque[0] *= -share;
  torque[1] = 0; // the sole's friction is left to whatever turns the leg
  torque[2] *= -share;
  balance_push(step, leg->leg->ankle, torque);
}

// A foot without load goes back to where it last carried: torques that lean on the ground would throw the leg aside.
static void seek_ground(BalanceStep *step, int side) {
  const Balancer *balance = step->balance;
  const BalanceLeg *leg = &balance->body.legs[side];
  const BalanceFoot *foot = &balance->feet[side];
  versors thigh;
  double longest = BALANCE_REACH * (leg->thigh + leg->shin);
  double knee = balance_leg_reach(leg, foot->hip, foot->place, foot->yaw, longest, &thigh);
  balance_keep_foot(step, side);
  balance_aim(step, leg->leg->hip, balance->pelvis, thigh, SEEKING_STIFFNESS, SEEKING_DAMPING_TIME);
  vec3s spin =
      glms_quat_rotatev(glms_quat_conjugate(balance->pelvis), vec3_from_ode(dBodyGetAngularVel(step->ragdoll->ode[0])));
  step->goals[leg->leg->hip].angular_velocity_l = glms_vec3_scale(spin, -(float)TURN_BACK);
  balance_aim_knee(step, leg->leg->knee, knee, SEEKING_STIFFNESS, SEEKING_DAMPING_TIME);
  balance_aim(step, leg->leg->ankle, balance_part_rotation(step->ragdoll, leg->leg->knee), step->feet[side].sole,
              ANKLE_STIFFNESS, ANKLE_DAMPING_TIME);
}

void balance_stance(BalanceStep *step, Plane2 pressure) {
  Balancer *balance = step->balance;
  int side = 1 - balance->swing;
  const BalanceFoot *foot = &balance->feet[side];
  double roll = balance->step_time > ROLLING * balance->duration ? balance_roll_share(balance) : 0;
  double whole, flat = foot->ankle[1], normal[3];
  if (roll > 0)
    flat = balance->body.legs[side].foot_height + balance_foot_ground(step->ground, &balance->body.legs[side],
                                                                      plane2_of(foot->ankle), foot->hip[1], foot->yaw,
                                                                      normal);
  balance->hip_height = wanted_height(balance, foot, flat, &whole);
  if (!balance->feet[side].loaded && !balance->walking) {
    seek_ground(step, side);
    return;
  }
  hold_pelvis(step, side);
  carry(step, side);
  press_sole(step, side, pressure, roll * balance_heel_rise(step, side, whole));
}
