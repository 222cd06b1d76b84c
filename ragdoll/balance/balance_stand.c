// Standing on both feet: shares the weight between the feet, and finds goals and torques of both legs.
#include <math.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"

static const double HIP_STIFFNESS = 1000, KNEE_STIFFNESS = 800, ANKLE_STIFFNESS = 300; // N m/rad
static const double DAMPING_TIME = 0.1;                                                // s

// s: time constants of the reference, and while the weight goes to the foot that has caught the body
static const double REFERENCE_TIME = 0.35, FOLLOWING_TIME = 0.12;
static const double REFERENCE_SPEED = 0.07; // m/s
// Least share of the weight on each foot: a foot without load would leave the ground and could not carry the next step.
static const double LEAST_SHARE = 0.1;
static const double EDGE_AHEAD = 0.01, EDGE_SIDE = 0.01; // m: least distance of the pressure to the sole's edge
static const double SHIFT_INWARD = 0.033;                // m inward of the stance sole's middle: goal of a weight shift
static const double LARGEST_SHIFT = 0.05;                // m: largest distance of the pelvis' goal from the pelvis
static const double UNLOADED_SLACK = 0.18;               // m: a leg without load may be too short by this much
static const double LARGEST_FORCE = 400;                 // N to hold the height
static const double HELD_LOWER = 0.008;                  // m: who leans on a cable bends his legs, to step back farther

// Goal of the centre of mass: between the feet; before a step over the foot that will carry; with staggered feet over
// the foot nearer to xi, because a shift to the other foot might make the rear foot slide.
static Plane2 wanted_place(const BalanceStep *step) {
  const Balancer *balance = step->balance;
  const BalanceFoot *feet = balance->feet;
  double length = balance->body.length;
  Plane2 left = plane2_of(feet[BALANCE_LEFT].sole), right = plane2_of(feet[BALANCE_RIGHT].sole);
  int swing = balance->shifting_to_swing;
  if (swing >= 0) {
    double inward = balance->body.legs[swing].side * SHIFT_INWARD * length;
    Plane2 stance = plane2_of(feet[1 - swing].sole);
    return plane2_add(stance, plane2_turn_by((Plane2){.x = inward, .z = 0}, step->sine, step->cosine));
  }
  if (balance->staggered)
    return plane2_length(plane2_sub(balance->xi, left)) < plane2_length(plane2_sub(balance->xi, right)) ? left : right;
  Plane2 middle = plane2_between(left, right, 0.5);
  Plane2 place = {.x = balance->shift.x, .z = balance->def.standing_place * length + balance->shift.z};
  place = plane2_add(place, balance_rambling(balance));
  return plane2_add(middle, plane2_turn_by(place, step->sine, step->cosine));
}

// Leads the reference to its goal; slowly after a step that has caught the body, until the next one begins to shift the
// weight or the goal is near.
static void move_reference(Balancer *balance, Plane2 goal, double h) {
  const BalanceBody *body = &balance->body;
  bool shifts = balance->shifting_to_swing >= 0, follows = balance->recovering && shifts;
  double share = fmin(1, h / ((follows ? FOLLOWING_TIME : REFERENCE_TIME) * body->time));
  Plane2 way = plane2_scale(plane2_sub(goal, balance->reference), share);
  double most = REFERENCE_SPEED * body->length / body->time * h, length = plane2_length(way);
  balance->settling = balance->settling && !shifts && length > most;
  if (balance->settling)
    way = plane2_scale(way, most / length);
  balance->reference = plane2_add(balance->reference, way);
}

// How the feet share the load, and where each is pressed.
typedef struct Pressure {
  double weight[BALANCE_LEGS];
  Plane2 place[BALANCE_LEGS], whole;
} Pressure;

static Pressure place_pressure(const BalanceStep *step) {
  const Balancer *balance = step->balance;
  const BalanceFoot *feet = balance->feet;
  double length = balance->body.length;
  Plane2 error = plane2_sub(balance->xi, balance->reference);
  Plane2 wanted = plane2_add(balance->reference, plane2_scale(error, 1 + balance->def.standing_gain));
  if (balance_is_held(balance))
    wanted = balance_lean_pressure(balance, wanted);
  wanted = plane2_add(wanted, plane2_turn_by(balance_trembling(balance), step->sine, step->cosine));
  Plane2 left = plane2_of(feet[BALANCE_LEFT].sole), across = plane2_sub(plane2_of(feet[BALANCE_RIGHT].sole), left);
  double width2 = fmax(1e-6, plane2_dot(across, across));
  double least = balance->shifting_to_swing < 0 ? LEAST_SHARE : 0;
  double share = fmax(least, fmin(1 - least, plane2_dot(plane2_sub(wanted, left), across) / width2));
  Pressure pressure = {.weight = {1 - share, share}};
  Plane2 rest = plane2_sub(wanted, plane2_add(left, plane2_scale(across, share)));
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const BalanceLeg *leg = &balance->body.legs[i];
    double sine, cosine;
    sincos(feet[i].yaw, &sine, &cosine);
    Plane2 inside = balance_inside_sole(leg, &feet[i], plane2_turn_by(rest, -sine, cosine), EDGE_SIDE * length,
                                        EDGE_AHEAD * length);
    pressure.place[i] = plane2_add(plane2_of(feet[i].sole), plane2_turn_by(inside, sine, cosine));
    pressure.whole = plane2_add(pressure.whole, plane2_scale(pressure.place[i], pressure.weight[i]));
  }
  return pressure;
}

// Goals of the hips, for legs of the wanted length. The pelvis' goal stays near the pelvis, because the feet's forces
// move the body; a farther goal would make the body squat and drag the unloaded foot.
static void place_hips(BalanceStep *step, const Pressure *pressure, double hips[BALANCE_LEGS][3]) {
  Balancer *balance = step->balance;
  const BalanceBody *body = &balance->body;
  double height = HUGE_VAL, highest = -HUGE_VAL;
  double stretch = (balance->def.leg_stretch - (balance_is_held(balance) ? HELD_LOWER : 0)) * body->length;
  double most = LARGEST_SHIFT * body->length;
  Plane2 middle = plane2_between(plane2_of(balance->feet[0].hip), plane2_of(balance->feet[1].hip), 0.5);
  Plane2 lack = balance_without_cable(balance, plane2_sub(balance->reference, plane2_of(balance->com)));
  middle = plane2_add(middle, plane2_clamp(lack, most, most));
  step->hips = middle;
  double sine, cosine, higher = sin(balance->tilt[2]);
  sincos(step->pelvis_yaw + balance->tilt[1], &sine, &cosine);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    const double *ankle = balance->feet[i].ankle;
    double left = body->legs[i].hip_left, up = left * higher;
    Plane2 hip = plane2_add(middle, plane2_turn_by((Plane2){.x = left, .z = 0}, sine, cosine));
    Plane2 apart = plane2_sub(hip, plane2_of(ankle));
    double slack = UNLOADED_SLACK * body->length * fmax(0, 1 - 2 * pressure->weight[i]);
    double rise = sqrt(fmax(0.16 * body->length * body->length, stretch * stretch - plane2_dot(apart, apart)));
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

// A foot without load is held where it last carried, so that it is there when it is needed.
static void aim_leg(BalanceStep *step, int side, const double hip[3]) {
  const Balancer *balance = step->balance;
  const BalanceFoot *foot = &balance->feet[side];
  const BalanceLeg *leg = &balance->body.legs[side];
  double longest = BALANCE_REACH * (leg->thigh + leg->shin);
  versors thigh;
  double knee = balance_leg_reach(leg, hip, foot->place, foot->yaw, longest, &thigh);
  balance_keep_foot(step, side);
  balance_aim(step, leg->leg->hip, step->pelvis, thigh, HIP_STIFFNESS, DAMPING_TIME);
  balance_aim_knee(step, leg->leg->knee, knee, KNEE_STIFFNESS, DAMPING_TIME);
  versors shin = glms_quat_mul(thigh, step->goals[leg->leg->knee].rotation);
  balance_aim(step, leg->leg->ankle, shin, step->feet[side].sole, ANKLE_STIFFNESS, DAMPING_TIME);
}

void balance_stand(BalanceStep *step) {
  Balancer *balance = step->balance;
  const BalanceBody *body = &balance->body;
  sincos(step->pelvis_yaw, &step->sine, &step->cosine);
  balance_sway(balance, step->h);
  move_reference(balance, wanted_place(step), step->h);
  Pressure pressure = place_pressure(step);
  balance_apply_pressure(balance, pressure.whole);
  double hips[BALANCE_LEGS][3];
  place_hips(step, &pressure, hips);
  for (int i = 0; i < BALANCE_LEGS; i++)
    aim_leg(step, i, hips[i]);

  Plane2 lever = plane2_sub(plane2_of(balance->com), pressure.whole);
  double pull = body->mass * balance->omega * balance->omega;
  double lack = balance->hip_height - (balance->feet[0].hip[1] + balance->feet[1].hip[1]) / 2;
  double lift = balance_height_force(balance, lack, LARGEST_FORCE);
  for (int i = 0; i < BALANCE_LEGS; i++) {
    double weight = pressure.weight[i];
    const double force[3] = {weight * pull * lever.x, weight * lift, weight * pull * lever.z};
    balance_push_leg(step, i, pressure.place[i], force);
  }
}
