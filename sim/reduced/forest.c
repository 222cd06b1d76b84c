// Reads ODE's state into the rates of dofs, and computes the motion of trees: rates and bias accelerations of all
// bodies from the rates of the dofs.
#include "sim/reduced/forest.h"

#include <math.h>
#include <string.h>

#include "sim/base/wide.h"
#include "sim/reduced/spatial.h"

// rad: largest turn of any part in a step.
static const double FASTEST_TURN = 0.4;

// The share of bias acceleration and gyroscopic torque that a step of length h integrates explicitly at an angular
// rate: 1, except for turns per step too large for a series in h. Without bias acceleration the step only loses energy.
WIDE_PART double followed_share(double rate, double h) {
  double turn = rate * h;
  return turn > FASTEST_TURN ? FASTEST_TURN * FASTEST_TURN / (turn * turn) : 1;
}

// ---- Reading ----

WIDE_PART void read_inertia(ForestBody *body, const dMass *mass) {
  const dReal *r = body->rotation, *local = mass->I;
  double turned[3][4]; // R I
  body->mass = mass->mass;
  for (int i = 0; i < 3; i++)
    QUAD_PUT(turned[i],
             r[4 * i] * QUAD_AT(local) + r[4 * i + 1] * QUAD_AT(local + 4) + r[4 * i + 2] * QUAD_AT(local + 8));
  static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++)
    body->inertia_w[i] = dot3(turned[rows[i]], &r[4 * columns[i]]);
}

// The momentum with which the body enters the step: from its motion, gravity, forces, and half a step of gyroscopic
// torque.
WIDE_PART void read_momentum(ForestBody *body, const dReal *gravity, double h) {
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

WIDE_PART const ForestBody *parent_of(const Forest *forest, const ForestBody *body) {
  return body->parent < 0 ? NULL : &forest->bodies[body->parent];
}

// Position of the body and its joint relative to the tree's origin.
WIDE_PART void read_place(const Forest *forest, ForestBody *body) {
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

WIDE_PART void set_axis(ForestDof *dof, const double axis_w[3], const double pivot[3]) {
  memcpy(dof->motion, axis_w, 3 * sizeof *axis_w);
  cross3(pivot, axis_w, dof->motion + 3);
}

WIDE_PART void read_dofs(Forest *forest, const ForestBody *body) {
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
    for (int i = 0; i < 3; i++) {
      if (body->ball)
        rotate3(outer, body->ball->axes[i], axis);
      set_axis(&dofs[i], body->ball ? axis : (const double[]){outer[i], outer[4 + i], outer[8 + i]}, body->pivot);
    }
  if (body->joint == FOREST_UNIVERSAL || body->joint == FOREST_HINGE) {
    rotate3(outer, body->axis_parent_l, axis);
    set_axis(&dofs[0], axis, body->pivot);
  }
  if (body->joint == FOREST_UNIVERSAL) {
    rotate3(body->rotation, body->axis_l, axis);
    set_axis(&dofs[1], axis, body->pivot);
  }
}

WIDE_PART void read_rates(const Forest *forest, const ForestBody *body, double *u) {
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

WIDE void forest_read(Forest *forest, double h, double *u) {
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

// w x (w x arm) + turn x arm is added to an acceleration, where arm is the vector between the two points.
WIDE_PART void add_bias_acceleration(double sum[4], const double w[4], const double turn[4], const double from[4],
                                     const double to[4]) {
  const Quad arm = QUAD_AT(to) - QUAD_AT(from), rate = QUAD_AT(w), change = QUAD_AT(turn);
  const Quad along = QUAD_CROSS(rate, arm);
  QUAD_PUT(sum, QUAD_AT(sum) + QUAD_CROSS(rate, along) + QUAD_CROSS(change, arm));
}

// A body attached by a joint to a parent or, without one, to the world.
WIDE_PART void move_jointed(const ForestBody *parent, const ForestDof *dofs, ForestBody *body, const double *u) {
  Quad relative = {0}, rate = {0}, turn = {0};
  double bias_acceleration[4] = {0};
  const bool universal = body->joint == FOREST_UNIVERSAL;
  for (int k = 0; k < body->dofs - universal; k++) // axes fixed in the parent turn with it
    relative += u[k] * QUAD_AT(dofs[k].motion);
  if (parent) {
    rate = QUAD_AT(parent->rate);
    turn = QUAD_AT(parent->bias_spin);
    memcpy(bias_acceleration, parent->bias_acceleration, sizeof bias_acceleration);
    add_bias_acceleration(bias_acceleration, parent->rate, parent->bias_spin, parent->center, body->pivot);
    turn += QUAD_CROSS(rate, relative);
  }
  rate += relative;
  if (universal) { // the other axis turns with the child
    const Quad own = u[1] * QUAD_AT(dofs[1].motion);
    turn += QUAD_CROSS(rate, own);
    rate += own;
  }
  QUAD_PUT(body->rate, rate);
  QUAD_PUT(body->bias_spin, turn);
  add_bias_acceleration(bias_acceleration, body->rate, body->bias_spin, body->pivot, body->center);
  memcpy(body->bias_acceleration, bias_acceleration, sizeof bias_acceleration);
}

WIDE static void move_bodies(Forest *forest, const double *u) {
  for (int i = 0; i < forest->body_count; i++) {
    ForestBody *body = &forest->bodies[i];
    if (body->joint != FOREST_FREE) {
      move_jointed(parent_of(forest, body), &forest->dofs[body->first], body, &u[body->first]);
      continue;
    }
    memcpy(body->rate, &u[body->first + 3], 3 * sizeof *u);
    memset(body->bias_spin, 0, sizeof body->bias_spin);
    memset(body->bias_acceleration, 0, sizeof body->bias_acceleration);
  }
}

void forest_move(Forest *forest, const double *u, double h) {
  move_bodies(forest, u);
  limit_bias(forest, h);
}

bool forest_move_again(Forest *forest, const double *u, double h, double least) {
  double change = 0;
  for (int i = 0; i < forest->body_count; i++) {
    memcpy(forest->past_bias[i][0], forest->bodies[i].rate, sizeof forest->past_bias[i][0]);
    memcpy(forest->past_bias[i][1], forest->bodies[i].bias_acceleration, sizeof forest->past_bias[i][1]);
    memcpy(forest->past_bias[i][2], forest->bodies[i].bias_spin, sizeof forest->past_bias[i][2]);
  }
  forest_move(forest, u, h);
  for (int i = 0; i < forest->body_count; i++)
    for (int k = 0; k < 3; k++) {
      change = max_d(change, h * fabs(forest->bodies[i].bias_acceleration[k] - forest->past_bias[i][1][k]));
      change = max_d(change, h * fabs(forest->bodies[i].bias_spin[k] - forest->past_bias[i][2][k]));
    }
  if (change > least)
    return true;
  for (int i = 0; i < forest->body_count; i++) {
    memcpy(forest->bodies[i].rate, forest->past_bias[i][0], sizeof forest->past_bias[i][0]);
    memcpy(forest->bodies[i].bias_acceleration, forest->past_bias[i][1], sizeof forest->past_bias[i][1]);
    memcpy(forest->bodies[i].bias_spin, forest->past_bias[i][2], sizeof forest->past_bias[i][2]);
  }
  return false;
}

WIDE void forest_bring(const Forest *forest, double h, double *wrenches) {
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
