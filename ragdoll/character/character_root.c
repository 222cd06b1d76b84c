// The leading root: follows the intent within its limits of turn and acceleration, follows the height of the ground,
// and waits for a body that lags behind.
#include "ragdoll/character/character_root.h"

#include <math.h>
#include <string.h>

#include "anim/spring.h"
#include "ragdoll/character/character_fall.h"
#include "ragdoll/character/character_graph.h"
#include "ragdoll/character/character_plan.h"
#include "ragdoll/character/character_platform.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

PARAM_TABLE(root_params, RootDef, ROOT_PARAMS, "root", "How the leading root follows intent, ground and body.")

// Time in which the root gives in to a body that has left its leash.
static const double LEASH_TIME = 0.2; // s

versors character_heading_rotation(double heading) {
  return (versors){{0, (float)sin(heading / 2), 0, (float)cos(heading / 2)}};
}

// Height of the ground under the root; keeps the present one where there is no ground.
static double ground_under_root(const Character *character) {
  double height;
  const double *p = character->root.position;
  return character->ground.height(character->ground.context, p[0], p[2], &height, NULL) ? height : p[1];
}

void character_root_init(Character *character) {
  const CharacterDef *def = character->def;
  character->root.speed[0] = character->intent.speed;
  character->root.speed[1] = character->intent.strafe;
  character->root.heading = def->start.heading * RAD_PER_DEGREE;
  character->root.position[0] = def->start.position[0];
  character->root.position[2] = def->start.position[2];
  character->root.position[1] = def->start.position[1] + ground_under_root(character);
}

double character_wanted_heading(const Character *character) {
  const Intent *intent = &character->intent;
  const CharacterFall *fall = &character->fall;
  if (character_plans(character) ||
      character_fall_leads(character)) // or its graph would begin to turn while it lies, and end that on its feet
    return character->root.heading;
  if (fall->facing && intent->speed == 0 && intent->strafe == 0 && intent->heading == fall->intended)
    return fall->faced + character->root.intent_turn;
  return character->intent.heading * RAD_PER_DEGREE + character->root.intent_turn;
}

// Heading and speeds after dt: as intended, as far as the root can turn and accelerate. What lies on the ground wants
// nothing.
static void follow_intent(const Character *character, double dt, double *heading, double speed[2]) {
  const RootDef *def = &character->def->root;
  const Intent *intent = &character->intent;
  double turn = remainder(character_wanted_heading(character) - *heading, 2 * M_PI);
  double left = 1 - (double)character->play.graph.root_motion.share; // of the root's way: the rest is the clips'
  double most = left * def->turn_rate * RAD_PER_DEGREE * dt, own;
  *heading += character_graph_turns(character, &own) ? own * dt : fmax(-most, fmin(most, turn));

  double goal[2] = {left * intent->speed, left * intent->strafe};
  double change = hypot(goal[0] - speed[0], goal[1] - speed[1]);
  double share = change > def->acceleration * dt ? def->acceleration * dt / change : 1;
  for (int i = 0; i < 2; i++)
    speed[i] = character->down ? 0 : share < 1 ? speed[i] + share * (goal[i] - speed[i]) : goal[i];
}

// Velocity over the ground, x and z.
static void root_velocity(double heading, const double speed[2], double velocity[2]) {
  velocity[0] = speed[0] * sin(heading) + speed[1] * cos(heading);
  velocity[1] = speed[0] * cos(heading) - speed[1] * sin(heading);
}

void character_root_step(Character *character, double dt) {
  const CharacterDef *def = character->def;
  double velocity[2], ground = character_platform(character, dt);
  double heading = character->root.heading;
  if (character_plans(character))
    character_plan_root(character, dt);
  else
    follow_intent(character, dt, &character->root.heading, character->root.speed);
  character->root.turn_rate = remainder(character->root.heading - heading, 2 * M_PI) / dt;
  root_velocity(character->root.heading, character->root.speed, velocity);
  double gap[2] = {(double)(character->sensed.pose.position[0].x - character->target.position[0].x),
                   (double)(character->sensed.pose.position[0].z - character->target.position[0].z)};
  double distance = hypot(gap[0], gap[1]), excess = distance - def->root.leash;
  if (excess > 0)
    for (int i = 0; i < 2; i++)
      velocity[i] += gap[i] / distance * excess / LEASH_TIME;

  double height = character->root.position[1];
  spring_step(&character->root.position[1], &character->root.velocity[1], ground, def->root.ground_smoothing, dt);
  character->root.velocity[0] = velocity[0];
  character->root.velocity[2] = velocity[1];
  character->root.position[0] += velocity[0] * dt;
  character->root.position[2] += velocity[1] * dt;
  character->root.velocity[1] = (character->root.position[1] - height) / dt;
}

double character_turn_between(versors from, versors to) {
  versors turn = glms_quat_mul(to, glms_quat_conjugate(from));
  return remainder(2 * atan2((double)turn.y, (double)turn.w), 2 * M_PI);
}

void character_root_follow(Character *character, double dt) {
  double time = character->def->root.follow;
  character->root.rebase = (RootRebase){.turn = 0};
  if (time <= 0 || character->drive.def.kinematic)
    return;
  double share = -expm1(-dt / time);
  RootRebase *carry = &character->root.rebase;
  vec3s from = character->target.position[0], to = character->sensed.pose.position[0];
  carry->turn = share * character_turn_between(character->target.rotation[0], character->sensed.pose.rotation[0]);
  vec3_to_ode(from, carry->pivot);
  carry->shift[0] = share * (double)(to.x - from.x);
  carry->shift[2] = share * (double)(to.z - from.z);
  character->root.heading += carry->turn;
  root_rebase_point(carry, character->root.position);
}

void character_root_frame(const Character *character, Pose *pose) {
  versors back = character_heading_rotation(-character->root.heading);
  vec3s offset = glms_vec3_sub(pose->position[0], vec3_from_ode(character->root.position));
  pose->position[0] = glms_quat_rotatev(back, offset);
  pose->rotation[0] = glms_quat_mul(back, pose->rotation[0]);
}

double character_root_gap(const Character *character) {
  return (double)glms_vec3_distance(character->target.position[0], character->sensed.pose.position[0]);
}

// What is wanted, as if the root obeyed at once: that of who plans does.
void character_wanted_velocity(const Character *character, double velocity[3]) {
  const Intent *intent = &character->intent;
  const double speed[2] = {intent->speed, intent->strafe};
  double ground[2];
  root_velocity(character_wanted_heading(character), character_plans(character) ? character->root.speed : speed,
                ground);
  velocity[0] = ground[0];
  velocity[1] = 0;
  velocity[2] = ground[1];
}

void character_root_own_velocity(const Character *character, double velocity[3]) {
  double ground[2];
  root_velocity(character->root.heading, character->root.speed, ground);
  vec3s shift =
      glms_quat_rotatev(character_heading_rotation(character->root.heading), character->play.graph.root_motion.shift_l);
  velocity[0] = ground[0] + (double)shift.x / character->world->def.dt;
  velocity[1] = character->root.velocity[1];
  velocity[2] = ground[1] + (double)shift.z / character->world->def.dt;
}

void character_path(const Character *character, double interval, double points_w[][3], int count) {
  double heading = character->root.heading, place[3], speed[2], velocity[2];
  memcpy(place, character->root.position, sizeof place);
  memcpy(speed, character->root.speed, sizeof speed);
  for (int i = 0; i < count; i++) {
    character->ground.height(character->ground.context, place[0], place[2], &place[1], NULL);
    memcpy(points_w[i], place, sizeof place);
    if (!character_plans(character)) // who plans goes on as he does
      follow_intent(character, interval, &heading, speed);
    root_velocity(heading, speed, velocity);
    place[0] += velocity[0] * interval;
    place[2] += velocity[1] * interval;
  }
}
