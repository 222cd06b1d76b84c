// Advances the trees by a step and writes poses and velocities to ODE's bodies.
#include <math.h>
#include <string.h>

#include "sim/base/wide.h"
#include "sim/reduced/forest.h"
#include "sim/reduced/spatial.h"

static const double ALIGNED_SHARE = 0.2; // corrected in a step, as by ODE's joints

// The unit quaternion of a rotation vector (rad). Below half a radian the error of the series is less than 1e-17.
WIDE_PART void quaternion_exp(const double turn[3], dQuaternion q) {
  const double square = dot3(turn, turn) / 4; // of half the angle
  double scale;                               // sin(angle / 2) / angle
  if (square < 0.0625) {
    const Pair one = both(1), squares = both(square);
    Pair series = one - squares / (Pair){90, 110}; // of the cosine and of the sine
    series = one - squares / (Pair){56, 72} * series;
    series = one - squares / (Pair){30, 42} * series;
    series = one - squares / (Pair){12, 20} * series;
    series = one - squares / (Pair){2, 6} * series;
    q[0] = series[0];
    scale = 0.5 * series[1];
  } else {
    double angle = 2 * sqrt(square);
    q[0] = cos(angle / 2);
    scale = sin(angle / 2) / angle;
  }
  for (int i = 0; i < 3; i++)
    q[1 + i] = scale * turn[i];
}

// Rotates by a vector in the outer frame: q := exp(s axis) q.
WIDE_PART void turn_outside(dQuaternion q, double s, const double axis[3]) {
  dQuaternion turn, turned;
  quaternion_exp((const double[]){s * axis[0], s * axis[1], s * axis[2]}, turn);
  quad_quaternion_times(turn, q, turned);
  memcpy(q, turned, sizeof turned);
}

WIDE_PART void turn_inside(dQuaternion q, double s, const double axis[3]) {
  dQuaternion turn, turned;
  quaternion_exp((const double[]){s * axis[0], s * axis[1], s * axis[2]}, turn);
  quad_quaternion_times(q, turn, turned);
  memcpy(q, turned, sizeof turned);
}

// Rotates a vector by a unit quaternion.
WIDE_PART void turn_vector(const dQuaternion q, const double v[3], double out[3]) {
  double along[3];
  cross3(&q[1], v, along);
  add_scaled3(along, q[0], v);
  memcpy(out, v, 3 * sizeof *out);
  for (int i = 0; i < 3; i++)
    along[i] *= 2;
  // v + 2 q x (q x v + w v)
  add_cross3(out, &q[1], along);
}

// Corrects a share of the misalignment of the joint's axes: a hinge's two axes must coincide, a universal joint's must
// be perpendicular. Steps keep them so; poses set from outside may not.
WIDE_PART void align_axes(const ForestBody *body, dQuaternion relative) {
  double axis[3], turn[3];
  turn_vector(relative, body->axis_l, axis);
  cross3(axis, body->axis_parent_l, turn); // rotates the axis toward the parent's
  double wrong = body->joint == FOREST_HINGE ? 1 : -dot3(axis, body->axis_parent_l);
  turn_outside(relative, ALIGNED_SHARE * wrong, turn);
}

// The body's rotation at the end of the step, from that of its parent (NULL: the world).
WIDE_PART void next_rotation(const ForestBody *body, const ForestBody *parent, const double *u, double h,
                             dQuaternion next) {
  const double *rates = &u[body->first];
  if (body->joint == FOREST_FREE) {
    memcpy(next, body->now_q, sizeof(dQuaternion));
    turn_outside(next, h, rates + 3);
    return;
  }
  dQuaternion relative;
  memcpy(relative, body->now_q, sizeof relative);
  if (parent)
    quad_quaternion_within(parent->now_q, body->now_q, relative);
  if (body->joint == FOREST_BALL && body->ball) {
    double turn[3] = {0};
    for (int k = 0; k < 3; k++)
      add_scaled3(turn, rates[k], body->ball->axes[k]);
    turn_outside(relative, h, turn);
  } else if (body->joint == FOREST_BALL) {
    turn_outside(relative, h, rates);
  } else {
    turn_outside(relative, h * rates[0], body->axis_parent_l);
  }
  if (body->joint == FOREST_UNIVERSAL)
    turn_inside(relative, h * rates[1], body->axis_l);
  if (body->joint != FOREST_BALL)
    align_axes(body, relative);
  memcpy(next, relative, sizeof relative);
  if (parent)
    quad_quaternion_times(parent->next_q, relative, next);
}

// ODE's limit of angular velocity, which single bodies may have.
WIDE_PART void bound_spin(const ForestBody *body, double *u, double motion[6]) {
  double most = dBodyGetMaxAngularSpeed(body->ode), spin = length3(motion);
  if (body->dofs < 3 || spin <= most)
    return;
  for (int i = 0; i < 3; i++)
    u[body->first + body->dofs - 3 + i] *= most / spin;
  for (int i = 0; i < (body->joint == FOREST_FREE ? 3 : 6); i++)
    motion[i] *= most / spin;
}

// ODE's damping.
WIDE_PART void damp(const ForestBody *body) {
  const dReal *v = dBodyGetLinearVel(body->ode), *w = dBodyGetAngularVel(body->ode);
  double speed = length3(v), threshold = dBodyGetLinearDampingThreshold(body->ode), rest;
  if (speed > threshold) {
    rest = 1 - dBodyGetLinearDamping(body->ode);
    dBodySetLinearVel(body->ode, v[0] * rest, v[1] * rest, v[2] * rest);
  }
  if (length3(w) > dBodyGetAngularDampingThreshold(body->ode)) {
    rest = 1 - dBodyGetAngularDamping(body->ode);
    dBodySetAngularVel(body->ode, w[0] * rest, w[1] * rest, w[2] * rest);
  }
}

// Writes a rotation to ODE's body, as a unit quaternion and as a matrix: dBodySetQuaternion to the bit, but shapes are
// told by tell_ode.
WIDE_PART void put_rotation(const ForestBody *body, const dQuaternion rotation) {
  dReal *q = (dReal *)(uintptr_t)body->quaternion, *r = (dReal *)(uintptr_t)body->rotation;
  const double square =
      rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2] + rotation[3] * rotation[3];
  const Quad unit = QUAD_AT(rotation) * (1 / sqrt(square));
  const double w = unit[0], x = unit[1], y = unit[2], z = unit[3];
  const double xx = 2 * x * x, yy = 2 * y * y, zz = 2 * z * z;
  QUAD_PUT(q, unit);
  QUAD_PUT(r, ((Quad){1 - yy - zz, 2 * (x * y - w * z), 2 * (x * z + w * y), 0}));
  QUAD_PUT(r + 4, ((Quad){2 * (x * y + w * z), 1 - xx - zz, 2 * (y * z - w * x), 0}));
  QUAD_PUT(r + 8, ((Quad){2 * (x * z - w * y), 2 * (y * z + w * x), 1 - xx - yy, 0}));
}

// The body at the end of the step: its rotation, and its centre of mass relative to the present O.
WIDE_PART void move_body(const Forest *forest, ForestBody *body, const double *u, double h) {
  const ForestBody *parent = body->parent < 0 ? NULL : &forest->bodies[body->parent];
  next_rotation(body, parent, u, h, body->next_q);
  put_rotation(body, body->next_q);
  if (body->joint == FOREST_FREE) {
    for (int i = 0; i < 3; i++)
      body->next_center[i] = h * u[body->first + i];
    body->next_center[3] = 0;
    return;
  }
  double arm[3];
  // a body attached to the world rotates about its pivot
  memcpy(body->next_center, body->pivot, sizeof body->next_center);
  if (parent) {
    rotate3(parent->rotation, body->anchor_parent_l, body->next_center);
    add_scaled3(body->next_center, 1, parent->next_center);
  }
  rotate3(body->rotation, body->anchor_l, arm);
  add_scaled3(body->next_center, -1, arm);
}

// Shifts a tree with a free root so that its centre of mass moves with its momentum: the displacement that the rates
// give to second order of the step differs from that of the chain of joints in the third order.
WIDE_PART void keep_momentum(Forest *forest, int root, int end, double h) {
  double mass = 0;
  Quad gap = {0};
  for (int i = root; i < end; i++) {
    const ForestBody *body = &forest->bodies[i];
    mass += body->mass;
    gap += body->mass * (QUAD_AT(body->center) - QUAD_AT(body->next_center) + h * QUAD_AT(body->v) +
                         h * h / 2 * QUAD_AT(body->bias_acceleration));
  }
  gap *= 1 / mass;
  for (int i = root; i < end; i++)
    QUAD_PUT(forest->bodies[i].next_center, QUAD_AT(forest->bodies[i].next_center) + gap);
}

WIDE_PART void find_velocities(ForestBody *body, const double motion[6]) {
  const Quad rate = QUAD_AT(motion), end = QUAD_AT(motion + 2), center = QUAD_AT(body->center);
  QUAD_PUT(body->w, rate);
  QUAD_PUT(body->v, QUAD_PICK(end, 1, 2, 3, 3) + QUAD_CROSS(rate, center));
}

// Writes three numbers to one of ODE's arrays.
WIDE_PART void put_ode(const dReal *array, const double numbers[3]) {
  memcpy((dReal *)(uintptr_t)array, numbers, 3 * sizeof *numbers);
}

// Writes the velocities at half the step, for which momentum is balanced. ODE's shapes know from dBodySetPosition that
// the body has moved; its functions for the other numbers do no more than this.
WIDE_PART void tell_ode(const ForestBody *body, double h, const double origin[3]) {
  const double zero[3] = {0};
  double v[4], w[4];
  QUAD_PUT(v, QUAD_AT(body->v) + h / 2 * QUAD_AT(body->bias_acceleration));
  QUAD_PUT(w, QUAD_AT(body->w) + h / 2 * QUAD_AT(body->bias_spin));
  dBodySetPosition(body->ode, origin[0] + body->next_center[0], origin[1] + body->next_center[1],
                   origin[2] + body->next_center[2]);
  put_ode(body->velocity, v);
  put_ode(body->spin_rate, w);
  put_ode(body->force, zero);
  put_ode(body->torque, zero);
  if (body->damped)
    damp(body);
}

WIDE void forest_write(Forest *forest, double *u, double *motions, double h) {
  for (int root = 0, end; root < forest->body_count; root = end) {
    if (forest->bodies[root].damped)
      bound_spin(&forest->bodies[root], u, &motions[6 * root]);
    for (end = root; end < forest->body_count && forest->bodies[end].root == root; end++) {
      move_body(forest, &forest->bodies[end], u, h);
      find_velocities(&forest->bodies[end], &motions[6 * end]);
    }
    if (forest->bodies[root].joint == FOREST_FREE && end - root > 1)
      keep_momentum(forest, root, end, h);
    double origin[3];
    memcpy(origin, forest->bodies[root].position, sizeof origin);
    for (int i = root; i < end; i++)
      tell_ode(&forest->bodies[i], h, origin);
  }
}

void forest_turn(dBodyID body, const double w[3], double time) {
  dQuaternion q;
  memcpy(q, dBodyGetQuaternion(body), sizeof q);
  turn_outside(q, time, w);
  dBodySetQuaternion(body, q);
}
