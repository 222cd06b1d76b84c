// Leads the root for a step: moves it toward the body, with the platform under it, and as its driver wants. Where no
// other driver leads, it follows the intent.
#include <math.h>
#include <string.h>

#include "ragdoll/character/character_balance.h"
#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_graph.h"
#include "ragdoll/character/character_jump.h"
#include "ragdoll/character/character_plan.h"
#include "ragdoll/character/character_platform.h"
#include "ragdoll/character/character_root.h"
#include "ragdoll/character/character_skill.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"
#include "sim/world/convert.h"

// Range of the pace of a clip that changes the root's velocity. A run in slow motion stays in the air longer than
// gravity lets a body: of 16 phases of a turn at 3.9 m/s and 4 m/s^2 the physical runner falls in 1 at 0.85, in 15 at
// 0.7.
static const double SLOWEST_CHANGE = 0.85, FASTEST_CHANGE = 1;

// s: time constant with which the root follows a body that is led by a skill, if the scene gives none
static const double SKILL_FOLLOW = 0.2;

// The part of the intended speeds that the clips leave to the root; within those for which a skill was made.
static void intended_speed(const Character *character, double speed[2]) {
  const SkillDef *skill = character->skill.active;
  double left = 1 - (double)character->play.graph.root_motion.share, ahead = character->intent.speed;
  if (character->def->root.jump > 0)
    ahead = fmin(ahead, character_jump_approach(character));
  if (skill)
    ahead = fmax(skill->params.speed[0], fmin(ahead, skill->params.speed[1]));
  speed[0] = left * ahead;
  speed[1] = skill ? 0 : left * character->intent.strafe;
}

// rad/s: largest turn rate of the root.
static double turn_limit(const Character *character) {
  const SkillDef *skill = character->skill.active;
  double rate = character->def->root.turn_rate;
  return (skill ? fmin(rate, skill->params.turn_rate) : rate) * RAD_PER_DEGREE;
}

// m/s^2: largest acceleration of the root.
static double most_acceleration(const Character *character) {
  const SkillDef *skill = character->skill.active;
  const double most = character->def->root.acceleration;
  return skill ? fmin(most, skill->params.acceleration) : most;
}

// Pace of a clip with which the root changes its velocity by `change` m/s: the root may accelerate as it can.
static double change_pace(const Character *character, double change) {
  const GraphVelocityChange *clip = &character->play.graph.change;
  if (!(clip->left > 0) || clip->wait > 0 || !(change > 0))
    return 1;
  double pace = most_acceleration(character) * clip->left / change;
  return fmin(fmax(pace, SLOWEST_CHANGE), FASTEST_CHANGE);
}

double character_change_pace(const Character *character) {
  const double *speed = character->root.speed;
  double goal[2];
  intended_speed(character, goal);
  return change_pace(character, hypot(goal[0] - speed[0], goal[1] - speed[1]));
}

// m/s^2: the acceleration of the root `ahead` s from now, when its velocity has still to change by `change` m/s. While
// a clip changes its velocity, it waits for the foot that can brake, and is done when the clip is.
static double acceleration_limit(const Character *character, double change, double ahead) {
  const GraphVelocityChange *clip = &character->play.graph.change;
  double most = most_acceleration(character), pace = change_pace(character, change), gone = pace * ahead;
  if (!(clip->left > gone))
    return most;
  return clip->wait > gone ? 0 : fmin(most, change * pace / (clip->left - gone));
}

// Heading and speeds after dt, `ahead` s from now: the intent, within the root's limits of turn and acceleration. While
// the character is down they are those of standing.
static void follow_intent(const Character *character, double ahead, double dt, double *heading, double speed[2]) {
  double turn = remainder(character_wanted_heading(character) - *heading, 2 * M_PI);
  // the part of the root's motion that is not the clips'
  double left = 1 - (double)character->play.graph.root_motion.share;
  double most = left * turn_limit(character) * dt, own;
  *heading += character_graph_turns(character, &own) ? own * dt : fmax(-most, fmin(most, turn));

  double goal[2];
  intended_speed(character, goal);
  double change = hypot(goal[0] - speed[0], goal[1] - speed[1]);
  double step = acceleration_limit(character, change, ahead) * dt;
  for (int i = 0; i < 2; i++)
    speed[i] = character->down ? 0 : change > step ? speed[i] + step / change * (goal[i] - speed[i]) : goal[i];
}

// Follows the intent. A RootDriver.
static RootMotion intent_root(Character *character, const RootStep *step) {
  RootMotion motion = character_root_rest(character);
  memcpy(motion.speed, character->root.speed, sizeof motion.speed);
  follow_intent(character, 0, step->dt, &motion.heading, motion.speed);
  character_root_go(character, step, &motion);
  return motion;
}

// The present driver of the root.
static RootDriver *find_driver(const Character *character) {
  if (character_balances(character))
    return character_balance_root;
  if (character_fall_leads(character))
    return character_fall_root;
  if (character_jumps(character))
    return character_jump_root;
  return character_plans(character) ? character_plan_root : intent_root;
}

// Rotates the accumulated displacement by platforms about the root, then shifts it.
static void add_travel(RootState *root, double turn, const double shift[3]) {
  double *travel = root->platform_travel;
  const double arm[2] = {travel[0] - root->position[0], travel[2] - root->position[2]};
  double turned[2];
  turn_level(turn, arm, turned);
  travel[0] = root->position[0] + turned[0] + shift[0];
  travel[1] += shift[1];
  travel[2] = root->position[2] + turned[1] + shift[2];
  root->platform_turn += turn;
}

// Moves the root with the platform under it. Returns the height of the ground under it at the end of the step, m.
static double ride_platform(Character *character, double dt, bool *over_void) {
  RootState *root = &character->root;
  PlatformRide ride = character_platform(character);
  memcpy(root->ground_velocity, ride.velocity, sizeof root->ground_velocity);
  *over_void = ride.over_void;
  root->ground_turn = ride.turn_rate;
  if (!ride.carried) {
    root->intent_turn = 0; // on fixed ground the intent is in world coordinates
    return ride.height;
  }
  double turn = ride.turn_rate * dt, shift[3];
  for (int i = 0; i < 3; i++)
    shift[i] = ride.velocity[i] * dt;
  add_travel(root, turn, shift);
  for (int i = 0; i < 3; i++)
    root->position[i] += shift[i];
  root->heading += turn;
  root->intent_turn += turn;
  return ride.height + shift[1];
}

// Moves the root a share of the way to its body: without an assist no force holds the body at the place of the
// animation.
static void follow_body(Character *character, double dt) {
  double time = character->def->root.follow;
  bool skilled = character_has_skill(character);
  if (skilled && time <= 0)
    time = SKILL_FOLLOW;
  if (time <= 0 || character->drive.def.kinematic)
    return;
  double share = -expm1(-dt / time);
  RootRebase *rebase = &character->root.rebase;
  vec3s from = character->target.position[0], to = character->sensed.pose.position[0];
  if (!skilled) // a skill turns the body to the heading that is wanted
    rebase->turn = share * character_turn_between(character->target.rotation[0], character->sensed.pose.rotation[0]);
  vec3_to_ode(from, rebase->pivot);
  rebase->shift[0] = share * (double)(to.x - from.x);
  rebase->shift[2] = share * (double)(to.z - from.z);
  character->root.heading += rebase->turn;
  root_rebase_point(rebase, character->root.position);
}

void character_root_step(Character *character, double dt) {
  RootState *root = &character->root;
  RootDriver *driver = find_driver(character);
  RootStep step = {.dt = dt};
  root->rebase = (RootRebase){.turn = 0};
  if (driver == intent_root || driver == character_plan_root)
    follow_body(character, dt);
  step.before = *root;
  if (driver != character_balance_root || character->world->platform_count > 0)
    step.ground = ride_platform(character, dt, &step.over_void);
  RootMotion motion = driver(character, &step);
  if (character->held_up) {
    motion.position[1] = step.before.position[1];
    motion.velocity[1] = 0;
  }
  memcpy(root->position, motion.position, sizeof root->position);
  memcpy(root->velocity, motion.velocity, sizeof root->velocity);
  memcpy(root->speed, motion.speed, sizeof root->speed);
  root->heading = motion.heading;
  root->turn_rate = motion.turn_rate;
  root->airborne = motion.airborne;
}

void character_path(const Character *character, double interval, double points_w[][3], int count) {
  double heading = character->root.heading, place[3], speed[2], velocity[2];
  memcpy(place, character->root.position, sizeof place);
  memcpy(speed, character->root.speed, sizeof speed);
  for (int i = 0; i < count; i++) {
    character->ground.height(character->ground.context, place[0], place[2], place[1] + GROUND_OVER_ROOT, &place[1],
                             NULL);
    memcpy(points_w[i], place, sizeof place);
    if (!character_plans(character)) // a planned character continues its present motion
      follow_intent(character, i * interval, interval, &heading, speed);
    character_root_velocity(heading, speed, velocity);
    place[0] += velocity[0] * interval;
    place[2] += velocity[1] * interval;
  }
}
