// Reads ODE's state into the rates of dofs, and computes the motion of trees: rates and bias accelerations of all
// bodies from the rates of the dofs.
#include "sim/reduced/forest.h"

#include <math.h>
#include <string.h>

#include "sim/reduced/spatial.h"

// rad: largest turn of any part in a step.
static const double FASTEST_TURN = 0.4;

// The share of bias acceleration and gyroscopic torque that a step of length h integrates explicitly at an angular
// rate: 1, except for turns per step too large for a series in h. Without bias acceleration the step only loses energy.
static double followed_share(double rate, double h) {
  double turn = rate * h;
  return turn > FASTEST_TURN ? FASTEST_TURN * FASTEST_TURN / (turn * turn) : 1;
}

// ---- Reading ----

static void read_inertia(ForestBody *body, const dMass *mass) {
  const dReal *r = body->rotation, *local = mass->I;
  double turned[3][3]; // R I
  body->mass = mass->mass;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      turned[i][k] = r[4 * i] * local[k] + r[4 * i + 1] * local[4 + k] + r[4 * i + 2] * local[8 + k];
  static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++)
    body->inertia_w[i] = dot3(turned[rows[i]], &r[4 * columns[i]]);
}

// The momentum with which the body enters the step: from its motion, gravity, forces, and half a step of gyroscopic
// torque.
static void read_momentum(ForestBody *body, const dReal *gravity, double h) {
  const dReal *v = dBodyGetLinearVel(body->ode), *w = dBodyGetAngularVel(body->ode);
  const dReal *force = dBodyGetForce(body->ode), *torque = dBodyGetTorque(body->ode);
  double weight = dBodyGetGravityMode(body->ode) ? body->mass : 0, share = followed_share(length3(w), h);
  double gyroscopic[3];
  symmetric_times(body->inertia_w, w, body->spin);
  cross3(w, body->spin, gyroscopic);
  for (int i = 0; i < 3; i++) {
    body->momentum[i] = body->mass * v[i] + h * (weight * gravity[i] + force[i]);
    body->spin[i] += h * torque[i] - share * h / 2 * gyroscopic[i];
  }
}

static const ForestBody *parent_of(const Forest *forest, const ForestBody *body) {
  return body->parent < 0 ? NULL : &forest->bodies[body->parent];
}

// Position of the body and its joint relative to the tree's origin.
static void read_place(const Forest *forest, ForestBody *body) {
  const dReal *center = dBodyGetPosition(body->ode), *origin = dBodyGetPosition(forest->bodies[body->root].ode);
  const ForestBody *parent = parent_of(forest, body);
  for (int i = 0; i < 3; i++)
    body->center[i] = center[i] - origin[i];
  memset(body->pivot, 0, sizeof body->pivot);
  if (parent) {
    rotate3(parent->rotation, body->anchor_parent_l, body->pivot);
    add_scaled3(body->pivot, 1, parent->center);
  } else if (body->joint != FOREST_FREE) {
    for (int i = 0; i < 3; i++)
      body->pivot[i] = body->anchor_parent_l[i] - origin[i];
  }
}

static void set_axis(ForestDof *dof, const double axis_w[3], const double pivot[3]) {
  memcpy(dof->motion, axis_w, 3 * sizeof *axis_w);
  cross3(pivot, axis_w, dof->motion + 3);
}

static void read_dofs(Forest *forest, const ForestBody *body) {
  static const dReal upright[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const ForestBody *parent = parent_of(forest, body);
  const dReal *outer = parent ? parent->rotation : upright;
  ForestDof *dofs = &forest->dofs[body->first];
  double axis[3];
  if (body->joint == FOREST_FREE)
    for (int i = 0; i < 6; i++) {
      memset(dofs[i].motion, 0, sizeof dofs[i].motion);
      dofs[i].motion[(i + 3) % 6] = 1; // linear dofs first
    }
  if (body->joint == FOREST_BALL)
    for (int i = 0; i < 3; i++)
      set_axis(&dofs[i], (const double[]){outer[i], outer[4 + i], outer[8 + i]}, body->pivot);
  if (body->joint == FOREST_UNIVERSAL || body->joint == FOREST_HINGE) {
    rotate3(outer, body->axis_parent_l, axis);
    set_axis(&dofs[0], axis, body->pivot);
  }
  if (body->joint == FOREST_UNIVERSAL) {
    rotate3(body->rotation, body->axis_l, axis);
    set_axis(&dofs[1], axis, body->pivot);
  }
}

static void read_rates(const Forest *forest, const ForestBody *body, double *u) {
  const dReal *w = dBodyGetAngularVel(body->ode);
  double relative[3] = {w[0], w[1], w[2]};
  const ForestBody *parent = parent_of(forest, body);
  if (parent)
    add_scaled3(relative, -1, dBodyGetAngularVel(parent->ode));
  if (body->joint == FOREST_FREE) {
    memcpy(&u[body->first], dBodyGetLinearVel(body->ode), 3 * sizeof *u);
    memcpy(&u[body->first + 3], w, 3 * sizeof *u);
    return;
  }
  for (int k = 0; k < body->dofs; k++)
    u[body->first + k] = dot3(forest->dofs[body->first + k].motion, relative);
}

void forest_read(Forest *forest, double h, double *u) {
  dVector3 gravity = {0};
  if (forest->body_count > 0)
    dWorldGetGravity(dBodyGetWorld(forest->bodies[0].ode), gravity);
  for (int i = 0; i < forest->body_count; i++) {
    ForestBody *body = &forest->bodies[i];
    dMass mass;
    dBodyGetMass(body->ode, &mass);
    read_inertia(body, &mass);
    memcpy(body->now_q, dBodyGetQuaternion(body->ode), sizeof body->now_q);
    read_momentum(body, gravity, h);
    read_place(forest, body);
    read_dofs(forest, body);
    read_rates(forest, body, u);
  }
}

// ---- Motion at given rates ----

// out += w x (w x arm) + turn x arm, where arm is the vector between the two points.
static void add_bias_acceleration(double out[3], const double w[3], const double turn[3], const double from[3],
                                  const double to[3]) {
  const double arm[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  double along[3];
  cross3(w, arm, along);
  add_cross3(out, w, along);
  add_cross3(out, turn, arm);
}

// Limits the bias acceleration of trees with parts that rotate too fast.
static void limit_bias(Forest *forest, double h) {
  for (int root = 0, end; root < forest->body_count; root = end) {
    double fastest = 0;
    for (end = root; end < forest->body_count && forest->bodies[end].root == root; end++)
      fastest = max_d(fastest, dot3(forest->bodies[end].rate, forest->bodies[end].rate));
    double share = followed_share(sqrt(fastest), h);
    for (int i = root; i < end && share < 1; i++)
      for (int k = 0; k < 3; k++) {
        forest->bodies[i].bias_acceleration[k] *= share;
        forest->bodies[i].bias_spin[k] *= share;
      }
  }
}

// A body attached by a joint to a parent or, without one, to the world.
static void move_jointed(const Forest *forest, const ForestBody *parent, ForestBody *body, const double *u) {
  double rate[3] = {0}, turn[3] = {0}, bias_acceleration[3] = {0}, relative[3] = {0};
  const ForestDof *dofs = &forest->dofs[body->first];
  bool universal = body->joint == FOREST_UNIVERSAL;
  for (int k = 0; k < body->dofs - universal; k++) // axes fixed in the parent turn with it
    add_scaled3(relative, u[body->first + k], dofs[k].motion);
  if (parent) {
    memcpy(rate, parent->rate, sizeof rate);
    memcpy(turn, parent->bias_spin, sizeof turn);
    memcpy(bias_acceleration, parent->bias_acceleration, sizeof bias_acceleration);
    add_bias_acceleration(bias_acceleration, rate, turn, parent->center, body->pivot);
    add_cross3(turn, rate, relative);
  }
  add_scaled3(rate, 1, relative);
  if (universal) { // the other axis turns with the child
    double own[3] = {0};
    add_scaled3(own, u[body->first + 1], dofs[1].motion);
    add_cross3(turn, rate, own);
    add_scaled3(rate, 1, own);
  }
  add_bias_acceleration(bias_acceleration, rate, turn, body->pivot, body->center);
  memcpy(body->rate, rate, sizeof rate);
  memcpy(body->bias_spin, turn, sizeof turn);
  memcpy(body->bias_acceleration, bias_acceleration, sizeof bias_acceleration);
}

void forest_move(Forest *forest, const double *u, double h) {
  for (int i = 0; i < forest->body_count; i++) {
    ForestBody *body = &forest->bodies[i];
    if (body->joint != FOREST_FREE) {
      move_jointed(forest, parent_of(forest, body), body, u);
      continue;
    }
    memcpy(body->rate, &u[body->first + 3], sizeof body->rate);
    memset(body->bias_spin, 0, sizeof body->bias_spin);
    memset(body->bias_acceleration, 0, sizeof body->bias_acceleration);
  }
  limit_bias(forest, h);
}

bool forest_move_again(Forest *forest, const double *u, double h, double least) {
  double change = 0;
  for (int i = 0; i < forest->body_count; i++) {
    memcpy(forest->past_bias[i], forest->bodies[i].rate, 3 * sizeof(double));
    memcpy(forest->past_bias[i] + 3, forest->bodies[i].bias_acceleration, 3 * sizeof(double));
    memcpy(forest->past_bias[i] + 6, forest->bodies[i].bias_spin, 3 * sizeof(double));
  }
  forest_move(forest, u, h);
  for (int i = 0; i < forest->body_count; i++)
    for (int k = 0; k < 3; k++) {
      change = max_d(change, h * fabs(forest->bodies[i].bias_acceleration[k] - forest->past_bias[i][3 + k]));
      change = max_d(change, h * fabs(forest->bodies[i].bias_spin[k] - forest->past_bias[i][6 + k]));
    }
  if (change > least)
    return true;
  for (int i = 0; i < forest->body_count; i++) {
    memcpy(forest->bodies[i].rate, forest->past_bias[i], 3 * sizeof(double));
    memcpy(forest->bodies[i].bias_acceleration, forest->past_bias[i] + 3, 3 * sizeof(double));
    memcpy(forest->bodies[i].bias_spin, forest->past_bias[i] + 6, 3 * sizeof(double));
  }
  return false;
}

void forest_bring(const Forest *forest, double h, double *wrenches) {
  for (int i = 0; i < forest->body_count; i++) {
    const ForestBody *body = &forest->bodies[i];
    double *moment = &wrenches[6 * i], *momentum = moment + 3, mean[3], spin[3], turning[3], gyroscopic[3];
    for (int k = 0; k < 3; k++)
      mean[k] = body->rate[k] + h / 2 * body->bias_spin[k];
    symmetric_times(body->inertia_w, mean, spin);
    symmetric_times(body->inertia_w, body->bias_spin, turning);
    cross3(mean, spin, gyroscopic);
    add_scaled3(turning, followed_share(length3(mean), h), gyroscopic);
    for (int k = 0; k < 3; k++) {
      momentum[k] = body->momentum[k] - h / 2 * body->mass * body->bias_acceleration[k];
      moment[k] = body->spin[k] - h / 2 * turning[k];
    }
    add_cross3(moment, body->center, momentum);
  }
}
