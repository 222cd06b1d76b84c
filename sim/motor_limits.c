#include "sim/motor_limits.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_AXES = 3,  // of an ODE motor
  FREE_TRIES = 2 // with limits that were exceeded put back, before all of them are
};

// A motor whose load was above this share of its limit keeps the limit in the next step.
static const double LOADED = 0.7;

typedef struct Motor {
  dJointID joint;
  bool linear, freed;
  int axis_count;
  double limit[MAX_AXES]; // N or N m
  dVector3 axis[MAX_AXES];
} Motor;

typedef struct BodyState {
  dReal position[3], rotation[4], velocity[3], spin[3], force[3], torque[3];
} BodyState;

struct MotorLimits {
  Motor *motors;
  BodyState *states;
  int motor_count, motor_room, state_room;
  long repeats;
};

MotorLimits *motor_limits_create(void) { return calloc(1, sizeof(MotorLimits)); }

void motor_limits_free(MotorLimits *limits) {
  if (limits == NULL)
    return;
  free(limits->motors);
  free(limits->states);
  free(limits);
}

long motor_limits_repeats(const MotorLimits *limits) { return limits->repeats; }

// Motors.

static void set_limit(const Motor *motor, int axis, double limit) {
  int parameter = dParamFMax + dParamGroup * axis;
  if (motor->linear)
    dJointSetLMotorParam(motor->joint, parameter, limit);
  else
    dJointSetAMotorParam(motor->joint, parameter, limit);
}

// What its feedback says of an axis: the force or torque in the last step.
static double load(const Motor *motor, int axis) {
  const dJointFeedback *feedback = dJointGetFeedback(motor->joint);
  const dReal *sum = motor->linear ? feedback->f1 : feedback->t1; // on the body there is, whichever the joint has
  return fabs(dCalcVectorDot3(sum, motor->axis[axis]));
}

static bool exceeds(const Motor *motor, double share) {
  for (int i = 0; i < motor->axis_count; i++)
    if (load(motor, i) > share * motor->limit[i])
      return true;
  return false;
}

// Reads a joint. False when it is no motor that can be freed.
static bool read_motor(dJointID joint, Motor *motor) {
  dJointType type = dJointGetType(joint);
  *motor = (Motor){.joint = joint, .linear = type == dJointTypeLMotor};
  if ((type != dJointTypeLMotor && type != dJointTypeAMotor) || !dJointIsEnabled(joint) || !dJointGetFeedback(joint) ||
      (type == dJointTypeAMotor && dJointGetAMotorMode(joint) != dAMotorUser))
    return false;
  motor->axis_count = motor->linear ? dJointGetLMotorNumAxes(joint) : dJointGetAMotorNumAxes(joint);
  bool limited = motor->axis_count > 0;
  for (int i = 0; i < motor->axis_count; i++) {
    int parameter = dParamFMax + dParamGroup * i;
    motor->limit[i] = motor->linear ? dJointGetLMotorParam(joint, parameter) : dJointGetAMotorParam(joint, parameter);
    limited = limited && motor->limit[i] > 0 && motor->limit[i] < dInfinity;
    if (motor->linear)
      dJointGetLMotorAxis(joint, i, motor->axis[i]);
    else
      dJointGetAMotorAxis(joint, i, motor->axis[i]);
  }
  return limited;
}

static bool add_motor(MotorLimits *limits, const Motor *motor) {
  if (limits->motor_count == limits->motor_room) {
    int room = limits->motor_room * 2 + 32;
    Motor *motors = realloc(limits->motors, (size_t)room * sizeof *motors);
    if (motors == NULL)
      return false;
    limits->motors = motors;
    limits->motor_room = room;
  }
  limits->motors[limits->motor_count++] = *motor;
  return true;
}

// The motors of all bodies that are to be freed, each once. Without memory for more, the others keep their limits.
static void find_motors(MotorLimits *limits, const dBodyID bodies[], int body_count) {
  limits->motor_count = 0;
  for (int i = 0; i < body_count; i++) {
    int joint_count = dBodyGetNumJoints(bodies[i]);
    for (int k = 0; k < joint_count; k++) {
      dJointID joint = dBodyGetJoint(bodies[i], k);
      dBodyID first = dJointGetBody(joint, 0);
      Motor motor;
      if ((first ? first : dJointGetBody(joint, 1)) == bodies[i] && read_motor(joint, &motor) &&
          !exceeds(&motor, LOADED) && !add_motor(limits, &motor))
        return;
    }
  }
}

static void set_freed(Motor *motor, bool freed) {
  motor->freed = freed;
  for (int i = 0; i < motor->axis_count; i++)
    set_limit(motor, i, freed ? dInfinity : motor->limit[i]);
}

// Puts back the limits of freed motors that exceed them, or of all. Returns how many exceeded theirs.
static int put_back(MotorLimits *limits, bool all) {
  int exceeded = 0;
  for (int i = 0; i < limits->motor_count; i++) {
    Motor *motor = &limits->motors[i];
    bool exceeding = motor->freed && exceeds(motor, 1);
    exceeded += exceeding;
    if (motor->freed && (exceeding || all))
      set_freed(motor, false);
  }
  return exceeded;
}

// Bodies.

static bool save_bodies(MotorLimits *limits, const dBodyID bodies[], int body_count) {
  if (limits->state_room < body_count) {
    BodyState *states = realloc(limits->states, (size_t)body_count * sizeof *states);
    if (states == NULL)
      return false;
    limits->states = states;
    limits->state_room = body_count;
  }
  for (int i = 0; i < body_count; i++) {
    BodyState *state = &limits->states[i];
    memcpy(state->position, dBodyGetPosition(bodies[i]), sizeof state->position);
    memcpy(state->rotation, dBodyGetQuaternion(bodies[i]), sizeof state->rotation);
    memcpy(state->velocity, dBodyGetLinearVel(bodies[i]), sizeof state->velocity);
    memcpy(state->spin, dBodyGetAngularVel(bodies[i]), sizeof state->spin);
    memcpy(state->force, dBodyGetForce(bodies[i]), sizeof state->force);
    memcpy(state->torque, dBodyGetTorque(bodies[i]), sizeof state->torque);
  }
  return true;
}

static void put_bodies_back(const MotorLimits *limits, const dBodyID bodies[], int body_count) {
  for (int i = 0; i < body_count; i++) {
    const BodyState *state = &limits->states[i];
    dBodySetPosition(bodies[i], state->position[0], state->position[1], state->position[2]);
    dBodySetQuaternion(bodies[i], state->rotation);
    dBodySetLinearVel(bodies[i], state->velocity[0], state->velocity[1], state->velocity[2]);
    dBodySetAngularVel(bodies[i], state->spin[0], state->spin[1], state->spin[2]);
    dBodySetForce(bodies[i], state->force[0], state->force[1], state->force[2]);
    dBodySetTorque(bodies[i], state->torque[0], state->torque[1], state->torque[2]);
  }
}

void motor_limits_step(MotorLimits *limits, dWorldID ode, const dBodyID bodies[], int body_count, double dt) {
  find_motors(limits, bodies, body_count);
  if (limits->motor_count == 0 || !save_bodies(limits, bodies, body_count)) {
    dWorldStep(ode, dt);
    return;
  }
  for (int i = 0; i < limits->motor_count; i++)
    set_freed(&limits->motors[i], true);
  dWorldStep(ode, dt);
  for (int tries = 1; put_back(limits, tries == FREE_TRIES) > 0; tries++) {
    limits->repeats += tries == 1;
    put_bodies_back(limits, bodies, body_count);
    dWorldStep(ode, dt);
  }
  put_back(limits, true);
}
