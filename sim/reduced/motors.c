// Finds motors and stops at the joints, reads their axes in each step, and decides which are part of the matrix and
// which are rows.
#include "sim/reduced/motors.h"

#include <math.h>

#include "sim/base/reserve.h"
#include "sim/reduced/spatial.h"

void motors_free(Motors *motors) {
  free(motors->motors);
  *motors = (Motors){0};
}

// ---- Building ----

static void get_axis(const Motor *motor, int number, double axis_w[3]) {
  dVector3 axis;
  if (motor->hinge)
    dJointGetHingeAxis(motor->joint, axis);
  else if (motor->linear)
    dJointGetLMotorAxis(motor->joint, number, axis);
  else
    dJointGetAMotorAxis(motor->joint, number, axis);
  memcpy(axis_w, axis, 3 * sizeof *axis_w);
}

static double get_param(const Motor *motor, int param) {
  if (motor->hinge)
    return dJointGetHingeParam(motor->joint, param);
  return motor->linear ? dJointGetLMotorParam(motor->joint, param) : dJointGetAMotorParam(motor->joint, param);
}

// Whether an axis of a motor is a dof of its body, and remains so as both bodies rotate.
static bool is_dof(const Motor *motor, const Forest *forest, int number, int dof) {
  const ForestBody *body = &forest->bodies[motor->body];
  double axis[3];
  get_axis(motor, number, axis);
  const double *along = motor->linear ? forest->dofs[dof].motion + 3 : forest->dofs[dof].motion;
  if (dot3(axis, along) < 1 - 1e-9)
    return false;
  if (motor->linear) // ODE does not give the frame in which such an axis is fixed, so this is checked in every step
    return true;
  enum { IN_WORLD, IN_CHILD, IN_PARENT };
  int fixed_in = dJointGetAMotorAxisRel(motor->joint, number);
  if (body->joint == FOREST_FREE)
    return fixed_in == IN_WORLD;
  if (body->joint == FOREST_HINGE)
    return fixed_in != IN_WORLD;
  bool of_child = body->joint == FOREST_UNIVERSAL && dof == body->first + 1;
  return fixed_in == (int)(of_child ? IN_CHILD : IN_PARENT);
}

static void find_stops(Motor *motor) {
  motor->stops = false;
  for (int k = 0; k < motor->axis_count; k++) {
    double low = get_param(motor, dParamLoStop + dParamGroup * k),
           high = get_param(motor, dParamHiStop + dParamGroup * k);
    motor->stops |= low > -dInfinity || high < dInfinity;
    motor->axes[k].around_zero = low < 0 && high > 0;
  }
  for (int k = 0; k < motor->axis_count; k++)
    motor->stops &= !(get_param(motor, dParamFMax + dParamGroup * k) > 0);
}

static bool has_stops(const Motor *motor) {
  for (int k = 0; k < motor->axis_count; k++)
    if (get_param(motor, dParamLoStop + dParamGroup * k) > -dInfinity ||
        get_param(motor, dParamHiStop + dParamGroup * k) < dInfinity)
      return true;
  return false;
}

// The index of the first dof if the axes of a motor are consecutive dofs (of a joint, or a free root's linear or
// angular ones); otherwise -1.
static int dofs_of_axes(const Motor *motor, const Forest *forest) {
  const ForestBody *body = &forest->bodies[motor->body];
  bool is_free = body->joint == FOREST_FREE;
  if (body->parent != motor->other || (is_free ? motor->axis_count > 3 : motor->axis_count != body->dofs) ||
      (motor->linear && !is_free) || has_stops(motor))
    return -1;
  int first = body->first + (is_free && !motor->linear ? 3 : 0);
  for (int i = 0; i < motor->axis_count; i++)
    if (!is_dof(motor, forest, i, first + i))
      return -1;
  return first;
}

// Half a hinge's angle as ODE has it, if that is 0 when both bodies are turned alike: its tangent is `sine` over
// `cosine`, which is not negative.
static void halve_hinge(const Motor *motor, const Forest *forest, double *sine, double *cosine) {
  const ForestBody *body = &forest->bodies[motor->body];
  dQuaternion turn;
  memcpy(turn, body->now_q, sizeof turn);
  if (motor->other >= 0)
    quad_quaternion_within(forest->bodies[motor->other].now_q, body->now_q, turn);
  const bool is_positive = (dot3(turn + 1, motor->hinge_axis) >= 0) == (turn[0] >= 0);
  *sine = is_positive ? length3(turn + 1) : -length3(turn + 1);
  *cosine = fabs(turn[0]);
}

// Finds the angles of a hinge that are clear of its stops. Its angle, which takes ODE long, is asked for at others
// only.
static void find_clear(Motor *motor, const Forest *forest) {
  const double margin = 1e-3; // rad: more than rounding
  const double low = max_d(get_param(motor, dParamLoStop), -M_PI), high = min_d(get_param(motor, dParamHiStop), M_PI);
  double axis[3], sine, cosine;
  motor->clear[0] = motor->clear[1] = 0;
  get_axis(motor, 0, axis);
  rotate_back3(forest->bodies[motor->body].rotation, axis, motor->hinge_axis);
  halve_hinge(motor, forest, &sine, &cosine);
  if (high - low < 2 * margin || fabs(2 * atan2(sine, cosine) - dJointGetHingeAngle(motor->joint)) > 1e-9)
    return;
  motor->clear[0] = tan((low + margin) / 2);
  motor->clear[1] = tan((high - margin) / 2);
}

static bool is_clear(const Motor *motor, const Forest *forest) {
  double sine, cosine;
  halve_hinge(motor, forest, &sine, &cosine);
  return motor->clear[0] * cosine < sine && sine < motor->clear[1] * cosine;
}

// Where its axes are dofs, they point where these do in every step.
static void aim_at_dofs(Motor *motor, const Forest *forest) {
  for (int k = 0; motor->first_dof >= 0 && k < motor->axis_count; k++)
    motor->axes[k].axis_w = &forest->dofs[motor->first_dof + k].motion[motor->linear ? 3 : 0];
}

static bool describe(Motor *motor, const Forest *forest, dJointID joint, Error *error) {
  dJointType type = dJointGetType(joint);
  *motor = (Motor){.joint = joint, .feedback = dJointGetFeedback(joint), .first_dof = -1, .may_have_rows = true};
  motor->body = forest_index(forest, dJointGetBody(joint, 0));
  motor->other = forest_index(forest, dJointGetBody(joint, 1));
  motor->linear = type == dJointTypeLMotor;
  motor->hinge = type == dJointTypeHinge;
  motor->order = motor->linear || motor->hinge ? NULL : dJointGetData(joint);
  motor->axis_count = motor->hinge ? 1 : motor->linear ? dJointGetLMotorNumAxes(joint) : dJointGetAMotorNumAxes(joint);
  find_stops(motor);
  if (motor->hinge) {
    find_clear(motor, forest);
    return true;
  }
  if (!motor->linear && dJointGetAMotorMode(joint) != dAMotorUser)
    return error_set(error, "the reduced solver supports angular motors with the user's axes only");
  dBodyID second = dJointGetBody(joint, 1);
  if (motor->body < 0 || (second && motor->other < 0))
    return error_set(error, "the reduced solver does not support motors on kinematic bodies");
  motor->first_dof = dofs_of_axes(motor, forest);
  aim_at_dofs(motor, forest);
  return true;
}

static bool wanted(const Forest *forest, dJointID joint, dBodyID at) {
  dJointType type = dJointGetType(joint);
  bool is_motor = type == dJointTypeAMotor || type == dJointTypeLMotor;
  bool has_stops = type == dJointTypeHinge && forest_index(forest, dJointGetBody(joint, 0)) >= 0;
  return dJointIsEnabled(joint) && dJointGetBody(joint, 0) == at && (is_motor || has_stops);
}

bool motors_build(Motors *motors, const Forest *forest, Error *error) {
  motors->count = 0;
  for (int i = 0; i < forest->body_count; i++) {
    dBodyID body = forest->bodies[i].ode;
    for (int k = 0; k < dBodyGetNumJoints(body); k++) {
      dJointID joint = dBodyGetJoint(body, k);
      if (!wanted(forest, joint, body))
        continue;
      if (!reserve(&motors->motors, &motors->capacity, motors->count + 1, sizeof *motors->motors))
        return error_set(error, "out of memory for the reduced solver");
      if (!describe(&motors->motors[motors->count++], forest, joint, error))
        return false;
    }
  }
  return true;
}

// ---- A step ----

static void read_order(const MotorOrder *order, int number, MotorAxis *axis) {
  axis->limit = order->limit[number];
  axis->speed = order->speed[number];
  axis->compliance = order->compliance[number];
}

static void read_params(const Motor *motor, int number, MotorAxis *axis) {
  int group = dParamGroup * number;
  axis->limit = get_param(motor, dParamFMax + group);
  if (!(axis->limit > 0))
    return;
  axis->speed = get_param(motor, dParamVel + group);
  axis->compliance = get_param(motor, dParamCFM + group);
}

// Speed, compliance and limit of all axes. Returns whether any may give a force.
static bool read_axes(Motor *motor) {
  const MotorOrder *order = motor->order;
  const int count = motor->axis_count;
  bool any = false;
  for (int k = 0; k < count; k++) {
    MotorAxis *axis = &motor->axes[k];
    axis->row = -1;
    axis->in_matrix = false;
    if (order)
      read_order(order, k, axis);
    else
      read_params(motor, k, axis);
    any |= axis->limit > 0;
  }
  return any;
}

void motors_read(Motors *motors, const Forest *forest) {
  for (int i = 0; i < motors->count; i++) {
    Motor *motor = &motors->motors[i];
    if (motor->stops || !read_axes(motor))
      continue;
    if (motor->linear && motor->first_dof >= 0)
      motor->first_dof = dofs_of_axes(motor, forest);
    for (int k = 0; motor->first_dof < 0 && k < motor->axis_count; k++) {
      motor->axes[k].axis_w = motor->axes[k].own_axis_w;
      get_axis(motor, k, motor->axes[k].own_axis_w);
    }
  }
}

// Adds the contribution of a motor whose axes are dofs: `stiffness` and `drive` of these.
static void drive_dofs(Motor *motor, double h, double *stiffness, double *drive) {
  for (int k = 0; k < motor->axis_count; k++) {
    MotorAxis *axis = &motor->axes[k];
    axis->in_matrix = axis->limit > 0 && axis->compliance > 0 && !axis->saturated;
    if (!axis->in_matrix) {
      motor->may_have_rows |= axis->limit > 0;
      continue;
    }
    const double share = h / axis->compliance;
    stiffness[k] += share;
    drive[k] += share * axis->speed;
  }
}

void motors_drive(Motors *motors, int dofs, double h, double *stiffness, double *drive) {
  memset(stiffness, 0, (size_t)dofs * sizeof *stiffness);
  memset(drive, 0, (size_t)dofs * sizeof *drive);
  for (int i = 0; i < motors->count; i++) {
    Motor *motor = &motors->motors[i];
    const int first = motor->first_dof;
    motor->may_have_rows = first < 0;
    if (first >= 0)
      drive_dofs(motor, h, &stiffness[first], &drive[first]);
  }
}

// Adds a row for the motion of `body` relative to `other` about or along an axis; bounds and target are set later.
static Row *add_axis_row(Rows *rows, const Forest *forest, const Motor *motor, const double axis_w[3]) {
  int row = rows_add(rows, forest, motor->body, motor->other, 1);
  if (row < 0)
    return NULL;
  const double *center = forest->bodies[motor->body].center;
  if (motor->linear)
    rows_move(rows, row, center, motor->other < 0 ? center : forest->bodies[motor->other].center, axis_w);
  else
    rows_turn(rows, row, axis_w);
  return &rows->rows[row];
}

static void add_motor_row(Rows *rows, const Forest *forest, const Motor *motor, MotorAxis *axis, double h) {
  Row *row = add_axis_row(rows, forest, motor, axis->axis_w);
  if (!row)
    return;
  row->target = axis->speed;
  if (motor->linear) // rates are means over the step, in which the centre's direction changes
    row->target -= h / 2 * dot3(forest->bodies[motor->body].bias_acceleration, axis->axis_w);
  row->softness = axis->compliance / h;
  row->high = h * axis->limit;
  row->low = -row->high;
  row->state = row->smooth_state = axis->saturated ? axis->state : ROW_FREE;
  axis->row = rows->count - 1;
}

// A stop that has been reached turns the joint back, one-sided and soft, as ODE's stops do.
static void add_stop(Rows *rows, const Forest *forest, const Motor *motor, int number, double h) {
  if (motor->linear || (motor->hinge && is_clear(motor, forest)))
    return;
  double angle = motor->hinge ? dJointGetHingeAngle(motor->joint) : dJointGetAMotorAngle(motor->joint, number);
  if (angle == 0 && motor->stops && motor->axes[number].around_zero)
    return;
  int group = dParamGroup * number;
  double low = get_param(motor, dParamLoStop + group), high = get_param(motor, dParamHiStop + group);
  if (low == -dInfinity && high == dInfinity)
    return;
  bool is_low = angle <= low;
  if (low > high || !(is_low || angle >= high))
    return;
  double axis_w[3];
  get_axis(motor, number, axis_w);
  Row *row = add_axis_row(rows, forest, motor, axis_w);
  if (!row)
    return;
  row->target = -get_param(motor, dParamStopERP + group) / h * (angle - (is_low ? low : high));
  row->softness = get_param(motor, dParamStopCFM + group) / h;
  row->low = is_low && low != high ? 0 : -dInfinity;
  row->high = is_low || low == high ? dInfinity : 0;
}

void motors_add_rows(Motors *motors, Rows *rows, const Forest *forest, double h) {
  for (int i = 0; i < motors->count; i++) {
    Motor *motor = &motors->motors[i];
    if (!motor->may_have_rows || (motor->stops && motor->order && motor->order->stops_are_far))
      continue;
    const bool may_stop = motor->first_dof < 0;
    const int count = motor->axis_count;
    for (int k = 0; k < count; k++) {
      MotorAxis *axis = &motor->axes[k];
      if (may_stop)
        add_stop(rows, forest, motor, k, h);
      if (!axis->in_matrix && axis->limit > 0)
        add_motor_row(rows, forest, motor, axis, h);
    }
  }
}

// Marks motors whose torque would exceed their limit times a factor. Returns their number.
static int mark_saturated(Motors *motors, const double *u, double factor) {
  int count = 0;
  for (int i = 0; i < motors->count; i++) {
    Motor *motor = &motors->motors[i];
    const int first = motor->first_dof, axis_count = first < 0 ? 0 : motor->axis_count;
    for (int k = 0; k < axis_count; k++) {
      MotorAxis *axis = &motor->axes[k];
      if (!axis->in_matrix)
        continue;
      const double force = axis->force = (axis->speed - u[first + k]) / axis->compliance;
      if (fabs(force) <= factor * axis->limit || axis->limit == dInfinity)
        continue;
      axis->saturated = true;
      axis->in_matrix = false;
      axis->state = force > axis->limit ? ROW_HIGH : force < -axis->limit ? ROW_LOW : ROW_FREE;
      count++;
    }
  }
  return count;
}

int motors_find_saturated(Motors *motors, const double *u, bool all) {
  int count = mark_saturated(motors, u, 1);
  return count > 0 && all ? count + mark_saturated(motors, u, -1) : count;
}

void motors_tell(Motors *motors, const Rows *rows, double h) {
  for (int i = 0; i < motors->count; i++) {
    Motor *motor = &motors->motors[i];
    if (motor->stops)
      continue;
    double sum[3] = {0};
    for (int k = 0; k < motor->axis_count; k++) {
      MotorAxis *axis = &motor->axes[k];
      const Row *row = axis->row >= 0 ? &rows->rows[axis->row] : NULL;
      double force = 0;
      if (row)
        force = row->impulse / h;
      else if (axis->in_matrix)
        force = axis->force;
      axis->saturated = row && motor->first_dof >= 0 && row->state != ROW_FREE;
      axis->state = row ? row->state : ROW_FREE;
      if (force != 0)
        add_scaled3(sum, force, axis->axis_w);
    }
    if (motor->hinge || !motor->feedback)
      continue;
    double *told[2] = {motor->linear ? motor->feedback->f1 : motor->feedback->t1,
                       motor->linear ? motor->feedback->f2 : motor->feedback->t2};
    for (int k = 0; k < 3; k++) {
      told[0][k] = sum[k];
      told[1][k] = motor->other >= 0 ? -sum[k] : 0;
    }
  }
}
