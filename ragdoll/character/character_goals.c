// Goals of the joints: the target pose with the body's own gains, feed-forward torques computed from the wanted motion,
// and reflexes.
#include "ragdoll/character/character_goals.h"

#include <math.h>
#include <string.h>

#include "ragdoll/body/swing_legs.h"
#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_play.h"
#include "ragdoll/character/character_root.h"
#include "sim/world/convert.h"

// Whether a leg is swinging: according to its plan, or to the graph, as for mirrored clips.
static bool leg_swings(const Character *character, int leg) {
  const FootPlan *plan = &character->foot_plans[leg];
  return plan->known ? !plan->standing : character_tells_contact(character) && !character->play.graph.contact[leg];
}

// The joints follow the target; swinging legs follow its path in the world. A swinging leg is not led if the animation
// does not describe the body any more.
void character_goals_follow(Character *character, double h) {
  const BodyDef *body = character->def->body;
  const Pose *previous = &character->previous_target;
  drive_follow(body, &character->target, previous, h, character->joint_goals);
  if (character->down || character_root_gap(character) > CHARACTER_LOST_GAP)
    return;
  bool swings[SKELETON_MAX_LEGS];
  for (int i = 0; i < body->skeleton.leg_count; i++)
    swings[i] = leg_swings(character, i);
  swing_legs_lead(&body->skeleton, swings, previous, &character->sensed.pose, character->joint_goals);
}

// Whether any joint may have one: all bits of none are 0.
static bool has_offsets(const Character *character) {
  static const unsigned char none[sizeof character->joint_offset];
  return memcmp((const unsigned char *)character->joint_offset, none, sizeof none) != 0;
}

// Rotates the goals of joints that have an offset.
static void add_offsets(Character *character) {
  if (!has_offsets(character)) // as nearly nobody has
    return;
  for (int i = 1; i < character->def->body->part_count; i++) {
    const vec3s offset = character->joint_offset[i];
    versors *rotation = &character->joint_goals[i].rotation;
    if (offset.x != 0 || offset.y != 0 || offset.z != 0)
      *rotation = glms_quat_mul(quat_exp(offset), *rotation);
  }
}

// The target's position of the pelvis, m, in double precision.
static void target_place(const Character *character, double place[3]) {
  versors heading = character_heading_rotation(character->root.heading);
  vec3s from_root = glms_quat_rotatev(heading, character->animation_m.position[0]);
  for (int axis = 0; axis < 3; axis++)
    place[axis] = character->root.position[axis] + (double)from_root.raw[axis];
}

// Whether its muscles are active: not while it falls, guards itself or lies.
static bool is_active(const Character *character) {
  return !character->down || character->fall.machine.state == FALL_RISING;
}

// Feed-forward torques for the wanted motion, and the stiffness that muscles have while producing them. The ground's
// forces on the legs are not known here, so legs get no torque from this function. A balancing character moves its
// pelvis as its feet allow, not as the target does: for it, only gravity and the motion of its own joints are known in
// advance.
static void feed_forward(Character *character, double h) {
  const BodyDef *body = character->def->body;
  double place[3], share = character->drive.def.feed_forward;
  target_place(character, place);
  pose_motion_step(&character->motion, body->part_count, &character->target, &character->previous_target, place, h);
  if (!is_active(character) || share <= 0)
    return;
  versors wanted[BODY_MAX_PARTS];
  wanted[0] = character->sensed.pose.rotation[0];
  for (int i = 1; i < body->part_count; i++)
    wanted[i] = character->joint_goals[i].rotation;
  const PoseMotion *motion = &character->motion;
  PoseMotion at_rest;
  if (character_balances(character)) {
    at_rest = *motion;
    at_rest.turn[0] = at_rest.turn_change[0] = at_rest.acceleration = GLMS_VEC3_ZERO;
    motion = &at_rest;
  }
  vec3s torque_l[BODY_MAX_PARTS];
  inverse_dynamics(character->ragdoll, wanted, motion, character->world->def.gravity, torque_l);
  for (int i = 1; i < body->part_count; i++) {
    JointGoal *goal = &character->joint_goals[i];
    if (body->parts[i].carries)
      continue;
    double strength = share * (double)character->drive.strength[i];
    vec3s torque = glms_vec3_scale(torque_l[i], (float)strength);
    goal->feed_forward_l = glms_vec3_add(goal->feed_forward_l, torque);
    double stiffness = body->parts[i].joint.torque_stiffness * (double)glms_vec3_norm(torque);
    if (goal->stiffness > 0 && stiffness > 0) {
      goal->damping *= sqrt(1 + stiffness / goal->stiffness);
      goal->stiffness += stiffness;
    }
  }
}

static void add_reflexes(Character *character, double h) {
  if (!is_active(character) || !character->drive.def.enabled)
    return;
  float strength[BODY_MAX_PARTS];
  for (int i = 1; i < character->def->body->part_count; i++)
    strength[i] = character->drive.strength[i] * muscle_tone_reflex(&character->tone, i);
  reflexes_step(&character->reflexes, &character->drive.def, &character->senses, character->ragdoll, &character->target,
                strength, h, character->joint_goals);
}

static void slacken(Character *character) {
  for (int i = 1; i < character->def->body->part_count; i++) {
    JointGoal *goal = &character->joint_goals[i];
    muscle_tone_slacken(&character->tone, i, character->def->body->parts[i].joint.strength, &goal->stiffness,
                        &goal->damping);
  }
}

// Arms that push the body up get at least this stiffness, limited to this multiple of their own stiffness.
static const double GROUND_STIFFNESS = 300, MOST_TENSION = 9; // N m/rad

// Co-contraction (muscles that work against each other) stiffens a joint.
static void add_tension(Character *character) {
  bool on_ground = character->fall.machine.state == FALL_RISING;
  for (int i = 1; i < character->def->body->part_count; i++) {
    JointGoal *goal = &character->joint_goals[i];
    double tension = (double)character->responses.tension[i];
    if (!character->def->body->parts[i].carries)
      tension += muscle_tone_stiffness(&character->tone, i);
    if (on_ground && !character->def->body->parts[i].carries && goal->stiffness > 0 &&
        character->drive.def.feed_forward > 0)
      tension += fmax(0, fmin(MOST_TENSION, GROUND_STIFFNESS / goal->stiffness - 1));
    if (tension <= 0)
      continue;
    goal->stiffness *= 1 + tension;
    goal->damping *= sqrt(1 + tension);
  }
}

void character_goals_complete(Character *character, double h) {
  add_offsets(character);
  character_fall_soften(character, character->joint_goals);
  feed_forward(character, h);
  add_tension(character);
  slacken(character);
  add_reflexes(character, h);
}
