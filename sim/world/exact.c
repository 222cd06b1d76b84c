// Solves ODE's step without bounds that are far from being reached, checks them, and repeats with bounds the islands in
// which one was exceeded.
#include "sim/world/exact.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/reserve.h"
#include "sim/world/ode_net.h"

enum {
  MAX_AXES = 3,    // axes of an ODE motor
  ROWS = 3,        // rows of a contact: its normal, and two of friction
  FIRM_STEPS = 3,  // steps in which a contact must have been firm before it is solved without bounds
  BOUND_TRIES = 2, // attempts with exceeded bounds restored, before all bounds of the island are
  // more than for a lying character; allocated at first, so that a run does not allocate during a fall
  USUAL_CONTACTS = 64
};

static const double LOADED = 0.7;    // an axis above this share of its limit keeps the limit in the next step
static const double FIRM = 0.3;      // largest friction of a firm contact, as a share of the available friction
static const double STUCK = 0.35;    // the same for a contact without bounds; above it the bounds are restored
static const double LIFTING = 0.8;   // a contact whose normal force is below this share of that of the step before is
                                     // not firm
static const double SLIPPERY = 1e-9; // least friction of a firm contact, as a share of its normal force
static const double NEAR = 0.01;     // m, largest displacement of a contact from one step to the next

typedef struct Motor {
  dJointID joint;
  bool linear;
  int axis_count;
  bool freed[MAX_AXES];
  double limit[MAX_AXES]; // N or N m
  dVector3 axis[MAX_AXES];
} Motor;

// A contact of this step.
typedef struct Touch {
  dBodyID first, second;
  dContact contact;
  dJointFeedback *feedback; // the caller's
  bool freed;
  dJointID row[ROWS]; // if freed, along the normal and the two directions of friction; otherwise only the first is used
  dJointFeedback force[ROWS];
  bool is_new;
  double last_normal; // N, in the previous step
  int firm_steps;     // up to the previous step
} Touch;

// The data of a contact that are kept for the next step.
typedef struct Print {
  dBodyID first, second;
  double position[3], normal;
  int firm_steps;
} Print;

typedef struct BodyState {
  dReal position[3], rotation[4], velocity[3], spin[3], force[3], torque[3];
} BodyState;

struct Exact {
  Motor *motors;
  Touch *touches;
  Print *prints;
  BodyState *states;
  int motor_count, motor_room, touch_count, touch_room, print_count, print_room, state_room;
  int next_print; // index at which the next contact is probably found
  long repeats;
};

Exact *exact_create(void) {
  Exact *exact = calloc(1, sizeof(Exact));
  if (exact && (!reserve(&exact->touches, &exact->touch_room, USUAL_CONTACTS, sizeof(Touch)) ||
                !reserve(&exact->prints, &exact->print_room, USUAL_CONTACTS, sizeof(Print)))) {
    exact_destroy(exact);
    return NULL;
  }
  return exact;
}

void exact_destroy(Exact *exact) {
  if (!exact)
    return;
  free(exact->motors);
  free(exact->touches);
  free(exact->prints);
  free(exact->states);
  free(exact);
}

long exact_repeats(const Exact *exact) { return exact->repeats; }

// ---- Motors ----

static double get_param(const Motor *motor, int parameter) {
  return motor->linear ? dJointGetLMotorParam(motor->joint, parameter) : dJointGetAMotorParam(motor->joint, parameter);
}

static void set_limit(const Motor *motor, int axis, double limit) {
  int parameter = dParamFMax + dParamGroup * axis;
  if (motor->linear)
    dJointSetLMotorParam(motor->joint, parameter, limit);
  else
    dJointSetAMotorParam(motor->joint, parameter, limit);
}

// Load of an axis in the last step, from its feedback: a force or torque.
static double load(const Motor *motor, int axis) {
  const dJointFeedback *feedback = dJointGetFeedback(motor->joint);
  const dReal *sum = motor->linear ? feedback->f1 : feedback->t1; // on the first body of the joint, or the only one
  return fabs(dCalcVectorDot3(sum, motor->axis[axis]));
}

static dBodyID motor_body(dJointID joint) {
  dBodyID first = dJointGetBody(joint, 0);
  return first ? first : dJointGetBody(joint, 1);
}

// Reads a joint and decides which axes are freed. False when none is.
static bool read_motor(dJointID joint, Motor *motor) {
  dJointType type = dJointGetType(joint);
  *motor = (Motor){.joint = joint, .linear = type == dJointTypeLMotor};
  if ((type != dJointTypeLMotor && type != dJointTypeAMotor) || !dJointIsEnabled(joint) || !dJointGetFeedback(joint) ||
      (type == dJointTypeAMotor && dJointGetAMotorMode(joint) != dAMotorUser))
    return false;
  motor->axis_count = motor->linear ? dJointGetLMotorNumAxes(joint) : dJointGetAMotorNumAxes(joint);
  bool any = false;
  for (int i = 0; i < motor->axis_count; i++) {
    double limit = motor->limit[i] = get_param(motor, dParamFMax + dParamGroup * i);
    if (!(limit > 0 && limit < dInfinity))
      return false;
    if (motor->linear)
      dJointGetLMotorAxis(joint, i, motor->axis[i]);
    else
      dJointGetAMotorAxis(joint, i, motor->axis[i]);
    motor->freed[i] = load(motor, i) <= LOADED * limit;
    any = any || motor->freed[i];
  }
  return any;
}

// Finds the motors of all bodies whose axes are freed, each motor once. False without memory.
static bool find_motors(Exact *exact, const dBodyID bodies[], int body_count) {
  exact->motor_count = 0;
  for (int i = 0; i < body_count; i++) {
    int joint_count = dBodyGetNumJoints(bodies[i]);
    for (int k = 0; k < joint_count; k++) {
      dJointID joint = dBodyGetJoint(bodies[i], k);
      Motor motor;
      if (motor_body(joint) != bodies[i] || !read_motor(joint, &motor))
        continue;
      if (!reserve(&exact->motors, &exact->motor_room, exact->motor_count + 1, sizeof motor))
        return false;
      exact->motors[exact->motor_count++] = motor;
    }
  }
  return true;
}

static void free_axes(const Motor *motor) {
  for (int i = 0; i < motor->axis_count; i++)
    if (motor->freed[i])
      set_limit(motor, i, dInfinity);
}

static void bind_axis(Motor *motor, int axis) {
  motor->freed[axis] = false;
  set_limit(motor, axis, motor->limit[axis]);
}

static bool axis_is_wrong(const Motor *motor, int axis) {
  return motor->freed[axis] && load(motor, axis) > motor->limit[axis];
}

// ---- Islands ----

// Enables a body. ODE steps the enabled bodies with all that joints connect to them: an island.
static void wake(dBodyID body) {
  if (!body || dBodyIsEnabled(body))
    return;
  dBodyEnable(body);
  int joint_count = dBodyGetNumJoints(body);
  for (int i = 0; i < joint_count; i++) {
    dJointID joint = dBodyGetJoint(body, i);
    if (!dJointIsEnabled(joint))
      continue;
    wake(dJointGetBody(joint, 0));
    wake(dJointGetBody(joint, 1));
  }
}

// ---- Contacts ----

static double distance2(const double a[3], const double b[3]) {
  double sum = 0;
  for (int k = 0; k < 3; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

// The previous step's contact at the place of a present one. Contacts come in almost the same order in every step.
static const Print *find_print(Exact *exact, const Touch *touch) {
  for (int i = 0; i < exact->print_count; i++) {
    int index = (exact->next_print + i) % exact->print_count;
    const Print *print = &exact->prints[index];
    if (print->first != touch->first || print->second != touch->second ||
        distance2(print->position, touch->contact.geom.pos) > NEAR * NEAR)
      continue;
    exact->next_print = index + 1;
    return print;
  }
  return NULL;
}

// Whether a contact uses only features that its rows below support.
static bool is_simple(const dContact *contact) {
  static const int NEEDED = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
  static const int KNOWN = NEEDED | dContactFDir1 | dContactMotion1 | dContactMotion2;
  int mode = contact->surface.mode;
  return (mode & NEEDED) == NEEDED && (mode & ~KNOWN) == 0 && contact->surface.mu > 0 &&
         contact->surface.mu < dInfinity;
}

bool exact_add_contact(Exact *exact, dBodyID first, dBodyID second, const dContact *contact, dJointFeedback *feedback) {
  if (!reserve(&exact->touches, &exact->touch_room, exact->touch_count + 1, sizeof(Touch)))
    return false;
  Touch *touch = &exact->touches[exact->touch_count++];
  *touch = (Touch){.first = first, .second = second, .contact = *contact, .feedback = feedback};
  const Print *print = find_print(exact, touch);
  touch->is_new = !print;
  touch->last_normal = print ? print->normal : 0;
  touch->firm_steps = print && is_simple(contact) ? print->firm_steps : 0;
  return true;
}

// Normal and directions of friction, and the contact's target velocities along them, as ODE determines them.
static void contact_rows(dWorldID ode, const dContact *contact, double dt, dVector3 direction[ROWS],
                         double speed[ROWS]) {
  const dSurfaceParameters *surface = &contact->surface;
  memcpy(direction[0], contact->geom.normal, sizeof direction[0]);
  if (surface->mode & dContactFDir1) {
    memcpy(direction[1], contact->fdir1, sizeof direction[1]);
    dCalcVectorCross3(direction[2], direction[0], direction[1]);
  } else {
    dPlaneSpace(direction[0], direction[1], direction[2]);
  }
  double depth = fmax(contact->geom.depth - dWorldGetContactSurfaceLayer(ode), 0);
  speed[0] = fmin(surface->soft_erp * depth / dt, dWorldGetContactMaxCorrectingVel(ode));
  speed[1] = surface->mode & dContactMotion1 ? surface->motion1 : 0;
  speed[2] = surface->mode & dContactMotion2 ? surface->motion2 : 0;
}

// Makes a contact without bounds. ODE has no such joint, so each row of the contact is a joint that keeps the distance
// of two points, which has one row; the second point is a metre behind the first.
static void join_freed(dWorldID ode, dJointGroupID group, Touch *touch, double dt) {
  dVector3 direction[ROWS];
  double speed[ROWS];
  contact_rows(ode, &touch->contact, dt, direction, speed);
  const dReal *point = touch->contact.geom.pos;
  for (int i = 0; i < ROWS; i++) {
    const dReal *d = direction[i];
    dJointID joint = touch->row[i] = dJointCreateDBall(ode, group);
    dJointAttach(joint, touch->first, touch->second);
    dJointSetDBallAnchor1(joint, point[0], point[1], point[2]);
    dJointSetDBallAnchor2(joint, point[0] - d[0], point[1] - d[1], point[2] - d[2]);
    dJointSetDBallDistance(joint, dJointGetDBallDistance(joint) + speed[i] * dt);
    dJointSetDBallParam(joint, dParamERP, 1);
    dJointSetDBallParam(joint, dParamCFM, i == 0 ? touch->contact.surface.soft_cfm : dWorldGetCFM(ode));
    dJointSetFeedback(joint, &touch->force[i]);
  }
}

// Whether it may slide in this step: the friction of a sliding contact depends on all other contacts of the body.
static bool may_slide(const Touch *touch) {
  return touch->firm_steps == 0 && (touch->is_new || touch->last_normal > 0);
}

// Frees contacts that were firm, on bodies that are not joined to others that may slide.
static void free_touches(Exact *exact, const dBodyID bodies[], int body_count) {
  for (int i = 0; i < body_count; i++)
    dBodyDisable(bodies[i]);
  for (int i = 0; i < exact->touch_count; i++)
    if (may_slide(&exact->touches[i])) {
      wake(exact->touches[i].first);
      wake(exact->touches[i].second);
    }
  for (int i = 0; i < exact->touch_count; i++) {
    Touch *touch = &exact->touches[i];
    touch->freed = touch->firm_steps >= FIRM_STEPS && !dBodyIsEnabled(touch->first) &&
                   !(touch->second && dBodyIsEnabled(touch->second));
  }
  for (int i = 0; i < body_count; i++)
    dBodyEnable(bodies[i]);
}

static void join(dWorldID ode, dJointGroupID group, Touch *touch, double dt) {
  if (touch->freed) {
    join_freed(ode, group, touch, dt);
    return;
  }
  touch->row[0] = dJointCreateContact(ode, group, &touch->contact);
  dJointAttach(touch->row[0], touch->first, touch->second);
  dJointSetFeedback(touch->row[0], touch->feedback);
}

static void bind_touch(dWorldID ode, dJointGroupID group, Touch *touch, double dt) {
  for (int i = 0; i < ROWS; i++)
    dJointDisable(touch->row[i]); // ODE cannot remove a joint from a group
  touch->freed = false;
  join(ode, group, touch, dt);
}

// The caller's feedback is the sum over all rows.
static void sum_rows(Touch *touch) {
  dJointFeedback *sum = touch->feedback;
  *sum = touch->force[0];
  for (int i = 1; i < ROWS; i++)
    for (int k = 0; k < 3; k++) {
      sum->f1[k] += touch->force[i].f1[k];
      sum->t1[k] += touch->force[i].t1[k];
      sum->f2[k] += touch->force[i].f2[k];
      sum->t2[k] += touch->force[i].t2[k];
    }
}

static double normal_force(const Touch *touch) {
  return dCalcVectorDot3(touch->feedback->f1, touch->contact.geom.normal);
}

// The friction force, N.
static double friction_force(const Touch *touch) {
  dVector3 force;
  dAddScaledVectors3(force, touch->feedback->f1, touch->contact.geom.normal, 1, -normal_force(touch));
  return dCalcVectorLength3(force);
}

// Whether the contact pushes and its friction is below a share of the available friction.
static bool sticks(const Touch *touch, double share) {
  double normal = normal_force(touch);
  return normal > 0 && friction_force(touch) <= share * touch->contact.surface.mu * normal;
}

// Whether it is likely to stick in the next step. ODE allows no friction to a contact that would not push without
// friction.
static bool is_firm(const Touch *touch) {
  double normal = normal_force(touch);
  return sticks(touch, FIRM) && normal > LIFTING * touch->last_normal && friction_force(touch) > SLIPPERY * normal;
}

static void keep_prints(Exact *exact) {
  exact->print_count = exact->next_print = 0;
  for (int i = 0; i < exact->touch_count; i++) {
    const Touch *touch = &exact->touches[i];
    Print *print = &exact->prints[exact->print_count++];
    *print = (Print){.first = touch->first, .second = touch->second, .normal = normal_force(touch)};
    memcpy(print->position, touch->contact.geom.pos, sizeof print->position);
    print->firm_steps = is_firm(touch) ? touch->firm_steps + 1 : 0;
  }
}

// ---- Bodies ----

static bool save_bodies(Exact *exact, const dBodyID bodies[], int body_count) {
  if (!reserve(&exact->states, &exact->state_room, body_count, sizeof(BodyState)))
    return false;
  for (int i = 0; i < body_count; i++) {
    BodyState *state = &exact->states[i];
    memcpy(state->position, dBodyGetPosition(bodies[i]), sizeof state->position);
    memcpy(state->rotation, dBodyGetQuaternion(bodies[i]), sizeof state->rotation);
    memcpy(state->velocity, dBodyGetLinearVel(bodies[i]), sizeof state->velocity);
    memcpy(state->spin, dBodyGetAngularVel(bodies[i]), sizeof state->spin);
    memcpy(state->force, dBodyGetForce(bodies[i]), sizeof state->force);
    memcpy(state->torque, dBodyGetTorque(bodies[i]), sizeof state->torque);
  }
  return true;
}

static void put_back(const BodyState *state, dBodyID body) {
  dBodySetPosition(body, state->position[0], state->position[1], state->position[2]);
  dBodySetQuaternion(body, state->rotation);
  dBodySetLinearVel(body, state->velocity[0], state->velocity[1], state->velocity[2]);
  dBodySetAngularVel(body, state->spin[0], state->spin[1], state->spin[2]);
  dBodySetForce(body, state->force[0], state->force[1], state->force[2]);
  dBodySetTorque(body, state->torque[0], state->torque[1], state->torque[2]);
}

// ---- Solutions ----

static bool touch_is_wrong(const Touch *touch) { return touch->freed && !sticks(touch, STUCK); }

static int count_wrong(Exact *exact) {
  int count = 0;
  for (int i = 0; i < exact->motor_count; i++)
    for (int k = 0; k < exact->motors[i].axis_count; k++)
      count += axis_is_wrong(&exact->motors[i], k);
  for (int i = 0; i < exact->touch_count; i++) {
    if (exact->touches[i].freed)
      sum_rows(&exact->touches[i]);
    count += touch_is_wrong(&exact->touches[i]);
  }
  return count;
}

// Leaves only those islands enabled in which a bound was exceeded.
static void select_wrong(const Exact *exact, const dBodyID bodies[], int body_count) {
  for (int i = 0; i < body_count; i++)
    dBodyDisable(bodies[i]);
  for (int i = 0; i < exact->motor_count; i++)
    for (int k = 0; k < exact->motors[i].axis_count; k++)
      if (axis_is_wrong(&exact->motors[i], k))
        wake(motor_body(exact->motors[i].joint));
  for (int i = 0; i < exact->touch_count; i++)
    if (touch_is_wrong(&exact->touches[i]))
      wake(exact->touches[i].first);
}

// Restores the bounds that were exceeded, or all bounds of the islands with exceeded ones.
static void bind_wrong(Exact *exact, dWorldID ode, dJointGroupID group, double dt, bool all) {
  for (int i = 0; i < exact->motor_count; i++) {
    Motor *motor = &exact->motors[i];
    bool all_axes = all && dBodyIsEnabled(motor_body(motor->joint));
    for (int k = 0; k < motor->axis_count; k++)
      if (all_axes || axis_is_wrong(motor, k))
        bind_axis(motor, k);
  }
  for (int i = 0; i < exact->touch_count; i++) {
    Touch *touch = &exact->touches[i];
    if (touch->freed && (touch_is_wrong(touch) || (all && dBodyIsEnabled(touch->first))))
      bind_touch(ode, group, touch, dt);
  }
}

static bool repeat_wrong(Exact *exact, dWorldID ode, dJointGroupID group, const dBodyID bodies[], int body_count,
                         double dt, bool bind_all) {
  select_wrong(exact, bodies, body_count);
  bind_wrong(exact, ode, group, dt, bind_all);
  for (int i = 0; i < body_count; i++)
    if (dBodyIsEnabled(bodies[i]))
      put_back(&exact->states[i], bodies[i]);
  const bool done = ode_step(ode, dt);
  for (int i = 0; i < body_count; i++)
    dBodyEnable(bodies[i]);
  return done;
}

bool exact_step(Exact *exact, dWorldID ode, dJointGroupID contacts, const dBodyID bodies[], int body_count, double dt) {
  if (!find_motors(exact, bodies, body_count) || !save_bodies(exact, bodies, body_count) ||
      !reserve(&exact->prints, &exact->print_room, exact->touch_count, sizeof(Print)))
    return false;
  for (int i = 0; i < exact->motor_count; i++)
    free_axes(&exact->motors[i]);
  free_touches(exact, bodies, body_count);
  for (int i = 0; i < exact->touch_count; i++)
    join(ode, contacts, &exact->touches[i], dt);
  bool done = ode_step(ode, dt);
  for (int tries = 1; done && count_wrong(exact) > 0; tries++) {
    exact->repeats += tries == 1;
    done = repeat_wrong(exact, ode, contacts, bodies, body_count, dt, tries == BOUND_TRIES);
  }
  for (int i = 0; i < exact->motor_count; i++)
    for (int k = 0; k < exact->motors[i].axis_count; k++)
      bind_axis(&exact->motors[i], k);
  keep_prints(exact);
  exact->touch_count = 0;
  return done;
}

// ---- Saving and restoring ----

// Bodies are written as indices, -1 for none.
static void body_id_state(dBodyID *body, const dBodyID bodies[], int body_count, StateStream *stream) {
  int index = -1;
  for (int i = 0; stream->mode == STATE_SAVE && *body && i < body_count && index < 0; i++)
    if (bodies[i] == *body)
      index = i;
  state_int(stream, &index, -1, body_count - 1);
  if (state_restores(stream))
    *body = index < 0 ? NULL : bodies[index];
}

void exact_state(Exact *exact, const dBodyID bodies[], int body_count, StateStream *stream) {
  state_section(stream, "exact", 1);
  STATE(stream, exact->repeats);
  int count = state_count(stream, &exact->print_count, INT_MAX, sizeof(double));
  if (state_restores(stream) && !reserve(&exact->prints, &exact->print_room, count, sizeof(Print))) {
    state_fail(stream, "out of memory");
    exact->print_count = 0;
    return;
  }
  for (int i = 0; i < count; i++) {
    Print *print = &exact->prints[i];
    body_id_state(&print->first, bodies, body_count, stream);
    body_id_state(&print->second, bodies, body_count, stream);
    STATE(stream, print->position, print->normal, print->firm_steps);
  }
  if (!state_restores(stream))
    return;
  if (stream->failed)
    exact->print_count = 0;
  exact->next_print = exact->touch_count = exact->motor_count = 0;
}
