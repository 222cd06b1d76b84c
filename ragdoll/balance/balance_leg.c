// Geometry and torques of one leg: knee angle for a length, goals that put an ankle somewhere, and the torques by which
// a standing leg pushes.
#include <math.h>
#include <string.h>

#include "ragdoll/balance/balance_internal.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

// Shortest distance from hip to ankle as a share of the leg's length.
static const double SHORTEST_LEG = 0.42;

double balance_cosine_angle(double a, double b, double opposite) {
  return angle_of_cosine((a * a + b * b - opposite * opposite) / (2 * a * b));
}

double balance_knee_angle(const BalanceLeg *leg, double distance) {
  return M_PI - balance_cosine_angle(leg->thigh, leg->shin, distance);
}

// The rotation whose y axis lies along `up` (any length) and whose z axis is nearest to the yaw's direction.
static versors upright_along(const double up[3], double yaw) {
  double ahead[3] = {0}, left[3], front[3], axis[3] = {0, 1, 0};
  double length = length3(up);
  sincos(yaw, &ahead[0], &ahead[2]);
  for (int i = 0; i < 3 && length > 0; i++)
    axis[i] = up[i] / length;
  cross3(axis, ahead, left);
  double across = length3(left);
  if (across < 1e-6) // `up` lies along the yaw's direction: the z axis is undefined
    return glms_quat_identity();
  for (int i = 0; i < 3; i++)
    left[i] /= across;
  cross3(left, axis, front);
  const dMatrix3 matrix = {left[0], axis[0], front[0], 0, left[1], axis[1], front[1], 0, left[2], axis[2], front[2], 0};
  dQuaternion q;
  dQfromR(q, matrix);
  return quat_from_ode(q);
}

versors balance_foot_rotation(const double normal[3], double yaw) { return upright_along(normal, yaw); }

static versors turn_about_left(double angle) { return quat_about(0, angle); }

double balance_leg_reach(const BalanceLeg *leg, const double hip[3], const double ankle[3], double yaw, double longest,
                         versors *thigh) {
  double up[3];
  for (int i = 0; i < 3; i++)
    up[i] = hip[i] - ankle[i];
  double distance = fmax(SHORTEST_LEG * (leg->thigh + leg->shin), fmin(longest, length3(up)));
  double forward =
      balance_cosine_angle(leg->thigh, distance, leg->shin); // of the thigh before the line from hip to ankle
  *thigh = glms_quat_mul(upright_along(up, yaw), turn_about_left(-forward));
  return balance_knee_angle(leg, distance);
}

versors balance_part_rotation(const Ragdoll *ragdoll, int part) {
  return quat_from_ode(dBodyGetQuaternion(ragdoll->ode[part]));
}

void balance_keep_foot(BalanceStep *step, int side) {
  const BalanceFoot *foot = &step->balance->feet[side];
  BalanceFootGoal *goal = &step->feet[side];
  double normal[3];
  balance_foot_ground(step->ground, &step->balance->body.legs[side], plane2_of(foot->ankle), foot->hip[1], foot->yaw,
                      normal);
  *goal = (BalanceFootGoal){.yaw = foot->yaw, .sole = balance_foot_rotation(normal, foot->yaw)};
  memcpy(goal->ankle, foot->ankle, sizeof goal->ankle);
}

static void set_gains(BalanceStep *step, int joint, double stiffness, double damping_time) {
  const BalanceBody *body = &step->balance->body;
  step->goals[joint].stiffness = stiffness * body->force * body->length;
  step->goals[joint].damping = step->goals[joint].stiffness * damping_time * body->time;
}

static void set_goal(BalanceStep *step, int joint, versors rotation_l) {
  step->goals[joint].rotation = rotation_l;
  step->goals[joint].angular_velocity_l = step->goals[joint].feed_forward_l = GLMS_VEC3_ZERO;
}

void balance_turn(BalanceStep *step, int joint, versors parent_w, versors child_w) {
  set_goal(step, joint, glms_quat_normalize(glms_quat_mul(glms_quat_conjugate(parent_w), child_w)));
}

void balance_aim(BalanceStep *step, int joint, versors parent_w, versors child_w, double stiffness,
                 double damping_time) {
  balance_turn(step, joint, parent_w, child_w);
  set_gains(step, joint, stiffness, damping_time);
}

void balance_aim_knee(BalanceStep *step, int joint, double angle, double stiffness, double damping_time) {
  set_goal(step, joint, turn_about_left(angle));
  set_gains(step, joint, stiffness, damping_time);
}

void balance_push(BalanceStep *step, int joint, const double torque_w[3]) {
  dVector3 torque_l;
  dBodyID parent = step->ragdoll->ode[step->ragdoll->def->parts[joint].parent];
  dBodyVectorFromWorld(parent, torque_w[0], torque_w[1], torque_w[2], torque_l);
  vec3s *forward = &step->goals[joint].feed_forward_l;
  *forward = glms_vec3_add(*forward, vec3_from_ode(torque_l));
}

void balance_torque(const double at[3], const double about[3], const double force[3], double torque[3]) {
  const double arm[3] = {at[0] - about[0], at[1] - about[1], at[2] - about[2]};
  cross3(arm, force, torque);
}

static bool hangs_on(const BodyDef *body, int part, int ancestor) {
  while (part >= 0 && part != ancestor)
    part = body->parts[part].parent;
  return part == ancestor;
}

// Adds the torque of a part's weight, times a factor, about a point.
static void add_weight(const BalanceStep *step, int part, const double about[3], double factor, double torque[3]) {
  const dReal *center = dBodyGetPosition(step->ragdoll->ode[part]);
  const double force[3] = {0, -step->ragdoll->def->parts[part].mass * step->balance->body.gravity * factor, 0};
  double one[3];
  balance_torque(center, about, force, one);
  for (int i = 0; i < 3; i++)
    torque[i] += one[i];
}

void balance_hold_weight(BalanceStep *step, int joint) {
  double place[3], torque[3] = {0};
  ragdoll_point(step->ragdoll, joint, GLMS_VEC3_ZERO, place);
  for (int i = joint; i < step->ragdoll->def->part_count; i++)
    if (hangs_on(step->ragdoll->def, i, joint))
      add_weight(step, i, place, -1, torque);
  balance_push(step, joint, torque);
}

void balance_add_weight_except_leg(const BalanceStep *step, int leg, const double about[3], double torque[3]) {
  int hip = step->balance->body.legs[leg].leg->hip;
  for (int i = 0; i < step->ragdoll->def->part_count; i++)
    if (!hangs_on(step->ragdoll->def, i, hip))
      add_weight(step, i, about, 1, torque);
}

void balance_push_leg(BalanceStep *step, int side, Plane2 place, const double force[3]) {
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

double balance_height_force(const Balancer *balance, double lack, double most) {
  const BalanceBody *body = &balance->body;
  double stiffness = balance->def.height_stiffness * body->force / body->length;
  double damping = balance->def.height_damping * body->force / body->length * body->time;
  double force = stiffness * lack - damping * balance->velocity[1];
  most *= body->force;
  return body->mass * body->gravity + fmax(-most, fmin(most, force));
}
