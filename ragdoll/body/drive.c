// Sets the motors of all joints for a step: a goal's rotation, velocity and feed-forward torque become the speed and
// the compliance of a soft motor.
#include "ragdoll/body/drive.h"

#include <math.h>

#include "ragdoll/body/soft_motor.h"
#include "sim/base/numbers.h"
#include "sim/base/wide.h"
#include "sim/world/convert.h"

PARAM_TABLE(drive_params, DriveDef, DRIVE_PARAMS, "drive", "Factors on the drives of a body's joints.")

void drive_init(Drive *drive, const DriveDef *def) {
  *drive = (Drive){.def = *def};
  for (int i = 0; i < BODY_MAX_PARTS; i++)
    drive->strength[i] = 1;
}

// A vector along the axes of a joint's motor, 0 beyond the last one; vector and axes in the parent's frame. second: the
// other axis of a universal joint, which turns with the child.
WIDE_PART void along_axes(const JointDef *def, vec3s second, vec3s v, double along[3]) {
  along[1] = along[2] = 0;
  const vec3s own = def->turned ? joint_point_in(def, v) : v; // the call alone takes as long as the rest
  if (def->kind == JOINT_BALL) {
    vec3_to_ode(own, along);
  } else if (def->kind == JOINT_HINGE) {
    along[0] = (double)own.raw[def->twist_axis];
  } else {
    along[0] = (double)(def->twist_axis == 0 ? own.y : own.x);
    along[1] = (double)glms_vec3_dot(v, second);
  }
}

WIDE_PART vec3s second_axis(const JointDef *def, versors relative) {
  if (def->kind != JOINT_UNIVERSAL)
    return GLMS_VEC3_ZERO;
  vec3s axis = GLMS_VEC3_ZERO;
  axis.raw[def->twist_axis == 2 ? 1 : 2] = 1;
  return glms_quat_rotatev(relative, joint_point_out(def, axis));
}

WIDE_PART bool goal_is_finite(const JointGoal *goal, vec3s error) {
  vec3s velocity = goal->angular_velocity_l, forward = goal->feed_forward_l;
  return isfinite(error.x + error.y + error.z + velocity.x + velocity.y + velocity.z + forward.x + forward.y +
                  forward.z);
}

// limits: N m, of all axes.
WIDE_PART void order_motor(RagdollJoint *joint, const SoftAxis axes[], const double limits[]) {
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
  double kp, kd, limit;                                       // N m/rad, N m s/rad, N m
  bool has_axis_limits;                                       // otherwise there is none but `limit`
  double axis_limit[3];                                       // N m, of each axis; infinite: none but `limit`
  double error[3], goal_velocity[3], velocity[3], forward[3]; // rad, rad/s, rad/s, N m
  vec3s second;                                               // see second_axis
} Asked;

// The joint as it is: its rotation, its angular velocity, and the rotation vector from there to its goal.
typedef struct JointPlace {
  versors rotation;
  vec3s velocity, error;
} JointPlace;

WIDE_PART void ask(const Drive *drive, const Ragdoll *ragdoll, int index, const JointGoal *goal,
                   const JointPlace *place, Asked *asked) {
  const PartDef *part = &ragdoll->def->parts[index];
  vec3s error = place->error, goal_velocity = goal->angular_velocity_l, forward = goal->feed_forward_l;
  if (!goal_is_finite(goal, error)) {
    ragdoll->world->warnings.drives_refused++;
    error = goal_velocity = forward = GLMS_VEC3_ZERO;
  }
  double weight = drive->def.enabled ? (double)drive->strength[index] : 0;
  asked->kp = goal->stiffness * drive->def.stiffness * weight;
  asked->kd = goal->damping * drive->def.damping * weight;
  asked->limit = part->joint.strength * drive->def.strength * weight;
  const double *strength = part->joint.axis_strength;
  asked->has_axis_limits = strength[0] > 0 || strength[1] > 0 || strength[2] > 0;
  for (int i = 0; i < ragdoll->joints[index].axis_count; i++) {
    const double own = asked->has_axis_limits ? strength[motor_axis(&part->joint, i)] : 0;
    asked->axis_limit[i] = own > 0 ? own * drive->def.strength * weight : INFINITY;
  }
  asked->second = second_axis(&part->joint, place->rotation);
  along_axes(&part->joint, asked->second, error, asked->error);
  along_axes(&part->joint, asked->second, goal_velocity, asked->goal_velocity);
  along_axes(&part->joint, asked->second, place->velocity, asked->velocity);
  along_axes(&part->joint, asked->second, forward, asked->forward);
}

static double asked_torque(const Asked *asked, int axis) {
  return asked->kp * asked->error[axis] + asked->forward[axis] +
         asked->kd * (double)((float)asked->goal_velocity[axis] - (float)asked->velocity[axis]);
}

// Takes from what is asked of a joint's muscles what they do not give, N m by axis.
static void lag_behind(Drive *drive, const Ragdoll *ragdoll, int index, double h, Asked *asked) {
  const MuscleLag lag = {drive->def.muscle_rise, drive->def.muscle_fall, drive->def.muscle_rate};
  const PartDef *part = &ragdoll->def->parts[index];
  const RagdollJoint *joint = &ragdoll->joints[index];
  double given[3];
  along_axes(&part->joint, asked->second, given_torque(joint, ragdoll->ode[part->parent], h), given);
  for (int i = 0; i < joint->axis_count; i++) {
    Muscle *muscle = &drive->muscles[index][i];
    double torque = asked_torque(asked, i);
    muscle_gave(muscle, given[i]);
    asked->forward[i] -= torque - muscle_step(muscle, &lag, torque, min_d(asked->limit, asked->axis_limit[i]), h);
  }
}

bool drive_has_muscles(const DriveDef *def) {
  return def->muscle_rise > 0 || def->muscle_fall > 0 || def->muscle_rate > 0;
}

// Limits by axis. Where the norm over them is within the limit of the joint, they are all that counts.
WIDE_PART void bound_axes(const Asked *asked, int axis_count, double limits[3]) {
  double square = 0;
  if (!asked->has_axis_limits)
    return;
  for (int i = 0; i < axis_count; i++)
    square += asked->axis_limit[i] * asked->axis_limit[i];
  const bool alone = asked->kp + asked->kd > 0 && square <= asked->limit * asked->limit * (1 + 1e-9);
  for (int i = 0; i < axis_count; i++)
    limits[i] = alone ? asked->axis_limit[i] : min_d(limits[i], asked->axis_limit[i]);
}

WIDE_PART void find_motors(const Asked *asked, int axis_count, double h, SoftAxis motors[3], double limits[3]) {
  for (int i = 0; i < axis_count; i++)
    motors[i] = soft_axis(asked->kp, asked->kd, asked->error[i], asked->goal_velocity[i], asked->velocity[i],
                          asked->forward[i], h);
  soft_share_limit(motors, axis_count, asked->kp + asked->kd > 0 ? asked->limit : 0, limits);
  bound_axes(asked, axis_count, limits);
}

WIDE_PART void drive_joint(Drive *drive, Ragdoll *ragdoll, int index, const JointGoal *goal, const JointPlace *place,
                           bool has_muscles, double h) {
  RagdollJoint *joint = &ragdoll->joints[index];
  Asked asked;
  ask(drive, ragdoll, index, goal, place, &asked);
  if (has_muscles)
    lag_behind(drive, ragdoll, index, h, &asked);
  SoftAxis motors[3];
  double limits[3];
  find_motors(&asked, joint->axis_count, h, motors, limits);
  if (ragdoll->world->def.solver == SOLVER_REDUCED)
    order_motor(joint, motors, limits);
  else
    set_motor(joint, motors, limits);
}

void drive_follow(const BodyDef *body, const Pose *target, const Pose *previous, double h, JointGoal goals[]) {
  vec3s turns[BODY_MAX_PARTS];
  quats_turns(previous->rotation, target->rotation, body->part_count, turns);
  for (int i = 1; i < body->part_count; i++) {
    const JointDef *joint = &body->parts[i].joint;
    goals[i] = (JointGoal){.rotation = target->rotation[i],
                           .angular_velocity_l = glms_vec3_scale(turns[i], (float)(1 / h)),
                           .stiffness = joint->stiffness,
                           .damping = joint->damping};
  }
}

WIDE void drive_apply(Drive *drive, Ragdoll *ragdoll, const JointGoal goals[], double h) {
  const int count = ragdoll->def->part_count;
  const bool has_muscles = drive_has_muscles(&drive->def);
  versors rotation[BODY_MAX_PARTS] = {GLMS_QUAT_IDENTITY}, wanted[BODY_MAX_PARTS] = {GLMS_QUAT_IDENTITY};
  vec3s velocity[BODY_MAX_PARTS], error[BODY_MAX_PARTS];
  ragdoll_joint_rotations(ragdoll, rotation);
  ragdoll_joint_velocities(ragdoll, velocity);
  for (int i = 1; i < count; i++)
    wanted[i] = goals[i].rotation;
  quats_turns(rotation, wanted, count, error);
  for (int i = 1; i < count; i++) {
    const JointPlace place = {.rotation = rotation[i], .velocity = velocity[i], .error = error[i]};
    drive_joint(drive, ragdoll, i, &goals[i], &place, has_muscles, h);
  }
}

void drive_state(Drive *drive, const BodyDef *body, StateStream *stream) {
  state_bytes(stream, drive->strength, (size_t)body->part_count * sizeof *drive->strength);
  bool lag = drive_has_muscles(&drive->def);
  STATE(stream, lag);
  for (int i = 1; lag && i < body->part_count; i++)
    for (int axis = 0; axis < 3; axis++) {
      Muscle *muscle = &drive->muscles[i][axis];
      state_finite(stream, muscle->pull, 2);
      state_int(stream, &muscle->asked, 0, 1);
    }
}
