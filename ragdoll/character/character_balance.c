// Connects the balance controller to a character: the root follows the body, commands come from the intent, and the
// target pose is the controller's result.
#include "ragdoll/character/character_balance.h"

#include <math.h>
#include <string.h>

#include "anim/ik.h"
#include "ragdoll/character/character_lead.h"
#include "sim/base/numbers.h"
#include "sim/world/convert.h"

static const double SLOWEST_CLIP = 0.05; // m/s: a slower clip counts as on the spot
static const double PHASE_TIME = 0.1;    // s: time constant with which the clip's phase is adjusted to the body's steps

// m: a sole does not start flat on ground whose ends are out of its plane by EDGE; ground that would move its ends by
// less than LEVEL counts as level.
static const double EDGE = 0.02, LEVEL = 0.001;

// Where a foot starts, world; m from where the pose has it: rise of the ankle, and the most by which an end moves.
typedef struct FootStart {
  vec3s ankle;
  versors rotation;
  double rise, moves;
} FootStart;

bool character_balances(const Character *character) {
  return character->lead.balance && !character->down; // it may have fallen since who leads was decided
}

static bool has_foot_placement(const Character *character) {
  const LayerListDef *layers = &character->def->layers;
  for (int i = 0; i < layers->count; i++)
    if (strcmp(layers->layers[i].kind->name, "foot_placement") == 0)
      return true;
  return false;
}

// Finds the ground, m, and its normal under a sole that is to start flat on it. False where there is none, or an edge.
static bool find_plane(const Character *character, const FootPoints *points, double *height, vec3s *normal) {
  const Ground *ground = &character->ground;
  const vec3s ends[2] = {points->heel, points->toe};
  double heights[2], normals[2][3], from = character->root.position[1] + GROUND_OVER_ROOT;
  for (int i = 0; i < 2; i++)
    if (!ground->height(ground->context, (double)ends[i].x, (double)ends[i].z, from, &heights[i], normals[i]))
      return false;
  *normal = glms_vec3_normalize(glms_vec3_add(vec3_from_ode(normals[0]), vec3_from_ode(normals[1])));
  vec3s way = glms_vec3_sub(points->toe, points->heel);
  double rise = -(double)((normal->x * way.x + normal->z * way.z) / normal->y);
  *height = (heights[0] + heights[1]) / 2;
  return fabs(heights[1] - heights[0] - rise) < EDGE;
}

// Where an ankle is to start: over the same place, with the sole as far from the ground as the pose has it.
static bool find_start(const Character *character, const ModelPose *pose_w, const Leg *leg, FootStart *start) {
  *start = (FootStart){.ankle = pose_w->position[leg->ankle], .rotation = pose_w->rotation[leg->ankle]};
  FootPoints points = foot_points(leg, start->ankle, start->rotation);
  vec3s normal;
  double height;
  if (!find_plane(character, &points, &height, &normal))
    return false;
  vec3s middle = glms_vec3_scale(glms_vec3_add(points.heel, points.toe), 0.5f);
  vec3s way = glms_vec3_sub(start->ankle, middle), half = glms_vec3_sub(points.toe, middle);
  double level = (double)start->ankle.y - character->root.position[1];
  height -= (double)((normal.x * way.x + normal.z * way.z) / normal.y);
  start->rise = height + level / (double)normal.y - (double)start->ankle.y;
  start->moves = fabs(start->rise) + hypot((double)normal.x, (double)normal.z) * (double)glms_vec3_norm(half);
  start->ankle.y += (float)start->rise;
  start->rotation = glms_quat_mul(quat_shortest_arc((vec3s){{0, 1, 0}}, normal), start->rotation);
  return true;
}

void character_balance_stand(Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  if (!character_only_balances(character) || has_foot_placement(character) || character->def->start.position[1] != 0)
    return;
  FootStart starts[SKELETON_MAX_LEGS];
  ModelPose pose_w;
  pose_to_model(skeleton, &character->target, &pose_w);
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < skeleton->leg_count; i++) {
    if (!find_start(character, &pose_w, &skeleton->legs[i], &starts[i]))
      return;
    least = fmin(least, starts[i].rise);
    most = fmax(most, starts[i].moves);
  }
  if (!(most > LEVEL))
    return;
  character->target.position[0].y += (float)least;
  for (int i = 0; i < skeleton->leg_count; i++)
    leg_reach(skeleton, &skeleton->legs[i], starts[i].ankle, starts[i].rotation, &character->target);
}

RootMotion character_balance_root(Character *character, const RootStep *step) {
  const Balancer *balance = &character->balance;
  const double *com = character->sensed.com, *ground_velocity = character->root.ground_velocity;
  double ground = step->before.position[1];
  character->ground.height(character->ground.context, com[0], com[2], ground + GROUND_OVER_ROOT, &ground, NULL);
  if (character->world->platform_count > 0)
    ground = step->ground;
  RootMotion motion = {.position = {com[0], 0, com[2]},
                       .heading = balance->heading,
                       .turn_rate = balance->turn_rate,
                       .speed = {balance->speed.z, balance->speed.x}};
  character_root_rise(character, ground, step->before.position[1], step->dt, &motion);
  for (int axis = 0; axis < 3; axis += 2)
    motion.velocity[axis] = character->sensed.com_velocity[axis] - ground_velocity[axis];
  return motion;
}

// Plans of the feet: the swinging foot lands where balance has planned, the other one stands.
static void tell_feet(Character *character) {
  const Balancer *balance = &character->balance;
  const Skeleton *skeleton = &character->def->body->skeleton;
  for (int i = 0; i < skeleton->leg_count; i++) {
    bool swings = balance->mode == BALANCE_STEPPING && balance->body.legs[balance->swing].leg == &skeleton->legs[i];
    character->foot_plans[i] = (FootPlan){.standing = !swings};
  }
}

// Time in s at which a foot comes down in the clip; walking backward, at which it lifts off.
static bool find_strike(const Character *character, int side, bool backward, double *time) {
  const Leg *leg = character->balance.body.legs[side].leg;
  const ClipContact *contact =
      clip_first_contact(character->def->move, (int)(leg - character->def->body->skeleton.legs));
  *time = contact ? (double)(backward ? contact->end : contact->begin) : 0;
  return contact;
}

static bool clip_walks(const Character *character) {
  const Clip *clip = character->def->move;
  return !character->graph && clip && clip->loop && (double)fabsf(clip->root_velocity_l.z) > SLOWEST_CLIP;
}

// A step of one foot in the clip: when it begins, as the other foot comes down, and how long it takes; s, below 0
// backward. False: the clip does not say.
static bool find_step(const Character *character, int swing, bool backward, double *stance, double *way) {
  double strike, cycle = (double)character->def->move->duration;
  if (!find_strike(character, 1 - swing, backward, stance) || !find_strike(character, swing, backward, &strike))
    return false;
  *way = fmod(strike - *stance, cycle);
  *way += *way < 0 ? cycle : 0;
  *way -= backward ? cycle : 0;
  return true;
}

bool character_balance_phase(Character *character, double dt) {
  const Balancer *balance = &character->balance;
  double stance, way;
  bool backward = balance->speed.z < 0;
  if (!clip_walks(character) || balance->mode != BALANCE_STEPPING ||
      !find_step(character, balance->swing, backward, &stance, &way))
    return false;
  double cycle = (double)character->def->move->duration;
  double goal = stance + way * fmin(1, balance->step_time / balance->duration);
  double lag = remainder(goal - character->play.phase_time, cycle);
  double phase = character->play.phase_time + way / balance->duration * dt + lag * fmin(1, dt / PHASE_TIME);
  character->play.phase_time = phase - floor(phase / cycle) * cycle;
  return true;
}

// Whether both feet stand in the animation, and it does not move over the ground.
static bool animation_stands(const Character *character) {
  bool stands = hypot(character->intent.speed, character->intent.strafe) <= 0;
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++) {
    const FootPlan *plan = &character->foot_plans[i];
    bool lifted = plan->known ? !plan->standing : !character->play.graph.contact[i];
    stands = stands && !lifted && (!character->graph || character->play.graph.contact[i]);
  }
  return stands;
}

static BalanceCommand command_of(const Character *character) {
  const Skeleton *skeleton = &character->def->body->skeleton;
  const Balancer *balance = &character->balance;
  BalanceCommand command = {.velocity = {.x = character->intent.strafe, .z = character->intent.speed},
                            .heading = character_wanted_heading(character)};
  memcpy(command.ground_velocity, character->root.ground_velocity, sizeof command.ground_velocity);
  command.ground_turn = character->root.ground_turn;
  command.held = (Plane2){.x = character->sensed.held[0], .z = character->sensed.held[1]};
  for (int i = 0; i < BALANCE_LEGS; i++) {
    long leg = balance->body.legs[i].leg - skeleton->legs;
    command.foot_loaded[i] = character->sensed.foot_loaded[leg];
    command.foot_caught[i] = character->sensed.foot_caught[leg];
    command.lift_foot[i] = character->responses.lifts[leg];
    memcpy(command.foot_force[i], character->sensed.foot_force[leg], sizeof command.foot_force[i]);
  }
  command.arms_are_held = character->drive.def.feed_forward > 0;
  command.muscles_are_slow = drive_has_muscles(&character->drive.def);
  command.arms = clip_walks(character) ? character->play.moving : 0;
  return command;
}

// Share of the step of the foot that alone is in the air which has passed in the clip; 0: there is none.
static double share_of_step(const Character *character, const BalanceCommand *command) {
  double stance, way, cycle = character->def->move ? (double)character->def->move->duration : 0;
  if (command->foot_loaded[BALANCE_LEFT] == command->foot_loaded[BALANCE_RIGHT] || !clip_walks(character) ||
      !find_step(character, command->foot_loaded[BALANCE_LEFT] ? BALANCE_RIGHT : BALANCE_LEFT, false, &stance, &way))
    return 0;
  double passed = fmod(character->play.phase_time - stance, cycle);
  return (passed < 0 ? passed + cycle : passed) / way;
}

void character_balance_take_over(Character *character, double dt) {
  const BalanceCommand command = command_of(character);
  const RootState *root = &character->root;
  const BalanceMotion motion = {.heading = root->heading,
                                .speed = {.x = root->speed[1], .z = root->speed[0]},
                                .share = share_of_step(character, &command)};
  balance_take_over(&character->balance, character->ragdoll, &character->ground, &command, &motion, dt);
}

void character_balance_step(Character *character, double dt) {
  Balancer *balance = &character->balance;
  BalanceCommand command = command_of(character);
  if (animation_stands(character))
    balance_read_animation(balance, character->ragdoll, &character->animation_m, &command);
  balance_step(balance, character->ragdoll, &character->ground, &command, dt, &character->target,
               &character->previous_target, character->joint_goals);
  tell_feet(character);
}
