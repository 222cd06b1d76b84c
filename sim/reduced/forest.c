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

// The columns of a matrix in rows of four numbers.
WIDE_PART void read_columns(const dReal *rows, double columns[3][4]) {
  const Quad x = QUAD_AT(rows), y = QUAD_AT(rows + 4), z = QUAD_AT(rows + 8);
  const Quad first = QUAD_MIX(x, y, 0, 4, 1, 5), last = QUAD_MIX(x, y, 2, 6, 3, 7);
  QUAD_PUT(columns[0], QUAD_MIX(first, z, 0, 1, 4, 7));
  QUAD_PUT(columns[1], QUAD_MIX(first, z, 2, 3, 5, 7));
  QUAD_PUT(columns[2], QUAD_MIX(last, z, 0, 1, 6, 7));
}

WIDE_PART void read_inertia(ForestBody *body, const dMass *mass) {
  const dReal *r = body->rotation, *local = mass->I;
  Quad turned[3], rows[3]; // R I, R I R^T
  body->mass = mass->mass;
  for (int i = 0; i < 3; i++) {
    turned[i] = r[4 * i] * QUAD_AT(local) + r[4 * i + 1] * QUAD_AT(local + 4) + r[4 * i + 2] * QUAD_AT(local + 8);
    rows[i] = QUAD_TIMES(body->axes, turned[i]);
  }
  // Of numbers that differ by rounding, those above the diagonal are taken.
  const Quad upper = QUAD_MIX(rows[0], rows[1], 1, 5, 6, 7);
  QUAD_PUT(body->inertia_w[0], rows[0]);
  QUAD_PUT(body->inertia_w[1], upper);
  QUAD_PUT(body->inertia_w[2], QUAD_MIX(QUAD_MIX(rows[0], upper, 2, 6, 2, 6), rows[2], 0, 1, 6, 7));
}

// The momentum with which the body enters the step: from its motion, gravity, forces, and half a step of gyroscopic
// torque.
WIDE_PART void read_momentum(ForestBody *body, const dReal *gravity, double h) {
  const dReal *w = body->spin_rate;
  double weight = dBodyGetGravityMode(body->ode) ? body->mass : 0, share = followed_share(length3(w), h);
  const Quad rate = QUAD_AT(w), spin = QUAD_TIMES(body->inertia_w, w), gyroscopic = QUAD_CROSS(rate, spin);
  QUAD_PUT(body->momentum,
           body->mass * QUAD_AT(body->velocity) + h * (weight * QUAD_AT(gravity) + QUAD_AT(body->force)));
  QUAD_PUT(body->spin, spin + (h * QUAD_AT(body->torque) - share * h / 2 * gyroscopic));
}

WIDE_PART const ForestBody *parent_of(const Forest *forest, const ForestBody *body) {
  return body->parent < 0 ? NULL : &forest->bodies[body->parent];
}

// Position of the body and its joint relative to the tree's origin.
WIDE_PART void read_place(const Forest *forest, ForestBody *body) {
  const dReal *origin = forest->bodies[body->root].position;
  const ForestBody *parent = parent_of(forest, body);
  QUAD_PUT(body->center, QUAD_AT(body->position) - QUAD_AT(origin));
  memset(body->pivot, 0, sizeof body->pivot);
  if (parent) {
    QUAD_PUT(body->pivot, QUAD_TIMES(parent->axes, body->anchor_parent_l) + QUAD_AT(parent->center));
  } else if (body->joint != FOREST_FREE) {
    for (int i = 0; i < 3; i++)
      body->pivot[i] = body->anchor_parent_l[i] - origin[i];
  }
}

// A macro, see QUAD_AT.
#define SET_AXIS(dof, axis, pivot)                                                                                     \
  do {                                                                                                                 \
    const Quad along = QUAD_CROSS(pivot, axis);                                                                        \
    QUAD_PUT((dof)->motion, axis);                                                                                     \
    QUAD_PUT((dof)->motion + 2, QUAD_MIX(axis, along, 2, 4, 5, 6));                                                    \
  } while (0)

static const dReal UPRIGHT[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

WIDE_PART void read_dofs(Forest *forest, const ForestBody *body) {
  const ForestBody *parent = parent_of(forest, body);
  const dReal(*outer)[4] = parent ? parent->axes : UPRIGHT;
  ForestDof *dofs = &forest->dofs[body->first];
  const Quad pivot = QUAD_AT(body->pivot);
  if (body->joint == FOREST_FREE)
    for (int i = 0; i < 6; i++) {
      memset(dofs[i].motion, 0, sizeof dofs[i].motion);
      dofs[i].motion[(i + 3) % 6] = 1; // linear dofs first
    }
  if (body->joint == FOREST_BALL)
    for (int i = 0; i < 3; i++) {
      const Quad axis = body->ball ? QUAD_TIMES(outer, body->ball->axes[i]) : QUAD_AT(outer[i]);
      SET_AXIS(&dofs[i], axis, pivot);
    }
  if (body->joint == FOREST_UNIVERSAL || body->joint == FOREST_HINGE) {
    const Quad axis = QUAD_TIMES(outer, body->axis_parent_l);
    SET_AXIS(&dofs[0], axis, pivot);
  }
  if (body->joint == FOREST_UNIVERSAL) {
    const Quad axis = QUAD_TIMES(body->axes, body->axis_l);
    SET_AXIS(&dofs[1], axis, pivot);
  }
}

WIDE_PART void read_rates(const Forest *forest, const ForestBody *body, double *u) {
  Quad relative = QUAD_AT(body->spin_rate);
  const ForestBody *parent = parent_of(forest, body);
  if (parent)
    relative -= QUAD_AT(parent->spin_rate);
  if (body->joint == FOREST_FREE) {
    memcpy(&u[body->first], body->velocity, 3 * sizeof *u);
    memcpy(&u[body->first + 3], body->spin_rate, 3 * sizeof *u);
    return;
  }
  for (int k = 0; k < body->dofs; k++) {
    const Quad each = QUAD_AT(forest->dofs[body->first + k].motion) * relative;
    u[body->first + k] = each[0] + each[1] + each[2];
  }
}

WIDE void forest_read(Forest *forest, double h, double *u) {
  dVector3 gravity = {0};
  if (forest->body_count > 0)
    dWorldGetGravity(dBodyGetWorld(forest->bodies[0].ode), gravity);
  for (int i = 0; i < forest->body_count; i++) {
    ForestBody *body = &forest->bodies[i];
    dMass mass;
    dBodyGetMass(body->ode, &mass);
    read_columns(body->rotation, body->axes);
    read_inertia(body, &mass);
    memcpy(body->now_q, body->quaternion, sizeof body->now_q);
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

// Whether the present bias acceleration differs from that before by more than `least` m/s in a step.
static bool bias_differs(const Forest *forest, double h, double least) {
  for (int i = 0; i < forest->body_count; i++)
    for (int k = 0; k < 3; k++)
      if (h * fabs(forest->bodies[i].bias_acceleration[k] - forest->past_bias[i][1][k]) > least ||
          h * fabs(forest->bodies[i].bias_spin[k] - forest->past_bias[i][2][k]) > least)
        return true;
  return false;
}

WIDE static void keep_bias(const ForestBody *bodies, int count, double (*past)[3][4]) {
  for (int i = 0; i < count; i++) {
    QUAD_PUT(past[i][0], QUAD_AT(bodies[i].rate));
    QUAD_PUT(past[i][1], QUAD_AT(bodies[i].bias_acceleration));
    QUAD_PUT(past[i][2], QUAD_AT(bodies[i].bias_spin));
  }
}

WIDE static void bring_bias_back(ForestBody *bodies, int count, double (*past)[3][4]) {
  for (int i = 0; i < count; i++) {
    QUAD_PUT(bodies[i].rate, QUAD_AT(past[i][0]));
    QUAD_PUT(bodies[i].bias_acceleration, QUAD_AT(past[i][1]));
    QUAD_PUT(bodies[i].bias_spin, QUAD_AT(past[i][2]));
  }
}

bool forest_move_again(Forest *forest, const double *u, double h, double least) {
  keep_bias(forest->bodies, forest->body_count, forest->past_bias);
  forest_move(forest, u, h);
  if (bias_differs(forest, h, least))
    return true;
  bring_bias_back(forest->bodies, forest->body_count, forest->past_bias);
  return false;
}

WIDE void forest_bring(const Forest *forest, double h, double *wrenches) {
  for (int i = 0; i < forest->body_count; i++) {
    const ForestBody *body = &forest->bodies[i];
    double momentum[4], moment[4], mean[4];
    QUAD_PUT(mean, QUAD_AT(body->rate) + h / 2 * QUAD_AT(body->bias_spin));
    const Quad rate = QUAD_AT(mean), spin = QUAD_TIMES(body->inertia_w, mean), gyroscopic = QUAD_CROSS(rate, spin);
    const Quad turning = QUAD_TIMES(body->inertia_w, body->bias_spin) + followed_share(length3(mean), h) * gyroscopic;
    const Quad linear = QUAD_AT(body->momentum) - h / 2 * body->mass * QUAD_AT(body->bias_acceleration);
    const Quad center = QUAD_AT(body->center);
    QUAD_PUT(momentum, linear);
    QUAD_PUT(moment, QUAD_AT(body->spin) - h / 2 * turning + QUAD_CROSS(center, linear));
    memcpy(&wrenches[6 * i], moment, 3 * sizeof *moment);
    memcpy(&wrenches[6 * i + 3], momentum, 3 * sizeof *momentum);
  }
}
