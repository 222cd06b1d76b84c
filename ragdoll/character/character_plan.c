// A planned character: its goal, sensing of others, motion of the root by the planner's moves, and the pose of the
// present move.
#include "ragdoll/character/character_plan.h"

#include <math.h>
#include <string.h>

#include "anim/planner/route.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

// m: obstacles that are lower are stepped over or onto; obstacles that begin higher are passed below.
static const double STEP_HEIGHT = 0.35, HEAD_ROOM = 2;

static const double AT_REST = 0.05;      // m/s: slower obstacles are part of the map
static const double DETOUR = 1.4;        // a route that is longer than the straight line by this factor is followed
static const double ROUTE_MARGIN = 0.05; // m, in addition to the body's radius, between a route and obstacles
static const double LEAST_AHEAD = 1.2;   // m: a nearer waypoint does not slow the character down
static const double SOLID_RADIUS = 0.2;  // m: least distance of the root from a wall
enum { MOST_STANDING = 512, WALL_RAYS = 12 };

static Planner fresh_planner(const CharacterDef *def) {
  const Policy *policy = def->policy;
  return planner_make(def->planner, policy ? &policy->table : NULL, policy && policy->direct);
}

static SensePlace own_place(const Character *character) {
  const double *root = character->root.position;
  return (SensePlace){root[0], root[2], character->root.heading, root[1]};
}

void character_plan_goal(const Character *character, double goal[2]) {
  const CharacterDef *def = character->def;
  int next = character->plan.reached;
  goal[0] = next < def->goal_count ? def->goals[next][0] : character->root.position[0];
  goal[1] = next < def->goal_count ? def->goals[next][1] : character->root.position[2];
}

// A sense with the goal only.
static Sense goal_sense(const Character *character, const SensePlace *place) {
  double goal[2];
  character_plan_goal(character, goal);
  return sense_make(place, goal, length_2d(character->root.speed));
}

void character_plan_init(Character *character) {
  CharacterPlan *plan = &character->plan;
  plan->planner = fresh_planner(character->def);
  plan->clearance = NAN;
  SensePlace place = own_place(character);
  plan->sense = goal_sense(character, &place);
}

static double distance(const double a[2], const double b[2]) { return hypot(b[0] - a[0], b[1] - a[1]); }

static bool in_the_way(const Character *character, const PlanObstacle *obstacle) {
  double ground = character->root.position[1];
  return obstacle->owner != character->index && obstacle->high > ground + STEP_HEIGHT &&
         obstacle->low < ground + HEAD_ROOM;
}

// The position of the body, not of the animation, determines which goals were reached and how close obstacles came.
static void judge_place(Character *character, const PlanObstacle *obstacles, int count) {
  CharacterPlan *plan = &character->plan;
  const double body[2] = {(double)character->sensed.pose.position[0].x, (double)character->sensed.pose.position[0].z};
  double goal[2];
  character_plan_goal(character, goal);
  if (plan->reached < character->def->goal_count && distance(body, goal) < PLAN_NEAR)
    plan->reached++;
  for (int i = 0; i < count; i++)
    if (in_the_way(character, &obstacles[i]))
      plan->clearance = fmin(plan->clearance, distance(body, obstacles[i].position) - obstacles[i].radius -
                                                  character->def->planner->sense.radius);
}

// The obstacles at rest. Returns their number.
static int find_standing(const Character *character, const PlanObstacle *obstacles, int count,
                         RouteObstacle standing[MOST_STANDING]) {
  int found = 0;
  for (int i = 0; i < count && found < MOST_STANDING; i++) {
    const PlanObstacle *obstacle = &obstacles[i];
    if (obstacle->owner >= 0 || length_2d(obstacle->velocity) > AT_REST || !in_the_way(character, obstacle))
      continue;
    standing[found].radius = obstacle->radius;
    memcpy(standing[found++].position, obstacle->position, sizeof obstacle->position);
  }
  return found;
}

// The next place to go to: the goal or, if the straight line to it is blocked and the route is long, the farthest
// visible point of the route. A character without a way to its goal stands.
static void find_next_place(Character *character, const PlanObstacle *obstacles, int count, double next[2]) {
  CharacterPlan *plan = &character->plan;
  RouteObstacle standing[MOST_STANDING];
  const double from[2] = {character->root.position[0], character->root.position[2]};
  double radius = character->def->planner->sense.radius + ROUTE_MARGIN, length = 0, waypoint[2];
  character_plan_goal(character, next);
  int found = find_standing(character, obstacles, count, standing);
  plan->stuck = false;
  if (route_is_free(standing, found, radius, from, next)) {
    plan->detours = false;
    return;
  }
  if (!route_find(standing, found, radius, from, next, waypoint, &length)) {
    plan->stuck = true;
    plan->stuck_time += 1 / PLAN_SENSE_RATE;
    memcpy(next, from, sizeof from);
    return;
  }
  plan->detours = plan->detours || length > DETOUR * distance(from, next);
  if (plan->detours)
    memcpy(next, waypoint, sizeof waypoint);
}

void character_plan_sense(Character *character, const PlanObstacle *obstacles, int count) {
  CharacterPlan *plan = &character->plan;
  judge_place(character, obstacles, count);
  const SenseDef *def = &character->def->planner->sense;
  SensePlace place = own_place(character);
  double next[2];
  find_next_place(character, obstacles, count, next);
  plan->sense = sense_make(&place, next, length_2d(character->root.speed));
  if (plan->detours && !plan->stuck)
    plan->sense.goal_distance = fmax(plan->sense.goal_distance, LEAST_AHEAD);
  for (int i = 0; i < count; i++) {
    if (!in_the_way(character, &obstacles[i]))
      continue;
    double led[2];
    sense_lead(def, obstacles[i].velocity, obstacles[i].turn, led);
    sense_add(&plan->sense, &place, obstacles[i].position, led, obstacles[i].radius);
  }
  sense_ground(&plan->sense, &place, def, &character->ground);
  plan->fresh = true;
}

// Walls are solid for the root: if ground too high to step on is nearer than SOLID_RADIUS, the root is pushed back.
static void stay_off_walls(const Character *character, RootMotion *motion) {
  const Ground *ground = &character->ground;
  double *at = motion->position, from = at[1] + GROUND_OVER_ROOT, back[2] = {0}, height;
  int met = 0;
  for (int i = 0; i < WALL_RAYS; i++) {
    const double way[2] = {sin(2 * M_PI * i / WALL_RAYS), cos(2 * M_PI * i / WALL_RAYS)};
    if (!ground->height(ground->context, at[0] + SOLID_RADIUS * way[0], at[2] + SOLID_RADIUS * way[1], from, &height,
                        NULL) ||
        height <= character->root.position[1] + STEP_HEIGHT)
      continue;
    met++;
    back[0] -= way[0];
    back[1] -= way[1];
  }
  double size = length_2d(back);
  if (met == 0)
    return;
  const double *was = character->root.position;
  const double move[2] = {at[0] - was[0], at[2] - was[2]};
  double into = size > 0 ? (move[0] * back[0] + move[1] * back[1]) / (size * size) : 0;
  for (int k = 0; k < 2 && into < 0; k++)
    at[2 * k] -= into * back[k];
}

RootMotion character_plan_root(Character *character, const RootStep *step) {
  CharacterPlan *plan = &character->plan;
  RootMotion motion = character_root_rest(character);
  if (!character->down) {
    int move = plan->planner.move;
    bool look = plan->fresh || planner_is_due(&plan->planner); // a decision uses what was sensed last
    plan->fresh = false;
    PlannerStep planned = planner_step(&plan->planner, look ? &plan->sense : NULL, step->dt);
    plan->changes += plan->planner.move != move;
    const double shift[2] = {planned.shift_left, planned.shift_forward};
    double shift_w[2];
    turn_level(motion.heading, shift, shift_w);
    motion.position[0] += shift_w[0];
    motion.position[2] += shift_w[1];
    motion.heading += planned.turn * step->dt;
    motion.speed[0] = planned.forward;
    motion.speed[1] = planned.left;
  }
  character_root_go(character, step, &motion);
  stay_off_walls(character, &motion);
  return motion;
}

void character_plan_animate(Character *character) {
  Planner *planner = &character->plan.planner;
  if (character->down)
    *planner = fresh_planner(character->def);
  planner_pose(planner, &character->animation_m);
  const Move *move = &planner->def->moves.moves[planner->move];
  for (int i = 0; i < character->def->body->skeleton.leg_count; i++)
    character->play.graph.contact[i] = move_stands(move, i, planner->time);
}

double character_plan_stride(const Character *character) {
  const Planner *planner = &character->plan.planner;
  const Move *move = &planner->def->moves.moves[planner->move];
  return move->clip->loop && !move->holds ? (double)move->clip->duration / move->pace : 0;
}
