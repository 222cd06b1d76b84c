// The pose of a jump: posture from the clip, feet that stand, roll and swing, and the pelvis where the centre of mass
// requires it.
#include <math.h>

#include "anim/ik.h"
#include "ragdoll/character/character_jump.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

// m/s at take-off: in a slower jump the posture is the clip's to a smaller share, but to this share at least.
static const double CLIP_SPEED = 2.4, LEAST_SHARE = 0.45;

// rad: the knee of a standing leg stays bent by at least the first angle, for which the heel rises; that of a swinging
// leg by the second one. Beyond, over this way (m) the leg becomes gradually longer.
static const double STANDING_KNEE = 0.17, SWINGING_KNEE = 0.14, EASED = 0.03;

// At take-off the heel has risen by this angle (rad), within the last part of the push.
static const double HEEL_RISE = 0.78, MOST_RISE = 0.85, RISING = 0.62; // rad, rad, share of the push

// rad: from the end of the range of an ankle; and the share of what it lacks by which the heel rises in each round.
static const double ANKLE_MARGIN = 0.02, ANKLE_SHARE = 0.6;
static const double ANKLE_LENIENCE = 0.5, LENIENCE_TIME = 0.25; // rad, s

// rad: toes are raised by this at touchdown, and come down within this time, s. So do those of a foot that was held.
static const double TOES_UP = 0.12, TOES_DOWN_TIME = 0.07;

// Distance from hip to ankle in the middle of a flight, in shares of the leg: the longer the flight the shorter.
static const double TUCK_SHORT = 0.86, TUCK_LONG = 0.62, SHORT_FLIGHT = 0.22, LONG_FLIGHT = 0.55; // s

static const double STEP_LIFT = 0.05, STEP_LIFT_FAR = 0.06; // m: of a step to the place of take-off, and for each metre
static const double STEP_DOWN = -0.2, LAND_DOWN = -0.6;     // m/s: as a foot touches down

// m: heights of ledges down which feet begin to hasten ahead, and hasten by all of this share.
static const double LEAST_LEDGE = 0.2, HIGH_LEDGE = 0.6, HASTE = 0.5;

static const double BACK_TIME = 0.3; // s: from the jump into the animation

// Rounds in which the pelvis is moved until the centre of mass is in its place; each leaves a third of the distance.
enum { COM_ROUNDS = 8 };

// The larger one, without a kink.
static double eased_max(double a, double b) {
  double gap = max_d(0, EASED - fabs(a - b));
  return max_d(a, b) + gap * gap / (4 * EASED);
}

// The longest reach of a leg whose knee is bent by an angle.
static double reach_of(const Skeleton *skeleton, const Leg *leg, double knee) {
  double thigh = (double)glms_vec3_norm(skeleton->bind_position_l[leg->knee]);
  double shin = (double)glms_vec3_norm(skeleton->bind_position_l[leg->ankle]);
  return sqrt(thigh * thigh + shin * shin + 2 * thigh * shin * cos(knee));
}

// A place of a foot: its ankle, and its rotation.
typedef struct FootPlace {
  vec3s ankle;
  versors rotation;
} FootPlace;

static versors tilted(double yaw, double tilt) {
  return glms_quat_mul(character_heading_rotation(yaw), quat_exp((vec3s){{(float)-tilt, 0, 0}}));
}

// A foot that stands, tilted about its heel (toes up, > 0) or its toes.
static FootPlace standing_foot(const Leg *leg, const FootStand *stand, double tilt) {
  versors level = character_heading_rotation(stand->yaw);
  vec3s edge_l = tilt > 0 ? leg->heel_l : leg->toe_l, sole = vec3_from_ode(stand->sole);
  vec3s edge = glms_vec3_add(sole, glms_quat_rotatev(level, glms_vec3_sub(edge_l, leg->sole_l)));
  FootPlace place = {.rotation = tilted(stand->yaw, tilt)};
  place.ankle = glms_vec3_sub(edge, glms_quat_rotatev(place.rotation, edge_l));
  return place;
}

// How far the heel of a standing foot must rise for the leg to reach it, rad.
static double needed_rise(const Leg *leg, const FootStand *stand, vec3s hip, double reach) {
  double far = (double)glms_vec3_distance(hip, standing_foot(leg, stand, 0).ankle);
  if (far < reach - EASED)
    return 0;
  double goal = -eased_max(-far, -reach), low = 0, high = MOST_RISE;
  for (int i = 0; i < 30; i++) {
    double middle = (low + high) / 2;
    if ((double)glms_vec3_distance(hip, standing_foot(leg, stand, -middle).ankle) > goal)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static FootPlace rising_foot(const Skeleton *skeleton, const Leg *leg, const FootStand *stand, double rise, vec3s hip) {
  double needed = needed_rise(leg, stand, hip, reach_of(skeleton, leg, STANDING_KNEE));
  return standing_foot(leg, stand, -max_d(rise, needed));
}

// ---- Swings ----

// A swing in progress.
typedef struct Swing {
  double passed, span; // s
  FootPlace to;
  double down;  // m/s: vertical velocity at its end
  double lift;  // m by which its middle is raised
  double haste; // at least 1: so many times sooner it is above its place
} Swing;

// The cubic from a with velocity u to b with velocity v.
static double cubic(double a, double u, double b, double v, double s, double span) {
  return a + (b - a) * s * s * (3 - 2 * s) + span * (u * s * (1 - s) * (1 - s) - v * s * s * (1 - s));
}

// A foot on its way, drawn to the hip as far as the leg is too short.
static FootPlace swinging_foot(const Skeleton *skeleton, const Leg *leg, const JumpFoot *foot, const Swing *swing,
                               vec3s hip) {
  double s = min_d(swing->passed / swing->span, 1), bump = 16 * s * s * (1 - s) * (1 - s);
  FootPlace place = {.rotation = quat_slerp(foot->turn, swing->to.rotation, (float)smooth_step(s))};
  for (int i = 0; i < 3; i++) {
    double haste = i == 1 ? 1 : swing->haste, end = i == 1 ? swing->down : 0;
    place.ankle.raw[i] = (float)cubic((double)foot->from.raw[i], (double)foot->velocity.raw[i],
                                      (double)swing->to.ankle.raw[i], end, min_d(s * haste, 1), swing->span / haste);
  }
  place.ankle.y += (float)(bump * swing->lift);
  double far = (double)glms_vec3_distance(hip, place.ankle);
  double near = -eased_max(-far, -reach_of(skeleton, leg, SWINGING_KNEE));
  if (far > 0)
    place.ankle = glms_vec3_add(hip, glms_vec3_scale(glms_vec3_sub(place.ankle, hip), (float)(near / far)));
  return place;
}

static Swing step_swing(const Leg *leg, const JumpFoot *foot, double time) {
  double way = hypot(foot->held.sole[0] - foot->take_off.sole[0], foot->held.sole[2] - foot->take_off.sole[2]);
  return (Swing){.passed = time - foot->step_begin,
                 .span = foot->step_end - foot->step_begin,
                 .to = standing_foot(leg, &foot->take_off, 0),
                 .down = STEP_DOWN,
                 .haste = 1,
                 .lift = STEP_LIFT + STEP_LIFT_FAR * way};
}

// In flight the legs are tucked, and reach for the ground. Down a ledge a foot goes ahead first, and falls as all does,
// so that it does not catch on the edge. hip_height: m over the ground, of the pose of rest.
static Swing flight_swing(const Character *character, const Leg *leg, const JumpFoot *foot, double share,
                          double hip_height) {
  const CharacterJump *jump = &character->jump;
  const JumpArc *arc = &jump->arc;
  Swing swing = {.passed = share * arc->flight,
                 .span = arc->flight,
                 .to = standing_foot(leg, &foot->landing, TOES_UP),
                 .down = LAND_DOWN};
  double drop = (double)(foot->from.y - swing.to.ankle.y);
  swing.down = min_d(LAND_DOWN, -2 * drop / arc->flight);
  swing.haste = 1 + HASTE * smooth_step((drop - LEAST_LEDGE) / (HIGH_LEDGE - LEAST_LEDGE));
  double ahead, above, length = (double)skeleton_leg_length(&character->def->body->skeleton, leg);
  jump_arc_place(arc, JUMP_PUSH + arc->flight / 2, &ahead, &above);
  double tuck = smooth_step((arc->flight - SHORT_FLIGHT) / (LONG_FLIGHT - SHORT_FLIGHT));
  double wanted = jump->place[1] + hip_height + above - length * (TUCK_SHORT + tuck * (TUCK_LONG - TUCK_SHORT));
  double middle =
      cubic((double)foot->from.y, (double)foot->velocity.y, (double)swing.to.ankle.y, swing.down, 0.5, swing.span);
  swing.lift = max_d(0, wanted - middle);
  return swing;
}

// ---- Feet ----

// What a foot does at present.
typedef struct FootTask {
  bool swings;
  FootStand stand; // where it stands
  double tilt;     // rad, toes up, of a foot that stands
  double lenience; // rad beyond the range of its ankle that is let pass, as it has just come down
  Swing swing;
} FootTask;

static double easing(double time) { return 1 - smooth_step(time / TOES_DOWN_TIME); }

// `time`: s since the foot came down.
static double lenience(double time) { return ANKLE_LENIENCE * (1 - smooth_step(time / LENIENCE_TIME)); }

static FootTask crouching_foot(const Leg *leg, const JumpFoot *foot, double time) {
  if (time >= foot->step_end && foot->step_end > 0)
    return (FootTask){.stand = foot->take_off, .lenience = lenience(time - foot->step_end)};
  if (time >= foot->step_end)
    return (FootTask){.stand = foot->take_off, .tilt = foot->tilt * easing(time), .lenience = lenience(time)};
  if (time >= foot->step_begin)
    return (FootTask){.swings = true, .stand = foot->take_off, .swing = step_swing(leg, foot, time)};
  return (FootTask){.stand = foot->held, .tilt = foot->tilt * easing(time), .lenience = lenience(time)};
}

static FootTask find_task(const Character *character, int leg_index, double hip_height) {
  const CharacterJump *jump = &character->jump;
  const Leg *leg = &character->def->body->skeleton.legs[leg_index];
  const JumpFoot *foot = &jump->feet[leg_index];
  double share;
  switch (jump_phase(jump, &share)) {
  case JUMP_CROUCHES:
    return crouching_foot(leg, foot, jump->time);
  case JUMP_PUSHES: {
    double rising = max_d(0, (share - 1 + RISING) / RISING);
    return (FootTask){.stand = foot->take_off, .tilt = -HEEL_RISE * rising * rising};
  }
  case JUMP_FLIES:
    return (FootTask){
        .swings = true, .stand = foot->landing, .swing = flight_swing(character, leg, foot, share, hip_height)};
  case JUMP_ABSORBS:
    return (FootTask){.stand = foot->landing,
                      .tilt = TOES_UP * easing(share * jump->arc.absorb),
                      .lenience = lenience(share * jump->arc.absorb)};
  default:
    return (FootTask){.stand = foot->landing};
  }
}

static FootPlace place_foot(const Character *character, int leg_index, const FootTask *task, vec3s hip) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  const Leg *leg = &skeleton->legs[leg_index];
  if (task->swings)
    return swinging_foot(skeleton, leg, &character->jump.feet[leg_index], &task->swing, hip);
  return task->tilt > 0 ? standing_foot(leg, &task->stand, task->tilt)
                        : rising_foot(skeleton, leg, &task->stand, -task->tilt, hip);
}

// The heel of a standing foot rises where the shin leans further over it than the ankle bends.
static void spare_ankle(const Character *character, const Leg *leg, const Pose *pose_w, FootTask *task) {
  double least = character->def->body->parts[leg->ankle].joint.limit[0][0] + ANKLE_MARGIN - task->lenience;
  double angle = (double)quat_log(pose_w->rotation[leg->ankle]).x;
  if (!task->swings && task->tilt <= 0 && angle < least)
    task->tilt -= ANKLE_SHARE * (least - angle);
}

// Puts the feet where their tasks require, below the pelvis of the pose.
static void place_feet(const Character *character, FootTask tasks[], FootPlace places[], Pose *pose_w) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose model;
  pose_legs_to_model(skeleton, pose_w, &model);
  for (int i = 0; i < skeleton->leg_count; i++) {
    places[i] = place_foot(character, i, &tasks[i], model.position[skeleton->legs[i].hip]);
    leg_reach(skeleton, &skeleton->legs[i], places[i].ankle, places[i].rotation, pose_w);
    spare_ankle(character, &skeleton->legs[i], pose_w, &tasks[i]);
  }
}

// Remembers how a standing foot moves: its swing will continue that motion.
static void follow_foot(JumpFoot *foot, const FootPlace *place, double dt) {
  foot->velocity = glms_vec3_scale(glms_vec3_sub(place->ankle, foot->from), (float)(1 / dt));
  foot->from = place->ankle;
  foot->turn = place->rotation;
}

static void plan_foot(const Leg *leg, const FootTask *task, const FootPlace *place, FootPlan *plan) {
  FootPoints points = foot_points(leg, place->ankle, place->rotation);
  bool swings = task->swings;
  *plan = (FootPlan){.known = true,
                     .on_ground = true,
                     .standing = !swings,
                     .progress = swings ? min_d(task->swing.passed / task->swing.span, 1) : 1,
                     .time_left = swings ? max_d(task->swing.span - task->swing.passed, 0) : 0,
                     .landing = {task->stand.sole[0], task->stand.sole[2]},
                     .landing_yaw = task->stand.yaw,
                     .heel = (double)points.heel.y - task->stand.sole[1],
                     .toe = (double)points.toe.y - task->stand.sole[1]};
}

// ---- Posture ----

// The clip's time at the present moment of the jump.
static double clip_time(const Character *character) {
  const Clip *clip = character->def->jump;
  double share;
  JumpPhase phase = jump_phase(&character->jump, &share);
  double from = phase > 0 ? (double)clip_mark(clip, jump_marks[phase - 1])->time : 0;
  double to = phase < JUMP_PHASE_COUNT - 1 ? (double)clip_mark(clip, jump_marks[phase])->time : (double)clip->duration;
  return from + share * (to - from);
}

void character_jump_posture(const Character *character, Pose *pose_w) {
  const JumpArc *arc = &character->jump.arc;
  Pose rest = jump_rest(character), posture;
  clip_sample(character->def->jump, (float)clip_time(character), &posture);
  double share = max_d(LEAST_SHARE, min_d(hypot(arc->ahead, arc->up) / CLIP_SPEED, 1));
  pose_blend(&rest, &posture, (float)share, NULL, pose_w);
  pose_transform(pose_w, vec3_from_ode(character->root.position), character_heading_rotation(character->jump.heading));
}

static double rest_hip_height(const Character *character, const Leg *leg) {
  Pose rest = jump_rest(character);
  vec3s hip;
  versors rotation;
  pose_joint_transform(&character->def->body->skeleton, &rest, leg->hip, &hip, &rotation);
  return (double)hip.y;
}

static void take_over(Character *character) {
  character->animation_m = character->target;
  character_root_frame(character, &character->animation_m);
}

static void pose_jump(Character *character, double dt) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  CharacterJump *jump = &character->jump;
  Pose *pose = &character->target;
  FootTask tasks[SKELETON_MAX_LEGS] = {{.swings = false}};
  FootPlace places[SKELETON_MAX_LEGS];
  for (int i = 0; i < skeleton->leg_count; i++)
    tasks[i] = find_task(character, i, rest_hip_height(character, &skeleton->legs[i]));
  character_jump_posture(character, pose);
  inertia_apply(&jump->inertia, (float)dt, pose);
  double wanted[3], com[3];
  jump_com(character, jump->time, wanted);
  for (int i = 0; i < COM_ROUNDS; i++) { // the legs' share of the centre of mass depends on where the pelvis is
    place_feet(character, tasks, places, pose);
    character_pose_com(character, pose, com);
    for (int axis = 0; axis < 3; axis++)
      pose->position[0].raw[axis] += (float)(wanted[axis] - com[axis]);
  }
  place_feet(character, tasks, places, pose);
  for (int i = 0; i < skeleton->leg_count; i++) {
    if (!tasks[i].swings)
      follow_foot(&jump->feet[i], &places[i], dt);
    plan_foot(&skeleton->legs[i], &tasks[i], &places[i], &character->foot_plans[i]);
  }
  take_over(character);
}

void character_jump_return(Character *character, double dt) {
  CharacterJump *jump = &character->jump;
  if (jump->active)
    return;
  if (jump->returns && !character->down) {
    const Pose *from = &character->previous_target, *to = &character->target;
    inertia_begin(&jump->inertia, from, from, to, to, (float)dt, (float)BACK_TIME);
  }
  jump->returns = false;
  if (jump->inertia.age < jump->inertia.time) {
    inertia_apply(&jump->inertia, (float)dt, &character->target);
    take_over(character);
  }
}

void character_jump_pose(Character *character, double dt) {
  if (!character->jump.active)
    return;
  pose_jump(character, dt);
  character->jump.returns = true;
}
