// Standing on both feet.
#include <math.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"

static const double HIP_STIFFNESS = 1000, KNEE_STIFFNESS = 800, ANKLE_STIFFNESS = 300; // N m/rad
static const double DAMPING_TIME = 0.1;                                                // s

static const double REFERENCE_TIME = 0.35;               // s in which the reference comes to where it should be
static const double EDGE_AHEAD = 0.01, EDGE_SIDE = 0.01; // m: the pressure keeps off the sole's edge
static const double SHIFT_INWARD = 0.033;                // m inside the stance sole: where weight is shifted to
static const double LARGEST_SHIFT = 0.05;                // m: the pelvis is asked to go no farther from where it is
static const double UNLOADED_SLACK = 0.18;               // m: a leg without load may be too short by so much
static const double LARGEST_FORCE = 400;                 // N to hold the height

// Where the centre of mass shall be: between the feet, over the one that is to carry, or, while they are staggered,
// over the one that it is near: the way to the other might make the rear foot slide.
static Flat wanted_place(const BalanceStep *step) {
  const Balancer *balance = step->balance;
  const BalanceFoot *feet = balance->feet;
  double length = balance->body.length;
  Flat left = flat_of(feet[BALANCE_LEFT].sole), right = flat_of(feet[BALANCE_RIGHT].sole);
  int swing = balance->shifting_to_swing;
  if (swing >= 0) {
    double inward = balance->body.legs[swing].side * SHIFT_INWARD * length;
    Flat stance = flat_of(feet[1 - swing].sole);
    return flat_add(stance, flat_turn((Flat){0, inward}, step->pelvis_yaw));
  }
  if (balance->staggered)
    return flat_length(flat_sub(balance->xi, left)) < flat_length(flat_sub(balance->xi, right)) ? left : right;
  Flat middle = flat_between(left, right, 0.5);
  Flat place = {balance->def.standing_place * length + balance->shift.z, balance->shift.x};
  place = flat_add(place, balance_rambling(balance));
  return flat_add(middle, flat_turn(place, step->pelvis_yaw));
}

// How the feet share the load, and where each is pressed.
typedef struct Pressure {
  double weight[BALANCE_LEGS];
  Flat place[BALANCE_LEGS], whole;
} Pressure;

static Pressure place_pressure(const BalanceStep *step) {
  const Balancer *balance = step->balance;
  const BalanceFoot *feet = balance->feet;
  double length = balance->body.length;
  Flat error = flat_sub(balance->xi, balance->reference);
  Flat wanted = flat_add(balance->reference, flat_scale(error, 1 + balance->def.standing_gain));
  wanted = flat_add(wanted, flat_turn(balance_trembling(balance), step->pelvis_yaw));
  Flat left = flat_of(feet[BALANCE_LEFT].sole), across = flat_sub(flat_of(feet[BALANCE_RIGHT].sole), left);
  double width2 = fmax(1e-6, flat_dot(across, across));
  double share = fmax(0, fmin(1, flat_dot(flat_sub(wanted, left), across) / width2));
  Pressure pressure = {.weight = {1 - share, share}};
  Flat rest = flat_sub(wanted, flat_add(left, flat_scale(across, share)));
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const BalanceLeg *leg = &balance->body.legs[i];
    Flat inside = flat_clamp(flat_turn(rest, -feet[i].yaw), leg->half_length - EDGE_AHEAD * length,
                             leg->half_width - EDGE_SIDE * length);
    pressure.place[i] = flat_add(flat_of(feet[i].sole), flat_turn(inside, feet[i].yaw));
    pressure.whole = flat_add(pressure.whole, flat_scale(pressure.place[i], pressure.weight[i]));
  }
  return pressure;
}

// Hips over the feet with legs as long as they shall be. The pelvis is aimed at near where it is: the force moves it;
// a farther target would squat and drag the unloaded foot.
static void place_hips(BalanceStep *step, const Pressure *pressure, double hips[BALANCE_LEGS][3]) {
  Balancer *balance = step->balance;
  const BalanceBody *body = &balance->body;
  double height = HUGE_VAL, highest = -HUGE_VAL, stretch = balance->def.leg_stretch * body->length;
  double most = LARGEST_SHIFT * body->length;
  Flat middle = flat_between(flat_of(balance->feet[0].hip), flat_of(balance->feet[1].hip), 0.5);
  middle = flat_add(middle, flat_clamp(flat_sub(balance->reference, flat_of(balance->com)), most, most));
  step->hips = middle;
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const double *ankle = balance->feet[i].ankle;
    double yaw = step->pelvis_yaw + balance->tilt[1], up = body->legs[i].hip_left * sin(balance->tilt[2]);
    Flat hip = flat_add(middle, flat_turn((Flat){0, body->legs[i].hip_left}, yaw));
    Flat apart = flat_sub(hip, flat_of(ankle));
    double slack = UNLOADED_SLACK * body->length * fmax(0, 1 - 2 * pressure->weight[i]);
    double rise = sqrt(fmax(0.16 * body->length * body->length, stretch * stretch - flat_dot(apart, apart)));
    height = fmin(height, ankle[1] + rise + slack - up);
    highest = fmax(highest, ankle[1] + stretch);
    hips[i][0] = hip.x;
    hips[i][1] = up;
    hips[i][2] = hip.z;
  }
  balance->hip_height = fmin(height, highest);
  for (int i = 0; i < BALANCE_LEGS; i++)
    hips[i][1] += balance->hip_height;
}

static void aim_leg(BalanceStep *step, int side, const double hip[3]) {
  const Balancer *balance = step->balance;
  const BalanceFoot *foot = &balance->feet[side];
  const BalanceLeg *leg = &balance->body.legs[side];
  double longest = BALANCE_REACH * (leg->thigh + leg->shin);
  versors thigh;
  double knee = balance_leg_reach(leg, hip, foot->ankle, foot->yaw, longest, &thigh);
  balance_keep_foot(step, side);
  balance_aim(step, leg->leg->hip, step->pelvis, thigh, HIP_STIFFNESS, DAMPING_TIME);
  balance_aim_knee(step, leg->leg->knee, knee, KNEE_STIFFNESS, DAMPING_TIME);
  versors shin = glms_quat_mul(thigh, step->goals[leg->leg->knee].rotation);
  balance_aim(step, leg->leg->ankle, shin, step->feet[side].sole, ANKLE_STIFFNESS, DAMPING_TIME);
}

// A force of the ground on a foot, through ankle, knee and hip up to the pelvis.
static void push_leg(BalanceStep *step, int side, Flat place, const double force[3]) {
  const BalanceFoot *foot = &step->balance->feet[side];
  const Leg *leg = step->balance->body.legs[side].leg;
  const double at[3] = {place.x, foot->sole[1], place.z};
  const double *joints[3] = {foot->hip, foot->knee, foot->ankle};
  const int parts[3] = {leg->hip, leg->knee, leg->ankle};
  for (int i = 0; i < 3; i++) {
    double torque[3];
    balance_torque(at, joints[i], force, torque);
    for (int axis = 0; axis < 3; axis++)
      torque[axis] = -torque[axis];
    balance_push(step, parts[i], torque);
  }
}

void balance_stand(BalanceStep *step) {
  Balancer *balance = step->balance;
  const BalanceBody *body = &balance->body;
  balance_sway(balance, step->h);
  double share = fmin(1, step->h / (REFERENCE_TIME * body->time));
  balance->reference = flat_between(balance->reference, wanted_place(step), share);
  Pressure pressure = place_pressure(step);
  double hips[BALANCE_LEGS][3];
  place_hips(step, &pressure, hips);
  for (int i = 0; i < BALANCE_LEGS; i++)
    aim_leg(step, i, hips[i]);

  Flat lever = flat_sub(flat_of(balance->com), pressure.whole);
  double pull = body->mass * balance->omega * balance->omega;
  double lack = balance->hip_height - (balance->feet[0].hip[1] + balance->feet[1].hip[1]) / 2;
  double lift = balance_height_force(balance, lack, LARGEST_FORCE);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    double weight = pressure.weight[i];
    const double force[3] = {weight * pull * lever.x, weight * lift, weight * pull * lever.z};
    push_leg(step, i, pressure.place[i], force);
  }
}
