// Falling, lying and getting up of a character: the inputs of its state machine, the motion of the root meanwhile, and
// the pose that the drives aim at.
#include "ragdoll/character/character_fall.h"

#include <math.h>
#include <string.h>

#include "anim/mirror.h"
#include "ragdoll/character/character_fall_ground.h"
#include "ragdoll/character/character_floor.h"
#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_root.h"
#include "ragdoll/character/character_skill.h"
#include "ragdoll/reaction/fall_tone.h"
#include "sim/base/numbers.h"
#include "sim/base/support.h"
#include "sim/world/convert.h"

// A falling character counts as caught when its extrapolated centre of mass is within this share of a step's reach, and
// it is upright.
static const double CAUGHT_SHARE = 0.6;
static const double CAUGHT_LEAN = 40;    // deg
static const double CAUGHT_HEIGHT = 0.8; // of the centre of mass, as a share of the legs' length

// Deviations from the get-up clip above which getting up has failed. Who is on the ground may roll over as slowly as he
// can: the clip waits.
static const double THROWN_GAP = 0.5; // m of the pelvis
static const double THROWN_LEAN = 70; // deg of the pelvis

// Weight of the feet in the lag: a foot that drags on the ground follows when it is pulled farther.
static const float FEET_LAG = 0.25f;

// m/rad: a pelvis that is turned away from its target by an angle lags behind by this times the angle.
static const float TURN_LAG = 0.2f;

// m/s, RMS of the parts: a body on the ground that is no faster has landed, and its muscles let go.
static const double LANDED_SPEED = 1;

// m, of a wrist over the ground: a hand that is higher does not touch it.
static const double RAISED_HAND = 0.25;

// s: least duration of the blend back to the animation, and of the return of strength
static const double RETURN_TIME = 0.3;

// rad: a hand that deviates this much from its target while the body gets up is caught under the body, or flung away;
// it becomes limp.
static const float CAUGHT_HAND = 0.4f; // rad

// s in which the assist's limits for getting up return to the usual ones
static const double HELP_FADE = 1.5; // s

// s: how long before it stands a foot is brought forward, and fade of the thigh's guidance
static const double STEP_TIME = 0.55, STEP_FADE = 0.15;

// Meanwhile its knee bends more, so that the foot is higher by this (m), and by the distance that the pelvis is too
// low; before the stance it comes down in STEP_DOWN seconds.
static const double STEP_LIFT = 0.04, STEP_DOWN = 0.2; // m, s

// While the pelvis is on the ground (lower than this share of the legs' length), and later if no assist holds it or a
// skill leads it, the place of getting up follows the body with the time constant FOLLOW_TIME. A skill that learns with
// help must not lean on a hand that holds its place, since it has to do without.
static const double ON_GROUND = 0.35;
static const double FOLLOW_TIME = 0.1; // s

void character_fall_init(Character *character) {
  CharacterFall *fall = &character->fall;
  *fall = (CharacterFall){.strength = 1};
  const DriveDef *drive = &character->def->drive;
  fall->guards = fall_body_find(&fall->body, character->def->body) && drive->enabled && !drive->kinematic;
}

static bool guards(const Character *character) { return character->fall.guards && character->def->fall.enabled; }

bool character_fall_leads(const Character *character) { return character->down && guards(character); }

static bool gets_up(const Character *character) {
  const CharacterDef *def = character->def;
  return guards(character) && def->fall.get_up && def->get_up[GET_UP_PRONE] && def->get_up[GET_UP_SUPINE];
}

// The extrapolated centre of mass, without the intended motion, relative to the nearer foot, x and z.
static void find_heading_off(const Character *character, double off[2]) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  double own[3], velocity[3], xcom[3], nearest = INFINITY;
  character_root_own_velocity(character, own);
  for (int i = 0; i < 3; i++)
    velocity[i] = character->sensed.com_velocity[i] - own[i] - character->root.ground_velocity[i];
  support_extrapolated_com(character->sensed.com, velocity, character->root.position[1], xcom);
  for (int i = 0; i < skeleton->leg_count; i++) {
    double sole[3];
    ragdoll_point(character->ragdoll, skeleton->legs[i].ankle, skeleton->legs[i].sole_l, sole);
    double from[2] = {xcom[0] - sole[0], xcom[2] - sole[2]};
    if (length_2d(from) >= nearest)
      continue;
    nearest = length_2d(from);
    memcpy(off, from, sizeof from);
  }
}

// RMS speed of the parts, weighted by mass, m/s over the ground.
static double parts_speed(const Character *character) {
  const BodyDef *body = character->def->body;
  double sum = 0;
  for (int i = 0; i < body->part_count; i++) {
    const dReal *v = dBodyGetLinearVel(character->ragdoll->ode[i]);
    for (int k = 0; k < 3; k++) {
      double over_ground = v[k] - character->root.ground_velocity[k];
      sum += body->parts[i].mass * over_ground * over_ground;
    }
  }
  return sqrt(sum / body->mass);
}

// Angle in deg between the up directions of two rotations.
static double lean_between(versors a, versors b) {
  static const vec3s up = {{0, 1, 0}};
  return (double)vec3_angle_between(glms_quat_rotatev(glms_quat_conjugate(a), up),
                                    glms_quat_rotatev(glms_quat_conjugate(b), up)) /
         RAD_PER_DEGREE;
}

bool character_fall_on_ground(const Character *character) {
  double height = (double)character->target.position[0].y - character->root.position[1];
  return height < ON_GROUND * character->fall.body.leg_length;
}

static bool clip_is_over(const CharacterFall *fall) {
  return fall->since >= fall->match && fall->clip_time >= fall->entry.clip->duration;
}

// Deviation of the body from the clip, m: pelvis and chest, the pelvis's rotation, and a reduced share of the feet's.
static double find_lag(const Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  ModelPose target, measured;
  pose_to_model(skeleton, &character->target, &target);
  pose_to_model(skeleton, &character->sensed.pose, &measured);
  int chest = character->fall.body.chest;
  float lag = fmaxf(glms_vec3_distance(target.position[0], measured.position[0]),
                    glms_vec3_distance(target.position[chest], measured.position[chest]));
  lag = fmaxf(lag, TURN_LAG * quat_angle_between(target.rotation[0], measured.rotation[0]));
  for (int i = 0; i < skeleton->leg_count; i++) {
    int ankle = skeleton->legs[i].ankle;
    lag = fmaxf(lag, FEET_LAG * glms_vec3_distance(target.position[ankle], measured.position[ankle]));
  }
  return (double)lag;
}

// Factor of the clip's pace for a body that lags behind.
static double clip_share(const Character *character) {
  return fmax(0, fmin(2 - character->fall.clip_gap / character->def->fall.lag, 1));
}

static FallSense sense(Character *character) {
  CharacterFall *fall = &character->fall;
  const FallDef *def = &character->def->fall;
  double gap = character_root_gap(character);
  FallSense sense = {
      .loaded = character->sensed.fallen, .at_ease = gap < CHARACTER_LOST_GAP, .can_rise = gets_up(character)};
  bool leaves_feet = character_floor_goes(character->def) || character_jumps(character); // by itself, not by a fall
  if (fall->machine.state == FALL_UPRIGHT && leaves_feet) {
    sense.lost = (fall->guards ? find_lag(character) : gap) > CHARACTER_LOST_GAP;
    return sense;
  }
  if (!guards(character))
    return sense;
  double off[2] = {0}, reach = def->reach * fall->body.leg_length;
  find_heading_off(character, off);
  sense.lost = length_2d(off) > reach;
  if (fall->machine.state == FALL_UPRIGHT) // in other states nothing else is needed
    return sense;
  sense.at_ease = length_2d(off) < CAUGHT_SHARE * reach &&
                  character->sensed.com[1] - character->root.position[1] > CAUGHT_HEIGHT * fall->body.leg_length &&
                  lean_between(glms_quat_identity(), character->sensed.pose.rotation[0]) < CAUGHT_LEAN;
  sense.speed = parts_speed(character);
  if (fall->machine.state == FALL_RISING) {
    bool over = clip_is_over(fall);
    fall->clip_gap = find_lag(character);
    sense.risen = over && !character->sensed.fallen && fall->clip_gap < def->lag;
    sense.waits = over || clip_share(character) < 0.2;
    bool leans = lean_between(character->target.rotation[0], character->sensed.pose.rotation[0]) > THROWN_LEAN;
    sense.thrown = gap > THROWN_GAP || (leans && !character_fall_on_ground(character));
  }
  return sense;
}

// From now on the target blends from a pose, and reaches its own course after `match` seconds.
static void begin_from(Character *character, const Pose *pose_w, double match) {
  CharacterFall *fall = &character->fall;
  fall->from_m = *pose_w;
  character_root_frame(character, &fall->from_m);
  fall->since = 0;
  fall->match = match;
}

static double match_time(const Character *character, const Pose *from, const Pose *to) {
  double rate = character->def->fall.match_rate * RAD_PER_DEGREE;
  return 1.5 * (double)fall_pose_distance(character->def->body, from, to) /
         rate; // 1.5: the largest slope of smooth_step
}

static void place(const Character *character, Pose *pose_m) {
  pose_transform(pose_m, vec3_from_ode(character->root.position), character_heading_rotation(character->root.heading));
}

// Chooses the clip and time most similar to the lying pose, and puts the root there.
static void begin_rising(Character *character) {
  CharacterFall *fall = &character->fall;
  const Pose *lying = &character->sensed.pose;
  double x = (double)lying->position[0].x, z = (double)lying->position[0].z;
  double ground = character_ground_under(character, x, z, character->root.position[1]);
  fall->entry = get_up_match(&fall->body, character->def->get_up, lying, ground);
  fall->clip_time = fall->entry.time;
  double help = fmax(character->def->fall.force, character->assist.def.force);
  bool alone = character_skill_of_clip(character) != NULL;
  fall->assisted = character->assist.def.enabled && character->assist.part >= 0 && help > 0 && !alone;
  Pose entry;
  get_up_sample(&fall->entry, fall->entry.time, &entry);
  double heading = character_turn_between(entry.rotation[0], lying->rotation[0]);
  vec3s pelvis = glms_quat_rotatev(character_heading_rotation(heading), entry.position[0]);
  double root[3] = {x - (double)pelvis.x, ground, z - (double)pelvis.z};
  character_fall_find_ground(character, root, heading);
  root[1] += fall->lift;
  character_root_place(character, root, heading);
  character_fall_fit(character, &entry);
  place(character, &entry);
  begin_from(character, lying, match_time(character, lying, &entry));
  character->target = *lying; // drives and assist begin at rest
}

// After getting up the character stands where its feet are and keeps its heading until it is to move.
static void begin_standing(Character *character) {
  CharacterFall *fall = &character->fall;
  const Skeleton *skeleton = &character->def->body->skeleton;
  Pose from = character->target;
  double root[3];
  memcpy(root, character->root.position, sizeof root);
  for (int i = 0; i < skeleton->leg_count; i++) {
    vec3s wanted, is;
    versors rotation;
    pose_joint_transform(skeleton, &character->target, skeleton->legs[i].ankle, &wanted, &rotation);
    pose_joint_transform(skeleton, &character->sensed.pose, skeleton->legs[i].ankle, &is, &rotation);
    root[0] += (double)(is.x - wanted.x) / skeleton->leg_count;
    root[2] += (double)(is.z - wanted.z) / skeleton->leg_count;
  }
  character_root_place(character, root, character->root.heading);
  fall->facing = true;
  fall->kept_heading = character->root.heading;
  fall->intended = character->intent.heading;
  begin_from(character, &from, RETURN_TIME);
}

static void begin_state(Character *character) {
  CharacterFall *fall = &character->fall;
  switch (fall->machine.state) {
  case FALL_FALLING: {
    fall->held_pose = character->target;
    fall->landed = 0;
    double off[2] = {0, 1};
    find_heading_off(character, off);
    double length = length_2d(off);
    for (int i = 0; i < 2 && length > 0; i++)
      fall->fall_direction[i] = off[i] / length;
    begin_from(character, &character->target, 0);
    break;
  }
  case FALL_LYING:
    fall->held_pose = character->sensed.pose;
    character->target = character->sensed.pose;
    begin_from(character, &character->sensed.pose, 0);
    break;
  case FALL_RISING:
    begin_rising(character);
    break;
  case FALL_UPRIGHT:
    if (fall->machine.reason == FALL_STANDING)
      begin_standing(character);
    else
      begin_from(character, &character->target, RETURN_TIME);
    break;
  }
}

// A limit of the assist for getting up that changes to the usual one afterwards.
static double help_limit(const FallMachine *machine, double help, double otherwise) {
  bool stood = machine->state == FALL_UPRIGHT && machine->reason == FALL_STANDING;
  double share = machine->state == FALL_RISING ? 1 : stood ? 1 - smooth_step(machine->time / HELP_FADE) : 0;
  return help > 0 ? otherwise + share * (help - otherwise) : otherwise;
}

// Fades the assist out or in during a fall; while getting up it has its own limits, but for who gets up by a skill.
static void fade_assist(Character *character, double dt) {
  const FallDef *def = &character->def->fall;
  Assist *assist = &character->assist;
  const FallMachine *machine = &character->fall.machine;
  bool loose = machine->state == FALL_FALLING || machine->state == FALL_LYING;
  assist->fade = fmax(0, fmin(assist->fade + (loose ? -dt : dt) / FALL_LOAD_TIME, 1));
  bool helped = character->fall.assisted;
  assist->force = help_limit(machine, helped ? def->force : 0, assist->def.force);
  assist->torque = help_limit(machine, helped ? def->torque : 0, assist->def.torque);
}

// Hands and knees that touch the ground brake the body; it has landed when that has slowed it down.
static bool has_landed(const Character *character, const FallSense *noticed) {
  return character->sensed.fallen &&
         (noticed->speed < LANDED_SPEED || character->fall.machine.loaded >= FALL_LOAD_TIME);
}

void character_fall_update(Character *character) {
  double dt = character->world->def.dt;
  FallSense noticed = sense(character);
  bool changed = fall_step(&character->fall.machine, &character->def->fall, &noticed, dt);
  CharacterFall *fall = &character->fall;
  character->down = fall->machine.state != FALL_UPRIGHT;
  if (fall->machine.state == FALL_FALLING && (fall->landed > 0 || has_landed(character, &noticed)))
    fall->landed += dt;
  if (changed && guards(character))
    begin_state(character);
  if (character->down && character->balance.def.enabled)
    balance_restart(&character->balance, character->root.heading, character->sensed.com);
  fade_assist(character, dt);
}

static bool follows_body(const Character *character) {
  return character_has_skill(character) || !character->fall.assisted || character_fall_on_ground(character);
}

static void follow_body(Character *character, double dt, RootMotion *motion) {
  double share = -expm1(-dt / FOLLOW_TIME);
  vec3s from = character->target.position[0], to = character->sensed.pose.position[0];
  motion->position[0] += share * (double)(to.x - from.x);
  motion->position[2] += share * (double)(to.z - from.z);
  motion->heading += share * character_turn_between(character->target.rotation[0], character->sensed.pose.rotation[0]);
  // The ground differs from that at the beginning, also in direction if the body has rolled over.
  character_fall_find_ground(character, motion->position, motion->heading);
}

RootMotion character_fall_root(Character *character, const RootStep *step) {
  double dt = step->dt, ground = step->ground;
  const RootState *before = &step->before;
  bool rising = character->fall.machine.state == FALL_RISING;
  RootMotion motion = character_root_rest(character);
  if (!rising) {
    double share = -expm1(-dt / FOLLOW_TIME);
    motion.position[0] += share * ((double)character->sensed.pose.position[0].x - motion.position[0]);
    motion.position[2] += share * ((double)character->sensed.pose.position[0].z - motion.position[2]);
  } else if (follows_body(character)) {
    follow_body(character, dt, &motion);
  }
  ground += rising ? character->fall.lift : 0;
  character_root_rise(character, ground, before->position[1], dt, &motion);
  for (int i = 0; i < 3; i += 2)
    motion.velocity[i] = (motion.position[i] - before->position[i]) / dt;
  motion.turn_rate = remainder(motion.heading - before->heading, 2 * M_PI) / dt;
  return motion;
}

// Whether a joint is of an arm whose hand is in the air.
static bool is_of_raised_arm(const CharacterFall *fall, const Pose *is, double ground, int joint) {
  const FallBody *body = &fall->body;
  for (int i = 0; i < 2; i++) {
    int end = body->hands[i] >= 0 ? body->hands[i] : body->forearms[i];
    vec3s place;
    versors rotation;
    if (joint != body->arms[i] && joint != body->forearms[i] && joint != end)
      continue;
    pose_joint_transform(&body->body->skeleton, is, end, &place, &rotation);
    return (double)place.y - ground > RAISED_HAND;
  }
  return false;
}

static FallView view_of_fall(const Character *character) {
  const CharacterFall *fall = &character->fall;
  const Pose *is = &character->sensed.pose;
  double x = (double)is->position[0].x, z = (double)is->position[0].z;
  return (FallView){.pose_w = is,
                    .way_w = {{(float)fall->fall_direction[0], 0, (float)fall->fall_direction[1]}},
                    .chest_velocity_w = vec3_from_ode(dBodyGetLinearVel(character->ragdoll->ode[fall->body.chest])),
                    .ground_height = character_ground_under(character, x, z, character->root.position[1])};
}

// Whether the neck holds the head: until the body lies, since trunk and legs that come to rest still throw it.
static bool holds_head(const CharacterFall *fall) { return fall->machine.state == FALL_FALLING; }

// The guard: hands, trunk and legs go to where the body will land, until something but a foot touches the ground. Then
// they hold what they have, and brake the body; only an arm that is still up comes down, and the head stays away from
// the ground, also when the muscles let go.
static void guard(Character *character, double dt) {
  CharacterFall *fall = &character->fall;
  const FallDef *def = &character->def->fall;
  const BodyDef *body = character->def->body;
  FallView view = view_of_fall(character);
  bool flies = !character->sensed.fallen && fall->landed <= 0;
  Pose goal = fall->held_pose;
  fall_guard(&fall->body, &view, &goal);
  double rates[BODY_MAX_PARTS], share = smooth_step(fall->machine.time / def->reaction);
  for (int i = 1; i < body->part_count; i++) {
    bool comes_down = fall->landed <= 0 && is_of_raised_arm(fall, view.pose_w, view.ground_height, i);
    bool goes = flies || comes_down || i == fall->body.head;
    rates[i] = goes ? share * fall_tone(&fall->body, i, def->hand_speed).rate : 0;
  }
  fall_pose_approach(body, &goal, rates, dt, &fall->held_pose);
}

// The muscles let go, so that no limb stays up in the air.
static void let_go(Character *character, double dt) {
  CharacterFall *fall = &character->fall;
  const Pose *is = &character->sensed.pose;
  fall_pose_yield(&fall->body, is, dt, character->def->fall.release, holds_head(fall), &fall->held_pose);
}

static void fall_down(Character *character, double dt) {
  CharacterFall *fall = &character->fall;
  if (fall->machine.state == FALL_FALLING)
    guard(character, dt);
  if (fall->landed > 0 || fall->machine.state == FALL_LYING)
    let_go(character, dt);
  character->target = fall->held_pose;
  character->target.position[0] = character->sensed.pose.position[0];
  character->target.rotation[0] = character->sensed.pose.rotation[0];
}

// Time until the foot of a leg first stands, s of the clip; negative afterwards.
static double step_left(const CharacterFall *fall, int leg) {
  const Clip *clip = fall->entry.clip;
  const ClipContact *stand = clip_first_contact(clip, fall->entry.mirrored ? mirror_leg(clip->skeleton, leg) : leg);
  return stand ? (double)(stand->begin - fall->clip_time) : -1;
}

// Weight of the step of a leg, 0..1.
static double stepping_share(double left) {
  return smooth_step((STEP_TIME - left) / STEP_FADE) * smooth_step((left + STEP_FADE) / STEP_FADE);
}

// Additional bend of a knee, rad, that lifts its foot.
static double lifting_bend(const Character *character, const Leg *leg, double left) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  double low = (double)(character->target.position[0].y - character->sensed.pose.position[0].y);
  double shin = (double)glms_vec3_norm(skeleton->bind_position_l[leg->ankle]);
  double share = smooth_step((STEP_TIME - left) / STEP_FADE) * smooth_step(left / STEP_DOWN);
  return share * asin(fmin((STEP_LIFT + fmax(low, 0)) / shin, 0.5));
}

// A thigh that brings its foot forward keeps the clip's rotation in the world, since the pelvis may have given way and
// lean; and the knee bends more. Otherwise the foot would drag on the ground and catch behind the other knee.
static void step_over_ground(const Character *character, Pose *target_w) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  versors lean = glms_quat_mul(glms_quat_conjugate(character->sensed.pose.rotation[0]), target_w->rotation[0]);
  for (int i = 0; i < skeleton->leg_count; i++) {
    const Leg *leg = &skeleton->legs[i];
    double left = step_left(&character->fall, i);
    versors *hip = &target_w->rotation[leg->hip], *knee = &target_w->rotation[leg->knee];
    versors bend = quat_exp((vec3s){{(float)lifting_bend(character, leg, left), 0, 0}});
    *hip = quat_slerp(*hip, glms_quat_mul(lean, *hip), (float)stepping_share(left));
    *knee = glms_quat_mul(*knee, bend);
  }
}

static void rise(Character *character, double dt) {
  CharacterFall *fall = &character->fall;
  if (fall->since >= fall->match)
    fall->clip_time +=
        (float)(character->def->fall.pace * character_skill_pace(character) * clip_share(character) * dt);
  fall->clip_time = fminf(fall->clip_time, fall->entry.clip->duration);
  get_up_sample(&fall->entry, fall->clip_time, &character->target);
  character_fall_fit(character, &character->target);
  place(character, &character->target);
  step_over_ground(character, &character->target);
}

// The assist follows the animation in the root's frame.
static void take_over(Character *character) {
  character->animation_m = character->target;
  character_root_frame(character, &character->animation_m);
}

void character_fall_rise_at(Character *character, double share) {
  CharacterFall *fall = &character->fall;
  double h = character->world->def.dt;
  Pose now, next;
  fall->strength = 1;
  fall->since = fall->match;
  fall->clip_time = (float)share * fall->entry.clip->duration;
  Pose *const poses[2] = {&now, &next};
  for (int i = 0; i < 2; i++) {
    get_up_sample(&fall->entry, fall->clip_time + (float)(i * h), poses[i]);
    character_fall_fit(character, poses[i]);
    place(character, poses[i]);
  }
  ragdoll_set_pose(character->ragdoll, &now, &next, h);
  character->target = character->previous_target = character->sensed.pose = now;
  take_over(character);
}

static void advance_strength(Character *character, double dt) {
  const FallDef *def = &character->def->fall;
  const FallMachine *machine = &character->fall.machine;
  double goal = 1, on_ground = fmin(character->fall.landed / FALL_LOAD_TIME, 1);
  if (machine->state == FALL_FALLING && guards(character))
    goal = def->strength + on_ground * (def->lying_strength - def->strength);
  else if (machine->state == FALL_LYING || machine->state == FALL_FALLING)
    goal = def->lying_strength;
  double most = guards(character) ? dt / RETURN_TIME : 1, strength = (double)character->fall.strength;
  character->fall.strength = (float)(goal < strength ? goal : fmin(strength + most, goal));
}

void character_fall_pose(Character *character, double dt) {
  CharacterFall *fall = &character->fall;
  advance_strength(character, dt);
  bool on_way = fall->since < fall->match;
  if (!guards(character) || (!character->down && !on_way))
    return;
  if (fall->machine.state == FALL_FALLING || fall->machine.state == FALL_LYING)
    fall_down(character, dt);
  else if (fall->machine.state == FALL_RISING)
    rise(character, dt);
  if (on_way) {
    fall->since += dt;
    Pose from = fall->from_m, to = character->target;
    place(character, &from);
    float share = (float)smooth_step(fall->since / fall->match);
    fall_pose_between(character->def->body, &from, &to, share, &character->target);
  }
  take_over(character);
}

void character_fall_soften(const Character *character, JointGoal goals[]) {
  const FallMachine *machine = &character->fall.machine;
  if (!guards(character) || (machine->state != FALL_FALLING && machine->state != FALL_LYING))
    return;
  double share = machine->state == FALL_LYING ? 1 : smooth_step(machine->time / character->def->fall.reaction);
  for (int i = 1; i < character->def->body->part_count; i++) {
    if (goals[i].stiffness <= 0)
      continue;
    FallTone tone = fall_tone(&character->fall.body, i, character->def->fall.hand_speed);
    goals[i].stiffness += share * (tone.stiffness - goals[i].stiffness);
    goals[i].damping += share * (tone.damping - goals[i].damping);
  }
}

float character_fall_strength(const Character *character, int part) {
  const CharacterFall *fall = &character->fall;
  if (!character_fall_leads(character))
    return fall->strength;
  if (part == fall->body.head && holds_head(fall))
    return fmaxf(fall->strength, (float)character->def->fall.strength);
  int parent = character->def->body->parts[part].parent;
  bool hand = parent >= 0 && (parent == fall->body.forearms[0] || parent == fall->body.forearms[1]);
  bool free = fall->machine.state == FALL_RISING && character->sensed.joint_error[part] < CAUGHT_HAND;
  return hand && !free ? fminf(fall->strength, (float)character->def->fall.lying_strength) : fall->strength;
}
