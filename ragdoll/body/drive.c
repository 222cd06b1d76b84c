// Sets the motors of all joints for a step: a goal's rotation, velocity and feed-forward torque become the speed and
// the compliance of a soft motor.
#include "ragdoll/body/drive.h"

#include <math.h>

#include "ragdoll/body/soft_motor.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

PARAM_TABLE(drive_params, DriveDef, DRIVE_PARAMS, "drive", "Factors on the drives of a body's joints.")

void drive_init(Drive *drive, const DriveDef *def) {
  *drive = (Drive){.def = *def};
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    drive->strength[i] = 1;
}

// A vector along the axes of a joint's motor; vector and axes in the parent's frame. second: the other axis of a
// universal joint, which turns with the child.
static vec3s along_axes(const JointDef *def, vec3s second, vec3s v) {
  if (def->kind == JOINT_HINGE)
    return (vec3s){{v.raw[def->twist_axis]}};
  if (def->kind == JOINT_UNIVERSAL)
    return (vec3s){{def->twist_axis == 0 ? v.y : v.x, glms_vec3_dot(v, second)}};
  return v;
}

static vec3s second_axis(const JointDef *def, versors relative) {
  if (def->kind != JOINT_UNIVERSAL)
    return GLMS_VEC3_ZERO;
  vec3s axis = GLMS_VEC3_ZERO;
  axis.raw[def->twist_axis == 2 ? 1 : 2] = 1;
  return glms_quat_rotatev(relative, axis);
}

static bool goal_is_finite(const JointGoal *goal, vec3s error) {
  vec3s velocity = goal->angular_velocity_l, forward = goal->feed_forward_l;
  return isfinite(error.x + error.y + error.z + velocity.x + velocity.y + velocity.z + forward.x + forward.y +
                  forward.z);
}

// limits: N m, of all axes.
static void order_motor(RagdollJoint *joint, const SoftAxis axes[], const double limits[]) {
  for (int i = 0; i < joint->axis_count; i++) {
    joint->order.speed[i] = axes[i].speed;
    joint->order.compliance[i] = axes[i].cfm;
    joint->order.limit[i] = limits[i];
  }
}

// The same for the solvers of ODE.
static void set_motor(RagdollJoint *joint, const SoftAxis axes[], const double limits[]) {
  for (int i = 0; i < joint->axis_count; i++) {
    int group = dParamGroup * i;
    dJointSetAMotorParam(joint->motor, dParamVel + group, axes[i].speed);
    if (axes[i].cfm != joint->motor_cfm[i]) // usually it has not changed
      dJointSetAMotorParam(joint->motor, dParamCFM + group, axes[i].cfm);
    joint->motor_cfm[i] = axes[i].cfm;
    dJointSetAMotorParam(joint->motor, dParamFMax + group, limits[i]);
  }
}

// The torque of a joint's motor in the last step, of h seconds, in its parent's frame: with the parent it has turned.
static vec3s given_torque(const RagdollJoint *joint, dBodyID parent, double h) {
  vec3s turn = glms_vec3_scale(vec3_from_ode(dBodyGetAngularVel(parent)), (float)h);
  vec3s torque_w = glms_quat_rotatev(quat_exp(turn), vec3_from_ode(joint->torque_w));
  return glms_quat_rotatev(glms_quat_conjugate(quat_from_ode(dBodyGetQuaternion(parent))), torque_w);
}

// What a drive asks of a joint, along its axes.
typedef struct Asked {
  double kp, kd, limit;                          // N m/rad, N m s/rad, N m
  vec3s error, goal_velocity, velocity, forward; // rad, rad/s, rad/s, N m
  vec3s second;                                  // see second_axis
} Asked;

static Asked ask(const Drive *drive, const Ragdoll *ragdoll, int index, const JointGoal *goal) {
  const PartDef *part = &ragdoll->def->parts[index];
  dBodyID child = ragdoll->ode[index], parent = ragdoll->ode[part->parent];
  dQuaternion q;
  quaternion_within(dBodyGetQuaternion(parent), dBodyGetQuaternion(child), q);
  versors relative = quat_from_ode(q);

  vec3s error = quat_log(glms_quat_mul(goal->rotation, glms_quat_conjugate(relative)));
  vec3s goal_velocity = goal->angular_velocity_l, forward = goal->feed_forward_l;
  const dReal *w_child = dBodyGetAngularVel(child), *w_parent = dBodyGetAngularVel(parent);
  dVector3 w_l;
  dBodyVectorFromWorld(parent, w_child[0] - w_parent[0], w_child[1] - w_parent[1], w_child[2] - w_parent[2], w_l);
  vec3s velocity = vec3_from_ode(w_l);
  if (!goal_is_finite(goal, error)) {
    ragdoll->world->warnings.drives_refused++;
    error = goal_velocity = forward = GLMS_VEC3_ZERO;
  }

  double weight = drive->def.enabled ? (double)drive->strength[index] : 0;
  const vec3s second = second_axis(&part->joint, relative);
  return (Asked){.kp = goal->stiffness * drive->def.stiffness * weight,
                 .kd = goal->damping * drive->def.damping * weight,
                 .limit = part->joint.strength * drive->def.strength * weight,
                 .error = along_axes(&part->joint, second, error),
                 .goal_velocity = along_axes(&part->joint, second, goal_velocity),
                 .velocity = along_axes(&part->joint, second, velocity),
                 .forward = along_axes(&part->joint, second, forward),
                 .second = second};
}

static double asked_torque(const Asked *asked, int axis) {
  return asked->kp * (double)asked->error.raw[axis] + (double)asked->forward.raw[axis] +
         asked->kd * (double)(asked->goal_velocity.raw[axis] - asked->velocity.raw[axis]);
}

// What a joint's muscles give less than what is asked of them, N m by axis.
static void lag_behind(Drive *drive, const Ragdoll *ragdoll, int index, const Asked *asked, double h, double lack[]) {
  const MuscleLag lag = {drive->def.muscle_rise, drive->def.muscle_fall, drive->def.muscle_rate};
  const PartDef *part = &ragdoll->def->parts[index];
  const RagdollJoint *joint = &ragdoll->joints[index];
  vec3s given = along_axes(&part->joint, asked->second, given_torque(joint, ragdoll->ode[part->parent], h));
  for (int i = 0; i < joint->axis_count; i++) {
    Muscle *muscle = &drive->muscles[index][i];
    double torque = asked_torque(asked, i);
    muscle_gave(muscle, (double)given.raw[i]);
    lack[i] = torque - muscle_step(muscle, &lag, torque, asked->limit, h);
  }
}

static bool has_muscles(const Drive *drive) {
  const DriveDef *def = &drive->def;
  return def->muscle_rise > 0 || def->muscle_fall > 0 || def->muscle_rate > 0;
}

static void drive_joint(Drive *drive, Ragdoll *ragdoll, int index, const JointGoal *goal, double h) {
  RagdollJoint *joint = &ragdoll->joints[index];
  const Asked asked = ask(drive, ragdoll, index, goal);
  SoftAxis motor[3];
  double limits[3], lack[3] = {0};
  if (has_muscles(drive))
    lag_behind(drive, ragdoll, index, &asked, h, lack);
  for (int i = 0; i < joint->axis_count; i++)
    motor[i] = soft_axis(asked.kp, asked.kd, (double)asked.error.raw[i], (double)asked.goal_velocity.raw[i],
                         (double)asked.velocity.raw[i], (double)asked.forward.raw[i] - lack[i], h);
  soft_share_limit(motor, joint->axis_count, asked.kp + asked.kd > 0 ? asked.limit : 0, limits);
  if (ragdoll->world->def.solver == SOLVER_REDUCED)
    order_motor(joint, motor, limits);
  else
    set_motor(joint, motor, limits);
}

void drive_follow(const BodyDef *body, const Pose *target, const Pose *previous, double h, JointGoal goals[]) {
  for (int i = 1; i < body->part_count; i++) {
    const JointDef *joint = &body->parts[i].joint;
    vec3s turn = quat_log(glms_quat_mul(target->rotation[i], glms_quat_conjugate(previous->rotation[i])));
    goals[i] = (JointGoal){.rotation = target->rotation[i],
                           .angular_velocity_l = glms_vec3_scale(turn, (float)(1 / h)),
                           .stiffness = joint->stiffness,
                           .damping = joint->damping};
  }
}

void drive_apply(Drive *drive, Ragdoll *ragdoll, const JointGoal goals[], double h) {
  for (int i = 1; i < ragdoll->def->part_count; i++)
    drive_joint(drive, ragdoll, i, &goals[i], h);
}

void drive_state(Drive *drive, const BodyDef *body, StateStream *stream) {
  state_bytes(stream, drive->strength, (size_t)body->part_count * sizeof *drive->strength);
  bool lag = has_muscles(drive);
  STATE(stream, lag);
  for (int i = 1; lag && i < body->part_count; i++)
    for (int axis = 0; axis < 3; axis++) {
      Muscle *muscle = &drive->muscles[i][axis];
      state_finite(stream, muscle->pull, 2);
      state_int(stream, &muscle->asked, 0, 1);
    }
}
