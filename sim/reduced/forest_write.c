#include <math.h>

#include "sim/reduced/forest.h"
#include "sim/reduced/spatial.h"

static const double ALIGNED_SHARE = 0.2; // in a step, as ODE's joints

// The unit quaternion of a rotation vector (rad).
static void quaternion_exp(const double turn[3], dQuaternion q) {
  double angle = length3(turn), half = angle / 2;
  double scale = angle > 1e-4 ? sin(half) / angle : 0.5 - angle * angle / 48; // of the next term 2e-20 is left
  q[0] = cos(half);
  for (int i = 0; i < 3; i++)
    q[1 + i] = scale * turn[i];
}

// Turns a rotation by a vector given in the frame outside of it: q := exp(s axis) q.
static void turn_outside(dQuaternion q, double s, const double axis[3]) {
  dQuaternion turn, turned;
  quaternion_exp((const double[]){s * axis[0], s * axis[1], s * axis[2]}, turn);
  dQMultiply0(turned, turn, q);
  memcpy(q, turned, sizeof turned);
}

static void turn_inside(dQuaternion q, double s, const double axis[3]) {
  dQuaternion turn, turned;
  quaternion_exp((const double[]){s * axis[0], s * axis[1], s * axis[2]}, turn);
  dQMultiply0(turned, q, turn);
  memcpy(q, turned, sizeof turned);
}

// A vector turned by a unit quaternion.
static void turn_vector(const dQuaternion q, const double v[3], double out[3]) {
  double along[3];
  cross3(&q[1], v, along);
  add_scaled3(along, q[0], v);
  memcpy(out, v, 3 * sizeof *out);
  for (int i = 0; i < 3; i++)
    along[i] *= 2;
  // v + 2 q x (q x v + w v)
  add_cross3(out, &q[1], along);
}

// Takes a share of what keeps the joint's axes from where they have to be: a hinge's two on each other, a universal
// joint's at a right angle. Steps keep them there; poses that a body is put into need not.
static void align_axes(const ForestBody *body, dQuaternion relative) {
  double axis[3], turn[3];
  turn_vector(relative, body->axis_l, axis);
  cross3(axis, body->axis_parent_l, turn); // takes the axis toward the parent's
  double wrong = body->joint == FOREST_HINGE ? 1 : -dot3(axis, body->axis_parent_l);
  turn_outside(relative, ALIGNED_SHARE * wrong, turn);
}

// Its rotation at the end of the step, from that of its parent (NULL: the world).
static void next_rotation(const ForestBody *body, const double *parent_now, const double *parent_next, const double *u,
                          double h, dQuaternion next) {
  const double *rates = &u[body->first], *now = dBodyGetQuaternion(body->ode);
  if (body->joint == FOREST_FREE) {
    memcpy(next, now, sizeof(dQuaternion));
    turn_outside(next, h, rates + 3);
    return;
  }
  dQuaternion relative;
  memcpy(relative, now, sizeof relative);
  if (parent_now)
    dQMultiply1(relative, parent_now, now);
  if (body->joint == FOREST_BALL)
    turn_outside(relative, h, rates);
  else
    turn_outside(relative, h * rates[0], body->axis_parent_l);
  if (body->joint == FOREST_UNIVERSAL)
    turn_inside(relative, h * rates[1], body->axis_l);
  if (body->joint != FOREST_BALL)
    align_axes(body, relative);
  memcpy(next, relative, sizeof relative);
  if (parent_next)
    dQMultiply0(next, parent_next, relative);
}

// ODE's own bound on the spin, which single bodies may have.
static void bound_spin(const ForestBody *body, double *u) {
  double *w = &u[body->first + body->dofs - 3], most = dBodyGetMaxAngularSpeed(body->ode), spin = length3(w);
  for (int i = 0; i < 3 && body->dofs >= 3 && spin > most; i++)
    w[i] *= most / spin;
}

// ODE's own damping.
static void damp(const ForestBody *body) {
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

// Where the body will be: rotation, and centre of mass from the present O.
static void move_body(const Forest *forest, ForestBody *body, const double *u, double h) {
  const ForestBody *parent = body->parent < 0 ? NULL : &forest->bodies[body->parent];
  next_rotation(body, parent ? dBodyGetQuaternion(parent->ode) : NULL, parent ? parent->next_q : NULL, u, h,
                body->next_q);
  dNormalize4(body->next_q);
  dQtoR(body->next_q, body->next_rotation);
  if (body->joint == FOREST_FREE) {
    for (int i = 0; i < 3; i++)
      body->next_center[i] = h * u[body->first + i];
    return;
  }
  double arm[3];
  memcpy(body->next_center, body->pivot, sizeof body->next_center); // what hangs on the world turns about its pivot
  if (parent) {
    rotate3(parent->next_rotation, body->anchor_parent_l, body->next_center);
    add_scaled3(body->next_center, 1, parent->next_center);
  }
  rotate3(body->next_rotation, body->anchor_l, arm);
  add_scaled3(body->next_center, -1, arm);
}

// Shifts a tree with a free root so that its centre of mass moves as its momentum says: what the rates give, to second
// order of the step, the chain of joints gives but to third.
static void keep_momentum(Forest *forest, int root, int end, const double *matrix, const double *u, double h) {
  double mass = 0, gap[3] = {0};
  for (int i = root; i < end; i++) {
    const ForestBody *body = &forest->bodies[i];
    mass += body->mass;
    for (int k = 0; k < 3; k++)
      gap[k] += body->mass * (body->center[k] - body->next_center[k] + h * h / 2 * body->sway[k]);
  }
  int first = forest->bodies[root].first, last = forest->bodies[end - 1].first + forest->bodies[end - 1].dofs;
  for (int k = first; k < last; k++) // the momentum at each rate is in the columns of the root's linear dofs
    for (int i = 0; i < 3 && i <= forest->rows[k].depth; i++)
      gap[i] += h * u[k] * matrix[forest->rows[k].start + i];
  for (int i = root; i < end; i++)
    add_scaled3(forest->bodies[i].next_center, 1 / mass, gap);
}

// The velocities at these rates: v of the centre of mass and w.
static void find_velocities(const Forest *forest, ForestBody *body, const double *u) {
  const ForestBody *parent = body->parent < 0 ? NULL : &forest->bodies[body->parent];
  double arm[3];
  if (body->joint == FOREST_FREE) {
    memcpy(body->v, &u[body->first], sizeof body->v);
    memcpy(body->w, &u[body->first + 3], sizeof body->w);
    return;
  }
  memset(body->v, 0, sizeof body->v);
  memset(body->w, 0, sizeof body->w);
  if (parent) {
    memcpy(body->v, parent->v, sizeof body->v);
    memcpy(body->w, parent->w, sizeof body->w);
    for (int i = 0; i < 3; i++)
      arm[i] = body->pivot[i] - parent->center[i];
    add_cross3(body->v, parent->w, arm);
  }
  for (int k = body->first; k < body->first + body->dofs; k++)
    add_scaled3(body->w, u[k], forest->dofs[k].a);
  for (int i = 0; i < 3; i++)
    arm[i] = body->center[i] - body->pivot[i];
  add_cross3(body->v, body->w, arm);
}

// Tells the velocities at half the step, for which the momenta balance.
static void tell_ode(const ForestBody *body, double h, const double origin[3]) {
  dBodyID ode = body->ode;
  double v[3], w[3];
  for (int i = 0; i < 3; i++) {
    v[i] = body->v[i] + h / 2 * body->sway[i];
    w[i] = body->w[i] + h / 2 * body->sway_turn[i];
  }
  dBodySetPosition(ode, origin[0] + body->next_center[0], origin[1] + body->next_center[1],
                   origin[2] + body->next_center[2]);
  dBodySetQuaternion(ode, body->next_q);
  dBodySetLinearVel(ode, v[0], v[1], v[2]);
  dBodySetAngularVel(ode, w[0], w[1], w[2]);
  dBodySetForce(ode, 0, 0, 0);
  dBodySetTorque(ode, 0, 0, 0);
  if (body->damped)
    damp(body);
}

void forest_write(Forest *forest, const double *matrix, double *u, double h) {
  for (int root = 0, end; root < forest->body_count; root = end) {
    if (forest->bodies[root].damped)
      bound_spin(&forest->bodies[root], u);
    for (end = root; end < forest->body_count && forest->bodies[end].root == root; end++) {
      move_body(forest, &forest->bodies[end], u, h);
      find_velocities(forest, &forest->bodies[end], u);
    }
    if (forest->bodies[root].joint == FOREST_FREE && end - root > 1)
      keep_momentum(forest, root, end, matrix, u, h);
    double origin[3];
    memcpy(origin, dBodyGetPosition(forest->bodies[root].ode), sizeof origin);
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
