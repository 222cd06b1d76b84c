// The leading root, and what its drivers share: it follows the height of the ground, and waits for a body that lags
// behind.
#include "ragdoll/character/character_root.h"

#include <math.h>
#include <string.h>

#include "anim/spring.h"
#include "ragdoll/character/character_lead.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"
#include "sim/world/convert.h"

PARAM_TABLE(root_params, RootDef, ROOT_PARAMS, "root", "How the leading root follows intent, ground and body.")

// m: ground that is lower than this makes the root fall instead of step down.
static const double FALL_HEIGHT = 0.35;

// s: time constant with which the root gives in to a body beyond its leash.
static const double LEASH_TIME = 0.2;

versors character_heading_rotation(double heading) { return quat_about(1, heading); }

// Height of the ground under the root; its present height where there is no ground.
static double ground_under_root(const Character *character, double from) {
  double height;
  const double *p = character->root.position;
  return character->ground.height(character->ground.context, p[0], p[2], from, &height, NULL) ? height : p[1];
}

// The ground on which a character starts: the highest one, except for objects so high above the terrain that they are a
// roof or a bridge.
static double ground_under_start(const Character *character) {
  const Terrain *terrain = character->world->terrain;
  const double *p = character->root.position;
  double from = GROUND_HIGHEST, height;
  if (terrain && terrain_height(terrain, p[0], p[2], &height, NULL))
    // a bridge over a trench is not high above its bank
    from = max_d(height, terrain->outside_height) + GROUND_OVER_ROOT;
  return ground_under_root(character, from);
}

// The height at which a character starts: `height` (m) above the ground, but in a level, which may have several floors,
// a height of the world, from which it is raised to the floor that it is in.
static double height_at_start(const Character *character, double height) {
  const Terrain *terrain = character->world->terrain;
  const double *p = character->root.position;
  double floor;
  if (!terrain || !terrain->level)
    return height + ground_under_start(character);
  return character->ground.height(character->ground.context, p[0], p[2], height + GROUND_OVER_ROOT, &floor, NULL)
             ? max_d(height, floor)
             : height;
}

void character_root_init(Character *character) {
  const CharacterDef *def = character->def;
  if (!character_only_balances(character)) { // who balances begins at rest, and goes by steps of his own
    character->root.speed[0] = character->intent.speed;
    character->root.speed[1] = character->intent.strafe;
  }
  character->root.heading = def->start.heading * RAD_PER_DEGREE;
  character_root_stand(character, def->start.position);
}

void character_root_stand(Character *character, const double place[3]) {
  character->root.position[0] = place[0];
  character->root.position[2] = place[2];
  character->root.position[1] = height_at_start(character, place[1]);
}

void character_root_velocity(double heading, const double speed[2], double velocity[2]) {
  turn_level(heading, (const double[2]){speed[1], speed[0]}, velocity);
}

RootMotion character_root_rest(const Character *character) {
  const RootState *root = &character->root;
  RootMotion motion = {.heading = root->heading};
  memcpy(motion.position, root->position, sizeof motion.position);
  return motion;
}

void character_root_rise(const Character *character, double ground, double from, double dt, RootMotion *motion) {
  double height = character->root.position[1], velocity = character->root.velocity[1];
  spring_step(&height, &velocity, ground, character->def->root.ground_smoothing, dt);
  motion->position[1] = height;
  motion->velocity[1] = (height - from) / dt;
}

// Falls by gravity to much lower ground, and lands on it. False where the ground is within a step's height.
static bool fall_freely(const Character *character, const RootStep *step, RootMotion *motion) {
  const RootState *root = &character->root;
  double gravity = -character->world->def.gravity[1], ground = step->over_void ? -HUGE_VAL : step->ground;
  if (!root->airborne && ground > root->position[1] - FALL_HEIGHT)
    return false;
  double velocity = root->velocity[1] - gravity * step->dt, height = root->position[1] + velocity * step->dt;
  motion->airborne = height > ground;
  motion->position[1] = motion->airborne ? height : ground;
  motion->velocity[1] = motion->airborne ? velocity : 0;
  return true;
}

void character_root_go(const Character *character, const RootStep *step, RootMotion *motion) {
  double velocity[2];
  motion->turn_rate = remainder(motion->heading - character->root.heading, 2 * M_PI) / step->dt;
  character_root_velocity(motion->heading, motion->speed, velocity);
  double gap[2] = {(double)(character->sensed.pose.position[0].x - character->target.position[0].x),
                   (double)(character->sensed.pose.position[0].z - character->target.position[0].z)};
  double distance = hypot(gap[0], gap[1]), excess = distance - character->def->root.leash;
  if (excess > 0)
    for (int i = 0; i < 2; i++)
      velocity[i] += gap[i] / distance * excess / LEASH_TIME;
  for (int i = 0; i < 2; i++) {
    motion->velocity[2 * i] = velocity[i];
    motion->position[2 * i] += velocity[i] * step->dt;
  }
  if (!fall_freely(character, step, motion))
    character_root_rise(character, step->ground, character->root.position[1], step->dt, motion);
}

double character_turn_between(versors from, versors to) {
  versors turn = glms_quat_mul(to, glms_quat_conjugate(from));
  return remainder(2 * atan2((double)turn.y, (double)turn.w), 2 * M_PI);
}

// Turns at once, keeping the root's velocity in the world: the root has to brake if it is to move in the new direction.
static void turn_at_once(RootState *root, double turn) {
  const double speed[2] = {root->speed[1], root->speed[0]}; // to the left, ahead
  double turned[2];
  turn_level(-turn, speed, turned);
  root->speed[1] = turned[0];
  root->speed[0] = turned[1];
  root->heading += turn;
}

void character_root_add_clips(Character *character, double dt) {
  const GraphOutput *graph = &character->play.graph;
  RootState *root = &character->root;
  turn_at_once(root, graph->root_turn);
  if (dt > 0) {
    vec3s shift = glms_quat_rotatev(character_heading_rotation(root->heading), graph->root_motion.shift_l);
    for (int i = 0; i < 3; i += 2) {
      root->position[i] += (double)shift.raw[i];
      root->velocity[i] += (double)shift.raw[i] / dt;
    }
    root->heading += graph->root_motion.turn;
    root->turn_rate += graph->root_motion.turn / dt;
  }
}

void character_root_place(Character *character, const double position[3], double heading) {
  memcpy(character->root.position, position, sizeof character->root.position);
  character->root.heading = heading;
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

void character_root_own_velocity(const Character *character, double velocity[3]) {
  double ground[2];
  const vec3s shift_l = character->play.graph.root_motion.shift_l;
  vec3s shift = shift_l;
  character_root_velocity(character->root.heading, character->root.speed, ground);
  if (shift_l.x != 0 || shift_l.y != 0 || shift_l.z != 0)
    shift = glms_quat_rotatev(character_heading_rotation(character->root.heading), shift_l);
  velocity[0] = ground[0] + (double)shift.x / character->world->def.dt;
  velocity[1] = character->root.velocity[1];
  velocity[2] = ground[1] + (double)shift.z / character->world->def.dt;
}
