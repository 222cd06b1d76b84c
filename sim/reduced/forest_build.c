// Builds the trees from ODE's joints: parents, the joints' frames, and the dofs.
#include "sim/reduced/forest.h"

#include <math.h>

#include "sim/base/reserve.h"
#include "sim/reduced/spatial.h"

void forest_free(Forest *forest) {
  free(forest->bodies);
  free(forest->dofs);
  free(forest->paths);
  free(forest->of_outer);
  free(forest->inertia);
  free(forest->past_bias);
  *forest = (Forest){0};
}

static bool is_motor(dJointID joint) {
  dJointType type = dJointGetType(joint);
  return type == dJointTypeAMotor || type == dJointTypeLMotor;
}

static bool holds(dJointID joint) { return dJointIsEnabled(joint) && !is_motor(joint); }

static dBodyID other_body(dJointID joint, dBodyID body) {
  dBodyID first = dJointGetBody(joint, 0);
  return first == body ? dJointGetBody(joint, 1) : first;
}

// The joint that attaches a body to the world or to a kinematic body, and the number of such joints.
static dJointID world_joint(dBodyID body, int *count) {
  dJointID found = 0;
  *count = 0;
  for (int i = 0; i < dBodyGetNumJoints(body); i++) {
    dJointID joint = dBodyGetJoint(body, i);
    if (!holds(joint) || other_body(joint, body))
      continue;
    found = joint;
    (*count)++;
  }
  return found;
}

int forest_index(const Forest *forest, dBodyID body) {
  for (int i = 0; i < forest->body_count; i++)
    if (forest->bodies[i].ode == body)
      return i;
  return -1;
}

static void get_anchors(dJointID joint, ForestJoint kind, dVector3 on_first, dVector3 on_second) {
  if (kind == FOREST_BALL) {
    dJointGetBallAnchor(joint, on_first);
    dJointGetBallAnchor2(joint, on_second);
  } else if (kind == FOREST_UNIVERSAL) {
    dJointGetUniversalAnchor(joint, on_first);
    dJointGetUniversalAnchor2(joint, on_second);
  } else {
    dJointGetHingeAnchor(joint, on_first);
    dJointGetHingeAnchor2(joint, on_second);
  }
}

// Converts a point or direction of the world to the frame of a body, relative to its centre of mass; unchanged without
// a body.
static void point_to_local(dBodyID body, const double point[3], double local[3]) {
  dVector3 found = {point[0], point[1], point[2]};
  if (body)
    dBodyGetPosRelPoint(body, point[0], point[1], point[2], found);
  memcpy(local, found, 3 * sizeof *local);
}

static void axis_to_local(dBodyID body, const double axis[3], double local[3]) {
  dVector3 found = {axis[0], axis[1], axis[2]};
  if (body)
    dBodyVectorFromWorld(body, axis[0], axis[1], axis[2], found);
  memcpy(local, found, 3 * sizeof *local);
}

static bool joint_kind(dJointID joint, ForestJoint *kind, Error *error) {
  switch (dJointGetType(joint)) {
  case dJointTypeBall:
    *kind = FOREST_BALL;
    return true;
  case dJointTypeUniversal:
    *kind = FOREST_UNIVERSAL;
    return true;
  case dJointTypeHinge:
    *kind = FOREST_HINGE;
    return true;
  default:
    return error_set(error, "the reduced solver supports ball, universal and hinge joints only (ODE's joint type %d)",
                     (int)dJointGetType(joint));
  }
}

// Attaches the body to the other one of the joint (NULL: the world).
static bool hang_by(ForestBody *body, dJointID joint, dBodyID parent, Error *error) {
  if (!joint_kind(joint, &body->joint, error))
    return false;
  bool is_first = dJointGetBody(joint, 0) == body->ode;
  dVector3 on_first, on_second, axis_first = {0}, axis_second = {0};
  get_anchors(joint, body->joint, on_first, on_second);
  point_to_local(body->ode, is_first ? on_first : on_second, body->anchor_l);
  point_to_local(parent, is_first ? on_second : on_first, body->anchor_parent_l);
  if (body->joint == FOREST_BALL)
    body->ball = dJointGetData(joint);
  if (body->joint == FOREST_HINGE) {
    dJointGetHingeAxis(joint, axis_first);
    // ODE does not give the second body's axes; the present ones are taken
    memcpy(axis_second, axis_first, sizeof axis_second);
  }
  if (body->joint == FOREST_UNIVERSAL) {
    dJointGetUniversalAxis1(joint, axis_first);
    dJointGetUniversalAxis2(joint, axis_second);
  }
  axis_to_local(parent, is_first ? axis_second : axis_first, body->axis_parent_l);
  axis_to_local(body->ode, is_first ? axis_first : axis_second, body->axis_l);
  body->dofs = body->joint == FOREST_BALL ? 3 : body->joint == FOREST_UNIVERSAL ? 2 : 1;
  return true;
}

static ForestBody *append(Forest *forest, dBodyID ode, int parent) {
  ForestBody *body = &forest->bodies[forest->body_count];
  *body = (ForestBody){.ode = ode,
                       .parent = parent,
                       .dofs = 6,
                       .rotation = dBodyGetRotation(ode),
                       .position = dBodyGetPosition(ode),
                       .quaternion = dBodyGetQuaternion(ode),
                       .velocity = dBodyGetLinearVel(ode),
                       .spin_rate = dBodyGetAngularVel(ode),
                       .force = dBodyGetForce(ode),
                       .torque = dBodyGetTorque(ode)};
  body->root = parent < 0 ? forest->body_count : forest->bodies[parent].root;
  body->damped =
      dBodyGetLinearDamping(ode) > 0 || dBodyGetAngularDamping(ode) > 0 || isfinite(dBodyGetMaxAngularSpeed(ode));
  forest->body_count++;
  return body;
}

// Adds all bodies attached to those from `first` on, breadth first.
static bool grow_tree(Forest *forest, int first, Error *error) {
  for (int i = first; i < forest->body_count; i++) {
    dBodyID ode = forest->bodies[i].ode;
    int closing = 0; // number of joints to bodies that are in the tree already; only the parent may be
    for (int k = 0; k < dBodyGetNumJoints(ode); k++) {
      dJointID joint = dBodyGetJoint(ode, k);
      dBodyID other = other_body(joint, ode);
      if (!holds(joint) || !other)
        continue;
      if (dBodyIsKinematic(other))
        return error_set(error, "the reduced solver does not support joints to kinematic bodies");
      int known = forest_index(forest, other);
      closing += known >= 0 && known < i;
      if (known >= 0)
        continue;
      if (!hang_by(append(forest, other, i), joint, ode, error))
        return false;
    }
    int to_world;
    world_joint(ode, &to_world);
    if (closing + to_world > 1 || (to_world && i != first))
      return error_set(error, "the reduced solver does not support loops of joints");
  }
  for (int i = first; i < forest->body_count; i++)
    if (forest->bodies[i].damped && forest->body_count - first > 1)
      return error_set(error, "the reduced solver supports damping of single bodies only");
  return true;
}

// The body of this connected set that is attached to the world; the given body if there is none.
static dBodyID find_root(Forest *forest, dBodyID start) {
  int first = forest->body_count, count;
  dBodyID root = start;
  append(forest, start, -1);
  for (int i = first; i < forest->body_count; i++) {
    dBodyID ode = forest->bodies[i].ode;
    if (world_joint(ode, &count))
      root = ode;
    for (int k = 0; k < dBodyGetNumJoints(ode); k++) {
      dJointID joint = dBodyGetJoint(ode, k);
      dBodyID other = other_body(joint, ode);
      if (holds(joint) && other && forest_index(forest, other) < 0)
        append(forest, other, -1);
    }
  }
  forest->body_count = first;
  return root;
}

static bool add_tree(Forest *forest, dBodyID start, Error *error) {
  int first = forest->body_count, count;
  dBodyID root = find_root(forest, start);
  dJointID joint = world_joint(root, &count);
  ForestBody *body = append(forest, root, -1);
  return (!joint || hang_by(body, joint, NULL, error)) && grow_tree(forest, first, error);
}

static bool number_dofs(Forest *forest, Error *error) {
  int dofs = 0, path = 0;
  for (int i = 0; i < forest->body_count; i++) {
    ForestBody *body = &forest->bodies[i];
    body->first = dofs;
    dofs += body->dofs;
    body->depth = body->dofs + (body->parent < 0 ? 0 : forest->bodies[body->parent].depth);
    path += body->depth;
  }
  forest->dof_count = dofs;
  if (!reserve(&forest->dofs, &forest->dof_capacity, dofs, sizeof *forest->dofs) ||
      !reserve(&forest->paths, &forest->path_capacity, path, sizeof *forest->paths) ||
      !reserve(&forest->inertia, &forest->inertia_capacity, forest->body_count, sizeof *forest->inertia) ||
      !reserve(&forest->past_bias, &forest->past_capacity, forest->body_count, sizeof *forest->past_bias))
    return error_set(error, "out of memory for the reduced solver");
  int *next = forest->paths;
  for (int i = 0; i < forest->body_count; i++) {
    ForestBody *body = &forest->bodies[i];
    int above = body->depth - body->dofs;
    if (above > 0)
      memcpy(next, forest->bodies[body->parent].path, (size_t)above * sizeof *next);
    for (int k = 0; k < body->dofs; k++)
      next[above + k] = body->first + k;
    body->path = next;
    next += body->depth;
  }
  return true;
}

bool forest_build(Forest *forest, const dBodyID bodies[], int count, Error *error) {
  if (!reserve(&forest->bodies, &forest->body_capacity, count, sizeof *forest->bodies) ||
      !reserve(&forest->of_outer, &forest->outer_capacity, count, sizeof *forest->of_outer))
    return error_set(error, "out of memory for the reduced solver");
  forest->body_count = 0;
  forest->outer_count = count;
  for (int i = 0; i < count; i++)
    if (!dBodyIsKinematic(bodies[i]) && forest_index(forest, bodies[i]) < 0 && !add_tree(forest, bodies[i], error))
      return false;
  for (int i = 0; i < count; i++)
    forest->of_outer[i] = dBodyIsKinematic(bodies[i]) ? -1 : forest_index(forest, bodies[i]);
  return number_dofs(forest, error);
}
