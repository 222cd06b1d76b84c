// A step of the layer that aims arms: the direction of aim is smoothed, limited to the shoulder's cone, and turned into
// rotations of shoulder and elbow.
#include "anim/layers/arm_aim/arm_aim_internal.h"

#include <math.h>
#include <string.h>

#include "anim/spring.h"
#include "sim/base/numbers.h"

PARAM_TABLE(arm_aim_params, ArmAimDef, ARM_AIM_PARAMS, "arm_aim", "Aiming with the arms.")
PARAM_TABLE(arm_params, AimingArm, ARM_PARAMS, "arms", "An arm that aims.")

static const double NOWHERE = 1e-6;  // m, or for any vector: shorter ones have no direction
static const double NEAREST = 0.01;  // m: least distance of targets and length of forearms
static const double FARTHEST = 1e-6; // 1/m: a point of less nearness is so far away that it is treated as a direction
static const double ROLLS =
    45; // deg from the direction in which the roll is undefined; at larger angles the roll may change without limit

// ---- Directions ----

static bool make_unit(double v[3]) {
  double length = length3(v);
  for (int i = 0; i < 3 && length > NOWHERE; i++)
    v[i] /= length;
  return length > NOWHERE;
}

// A unit vector perpendicular to a unit vector, in the plane with up, or with forward when it is nearly vertical.
static void any_across(const double unit[3], double across[3]) {
  const double towards[3] = {0, fabs(unit[1]) < 0.99, fabs(unit[1]) >= 0.99};
  for (int i = 0; i < 3; i++)
    across[i] = towards[i] - dot3(towards, unit) * unit[i];
  make_unit(across);
}

static double angle_between(const double a[3], const double b[3]) {
  double normal[3];
  cross3(a, b, normal);
  return atan2(length3(normal), dot3(a, b));
}

// The rotation vector of the shortest turn from one unit vector to another.
static void turn_between(const double from[3], const double to[3], double turn[3]) {
  cross3(from, to, turn);
  double sine = length3(turn), angle = atan2(sine, dot3(from, to));
  if (sine > NOWHERE) {
    for (int i = 0; i < 3; i++)
      turn[i] *= angle / sine;
  } else if (dot3(from, to) < 0) {
    double over[3];
    any_across(from, over);
    cross3(from, over, turn);
    for (int i = 0; i < 3; i++)
      turn[i] *= angle;
  }
}

// A vector turned by a rotation vector.
static void turn_by(const double turn[3], double v[3]) {
  double angle = length3(turn), sine = angle > 1e-8 ? sin(angle) / angle : 1;
  double half = sin(angle / 2), versine = angle > 1e-8 ? 2 * half * half / (angle * angle) : 0.5;
  double once[3], twice[3];
  cross3(turn, v, once);
  cross3(turn, once, twice);
  for (int i = 0; i < 3; i++)
    v[i] += sine * once[i] + versine * twice[i];
}

static void limit_length(double v[3], double longest) {
  double length = length3(v);
  for (int i = 0; i < 3 && length > longest; i++)
    v[i] *= longest / length;
}

void aim_direction_step(AimDirection *aim, const double goal[3], double damp_seconds, double rate_limit, double dt) {
  if (!(dt > 0))
    return;
  // The rotation vector from the goal to the aim, which the spring takes to zero. Twist about the aim does not count.
  double way[3], moved[3];
  turn_between(goal, aim->unit, way);
  double along = dot3(aim->velocity, aim->unit);
  for (int i = 0; i < 3; i++) {
    double offset = way[i];
    aim->velocity[i] -= along * aim->unit[i];
    spring_step(&offset, &aim->velocity[i], 0, damp_seconds, dt);
    moved[i] = offset - way[i];
  }
  limit_length(moved, rate_limit * dt);
  limit_length(aim->velocity, rate_limit);
  for (int i = 0; i < 3; i++)
    way[i] += moved[i];
  memcpy(aim->unit, goal, sizeof aim->unit);
  turn_by(way, aim->unit);
  make_unit(aim->unit);
}

bool aim_into_cone(double unit[3], const double axis[3], double angle) {
  if (angle_between(unit, axis) <= angle)
    return false;
  double across[3];
  for (int i = 0; i < 3; i++)
    across[i] = unit[i] - dot3(unit, axis) * axis[i];
  if (!make_unit(across)) // opposite directions: the arc goes over up
    any_across(axis, across);
  for (int i = 0; i < 3; i++)
    unit[i] = cos(angle) * axis[i] + sin(angle) * across[i];
  return true;
}

// ---- One arm ----

// Converts a vector from the heading's frame to the world.
static void from_heading(const LayerStep *step, const double v[3], double v_w[3]) {
  double s = sin(step->heading), c = cos(step->heading);
  const double turned[3] = {c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]};
  memcpy(v_w, turned, sizeof turned);
}

static bool has_target(const ArmAimDef *def, const LayerStep *step) {
  return def->target_index >= 0 && def->target_index < step->target_count;
}

// The vector to the target, m; for a direction instead of a point, a vector of any length.
static void find_way(const ArmAimDef *def, const LayerStep *step, vec3s from, double way[3]) {
  from_heading(step, def->direction, way);
  for (int i = 0; i < 3 && has_target(def, step); i++)
    way[i] = step->targets[def->target_index][i] - (double)from.raw[i];
}

static versors trunk_rotation(const AimingArm *arm, const LayerStep *step, const ModelPose *pose) {
  return pose->rotation[step->skeleton->parent[arm->joints[SHOULDER]]];
}

// Limits a direction to the arm's cone. Returns whether it was outside.
static bool keep_in_cone(const AimingArm *arm, versors trunk, double unit[3]) {
  double axis[3];
  vec3_to_doubles(glms_quat_rotatev(trunk, vec3_from_doubles(arm->cone_axis)), axis);
  return make_unit(axis) && aim_into_cone(unit, axis, arm->cone_angle * RAD_PER_DEGREE);
}

typedef struct Goal {
  double unit[3];            // from the shoulder
  double distance, nearness; // m, 1/m; 2 m and 0 for a direction
  bool limited;              // limited by the cone
} Goal;

static Goal find_goal(const ArmAimDef *def, const AimingArm *arm, const LayerStep *step, const ModelPose *pose,
                      const double present[3]) {
  Goal goal = {.distance = 2};
  find_way(def, step, pose->position[arm->joints[SHOULDER]], goal.unit);
  if (has_target(def, step))
    goal.distance = fmax(length3(goal.unit), NEAREST);
  if (has_target(def, step) && def->through_point)
    goal.nearness = 1 / goal.distance;
  if (!make_unit(goal.unit)) // the target is at the shoulder: the aim is kept
    memcpy(goal.unit, present, sizeof goal.unit);
  goal.limited = keep_in_cone(arm, trunk_rotation(arm, step, pose), goal.unit);
  return goal;
}

static void move(const ArmAimDef *def, AimedArm *aimed, const LayerStep *step, const Goal *goal) {
  if (step->teleported) {
    memcpy(aimed->aim.unit, goal->unit, sizeof aimed->aim.unit);
    memset(aimed->aim.velocity, 0, sizeof aimed->aim.velocity);
    aimed->nearness = (Spring){.value = goal->nearness, .goal = goal->nearness};
  } else if (step->dt > 0) {
    double damp = def->damp_seconds, dt = step->dt;
    aim_direction_step(&aimed->aim, goal->unit, damp, def->rate_limit * RAD_PER_DEGREE, dt);
    spring_follow(&aimed->nearness, goal->nearness, damp, dt);
    spring_follow(&aimed->raised, 1, damp, dt);
  }
}

static AimJob make_job(const ArmAimDef *def, const AimingArm *arm, const AimedArm *aimed, const LayerStep *step,
                       const ModelPose *pose) {
  const int *joints = arm->joints;
  double pole[3], unit[3];
  from_heading(step, arm->pole, pole);
  memcpy(unit, aimed->aim.unit, sizeof unit);
  keep_in_cone(arm, trunk_rotation(arm, step, pose), unit); // the arc between two aims may leave a wide cone
  return (AimJob){.limb = {.root = pose->position[joints[SHOULDER]],
                           .mid = pose->position[joints[ELBOW]],
                           .end = pose->position[joints[WRIST]],
                           .root_rotation = pose->rotation[joints[SHOULDER]],
                           .mid_rotation = pose->rotation[joints[ELBOW]],
                           .end_rotation = pose->rotation[joints[WRIST]],
                           .pole = vec3_from_doubles(pole),
                           .hinge = arm->hinge,
                           .mode = arm->elbow == 0 ? TWO_BONE_HINGE : TWO_BONE_FREE},
                  .direction = vec3_from_doubles(unit),
                  .distance = aimed->nearness.value > FARTHEST ? (float)(1 / aimed->nearness.value) : 0,
                  .reach = (float)def->reach};
}

// 0 .. 1: how well the animation or the pole determines the roll of the arm about the aim. If the arm points almost
// opposite to the aim, or the pole almost along it, a tiny movement would turn the arm all around.
static double roll_trust(const AimJob *job) {
  vec3s pole = job->limb.pole, reach = glms_vec3_sub(job->limb.end, job->limb.root);
  bool poled = glms_vec3_norm2(pole) > 0;
  double told[3], aim[3];
  vec3_to_doubles(poled ? pole : reach, told);
  vec3_to_doubles(job->direction, aim);
  double off = M_PI - angle_between(told, aim);
  if (poled)
    off = fmin(off, M_PI - off);
  return smooth_step(off / (ROLLS * RAD_PER_DEGREE));
}

// The rotation about the aim from an arm's new rotation to the last one, after the last one has been moved along with
// the aim.
static double roll_back(const AimedArm *aimed, versors upper_t, vec3s along_t) {
  versors last = glms_quat_mul(quat_shortest_arc(aimed->along, along_t), aimed->upper);
  versors back = glms_quat_mul(last, glms_quat_conjugate(upper_t));
  vec3s axis = {{back.x, back.y, back.z}};
  return wrap_angle(2 * atan2((double)glms_vec3_dot(axis, along_t), (double)back.w));
}

// Limits the speed of the arm's roll. A rotation about the line to the target keeps the forearm on that line.
static void limit_roll(const ArmAimDef *def, AimedArm *aimed, const LayerStep *step, versors trunk, AimJob *job) {
  versors to_trunk = glms_quat_conjugate(trunk);
  vec3s along_t = glms_quat_rotatev(to_trunk, job->direction);
  if (step->dt > 0) {
    versors upper_t = glms_quat_mul(to_trunk, job->limb.new_root_rotation);
    double behind = aimed->rolled && !step->teleported ? roll_back(aimed, upper_t, along_t) : 0;
    double most = def->rate_limit * RAD_PER_DEGREE * roll_trust(job) * step->dt;
    aimed->roll = fabs(behind) <= most ? 0 : behind - copysign(most, behind);
  }
  if (aimed->roll != 0) {
    versors turn = quat_exp(glms_vec3_scale(job->direction, (float)aimed->roll));
    job->limb.new_root_rotation = glms_quat_normalize(glms_quat_mul(turn, job->limb.new_root_rotation));
    job->limb.new_mid_rotation = glms_quat_normalize(glms_quat_mul(turn, job->limb.new_mid_rotation));
  }
  if (step->dt > 0) {
    aimed->upper = glms_quat_mul(to_trunk, job->limb.new_root_rotation);
    aimed->along = along_t;
    aimed->rolled = true;
  }
}

// Turns the joints of the pose by a share of the solved rotations, and stores their resulting positions.
static void show(const AimJob *job, const AimingArm *arm, versors trunk, float share, Pose *pose_w, AimedArm *aimed) {
  versors *upper = &pose_w->rotation[arm->joints[SHOULDER]], *fore = &pose_w->rotation[arm->joints[ELBOW]];
  if (share > 0) {
    versors new_upper = glms_quat_mul(glms_quat_conjugate(trunk), job->limb.new_root_rotation);
    versors new_fore = glms_quat_mul(glms_quat_conjugate(job->limb.new_root_rotation), job->limb.new_mid_rotation);
    *upper = quat_slerp(*upper, glms_quat_normalize(new_upper), share);
    *fore = quat_slerp(*fore, glms_quat_normalize(new_fore), share);
  }
  versors upper_w = glms_quat_mul(trunk, *upper), fore_w = glms_quat_mul(upper_w, *fore);
  aimed->shoulder = job->limb.root;
  aimed->elbow = glms_vec3_add(aimed->shoulder, glms_quat_rotatev(upper_w, pose_w->position[arm->joints[ELBOW]]));
  aimed->hand = glms_vec3_add(aimed->elbow, glms_quat_rotatev(fore_w, pose_w->position[arm->joints[WRIST]]));
}

static ArmAimClamp clamp_of(const Goal *goal, TwoBoneClamp limb) {
  if (limb != TWO_BONE_NOT_CLAMPED)
    return limb == TWO_BONE_TOO_NEAR ? ARM_AIM_TOO_NEAR : ARM_AIM_NO_LENGTH;
  return goal->limited ? ARM_AIM_AT_CONE : ARM_AIM_NOT_CLAMPED;
}

static void note_result(const ArmAimDef *def, const LayerStep *step, const Goal *goal, AimedArm *aimed) {
  double forearm[3], hand[3], way[3], beside[3];
  vec3_to_doubles(glms_vec3_sub(aimed->hand, aimed->elbow), forearm);
  vec3_to_doubles(glms_vec3_sub(aimed->hand, aimed->shoulder), hand);
  find_way(def, step, def->through_point ? aimed->hand : aimed->shoulder, way);
  aimed->error = angle_between(forearm, way);
  find_way(def, step, aimed->shoulder, way);
  if (make_unit(way))
    cross3(hand, way, beside);
  else
    memcpy(beside, hand, sizeof beside);
  aimed->hand_distance = length3(beside);
  aimed->goal = glms_vec3_add(aimed->shoulder, glms_vec3_scale(vec3_from_doubles(goal->unit), (float)goal->distance));
}

static void aim_arm(const ArmAimDef *def, const AimingArm *arm, AimedArm *aimed, const LayerStep *step,
                    const ModelPose *pose) {
  Goal goal = find_goal(def, arm, step, pose, aimed->aim.unit);
  move(def, aimed, step, &goal);
  AimJob job = make_job(def, arm, aimed, step, pose);
  two_bone_aim(&job);
  limit_roll(def, aimed, step, trunk_rotation(arm, step, pose), &job);
  show(&job, arm, trunk_rotation(arm, step, pose), (float)(arm->weight * aimed->raised.value), step->pose_w, aimed);
  aimed->pole_fallback = job.limb.pole_fallback;
  aimed->clamped = clamp_of(&goal, job.limb.clamped);
  note_result(def, step, &goal, aimed);
}

// ---- The layer ----

static void init(const void *definition, void *memory, const LayerStep *step) {
  const ArmAimDef *def = definition;
  ArmAimState *state = memory;
  ModelPose pose;
  pose_to_model(step->skeleton, step->pose_w, &pose);
  *state = (ArmAimState){0};
  for (int i = 0; i < def->arm_count; i++) {
    const AimingArm *arm = &def->arms[i];
    AimedArm *aimed = &state->arms[i];
    aimed->shoulder = pose.position[arm->joints[SHOULDER]];
    aimed->elbow = pose.position[arm->joints[ELBOW]];
    aimed->hand = pose.position[arm->joints[WRIST]];
    vec3_to_doubles(glms_vec3_sub(aimed->hand, aimed->shoulder), aimed->aim.unit);
    if (!make_unit(aimed->aim.unit))
      memcpy(aimed->aim.unit, (double[3]){0, -1, 0}, sizeof aimed->aim.unit);
    Goal goal = find_goal(def, arm, step, &pose, aimed->aim.unit);
    aimed->nearness.value = goal.nearness;
    note_result(def, step, &goal, aimed);
  }
}

static void apply(const void *definition, void *memory, const LayerStep *step) {
  const ArmAimDef *def = definition;
  ArmAimState *state = memory;
  ModelPose pose;
  pose_to_model(step->skeleton, step->pose_w, &pose);
  for (int i = 0; i < def->arm_count; i++)
    aim_arm(def, &def->arms[i], &state->arms[i], step, &pose);
}

static const uint32_t GOAL_COLOR = 0x1899b8ff, PRESENT_COLOR = 0x1899b880, IK_COLOR = 0xb8651bff;
static const uint32_t CLAMPED_COLOR = 0xd62728ff;

static void debug_arm(const AimingArm *arm, const AimedArm *aimed, DebugDraw *draw) {
  static const char *const names[ARM_AIM_CLAMP_COUNT] = {"", "at its cone", "too near", "no length"};
  bool clamped = aimed->clamped != ARM_AIM_NOT_CLAMPED;
  double shoulder[3], elbow[3], hand[3], goal[3], present[3], out[3];
  vec3_to_doubles(aimed->shoulder, shoulder);
  vec3_to_doubles(aimed->elbow, elbow);
  vec3_to_doubles(aimed->hand, hand);
  vec3_to_doubles(aimed->goal, goal);
  double distance = (double)glms_vec3_distance(aimed->goal, aimed->hand);
  double forearm = (double)glms_vec3_distance(aimed->hand, aimed->elbow);
  for (int i = 0; i < 3; i++) {
    present[i] = hand[i] + (hand[i] - elbow[i]) * distance / fmax(forearm, NEAREST);
    out[i] = 2 * elbow[i] - (shoulder[i] + hand[i]) / 2; // a point on the side to which the elbow points
  }
  debug_group(draw, DEBUG_LOOK);
  debug_line(draw, shoulder, goal, 0.008f, clamped ? CLAMPED_COLOR : GOAL_COLOR);
  debug_point(draw, goal, 0.03f, clamped ? CLAMPED_COLOR : GOAL_COLOR);
  debug_line(draw, hand, present, 0.004f, PRESENT_COLOR);
  if (clamped)
    debug_label(draw, goal, CLAMPED_COLOR, "%s %s, %.0f deg", arm->hand, names[aimed->clamped],
                aimed->error / RAD_PER_DEGREE);
  debug_group(draw, DEBUG_IK);
  debug_point(draw, hand, 0.02f, IK_COLOR);
  debug_arrow(draw, elbow, out, 0.01f, aimed->pole_fallback ? CLAMPED_COLOR : IK_COLOR);
}

static void debug(const void *definition, const void *memory, const LayerStep *step, DebugDraw *draw) {
  const ArmAimDef *def = definition;
  const ArmAimState *state = memory;
  (void)step;
  for (int i = 0; i < def->arm_count; i++)
    debug_arm(&def->arms[i], &state->arms[i], draw);
}

// ---- The trace ----

enum { CHANNEL_ERROR, CHANNEL_HAND_DISTANCE, CHANNEL_CLAMPED, CHANNEL_COUNT };

static const LayerChannel channels[CHANNEL_COUNT] = {
    {"error", "rad", "Angle between the shown forearm and where it should point", 1},
    {"hand_distance", "m", "Distance from the shown hand to the ray from the shoulder to the goal", 1},
    {"clamped", "-",
     "Limit of the aim, 0: none; 1: border of the cone; 2: the target is too near; 3: a bone without length", 1},
};

static int rows(const void *def) { return ((const ArmAimDef *)def)->arm_count; }

static const char *row_name(const void *definition, const Skeleton *skeleton, int row) {
  return skeleton->names[((const ArmAimDef *)definition)->arms[row].joints[SHOULDER]];
}

static void record(const void *definition, const void *memory, int channel, float *values) {
  const ArmAimDef *def = definition;
  const ArmAimState *state = memory;
  for (int i = 0; i < def->arm_count; i++) {
    const AimedArm *aimed = &state->arms[i];
    const float all[CHANNEL_COUNT] = {(float)aimed->error, (float)aimed->hand_distance, (float)aimed->clamped};
    values[i] = all[channel];
  }
}

static const char *const other_keys[] = {"arms", NULL};
static const char *const other_docs[] = {"Maps {upper_arm, forearm, hand, weight, elbow, elbow_axis, pole, cone_axis, "
                                         "cone_angle}; a human's two without it."};

// ---- Saving and restoring ----

static void arm_state(AimedArm *arm, StateStream *stream) {
  STATE(stream, arm->aim.unit, arm->aim.velocity, arm->nearness.value, arm->nearness.velocity, arm->raised.value,
        arm->raised.velocity, arm->rolled, arm->upper.raw, arm->along.raw, arm->roll);
  STATE(stream, arm->shoulder.raw, arm->elbow.raw, arm->hand.raw, arm->goal.raw, arm->error, arm->hand_distance,
        arm->pole_fallback);
  STATE_CHOICE(stream, arm->clamped, ARM_AIM_CLAMP_COUNT);
}

static void save_or_restore(const void *def, void *state, StateStream *stream) {
  for (int i = 0; i < ((const ArmAimDef *)def)->arm_count; i++)
    arm_state(&((ArmAimState *)state)->arms[i], stream);
}

const LayerKind arm_aim_layer = {
    .name = "arm_aim",
    .doc = "Stretches arms out so that their forearms point at a target or along a direction.",
    .params = &arm_aim_params,
    .def_size = sizeof(ArmAimDef),
    .target_offset = offsetof(ArmAimDef, target_index),
    .state_size = sizeof(ArmAimState),
    .other_keys = other_keys,
    .other_docs = other_docs,
    .read = arm_aim_read,
    .init = init,
    .state = save_or_restore,
    .apply = apply,
    .debug = debug,
    .channels = channels,
    .channel_count = CHANNEL_COUNT,
    .rows = rows,
    .row_name = row_name,
    .record = record,
};
