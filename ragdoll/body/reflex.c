// Stores the signals of joints over the last tenth of a second, and computes responses to those one nerve delay ago.
#include "ragdoll/body/reflex.h"

#include <math.h>

#include "sim/world/convert.h"

static bool has_reflex(const JointDef *joint) { return joint->reflex_stiffness > 0 || joint->reflex_damping > 0; }

static bool holds_in_space(const JointDef *joint) { return joint->space_stiffness > 0 || joint->space_damping > 0; }

static Felt feel(const Ragdoll *ragdoll, int index, const JointGoal *goal, versors part_w) {
  const PartDef *part = &ragdoll->def->parts[index];
  dBodyID child = ragdoll->ode[index], parent = ragdoll->ode[part->parent];
  Felt felt = {0};
  versors rotation = quat_from_ode(dBodyGetQuaternion(child));
  vec3s turn = vec3_from_ode(dBodyGetAngularVel(child));
  if (has_reflex(&part->joint)) {
    versors to_parent = glms_quat_conjugate(quat_from_ode(dBodyGetQuaternion(parent)));
    vec3s relative = glms_vec3_sub(turn, vec3_from_ode(dBodyGetAngularVel(parent)));
    versors present = glms_quat_mul(to_parent, rotation);
    felt.error = quat_log(glms_quat_mul(goal->rotation, glms_quat_conjugate(present)));
    felt.error_rate = glms_vec3_sub(goal->angular_velocity_l, glms_quat_rotatev(to_parent, relative));
  }
  if (holds_in_space(&part->joint)) {
    felt.space_error = quat_log(glms_quat_mul(part_w, glms_quat_conjugate(rotation)));
    felt.space_rate = glms_vec3_negate(turn);
  }
  return felt;
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
static vec3s answer(const DriveDef *def, const Ragdoll *ragdoll, int index, const Felt *felt) {
  const PartDef *part = &ragdoll->def->parts[index];
  const JointDef *joint = &part->joint;
  vec3s torque = glms_vec3_add(glms_vec3_scale(felt->error, (float)(def->stiffness * joint->reflex_stiffness)),
                               glms_vec3_scale(felt->error_rate, (float)(def->damping * joint->reflex_damping)));
  if (!holds_in_space(joint))
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

void reflexes_step(Reflexes *reflexes, const DriveDef *def, const SenseNoise *noise, const Ragdoll *ragdoll,
                   const versors part_w[], const float strength[], double h, JointGoal goals[]) {
  int every = (int)fmax(1, ceil(REFLEX_INTERVAL / h - 1e-9)); // steps between stored moments
  bool keep = reflexes->moments == 0 || ++reflexes->steps >= every;
  if (keep) {
    reflexes->newest = (reflexes->newest + 1) % REFLEX_MEMORY;
    reflexes->moments += reflexes->moments < REFLEX_MEMORY;
    reflexes->steps = 0;
  }
  int late = (int)ceil((def->reflex_delay / h - reflexes->steps) / every - 1e-9);
  int then = (reflexes->newest + REFLEX_MEMORY - late) % REFLEX_MEMORY;
  for (int i = 1; i < ragdoll->def->part_count; i++) {
    const JointDef *joint = &ragdoll->def->parts[i].joint;
    if (!has_reflex(joint) && !holds_in_space(joint))
      continue;
    if (keep)
      reflexes->felt[reflexes->newest][i] = feel(ragdoll, i, &goals[i], part_w[i]);
    if (keep && sense_noise_is_on(def))
      misfeel(&reflexes->felt[reflexes->newest][i], noise, def, i);
    if (late < 0 || late >= reflexes->moments)
      continue;
    vec3s torque = glms_vec3_scale(answer(def, ragdoll, i, &reflexes->felt[then][i]), strength[i]);
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
