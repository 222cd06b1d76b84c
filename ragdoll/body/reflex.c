// Stores the signals of joints over the last tenth of a second, and computes responses to those one nerve delay ago.
#include "ragdoll/body/reflex.h"

#include <math.h>

#include "sim/base/wide.h"
#include "sim/world/convert.h"

static bool has_reflex(const JointDef *joint) { return joint->reflex_stiffness > 0 || joint->reflex_damping > 0; }

static bool holds_in_space(const JointDef *joint) { return joint->space_stiffness > 0 || joint->space_damping > 0; }

// Which reflexes the joints have.
typedef struct Kinds {
  bool stretch[BODY_MAX_PARTS], in_space[BODY_MAX_PARTS];
} Kinds;

WIDE_PART void find_kinds(const BodyDef *body, Kinds *kinds) {
  for (int i = 0; i < body->part_count; i++) { // the root has none
    kinds->stretch[i] = has_reflex(&body->parts[i].joint);
    kinds->in_space[i] = holds_in_space(&body->parts[i].joint);
  }
}

// Senses the deviations of all joints with reflexes from their goals.
WIDE_PART void feel(const Ragdoll *ragdoll, const Kinds *kinds, const Pose *wanted, const JointGoal goals[],
                    Felt felt[]) {
  const BodyDef *body = ragdoll->def;
  versors rotation[BODY_MAX_PARTS], present[BODY_MAX_PARTS], goal[BODY_MAX_PARTS];
  vec3s turn[BODY_MAX_PARTS], error[BODY_MAX_PARTS];
  for (int i = 0; i < body->part_count; i++) {
    rotation[i] = present[i] = goal[i] = quat_from_ode(ragdoll->parts[i].quaternion);
    turn[i] = vec3_from_ode(ragdoll->parts[i].spin);
    if (kinds->stretch[i]) {
      present[i] = glms_quat_mul(glms_quat_conjugate(rotation[body->parts[i].parent]), rotation[i]);
      goal[i] = goals[i].rotation;
    }
  }
  quats_turns(present, goal, body->part_count, error);
  for (int i = 1; i < body->part_count; i++) {
    felt[i] = (Felt){.error = GLMS_VEC3_ZERO};
    if (kinds->stretch[i]) {
      const int parent = body->parts[i].parent;
      vec3s relative = glms_quat_rotatev(glms_quat_conjugate(rotation[parent]), glms_vec3_sub(turn[i], turn[parent]));
      felt[i].error = error[i];
      felt[i].error_rate = glms_vec3_sub(goals[i].angular_velocity_l, relative);
    }
    if (kinds->in_space[i]) {
      versors held = pose_turn_joint(&body->skeleton, wanted, i);
      felt[i].space_error = quat_log(glms_quat_mul(held, glms_quat_conjugate(rotation[i])));
      felt[i].space_rate = glms_vec3_negate(turn[i]);
    }
  }
}

// An angle that is sensed too large is one that is missing too little to the goal.
static void misfeel(Felt *felt, const SenseNoise *noise, const DriveDef *def, int index) {
  felt->error = glms_vec3_sub(felt->error, sense_noise_joint(noise, def, index));
  felt->space_error = glms_vec3_sub(felt->space_error, sense_noise_trunk(noise, def));
  felt->space_rate = glms_vec3_sub(felt->space_rate, sense_noise_turn(noise, def));
}

// The reflex torque of a joint for stored signals, on the child in its parent's frame, N m.
// The drive's factors on its gains are factors on those of the reflexes, too: late ones that are stronger than what
// damps at once shake a joint.
WIDE_PART vec3s answer(const DriveDef *def, const Ragdoll *ragdoll, int index, bool in_space, const Felt *felt) {
  const PartDef *part = &ragdoll->def->parts[index];
  const JointDef *joint = &part->joint;
  vec3s torque = glms_vec3_add(glms_vec3_scale(felt->error, (float)(def->stiffness * joint->reflex_stiffness)),
                               glms_vec3_scale(felt->error_rate, (float)(def->damping * joint->reflex_damping)));
  if (!in_space)
    return torque;
  // The gain about each axis is proportional to the part's inertia about its joint: with one gain for all, the axis of
  // the smallest inertia would oscillate.
  versors rotation = quat_from_ode(dBodyGetQuaternion(ragdoll->ode[index]));
  versors parent = quat_from_ode(dBodyGetQuaternion(ragdoll->ode[part->parent]));
  vec3s space = glms_vec3_add(glms_vec3_scale(felt->space_error, (float)(def->stiffness * joint->space_stiffness)),
                              glms_vec3_scale(felt->space_rate, (float)(def->damping * joint->space_damping)));
  space = glms_quat_rotatev(glms_quat_conjugate(rotation), space);
  const double *com = ragdoll->com_l[index];
  double inertia[3], largest = 0;
  for (int axis = 0; axis < 3; axis++) {
    double aside = com[(axis + 1) % 3] * com[(axis + 1) % 3] + com[(axis + 2) % 3] * com[(axis + 2) % 3];
    inertia[axis] = part->inertia[axis] + part->mass * aside;
    largest = fmax(largest, inertia[axis]);
  }
  for (int axis = 0; axis < 3; axis++)
    space.raw[axis] *= (float)(inertia[axis] / largest);
  space = glms_quat_rotatev(glms_quat_conjugate(parent), glms_quat_rotatev(rotation, space));
  return glms_vec3_add(torque, space);
}

WIDE void reflexes_step(Reflexes *reflexes, const DriveDef *def, const SenseNoise *noise, const Ragdoll *ragdoll,
                        const Pose *wanted, const float strength[], double h, JointGoal goals[]) {
  Kinds kinds;
  find_kinds(ragdoll->def, &kinds);
  int every = (int)fmax(1, ceil(REFLEX_INTERVAL / h - 1e-9)); // steps between stored moments
  bool keep = reflexes->moments == 0 || ++reflexes->steps >= every, is_noisy = keep && sense_noise_is_on(def);
  if (keep) {
    reflexes->newest = (reflexes->newest + 1) % REFLEX_MEMORY;
    reflexes->moments += reflexes->moments < REFLEX_MEMORY;
    reflexes->steps = 0;
    feel(ragdoll, &kinds, wanted, goals, reflexes->felt[reflexes->newest]);
  }
  int late = (int)ceil((def->reflex_delay / h - reflexes->steps) / every - 1e-9);
  int then = (reflexes->newest + REFLEX_MEMORY - late) % REFLEX_MEMORY;
  for (int i = 1; i < ragdoll->def->part_count; i++) {
    if (!kinds.stretch[i] && !kinds.in_space[i])
      continue;
    if (is_noisy)
      misfeel(&reflexes->felt[reflexes->newest][i], noise, def, i);
    if (late < 0 || late >= reflexes->moments)
      continue;
    vec3s torque = glms_vec3_scale(answer(def, ragdoll, i, kinds.in_space[i], &reflexes->felt[then][i]), strength[i]);
    goals[i].feed_forward_l = glms_vec3_add(goals[i].feed_forward_l, torque);
  }
}

void reflexes_state(Reflexes *reflexes, const BodyDef *body, StateStream *stream) {
  state_int(stream, &reflexes->newest, 0, REFLEX_MEMORY - 1);
  state_int(stream, &reflexes->moments, 0, REFLEX_MEMORY);
  STATE(stream, reflexes->steps);
  for (int moment = 0; moment < REFLEX_MEMORY; moment++)
    for (int i = 1; i < body->part_count; i++)
      if (has_reflex(&body->parts[i].joint) || holds_in_space(&body->parts[i].joint)) {
        Felt *felt = &reflexes->felt[moment][i];
        STATE(stream, felt->error.raw, felt->error_rate.raw, felt->space_error.raw, felt->space_rate.raw);
      }
}
