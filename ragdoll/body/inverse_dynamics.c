// Computes velocities and accelerations of a pose by differences, from these the motion of each part's centre of mass,
// from the root outward; then forces and torques from the ends of the limbs back to the root.
#include "ragdoll/body/inverse_dynamics.h"

#include <string.h>

#include "sim/world/convert.h"

// In throws and kicks people's joints reach 30 rad/s and 400 rad/s^2 where whole limbs turn; a root stays below these.
static const float FASTEST_TURN = 30, FASTEST_CHANGE = 400; // rad/s, rad/s^2
static const float LARGEST_ACCELERATION = 40;               // m/s^2
static const float FASTEST_ROOT_CHANGE = 60;                // rad/s^2: a pelvis carries the body; running takes 35

static vec3s at_most(vec3s v, float most) {
  float length = glms_vec3_norm(v);
  return length > most ? glms_vec3_scale(v, most / length) : v;
}

void pose_motion_step(PoseMotion *motion, int joint_count, const Pose *pose, const Pose *previous,
                      const double place[3], double h) {
  float rate = (float)(1 / h);
  bool moves = motion->moments >= 1, speeds_up = motion->moments >= 2;
  for (int i = 0; i < joint_count; i++) {
    vec3s way = quat_log(glms_quat_mul(pose->rotation[i], glms_quat_conjugate(previous->rotation[i])));
    vec3s turn = at_most(glms_vec3_scale(way, rate), FASTEST_TURN);
    vec3s change = glms_vec3_scale(glms_vec3_sub(turn, motion->turn[i]), rate);
    motion->turn_change[i] =
        speeds_up ? at_most(change, i == 0 ? FASTEST_ROOT_CHANGE : FASTEST_CHANGE) : GLMS_VEC3_ZERO;
    motion->turn[i] = moves ? turn : GLMS_VEC3_ZERO;
  }
  vec3s acceleration = GLMS_VEC3_ZERO;
  for (int axis = 0; axis < 3; axis++) {
    double velocity = (place[axis] - motion->place[axis]) / h;
    acceleration.raw[axis] = (float)((velocity - motion->velocity[axis]) / h);
    motion->velocity[axis] = moves ? velocity : 0;
    motion->place[axis] = place[axis];
  }
  motion->acceleration = speeds_up ? at_most(acceleration, LARGEST_ACCELERATION) : GLMS_VEC3_ZERO;
  motion->moments += motion->moments < 3;
}

void pose_motion_state(PoseMotion *motion, int joint_count, StateStream *stream) {
  state_int(stream, &motion->moments, 0, 3);
  state_bytes(stream, motion->turn, (size_t)joint_count * sizeof *motion->turn);
  state_bytes(stream, motion->turn_change, (size_t)joint_count * sizeof *motion->turn_change);
  STATE(stream, motion->place, motion->velocity, motion->acceleration.raw);
}

// Motion of one part, world frame: of its joint, and rotation about it.
typedef struct PartMotion {
  versors rotation;
  vec3s joint; // m from the root joint
  vec3s turn, turn_change, acceleration;
} PartMotion;

// Acceleration of a point of the part at `arm` m from its joint.
static vec3s acceleration_at(const PartMotion *part, vec3s arm) {
  vec3s centripetal = glms_vec3_cross(part->turn, glms_vec3_cross(part->turn, arm));
  return glms_vec3_add(part->acceleration, glms_vec3_add(glms_vec3_cross(part->turn_change, arm), centripetal));
}

static PartMotion move_part(const PartMotion *parent, versors rotation_l, vec3s offset_l, vec3s turn_l,
                            vec3s turn_change_l) {
  vec3s offset = glms_quat_rotatev(parent->rotation, offset_l);
  vec3s turn = glms_quat_rotatev(parent->rotation, turn_l), change = glms_quat_rotatev(parent->rotation, turn_change_l);
  return (PartMotion){
      .rotation = glms_quat_mul(parent->rotation, rotation_l),
      .joint = glms_vec3_add(parent->joint, offset),
      .turn = glms_vec3_add(parent->turn, turn),
      .turn_change = glms_vec3_add(glms_vec3_add(parent->turn_change, change), glms_vec3_cross(parent->turn, turn)),
      .acceleration = acceleration_at(parent, offset)};
}

static vec3s inertia_times(const double inertia[3], versors rotation, vec3s v) {
  vec3s v_l = glms_quat_rotatev(glms_quat_conjugate(rotation), v);
  for (int axis = 0; axis < 3; axis++)
    v_l.raw[axis] *= (float)inertia[axis];
  return glms_quat_rotatev(rotation, v_l);
}

void inverse_dynamics(const Ragdoll *ragdoll, const Pose *pose, const PoseMotion *motion, const double gravity[3],
                      vec3s torque_l[BODY_MAX_PARTS]) {
  const BodyDef *body = ragdoll->def;
  PartMotion moves[BODY_MAX_PARTS];
  vec3s force[BODY_MAX_PARTS], torque[BODY_MAX_PARTS]; // of all parts beyond a joint, about that joint
  // Gravity acts like an upward acceleration of the root without gravity.
  moves[0] = (PartMotion){.rotation = pose->rotation[0], .acceleration = glms_vec3_negate(vec3_from_ode(gravity))};
  if (motion) {
    moves[0].turn = motion->turn[0];
    moves[0].turn_change = motion->turn_change[0];
    moves[0].acceleration = glms_vec3_add(moves[0].acceleration, motion->acceleration);
  }
  for (int i = 0; i < body->part_count; i++) {
    if (i > 0)
      moves[i] = move_part(&moves[body->parts[i].parent], pose->rotation[i], body->skeleton.bind_position_l[i],
                           motion ? motion->turn[i] : GLMS_VEC3_ZERO, motion ? motion->turn_change[i] : GLMS_VEC3_ZERO);
    const PartDef *part = &body->parts[i];
    const PartMotion *move = &moves[i];
    vec3s center = glms_quat_rotatev(move->rotation, vec3_from_ode(ragdoll->com_l[i]));
    vec3s spin = inertia_times(part->inertia, move->rotation, move->turn);
    force[i] = glms_vec3_scale(acceleration_at(move, center), (float)part->mass);
    torque[i] = glms_vec3_add(inertia_times(part->inertia, move->rotation, move->turn_change),
                              glms_vec3_add(glms_vec3_cross(move->turn, spin), glms_vec3_cross(center, force[i])));
  }
  for (int i = body->part_count - 1; i > 0; i--) {
    int parent = body->parts[i].parent;
    vec3s arm = glms_vec3_sub(moves[i].joint, moves[parent].joint);
    torque_l[i] = glms_quat_rotatev(glms_quat_conjugate(moves[parent].rotation), torque[i]);
    force[parent] = glms_vec3_add(force[parent], force[i]);
    torque[parent] = glms_vec3_add(torque[parent], glms_vec3_add(torque[i], glms_vec3_cross(arm, force[i])));
  }
}
