// Computes velocities and accelerations of a pose by differences, from these the motion of each part's centre of mass,
// from the root outward; then forces and torques from the ends of the limbs back to the root.
#include "ragdoll/body/inverse_dynamics.h"

#include "anim/lanes.h"
#include "sim/base/wide.h"
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
  vec3s ways[SKELETON_MAX_JOINTS];
  quats_turns(previous->rotation, pose->rotation, joint_count, ways);
  for (int i = 0; i < joint_count; i++) {
    vec3s turn = at_most(glms_vec3_scale(ways[i], rate), FASTEST_TURN);
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

// ---- Rotations ----

WIDE_PART Lanes lanes_from_doubles(const double v[3]) { return (Lanes){(float)v[0], (float)v[1], (float)v[2], 0}; }

WIDE_PART float dot(Lanes a, Lanes b) {
  const Lanes each = a * b;
  return each[0] + each[1] + each[2];
}

// A rotation that is applied several times, with the bits of glms_quat_rotatev.
typedef struct Turner {
  Lanes q; // unit quaternion
  float along;
} Turner;

WIDE_PART Turner turner(Lanes rotation) {
  versors q;
  lanes_store(q.raw, rotation);
  const Lanes unit = lanes_load(glms_quat_normalize(q).raw);
  return (Turner){unit, unit[3] * unit[3] - dot(unit, unit)};
}

WIDE_PART Turner inverse(Turner turn) {
  const Lanes conjugate = {-1, -1, -1, 1};
  return (Turner){turn.q * conjugate, turn.along};
}

WIDE_PART Lanes rotate(const Turner *turn, Lanes v) {
  return turn->q * (2 * dot(turn->q, v)) + v * turn->along + lanes_cross(turn->q, v) * (2 * turn->q[3]);
}

// ---- The motion of parts ----

// Motion of one part, world frame: of its joint, and rotation about it.
typedef struct PartMotion {
  Lanes rotation;
  Turner to_world, to_part;
  Lanes joint; // m from the root joint
  Lanes turn, turn_change, acceleration;
} PartMotion;

// Acceleration of a point of the part at `arm` m from its joint.
WIDE_PART Lanes acceleration_at(const PartMotion *part, Lanes arm) {
  Lanes centripetal = lanes_cross(part->turn, lanes_cross(part->turn, arm));
  return part->acceleration + (lanes_cross(part->turn_change, arm) + centripetal);
}

WIDE_PART PartMotion move_part(const PartMotion *parent, Lanes rotation_l, Lanes offset_l, Lanes turn_l,
                               Lanes turn_change_l) {
  Lanes offset = rotate(&parent->to_world, offset_l), turn = rotate(&parent->to_world, turn_l);
  return (PartMotion){.rotation = lanes_quat_mul(parent->rotation, rotation_l),
                      .joint = parent->joint + offset,
                      .turn = parent->turn + turn,
                      .turn_change = parent->turn_change + rotate(&parent->to_world, turn_change_l) +
                                     lanes_cross(parent->turn, turn),
                      .acceleration = acceleration_at(parent, offset)};
}

WIDE_PART Lanes inertia_times(const PartDef *def, Lanes inertia, const PartMotion *part, Lanes v) {
  const Lanes own = rotate(&part->to_part, v);
  Lanes product = own * inertia;
  if (part_has_products(def)) {
    const float xy = (float)def->products[0], xz = (float)def->products[1], yz = (float)def->products[2];
    product += (Lanes){xy * own[1] + xz * own[2], xy * own[0] + yz * own[2], xz * own[0] + yz * own[1], 0};
  }
  return rotate(&part->to_world, product);
}

// ---- Forces ----

// What it takes to accelerate the rotors of a joint, in the parent's frame. turn_change_l: rad/s^2, of the child.
static vec3s rotor_torque(const JointDef *joint, vec3s turn_change_l) {
  double vector[3] = {(double)turn_change_l.x, (double)turn_change_l.y, (double)turn_change_l.z};
  joint_vector_in(joint, vector, vector);
  for (int i = 0; i < 3; i++)
    vector[i] *= joint->armature[i];
  joint_vector_out(joint, vector, vector);
  return (vec3s){{(float)vector[0], (float)vector[1], (float)vector[2]}};
}

WIDE void inverse_dynamics(const Ragdoll *ragdoll, const versors rotation[], const PoseMotion *motion,
                           const double gravity[3], vec3s torque_l[BODY_MAX_PARTS]) {
  const BodyDef *body = ragdoll->def;
  const Lanes none = {0};
  PartMotion moves[BODY_MAX_PARTS];
  Lanes force[BODY_MAX_PARTS], torque[BODY_MAX_PARTS]; // of all parts beyond a joint, about that joint
  // Gravity acts like an upward acceleration of the root without gravity.
  moves[0] = (PartMotion){.rotation = lanes_load(rotation[0].raw), .acceleration = -lanes_from_doubles(gravity)};
  if (motion) {
    moves[0].turn = lanes_from_point(motion->turn[0]);
    moves[0].turn_change = lanes_from_point(motion->turn_change[0]);
    moves[0].acceleration += lanes_from_point(motion->acceleration);
  }
  for (int i = 0; i < body->part_count; i++) {
    const PartDef *part = &body->parts[i];
    PartMotion *move = &moves[i];
    force[i] = torque[i] = none;
    if (i > 0 && part->moves)
      *move = move_part(
          &moves[part->parent], lanes_load(rotation[i].raw), lanes_from_point(body->skeleton.bind_position_l[i]),
          motion ? lanes_from_point(motion->turn[i]) : none, motion ? lanes_from_point(motion->turn_change[i]) : none);
    if (part->moves) {
      move->to_world = turner(move->rotation);
      move->to_part = inverse(move->to_world);
    }
    if (!part->loads)
      continue;
    Lanes center = rotate(&move->to_world, lanes_from_doubles(ragdoll->com_l[i]));
    Lanes inertia = lanes_from_doubles(part->inertia), spin = inertia_times(part, inertia, move, move->turn);
    force[i] = acceleration_at(move, center) * (float)part->mass;
    torque[i] = inertia_times(part, inertia, move, move->turn_change) +
                (lanes_cross(move->turn, spin) + lanes_cross(center, force[i]));
  }
  for (int i = body->part_count - 1; i > 0; i--) {
    torque_l[i] = GLMS_VEC3_ZERO;
    if (!body->parts[i].loads)
      continue;
    int parent = body->parts[i].parent;
    Lanes arm = moves[i].joint - moves[parent].joint;
    if (!body->parts[i].carries)
      torque_l[i] = lanes_to_point(rotate(&moves[parent].to_part, torque[i]));
    if (!body->parts[i].carries && motion && joint_has_armature(&body->parts[i].joint))
      torque_l[i] = glms_vec3_add(torque_l[i], rotor_torque(&body->parts[i].joint, motion->turn_change[i]));
    force[parent] += force[i];
    torque[parent] += torque[i] + lanes_cross(arm, force[i]);
  }
}
