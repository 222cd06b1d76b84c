// The heel rises as the leg behind comes to the end of its reach, and the foot rolls over its toes; with both feet on
// the ground the rear leg passes its load to the front one. In calm walking a foot lands on its heel, down a step on
// its toes.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"

static const double HIP_STIFFNESS = 1000, KNEE_STIFFNESS = 800, ANKLE_STIFFNESS = 300; // N m/rad
static const double DAMPING_TIME = 0.07, ANKLE_DAMPING_TIME = 0.05;                    // s
static const double LEG_BENT = 0.965;   // longest leg, as a share of its straight length, with the heel on the ground
static const double HIGHEST_HEEL = 0.8; // rad
static const double RELEASE = 0.35;     // rad by which the heel rises further while the rear leg is unloaded
static const double ON_TOES = 0.1;      // rad: a heel raised by this has all its pressure at the toes

// A foot that comes down a step lands on its toes, as people's do: the leg is longer by that, and touches the ground
// before the ankle of the other one is at the end of its range. rad; m of drop from which, and by which it does so.
static const double TOES_DOWN = 0.4, LEAST_DROP = 0.06, WHOLE_DROP = 0.12;
// On level ground it lands on its heel, and its toes come down in a time, s, as it takes the load. People's come down
// in 0.1 s from 10 cm, at 1.4 m/s (Winter 2009, Biomechanics and Motor Control of Human Movement, Table A.1).
static const double TOES_UP = 0.2, FALLING_TIME = 0.08;             // rad, s
static const double TOES_UP_SPEED = 0.2, WHOLE_TOES_UP_SPEED = 0.8; // m/s from which, and by which it does so
// rad: uphill it lands on its toes if its ankle would have to bend by more. One that lands at the end of its range
// stops the shin, and with it the body, which then has to step back.
static const double MOST_BENT = 0.59;

// The middle of the front end of a sole.
static void find_toes(const BalanceStep *step, int side, double toes[3]) {
  const BalanceLeg *leg = &step->balance->body.legs[side];
  vec3s end = leg->leg->sole_l;
  end.z += (float)leg->half_length;
  ragdoll_point(step->ragdoll, leg->leg->ankle, end, toes);
}

enum { HEEL = -1, TOES = 1 }; // the ends of a sole

// Distance from an end of the sole to the ankle, and the angle of that line to a flat sole.
static double end_to_ankle(const BalanceLeg *leg, int end, double *angle) {
  double length = leg->half_length + end * leg->sole_ahead;
  *angle = atan2(leg->foot_height, length);
  return hypot(length, leg->foot_height);
}

Plane2 balance_landing_hip(const Balancer *balance) {
  double left = fmax(0, balance->duration - balance->step_time);
  return plane2_add(plane2_of(balance->feet[balance->swing].hip), plane2_scale(plane2_of(balance->velocity), left));
}

// The angle between sole and shin, rad from upright, as the foot lands flat on a slope.
static double bend_in_landing(const Balancer *balance) {
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  const BalanceLanding *landing = &balance->landing;
  const BalanceFoot *foot = &balance->feet[balance->swing];
  Plane2 apart = plane2_sub(balance_landing_hip(balance), plane2_of(landing->ankle));
  double ahead = plane2_turn(apart, -landing->yaw).z;
  double up = foot->hip[1] - landing->ankle[1], distance = hypot(ahead, up);
  double slope = atan(balance_plane_rise(landing, plane2_turn((Plane2){.x = 0, .z = 1}, landing->yaw)));
  return atan2(ahead, up) + balance_cosine_angle(leg->shin, distance, leg->thigh) + slope;
}

double balance_landing_pitch(const Balancer *balance) {
  double drop = balance_drop_ahead(balance) / balance->body.length;
  double speed = balance->speed.z * balance->body.time / balance->body.length;
  Plane2 way = plane2_sub(plane2_of(balance->landing.ankle), plane2_of(balance->feet[1 - balance->swing].ankle));
  bool goes_ahead = balance->walking && balance->speed.z > 0 && plane2_turn(way, -balance->heading).z > 0;
  if (!goes_ahead)
    return 0;
  if (drop >= LEAST_DROP && !balance->landing.sloped)
    return TOES_DOWN * fmin(1, (drop - LEAST_DROP) / (WHOLE_DROP - LEAST_DROP));
  if (balance_slope_ahead(balance) > 0)
    return fmax(0, fmin(TOES_DOWN, bend_in_landing(balance) - MOST_BENT));
  double fast = fmax(0, fmin(1, (speed - TOES_UP_SPEED) / (WHOLE_TOES_UP_SPEED - TOES_UP_SPEED)));
  return -TOES_UP * fast * balance_straightness(balance) * balance_roll_share(balance);
}

void balance_touching_ankle(const Balancer *balance, double ankle[3]) {
  const BalanceLanding *landing = &balance->landing;
  const BalanceLeg *leg = &balance->body.legs[balance->swing];
  double pitch = balance_landing_pitch(balance), flat;
  int end = pitch < 0 ? HEEL : TOES;
  double lever = end_to_ankle(leg, end, &flat), raised = flat + fabs(pitch);
  Plane2 ahead = plane2_turn((Plane2){.x = 0, .z = end * lever * (cos(flat) - cos(raised))}, landing->yaw);
  ankle[0] = landing->ankle[0] + ahead.x;
  ankle[1] = landing->ankle[1] + lever * (sin(raised) - sin(flat));
  ankle[2] = landing->ankle[2] + ahead.z;
}

double balance_falling_toes(const Balancer *balance) {
  double time = balance->double_support + balance->step_time;
  return balance->landed_pitch * (1 - smooth_step(time / (FALLING_TIME * balance->body.time)));
}

// In the foot's vertical plane, the ankle goes around the toes on a circle, at a distance `lever`. The lowest place on
// it from which the leg reaches the hip is where both make a triangle of known sides.
static double rise_for(const BalanceLeg *leg, const double toes[3], double yaw, const double hip[3]) {
  Plane2 way = plane2_turn((Plane2){.x = hip[0] - toes[0], .z = hip[2] - toes[2]}, -yaw);
  double up = hip[1] - toes[1], flat, lever = end_to_ankle(leg, TOES, &flat), distance = hypot(way.z, up);
  double longest = LEG_BENT * (leg->thigh + leg->shin);
  double cosine = (distance * distance + lever * lever + way.x * way.x - longest * longest) / (2 * lever * distance);
  double rise = atan2(up, -way.z) - angle_of_cosine(cosine) - flat;
  return fmax(0, fmin(HIGHEST_HEEL, rise));
}

double balance_heel_rise(const BalanceStep *step, int side, double hip_height) {
  const BalanceFoot *foot = &step->balance->feet[side];
  const double hip[3] = {foot->hip[0], hip_height, foot->hip[2]};
  double toes[3];
  find_toes(step, side, toes);
  return rise_for(&step->balance->body.legs[side], toes, foot->yaw, hip);
}

versors balance_raise_heel(versors sole, double rise) { return glms_quat_mul(sole, quat_about(0, rise)); }

Plane2 balance_roll_pressure(const BalanceStep *step, int side, Plane2 pressure, double rise) {
  double toes[3], yaw = step->balance->feet[side].yaw;
  find_toes(step, side, toes);
  Plane2 ahead = plane2_turn(plane2_sub(pressure, plane2_of(toes)), -yaw);
  ahead.z *= 1 - fmin(1, rise / ON_TOES);
  return plane2_add(plane2_of(toes), plane2_turn(ahead, yaw));
}

// From where the foot is when it is lifted, it swings on.
static void follow_foot(Balancer *balance, const Ragdoll *ragdoll) {
  const BalanceFoot *foot = &balance->feet[balance->swing];
  dVector3 velocity;
  dBodyGetPointVel(ragdoll->ode[balance->body.legs[balance->swing].leg->ankle], foot->ankle[0], foot->ankle[1],
                   foot->ankle[2], velocity);
  for (int i = 0; i < 3; i++) {
    balance->swing_ankle[i] = foot->ankle[i];
    balance->swing_velocity[i] = velocity[i] - balance->ground_velocity[i];
  }
  balance->lift_yaw = balance->swing_yaw = foot->yaw;
}

void balance_push_off(BalanceStep *step, Plane2 pressure) {
  Balancer *balance = step->balance;
  const BalanceBody *body = &balance->body;
  const int side = balance->swing;
  const BalanceLeg *leg = &body->legs[side];
  const BalanceFoot *foot = &balance->feet[side];
  const double left = 1 - balance_weight_share(balance);
  // Both hips are to rise by the same.
  double lack = balance->hip_height - balance->feet[1 - side].hip[1];
  const double hip[3] = {foot->hip[0], foot->hip[1] + lack, foot->hip[2]};
  double toes[3], flat, lever = end_to_ankle(leg, TOES, &flat);
  find_toes(step, side, toes);
  balance->rolled = fmin(HIGHEST_HEEL, rise_for(leg, toes, foot->yaw, hip) + (1 - left) * RELEASE);
  Plane2 behind = plane2_turn((Plane2){.x = 0, .z = -lever * cos(flat + balance->rolled)}, foot->yaw);
  const double ankle[3] = {toes[0] + behind.x, toes[1] + lever * sin(flat + balance->rolled), toes[2] + behind.z};

  versors thigh;
  double knee = balance_leg_reach(leg, hip, ankle, foot->yaw, BALANCE_REACH * (leg->thigh + leg->shin), &thigh);
  balance_keep_foot(step, side);
  step->feet[side].sole = balance_raise_heel(step->feet[side].sole, balance->rolled);
  balance_aim(step, leg->leg->hip, balance->pelvis, thigh, HIP_STIFFNESS, DAMPING_TIME);
  balance_aim_knee(step, leg->leg->knee, knee, KNEE_STIFFNESS, DAMPING_TIME);
  balance_aim(step, leg->leg->ankle, balance_part_rotation(step->ragdoll, leg->leg->knee), step->feet[side].sole,
              ANKLE_STIFFNESS, ANKLE_DAMPING_TIME);

  double pull = left * body->mass * balance->omega * balance->omega;
  Plane2 lever_of_weight = plane2_sub(plane2_of(balance->com), pressure);
  const double force[3] = {pull * lever_of_weight.x, left * body->mass * body->gravity, pull * lever_of_weight.z};
  balance_push_leg(step, side, plane2_of(toes), force);
  follow_foot(balance, step->ragdoll);
}
