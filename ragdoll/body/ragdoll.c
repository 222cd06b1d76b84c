// Builds a body in ODE, sets its pose, and reads back poses, torques and the centre of mass.
#include "ragdoll/body/ragdoll.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/wide.h"
#include "sim/world/convert.h"

static const double STOP_ERP = 0.4, STOP_CFM = 1e-5;

// rad: within this distance of their limit the angles of limit motors are exact, and the swing's axis is aligned with
// the present swing; farther inside, ODE uses neither.
static const double LIMIT_MARGIN = 0.05; // rad

// rad/s: largest speed at which a stop turns back a joint that has exceeded it. Near a swing of 180 degrees, as of an
// arm straight up, the direction of the swing changes quickly: a joint that passes there may suddenly be 100 degrees
// beyond its range, or its twist half a turn off, and a stop that corrected a share of that in each step would fling
// the arm away.
static const double STOP_SPEED = 5; // rad/s

static const double UNIT_AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// The two axes perpendicular to the bone, lower index first: a universal joint rotates about the first one fixed in the
// parent and the second one fixed in the child.
static inline void swing_axes(const JointDef *joint, int axes[2]) {
  axes[0] = joint->twist_axis == 0 ? 1 : 0;
  axes[1] = joint->twist_axis == 2 ? 1 : 2;
}

static void add_shape(Ragdoll *ragdoll, int index, const ShapeDef *shape) {
  const PartDef *part = &ragdoll->def->parts[index];
  const double *size = shape->size;
  dGeomID geom = shape->kind == SHAPE_BOX       ? dCreateBox(ragdoll->space, size[0], size[1], size[2])
                 : shape->kind == SHAPE_CAPSULE ? dCreateCapsule(ragdoll->space, size[0], size[1])
                                                : dCreateSphere(ragdoll->space, size[0]);
  dGeomSetBody(geom, ragdoll->ode[index]);
  dGeomSetOffsetPosition(geom, shape->center_m[0] - part->com[0], shape->center_m[1] - part->com[1],
                         shape->center_m[2] - part->com[2]);
  double frame[4];
  shape_rotation(shape, frame);
  if (shape->kind == SHAPE_CAPSULE && (shape->axis != 2 || shape->turned)) { // ODE's capsules are along z
    dMatrix3 turn;
    double along[3];
    memcpy(along, UNIT_AXES[shape->axis], sizeof along);
    if (shape->turned)
      quaternion_turn(frame, along, along);
    dRFromZAxis(turn, along[0], along[1], along[2]);
    dGeomSetOffsetRotation(geom, turn);
  } else if (shape->kind == SHAPE_BOX && shape->turned) {
    dGeomSetOffsetQuaternion(geom, frame);
  }
}

static void set_part_mass(const Ragdoll *ragdoll, int index) {
  const PartDef *part = &ragdoll->def->parts[index];
  const double *inertia = part->inertia, *products = part->products, factor = ragdoll->mass_factor;
  dMass mass;
  dMassSetParameters(&mass, factor * part->mass, 0, 0, 0, factor * inertia[0], factor * inertia[1], factor * inertia[2],
                     factor * products[0], factor * products[1], factor * products[2]);
  dBodySetMass(ragdoll->ode[index], &mass);
}

static bool add_part(Ragdoll *ragdoll, int owner, int index, Error *error) {
  const PartDef *part = &ragdoll->def->parts[index];
  dBodyID body = ragdoll->ode[index] = dBodyCreate(ragdoll->world->ode);
  ragdoll->parts[index] = (RagdollPart){.position = dBodyGetPosition(body),
                                        .rotation = dBodyGetRotation(body),
                                        .quaternion = dBodyGetQuaternion(body),
                                        .velocity = dBodyGetLinearVel(body),
                                        .spin = dBodyGetAngularVel(body)};
  set_part_mass(ragdoll, index);
  dBodySetPosition(body, part->com[0], part->com[1], part->com[2]);
  for (int i = 0; i < 3; i++)
    ragdoll->com_l[index][i] = part->com[i] - part->joint.position[i];
  for (int i = 0; i < part->shape_count; i++)
    add_shape(ragdoll, index, &part->shapes[i]);
  ragdoll->body[index] = world_add_body(
      ragdoll->world,
      (WorldBody){
          .ode = body, .owner = owner, .part = index, .name = part->name, .collides = ragdoll->def->collides[index]});
  if (ragdoll->body[index] >= 0)
    return true;
  return error_set(error, "the world is full: more than %d bodies", WORLD_MAX_BODIES);
}

static dJointID create_angular_motor(const Ragdoll *ragdoll, int index, int axis_count) {
  dJointID motor = dJointCreateAMotor(ragdoll->world->ode, 0);
  dJointAttach(motor, ragdoll->ode[index], ragdoll->ode[ragdoll->def->parts[index].parent]);
  dJointSetAMotorMode(motor, dAMotorUser);
  dJointSetAMotorNumAxes(motor, axis_count);
  return motor;
}

enum { AXIS_OF_CHILD = 1, AXIS_OF_PARENT = 2 }; // ODE's `rel`: child is body 1, parent body 2

static void set_motor_axis(dJointID motor, int number, int fixed_in, const double axis_w[3]) {
  dJointSetAMotorAxis(motor, number, fixed_in, axis_w[0], axis_w[1], axis_w[2]);
}

static void create_limit_motor(Ragdoll *ragdoll, int index) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  RagdollJoint *joint = &ragdoll->joints[index];
  int axes[2];
  swing_axes(def, axes);
  joint->limit = create_angular_motor(ragdoll, index, 2);
  bool universal = def->kind == JOINT_UNIVERSAL;
  const double *ranges[2] = {universal ? def->limit[axes[0]] : (const double[]){-M_PI, M_PI},
                             universal ? def->limit[axes[1]] : def->limit[def->twist_axis]};
  double of_parent[3], of_child[3];
  joint_axis(def, axes[0], of_parent);
  joint_axis(def, universal ? axes[1] : def->twist_axis, of_child);
  set_motor_axis(joint->limit, 0, AXIS_OF_PARENT, of_parent);
  set_motor_axis(joint->limit, 1, AXIS_OF_CHILD, of_child);
  for (int i = 0; i < 2; i++) {
    int group = dParamGroup * i;
    dJointSetAMotorParam(joint->limit, dParamLoStop + group, ranges[i][0]);
    dJointSetAMotorParam(joint->limit, dParamHiStop + group, ranges[i][1]);
    dJointSetAMotorParam(joint->limit, dParamStopERP + group, STOP_ERP);
    dJointSetAMotorParam(joint->limit, dParamStopCFM + group, STOP_CFM);
  }
}

int motor_axis(const JointDef *joint, int number) {
  int axes[2];
  if (joint->kind == JOINT_BALL)
    return number;
  if (joint->kind == JOINT_HINGE)
    return joint->twist_axis;
  swing_axes(joint, axes);
  return number == 0 ? axes[0] : axes[1];
}

// A motor about the axes of the joint, the second one of a universal joint fixed in the child.
static dJointID create_axes_motor(const Ragdoll *ragdoll, int index) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  const int count = ragdoll->joints[index].axis_count;
  dJointID motor = create_angular_motor(ragdoll, index, count);
  for (int i = 0; i < count; i++) {
    double axis[3];
    joint_axis(def, motor_axis(def, i), axis);
    set_motor_axis(motor, i, def->kind == JOINT_UNIVERSAL && i == 1 ? AXIS_OF_CHILD : AXIS_OF_PARENT, axis);
  }
  return motor;
}

// The reduced solver has a ball joint's degrees of freedom about its own axes.
static void turn_ball(RagdollJoint *joint, const JointDef *def) {
  for (int i = 0; i < 3; i++)
    joint_axis(def, i, joint->ball.axes[i]);
  dJointSetData(joint->joint, &joint->ball);
}

static void add_ball(Ragdoll *ragdoll, int index, dBodyID child, dBodyID parent) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  RagdollJoint *joint = &ragdoll->joints[index];
  joint->joint = dJointCreateBall(ragdoll->world->ode, 0);
  dJointAttach(joint->joint, child, parent);
  dJointSetBallAnchor(joint->joint, def->position[0], def->position[1], def->position[2]);
  joint->axis_count = 3;
  if (def->turned)
    turn_ball(joint, def);
  joint->motor = create_axes_motor(ragdoll, index);
  if (def->limited)
    create_limit_motor(ragdoll, index);
}

static void add_universal(Ragdoll *ragdoll, int index, dBodyID child, dBodyID parent) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  RagdollJoint *joint = &ragdoll->joints[index];
  int axes[2];
  swing_axes(def, axes);
  joint->joint = dJointCreateUniversal(ragdoll->world->ode, 0);
  dJointAttach(joint->joint, child, parent);
  dJointSetUniversalAnchor(joint->joint, def->position[0], def->position[1], def->position[2]);
  double of_child[3], of_parent[3];
  joint_axis(def, axes[1], of_child);
  joint_axis(def, axes[0], of_parent);
  dJointSetUniversalAxis1(joint->joint, of_child[0], of_child[1], of_child[2]);
  dJointSetUniversalAxis2(joint->joint, of_parent[0], of_parent[1], of_parent[2]);
  joint->axis_count = 2;
  joint->motor = create_axes_motor(ragdoll, index);
  if (def->limited)
    create_limit_motor(ragdoll, index);
}

static void add_hinge(Ragdoll *ragdoll, int index, dBodyID child, dBodyID parent) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  RagdollJoint *joint = &ragdoll->joints[index];
  const double *range = def->limit[def->twist_axis];
  double axis[3];
  joint_axis(def, def->twist_axis, axis);
  joint->joint = dJointCreateHinge(ragdoll->world->ode, 0);
  dJointAttach(joint->joint, child, parent);
  dJointSetHingeAnchor(joint->joint, def->position[0], def->position[1], def->position[2]);
  dJointSetHingeAxis(joint->joint, axis[0], axis[1], axis[2]);
  dJointSetHingeParam(joint->joint, dParamLoStop, range[0]);
  dJointSetHingeParam(joint->joint, dParamHiStop, range[1]);
  dJointSetHingeParam(joint->joint, dParamStopERP, STOP_ERP);
  dJointSetHingeParam(joint->joint, dParamStopCFM, STOP_CFM);
  joint->axis_count = 1;
  joint->motor = create_axes_motor(ragdoll, index);
}

static void add_joint(Ragdoll *ragdoll, int index) {
  const PartDef *part = &ragdoll->def->parts[index];
  dBodyID child = ragdoll->ode[index], parent = ragdoll->ode[part->parent];
  if (part->joint.kind == JOINT_BALL)
    add_ball(ragdoll, index, child, parent);
  if (part->joint.kind == JOINT_UNIVERSAL)
    add_universal(ragdoll, index, child, parent);
  if (part->joint.kind == JOINT_HINGE)
    add_hinge(ragdoll, index, child, parent);
  RagdollJoint *joint = &ragdoll->joints[index];
  dJointSetFeedback(joint->motor, &joint->feedback);
  dJointSetData(joint->motor, &joint->order);
  if (joint->limit)
    dJointSetData(joint->limit, &joint->limit_order);
  if (!joint_has_armature(&part->joint))
    return;
  joint->rotor = create_axes_motor(ragdoll, index);
  dJointSetData(joint->rotor, &joint->rotor_order);
}

Ragdoll *ragdoll_create(const BodyDef *def, World *world, int owner, const Pose *start_w, Error *error) {
  Ragdoll *ragdoll = calloc(1, sizeof *ragdoll);
  if (!ragdoll) {
    error_set(error, "out of memory for a ragdoll");
    return NULL;
  }
  ragdoll->def = def;
  ragdoll->world = world;
  ragdoll->mass_factor = 1;
  ragdoll->space = dSimpleSpaceCreate(world->space);
  for (int i = 0; i < def->part_count; i++)
    if (!add_part(ragdoll, owner, i, error)) {
      ragdoll_destroy(ragdoll);
      return NULL;
    }
  for (int i = 1; i < def->part_count; i++)
    add_joint(ragdoll, i);
  ragdoll_set_pose(ragdoll, start_w, NULL, 0);
  return ragdoll;
}

// Bodies, joints and geoms belong to the world and are destroyed with it.
void ragdoll_destroy(Ragdoll *ragdoll) { free(ragdoll); }

// ODE ends the program for a quaternion of length zero.
static bool is_usable(const ModelPose *pose) {
  for (int i = 0; i < pose->count; i++) {
    const vec3s p = pose->position[i];
    if (!isfinite(p.x + p.y + p.z) || !(glms_quat_dot(pose->rotation[i], pose->rotation[i]) > 0.5f))
      return false;
  }
  return true;
}

void ragdoll_set_pose(Ragdoll *ragdoll, const Pose *pose_w, const Pose *next_pose_w, double dt) {
  const Skeleton *skeleton = &ragdoll->def->skeleton;
  ModelPose now, next;
  pose_to_model(skeleton, pose_w, &now);
  pose_to_model(skeleton, next_pose_w ? next_pose_w : pose_w, &next);
  if (!is_usable(&now) || !is_usable(&next)) {
    ragdoll->world->warnings.drives_refused++;
    return;
  }
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    dBodyID body = ragdoll->ode[i];
    const ModelPose *poses[2] = {&now, &next};
    double center[2][3];
    for (int k = 1; k >= 0; k--) { // the last one is the present rotation
      dQuaternion rotation;
      dVector3 offset;
      quat_to_ode(poses[k]->rotation[i], rotation);
      dBodySetQuaternion(body, rotation);
      dBodyVectorToWorld(body, ragdoll->com_l[i][0], ragdoll->com_l[i][1], ragdoll->com_l[i][2], offset);
      for (int axis = 0; axis < 3; axis++)
        center[k][axis] = (double)poses[k]->position[i].raw[axis] + offset[axis];
    }
    dBodySetPosition(body, center[0][0], center[0][1], center[0][2]);
    double rate = next_pose_w ? 1 / dt : 0;
    vec3s turn = quat_log(glms_quat_mul(next.rotation[i], glms_quat_conjugate(now.rotation[i])));
    dBodySetLinearVel(body, (center[1][0] - center[0][0]) * rate, (center[1][1] - center[0][1]) * rate,
                      (center[1][2] - center[0][2]) * rate);
    dBodySetAngularVel(body, (double)turn.x * rate, (double)turn.y * rate, (double)turn.z * rate);
  }
}

void ragdoll_set_mass(Ragdoll *ragdoll, double factor) {
  ragdoll->mass_factor = factor;
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    set_part_mass(ragdoll, i);
    ragdoll->world->bodies[ragdoll->body[i]].mass = factor * ragdoll->def->parts[i].mass;
  }
}

double ragdoll_mass(const Ragdoll *ragdoll) { return ragdoll->mass_factor * ragdoll->def->mass; }

void ragdoll_set_kinematic(Ragdoll *ragdoll) {
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    dBodySetKinematic(ragdoll->ode[i]);
    if (i == 0)
      continue;
    const RagdollJoint *joint = &ragdoll->joints[i];
    dJointDisable(joint->joint);
    dJointDisable(joint->motor);
    if (joint->limit)
      dJointDisable(joint->limit);
    if (joint->rotor)
      dJointDisable(joint->rotor);
  }
}

// The child's rotation in its parent's frame, w x y z.
WIDE_PART void relative_rotation(const Ragdoll *ragdoll, int index, dQuaternion rotation) {
  const int parent = ragdoll->def->parts[index].parent;
  quad_quaternion_within(ragdoll->parts[parent].quaternion, ragdoll->parts[index].quaternion, rotation);
}

// The same in the axes of the joint.
WIDE_PART void rotation_in_joint(const Ragdoll *ragdoll, int index, dQuaternion rotation) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  relative_rotation(ragdoll, index, rotation);
  if (def->turned)
    joint_vector_in(def, rotation + 1, rotation + 1);
}

WIDE void ragdoll_joint_rotations(const Ragdoll *ragdoll, versors rotation[]) {
  for (int i = 1; i < ragdoll->def->part_count; i++) {
    dQuaternion relative;
    relative_rotation(ragdoll, i, relative);
    rotation[i] = quat_from_ode(relative);
  }
}

WIDE void ragdoll_joint_velocities(const Ragdoll *ragdoll, vec3s velocity[]) {
  for (int i = 1; i < ragdoll->def->part_count; i++) {
    const RagdollPart *parent = &ragdoll->parts[ragdoll->def->parts[i].parent];
    const dReal *child_w = ragdoll->parts[i].spin, *parent_w = parent->spin;
    const dReal *to_world = parent->rotation; // rows of four
    const Quad turn = QUAD_AT(to_world) * (child_w[0] - parent_w[0]) +
                      QUAD_AT(to_world + 4) * (child_w[1] - parent_w[1]) +
                      QUAD_AT(to_world + 8) * (child_w[2] - parent_w[2]);
    velocity[i] = (vec3s){{(float)turn[0], (float)turn[1], (float)turn[2]}};
  }
}

void ragdoll_measure(const Ragdoll *ragdoll, Pose *pose_w) {
  const Skeleton *skeleton = &ragdoll->def->skeleton;
  const double *offset = ragdoll->com_l[0];
  dVector3 root;
  dBodyGetRelPointPos(ragdoll->ode[0], -offset[0], -offset[1], -offset[2], root);
  pose_w->count = skeleton->count;
  pose_w->position[0] = vec3_from_ode(root);
  pose_w->rotation[0] = quat_from_ode(dBodyGetQuaternion(ragdoll->ode[0]));
  for (int i = 1; i < skeleton->count; i++)
    pose_w->position[i] = skeleton->bind_position_l[i];
  ragdoll_joint_rotations(ragdoll, pose_w->rotation);
}

void ragdoll_point(const Ragdoll *ragdoll, int part, vec3s point_l, double point_w[3]) {
  double local[3];
  dVector3 world;
  vec3_to_ode(point_l, local);
  const double *offset = ragdoll->com_l[part];
  dBodyGetRelPointPos(ragdoll->ode[part], local[0] - offset[0], local[1] - offset[1], local[2] - offset[2], world);
  memcpy(point_w, world, 3 * sizeof point_w[0]);
}

// Angle of a rotation about one of its vector components: 2 atan2(component, w), in -pi .. pi.
static double half_angle_pair(double component, double w) {
  return w < 0 ? 2 * atan2(-component, -w) : 2 * atan2(component, w);
}

// Whether that angle is inside of its range by LIMIT_MARGIN. As 2 asin x <= pi x, most joints need no arc tangent.
static inline bool is_inside(double component, double w, const double range[2]) {
  double clear = (-range[0] < range[1] ? -range[0] : range[1]) - LIMIT_MARGIN,
         length = sqrt(component * component + w * w);
  return M_PI * fabs(component) < clear * length;
}

// The angle near the limits of its range, otherwise 0.
static double angle_near_limit(double component, double w, const double range[2]) {
  return is_inside(component, w, range) ? 0 : half_angle_pair(component, w);
}

// Sets the angle of a limit motor, limited to what the stop corrects at its largest speed.
static void set_limit_angle(const Ragdoll *ragdoll, dJointID limit, int number, double angle, const double range[2]) {
  const double most = STOP_SPEED * ragdoll->world->def.dt / STOP_ERP, low = range[0] - most, high = range[1] + most;
  dJointSetAMotorAngle(limit, number, angle < low ? low : angle < high ? angle : high);
}

// The limit of the swing in its direction: in each quadrant an ellipse between the limits of the two swing axes.
static double swing_limit(const JointDef *def, const int axes[2], double along_0, double along_1) {
  double sum = 0;
  const double along[2] = {along_0, along_1};
  for (int i = 0; i < 2; i++) {
    double reach = max_d(fabs(def->limit[axes[i]][along[i] >= 0]), 1e-3);
    sum += along[i] * along[i] / (reach * reach);
  }
  return 1 / sqrt(sum);
}

// Whether twist and swing of a ball joint are inside of their limits by LIMIT_MARGIN wherever the swing points to, so
// that update_ball_limit would set both angles to 0.
WIDE_PART bool ball_is_clear(const JointDef *def, const int axes[2], const double q[4]) {
  const double *twist_range = def->limit[def->twist_axis];
  const double twist_part = q[1 + def->twist_axis], along = q[0] * q[0] + twist_part * twist_part;
  const double twist_clear = min_d(-twist_range[0], twist_range[1]) - LIMIT_MARGIN;
  double swing_clear = M_PI;
  for (int i = 0; i < 2; i++)
    swing_clear = min_d(swing_clear, min_d(fabs(def->limit[axes[i]][0]), fabs(def->limit[axes[i]][1])));
  swing_clear -= 1.001 * LIMIT_MARGIN; // more than rounding
  const double s0 = q[1 + axes[0]], s1 = q[1 + axes[1]], across = s0 * s0 + s1 * s1;
  return M_PI * fabs(twist_part) < twist_clear * sqrt(twist_part * twist_part + q[0] * q[0]) && swing_clear > 0 &&
         M_PI * M_PI * across < swing_clear * swing_clear * (across + along);
}

static void update_ball_limit(const Ragdoll *ragdoll, int index, const double q[4]) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  dJointID limit = ragdoll->joints[index].limit;
  int axes[2];
  swing_axes(def, axes);
  double twist_part = q[1 + def->twist_axis], sign = q[0] < 0 ? -1 : 1;
  double length = sqrt(q[0] * q[0] + twist_part * twist_part);
  // Swing = q conj(twist): its vector part is in the plane of the two swing axes.
  dQuaternion twist = {1, 0, 0, 0}, swing;
  if (length > 1e-9) {
    twist[0] = q[0] / length;
    twist[1 + def->twist_axis] = twist_part / length;
  }
  dQMultiply2(swing, q, twist);
  double s0 = swing[1 + axes[0]] * sign, s1 = swing[1 + axes[1]] * sign, across = sqrt(s0 * s0 + s1 * s1);
  const double *twist_range = def->limit[def->twist_axis];
  set_limit_angle(ragdoll, limit, 1, angle_near_limit(twist_part, q[0], twist_range), twist_range);
  double highest = across > 1e-9 ? swing_limit(def, axes, s0 / across, s1 / across) : M_PI;
  const double around[2] = {-highest, highest};
  double swing_angle = angle_near_limit(across, fabs(swing[0]), around);
  if (swing_angle < highest - LIMIT_MARGIN) {
    dJointSetAMotorAngle(limit, 0, 0);
    return;
  }
  double axis[3] = {0, 0, 0};
  axis[axes[0]] = s0 / across;
  axis[axes[1]] = s1 / across;
  if (def->turned)
    joint_vector_out(def, axis, axis);
  dVector3 axis_w;
  dBodyVectorToWorld(ragdoll->ode[ragdoll->def->parts[index].parent], axis[0], axis[1], axis[2], axis_w);
  set_motor_axis(limit, 0, AXIS_OF_PARENT, axis_w);
  set_limit_angle(ragdoll, limit, 0, swing_angle, around);
  dJointSetAMotorParam(limit, dParamHiStop, highest);
}

WIDE_PART bool universal_is_clear(const JointDef *def, const int axes[2], const double q[4]) {
  return is_inside(q[1 + axes[0]], q[0], def->limit[axes[0]]) && is_inside(q[1 + axes[1]], q[0], def->limit[axes[1]]);
}

static void update_universal_limit(const Ragdoll *ragdoll, int index, const double q[4]) {
  const JointDef *def = &ragdoll->def->parts[index].joint;
  int axes[2];
  swing_axes(def, axes);
  for (int k = 0; k < 2; k++)
    set_limit_angle(ragdoll, ragdoll->joints[index].limit, k,
                    angle_near_limit(q[1 + axes[k]], q[0], def->limit[axes[k]]), def->limit[axes[k]]);
}

WIDE void ragdoll_update_limits(Ragdoll *ragdoll) {
  for (int i = 1; i < ragdoll->def->part_count; i++) {
    RagdollJoint *joint = &ragdoll->joints[i];
    if (!joint->limit)
      continue;
    dQuaternion q;
    rotation_in_joint(ragdoll, i, q);
    const JointDef *def = &ragdoll->def->parts[i].joint;
    const bool is_ball = joint->axis_count == 3;
    int axes[2];
    swing_axes(def, axes);
    const bool clear = is_ball ? ball_is_clear(def, axes, q) : universal_is_clear(def, axes, q);
    if (!clear && is_ball)
      update_ball_limit(ragdoll, i, q);
    else if (!clear)
      update_universal_limit(ragdoll, i, q);
    for (int k = 0; k < 2 && clear && !joint->limit_order.stops_are_far; k++)
      dJointSetAMotorAngle(joint->limit, k, 0);
    joint->limit_order.stops_are_far = clear;
  }
}

void ragdoll_read_torques(Ragdoll *ragdoll) {
  for (int i = 1; i < ragdoll->def->part_count; i++) {
    RagdollJoint *joint = &ragdoll->joints[i];
    const dReal *child = ragdoll->parts[i].spin, *parent = ragdoll->parts[ragdoll->def->parts[i].parent].spin;
    joint->power = 0;
    for (int k = 0; k < 3; k++) {
      joint->torque_w[k] = joint->feedback.t1[k];
      joint->power += joint->torque_w[k] * (child[k] - parent[k]);
    }
  }
}

WIDE void ragdoll_center_of_mass(const Ragdoll *ragdoll, double position[3], double velocity[3]) {
  double p[3] = {0}, v[3] = {0};
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    const dReal *x = ragdoll->parts[i].position, *u = ragdoll->parts[i].velocity;
    for (int k = 0; k < 3; k++) {
      p[k] += ragdoll->def->parts[i].mass * x[k];
      v[k] += ragdoll->def->parts[i].mass * u[k];
    }
  }
  for (int k = 0; k < 3; k++) {
    position[k] = p[k] / ragdoll->def->mass;
    velocity[k] = v[k] / ragdoll->def->mass;
  }
}

// The angular momentum of a part about its own centre of mass.
WIDE_PART void part_spin_momentum(const Ragdoll *ragdoll, int part, double spin[4]) {
  const double *inertia = ragdoll->def->parts[part].inertia, *products = ragdoll->def->parts[part].products;
  const dReal *w = ragdoll->parts[part].spin, *to_world = ragdoll->parts[part].rotation;
  const Quad local = QUAD_AT(to_world) * w[0] + QUAD_AT(to_world + 4) * w[1] + QUAD_AT(to_world + 8) * w[2];
  const double momentum[3] = {inertia[0] * local[0] + (products[0] * local[1] + products[1] * local[2]),
                              inertia[1] * local[1] + (products[0] * local[0] + products[2] * local[2]),
                              inertia[2] * local[2] + (products[1] * local[0] + products[2] * local[1])};
  for (int k = 0; k < 3; k++)
    spin[k] = ragdoll->mass_factor * dot3(&to_world[4 * k], momentum);
  spin[3] = 0;
}

WIDE void ragdoll_momentum(const Ragdoll *ragdoll, const double about[3], double linear[3], double angular[3]) {
  const Quad from = {about[0], about[1], about[2]};
  Quad sum = {0}, turning = {0};
  for (int i = 0; i < ragdoll->def->part_count; i++) {
    const Quad arm = QUAD_AT(ragdoll->parts[i].position) - from;
    const Quad momentum = ragdoll->mass_factor * ragdoll->def->parts[i].mass * QUAD_AT(ragdoll->parts[i].velocity);
    double spin[4];
    part_spin_momentum(ragdoll, i, spin);
    sum += momentum;
    turning += QUAD_CROSS(arm, momentum) + QUAD_AT(spin);
  }
  for (int k = 0; k < 3; k++) {
    linear[k] = sum[k];
    angular[k] = turning[k];
  }
}

void ragdoll_add_spin(Ragdoll *ragdoll, int part, const double spin[3]) {
  const dReal *w = dBodyGetAngularVel(ragdoll->ode[part]);
  dBodySetAngularVel(ragdoll->ode[part], w[0] + spin[0], w[1] + spin[1], w[2] + spin[2]);
}

void ragdoll_state(Ragdoll *ragdoll, StateStream *stream) {
  state_section(stream, "ragdoll", 1);
  state_same(stream, ragdoll->def->part_count, "parts");
  for (int i = 1; i < ragdoll->def->part_count; i++) {
    RagdollJoint *joint = &ragdoll->joints[i];
    state_finite(stream, joint->feedback.f1, 3);
    state_finite(stream, joint->feedback.t1, 3);
    STATE(stream, joint->torque_w, joint->power);
    if (state_restores(stream)) { // forces drive and limits to set them again
      memset(joint->motor_cfm, 0, sizeof joint->motor_cfm);
      joint->limit_order.stops_are_far = false;
    }
  }
}
