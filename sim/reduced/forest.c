#include "sim/reduced/forest.h"

#include <math.h>

#include "sim/reduced/spatial.h"

// Of any part in a step, rad.
static const double FASTEST_TURN = 0.4;

// The share of sway and gyroscopic torque that a step of that length follows explicitly at a rate of turning: all of
// it, but for turns in a step that are beyond what a series in h can follow. Without sway the step only loses energy.
static double followed_share(double rate, double h) {
  double turn = rate * h;
  return turn > FASTEST_TURN ? FASTEST_TURN * FASTEST_TURN / (turn * turn) : 1;
}

// ---- Reading

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

// What the body brings into the step: momentum as it moves, gravity, forces, half a step of gyroscopic torque.
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

// Where the body and its joint are from the tree's origin.
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
  memcpy(dof->a, axis_w, sizeof dof->a);
  cross3(pivot, axis_w, dof->v);
}

static void read_dofs(Forest *forest, const ForestBody *body) {
  static const dReal upright[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  const ForestBody *parent = parent_of(forest, body);
  const dReal *outer = parent ? parent->rotation : upright;
  ForestDof *dofs = &forest->dofs[body->first];
  double axis[3];
  if (body->joint == FOREST_FREE)
    for (int i = 0; i < 3; i++) {
      dofs[i] = (ForestDof){.v = {i == 0, i == 1, i == 2}};
      dofs[3 + i] = (ForestDof){.a = {i == 0, i == 1, i == 2}};
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
    u[body->first + k] = dot3(forest->dofs[body->first + k].a, relative);
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
    read_momentum(body, gravity, h);
    read_place(forest, body);
    read_dofs(forest, body);
    read_rates(forest, body, u);
  }
}

// ---- Mass matrix

// A rigid body about O: mass, first moment, inertia (xx yy zz xy xz yz).
typedef struct Composite {
  double mass, moment[3], inertia[6];
} Composite;

static Composite composite_of(const ForestBody *body) {
  const double *c = body->center, *own = body->inertia_w, m = body->mass;
  return (Composite){.mass = m,
                     .moment = {m * c[0], m * c[1], m * c[2]},
                     .inertia = {own[0] + m * (c[1] * c[1] + c[2] * c[2]), own[1] + m * (c[0] * c[0] + c[2] * c[2]),
                                 own[2] + m * (c[0] * c[0] + c[1] * c[1]), own[3] - m * c[0] * c[1],
                                 own[4] - m * c[0] * c[2], own[5] - m * c[1] * c[2]}};
}

static void add_composite(Composite *sum, const Composite *part) {
  sum->mass += part->mass;
  for (int i = 0; i < 3; i++)
    sum->moment[i] += part->moment[i];
  for (int i = 0; i < 6; i++)
    sum->inertia[i] += part->inertia[i];
}

// Row k: the momentum that the subtree has at unit rate of dof k, seen by the dofs above.
static void mass_row(const Forest *forest, const Composite *subtree, int k, bool free_root, double *row) {
  const ForestDof *dof = &forest->dofs[k];
  const PackedRow *packed = &forest->rows[k];
  double momentum[3], spin[3];
  cross3(dof->a, subtree->moment, momentum);
  add_scaled3(momentum, subtree->mass, dof->v);
  symmetric_times(subtree->inertia, dof->a, spin);
  add_cross3(spin, subtree->moment, dof->v);
  int q = 0;
  if (free_root) { // the root's axes are the world's
    for (; q < 3 && q <= packed->depth; q++)
      row[q] = momentum[q];
    for (; q < 6 && q <= packed->depth; q++)
      row[q] = spin[q - 3];
  }
  for (; q <= packed->depth; q++) {
    const ForestDof *above = &forest->dofs[packed->ancestors[q]];
    row[q] = dot3(above->a, spin) + dot3(above->v, momentum);
  }
}

void forest_mass(Forest *forest, double *matrix) {
  Composite *composites = (Composite *)forest->composite;
  for (int i = 0; i < forest->body_count; i++)
    composites[i] = composite_of(&forest->bodies[i]);
  for (int i = forest->body_count - 1; i >= 0; i--) {
    const ForestBody *body = &forest->bodies[i];
    bool free_root = forest->bodies[body->root].joint == FOREST_FREE;
    for (int k = body->first; k < body->first + body->dofs; k++)
      mass_row(forest, &composites[i], k, free_root, &matrix[forest->rows[k].start]);
    if (body->parent >= 0)
      add_composite(&composites[body->parent], &composites[i]);
  }
}

// ---- Motion at given rates

// out += w x (w x arm) + turn x arm
static void add_sway(double out[3], const double w[3], const double turn[3], const double arm[3]) {
  double along[3];
  cross3(w, arm, along);
  add_cross3(out, w, along);
  add_cross3(out, turn, arm);
}

// Calms the sway of trees that have parts which whirl.
static void calm_sway(Forest *forest, double h) {
  for (int root = 0, end; root < forest->body_count; root = end) {
    double fastest = 0;
    for (end = root; end < forest->body_count && forest->bodies[end].root == root; end++)
      fastest = fmax(fastest, dot3(forest->bodies[end].rate, forest->bodies[end].rate));
    double share = followed_share(sqrt(fastest), h);
    for (int i = root; i < end && share < 1; i++)
      for (int k = 0; k < 3; k++) {
        forest->bodies[i].sway[k] *= share;
        forest->bodies[i].sway_turn[k] *= share;
      }
  }
}

void forest_move(Forest *forest, const double *u, double h) {
  static const double still[3];
  for (int i = 0; i < forest->body_count; i++) {
    ForestBody *body = &forest->bodies[i];
    const ForestBody *parent = parent_of(forest, body);
    const double *outer = parent ? parent->rate : still;
    memcpy(body->rate, outer, sizeof body->rate);
    memcpy(body->sway_turn, parent ? parent->sway_turn : still, sizeof body->sway_turn);
    memcpy(body->sway, parent ? parent->sway : still, sizeof body->sway);
    if (body->joint == FOREST_FREE) {
      memcpy(body->rate, &u[body->first + 3], sizeof body->rate);
      continue;
    }
    for (int k = body->first; k < body->first + body->dofs; k++)
      add_scaled3(body->rate, u[k], forest->dofs[k].a);
    // Axes of the parent turn with it, those of the child with the child.
    double of_parent[3] = {0}, of_child[3] = {0};
    for (int k = 0; k < body->dofs; k++)
      add_scaled3(body->joint == FOREST_UNIVERSAL && k == 1 ? of_child : of_parent, u[body->first + k],
                  forest->dofs[body->first + k].a);
    add_cross3(body->sway_turn, outer, of_parent);
    add_cross3(body->sway_turn, body->rate, of_child);
    double arm[3];
    if (parent) {
      for (int k = 0; k < 3; k++)
        arm[k] = body->pivot[k] - parent->center[k];
      add_sway(body->sway, parent->rate, parent->sway_turn, arm);
    }
    for (int k = 0; k < 3; k++)
      arm[k] = body->center[k] - body->pivot[k];
    add_sway(body->sway, body->rate, body->sway_turn, arm);
  }
  calm_sway(forest, h);
}

// A body's momentum and its moment about O, less half a step of sway and gyroscopic torque.
static void body_wrench(const ForestBody *body, double h, double momentum[3], double moment[3]) {
  double mean[3], spin[3], turning[3], gyroscopic[3];
  for (int i = 0; i < 3; i++)
    mean[i] = body->rate[i] + h / 2 * body->sway_turn[i];
  symmetric_times(body->inertia_w, mean, spin);
  symmetric_times(body->inertia_w, body->sway_turn, turning);
  cross3(mean, spin, gyroscopic);
  add_scaled3(turning, followed_share(length3(mean), h), gyroscopic);
  for (int i = 0; i < 3; i++) {
    momentum[i] = body->momentum[i] - h / 2 * body->mass * body->sway[i];
    moment[i] = body->spin[i] - h / 2 * turning[i];
  }
  add_cross3(moment, body->center, momentum);
}

void forest_project(Forest *forest, double h, double *right) {
  double *wrenches = forest->wrenches;
  for (int i = 0; i < forest->body_count; i++)
    body_wrench(&forest->bodies[i], h, &wrenches[6 * i], &wrenches[6 * i + 3]);
  for (int i = forest->body_count - 1; i >= 0; i--) {
    const ForestBody *body = &forest->bodies[i];
    const double *wrench = &wrenches[6 * i];
    for (int k = body->first; k < body->first + body->dofs; k++)
      right[k] = dot3(forest->dofs[k].v, wrench) + dot3(forest->dofs[k].a, wrench + 3);
    for (int k = 0; body->parent >= 0 && k < 6; k++)
      wrenches[6 * body->parent + k] += wrench[k];
  }
}
