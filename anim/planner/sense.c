// What a planner senses, as the inputs of its fuzzy rules: direction, distance and motion of obstacles, and ground that
// cannot be walked on.
#include "anim/planner/sense.h"

#include <math.h>

#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

PARAM_TABLE(sense_params, SenseDef, SENSE_PARAMS, "sense", "What a planner senses and how it finds a path.")

const char *const sense_input_names[SENSE_INPUT_COUNT + 1] = {
    [SENSE_GOAL_BEARING] = "goal_bearing",
    [SENSE_GOAL_DISTANCE] = "goal_distance",
    [SENSE_WAY] = "way",
    [SENSE_AHEAD] = "ahead",
    [SENSE_OBSTACLE_BEARING] = "obstacle_bearing",
    [SENSE_OBSTACLE_DISTANCE] = "obstacle_distance",
    [SENSE_CONTACT_TIME] = "contact_time",
    [SENSE_APPROACH_TIME] = "approach_time",
    [SENSE_APPROACH_BEARING] = "approach_bearing",
};

// Converts a horizontal vector (x, z) of the world to the frame of the place: left, forward.
static void to_place(const SensePlace *place, const double world[2], double seen[2]) {
  turn_level(-place->heading, world, seen);
}

Sense sense_make(const SensePlace *place, const double goal[2], double speed) {
  double way[2] = {goal[0] - place->x, goal[1] - place->z}, seen[2];
  to_place(place, way, seen);
  return (Sense){.goal_bearing = atan2(seen[0], seen[1]), .goal_distance = length_2d(seen), .speed = speed};
}

static double border_distance(const SenseObstacle *obstacle) {
  return sqrt(obstacle->left * obstacle->left + obstacle->forward * obstacle->forward) - obstacle->radius;
}

void sense_add(Sense *sense, const SensePlace *place, const double position[2], const double velocity[2],
               double radius) {
  double way[2] = {position[0] - place->x, position[1] - place->z}, seen[2], going[2];
  to_place(place, way, seen);
  to_place(place, velocity, going);
  SenseObstacle obstacle = {seen[0], seen[1], radius, going[0], going[1]};
  if (sense->count < SENSE_MAX_OBSTACLES) {
    sense->obstacles[sense->count++] = obstacle;
    return;
  }
  int farthest = 0;
  for (int i = 1; i < sense->count; i++)
    if (border_distance(&sense->obstacles[i]) > border_distance(&sense->obstacles[farthest]))
      farthest = i;
  if (border_distance(&obstacle) < border_distance(&sense->obstacles[farthest]))
    sense->obstacles[farthest] = obstacle;
}

void sense_lead(const SenseDef *def, const double velocity[2], double turn, double led[2]) {
  turn_level(turn * def->lead, velocity, led);
}

// ---- Ground ----

// Distance in m along a line from the place to where the ground ends or is too steep; `reach` when there is no such
// point.
static double walkable(const SensePlace *place, const SenseDef *def, const Ground *ground, double bearing) {
  const double spacing = 0.25; // m; the slope is measured over two spacings
  double rise = 2 * spacing * tan(def->steepest * RAD_PER_DEGREE), heights[3];
  if (!ground->height(ground->context, place->x, place->z, place->y + GROUND_OVER_ROOT, &heights[0], NULL))
    return def->reach; // the place itself has no ground, so no direction is better
  heights[1] = heights[0];
  double angle = place->heading + bearing;
  double way = spacing;
  while (way <= def->reach) {
    if (!ground->height(ground->context, place->x + way * sin(angle), place->z + way * cos(angle),
                        heights[1] + GROUND_OVER_ROOT, &heights[2], NULL) ||
        fabs(heights[2] - heights[0]) > rise)
      return way;
    heights[0] = heights[1];
    heights[1] = heights[2];
    way += spacing;
  }
  return def->reach;
}

void sense_ground(Sense *sense, const SensePlace *place, const SenseDef *def, const Ground *ground) {
  enum { LINES = 13 };
  const int middle = LINES / 2;
  const double step = 15 * RAD_PER_DEGREE, at_rest[2] = {0, 0};
  for (int i = 0; i < LINES; i++) {
    double bearing = (i - middle) * step, way = walkable(place, def, ground, bearing);
    if (way >= def->reach)
      continue;
    // Obstacles of neighbouring lines overlap.
    double radius = fmax(way * tan(step / 2), 0.05), angle = place->heading + bearing;
    double position[2] = {place->x + (way + radius) * sin(angle), place->z + (way + radius) * cos(angle)};
    sense_add(sense, place, position, at_rest, radius);
  }
}

// ---- Inputs of the rules ----

// Time in s until a body with a given velocity comes within `reach` of an obstacle's centre; SENSE_FAR: never. A body
// that is nearer already may move along it and away.
static double contact_time(const SenseObstacle *obstacle, double reach, double left, double forward) {
  double x = obstacle->left, z = obstacle->forward, distance2 = x * x + z * z;
  double u = left - obstacle->velocity_left, w = forward - obstacle->velocity_forward;
  double closing = x * u + z * w, speed2 = u * u + w * w;
  if (closing <= 0)
    return SENSE_FAR;
  if (distance2 <= reach * reach)
    return 0;
  double root = closing * closing - speed2 * (distance2 - reach * reach);
  return root < 0 ? SENSE_FAR : (closing - sqrt(root)) / speed2;
}

// Bearing of an obstacle's centre, deg.
static double bearing_of(const SenseObstacle *obstacle) {
  return atan2(obstacle->left, obstacle->forward) / RAD_PER_DEGREE;
}

static double speed_of(const SenseObstacle *obstacle) {
  return sqrt(obstacle->velocity_left * obstacle->velocity_left +
              obstacle->velocity_forward * obstacle->velocity_forward);
}

// The margin is larger for moving obstacles, since they may turn. It grows with their speed, without a step.
static double margin_to(const SenseObstacle *obstacle, const SenseDef *def) {
  const double moving = 0.5; // m/s
  return def->margin + def->moving_margin * fmin(speed_of(obstacle) / moving, 1);
}

// Time in s until the nearest approach of a moving obstacle that will violate the margin; SENSE_FAR: it passes farther
// away, or its nearest approach is over.
static double approach_time(const SenseObstacle *obstacle, const SenseDef *def, double speed) {
  const double moves = 0.1; // m/s
  double x = obstacle->left, z = obstacle->forward, u = -obstacle->velocity_left,
         w = speed - obstacle->velocity_forward;
  double closing = x * u + z * w, reach = obstacle->radius + def->radius + margin_to(obstacle, def);
  if (closing <= 0 || speed_of(obstacle) < moves)
    return SENSE_FAR;
  double time = closing / (u * u + w * w), aside[2] = {x - u * time, z - w * time};
  return length_2d(aside) < reach ? fmin(time, SENSE_FAR) : SENSE_FAR;
}

// What is met by a character that turns to a bearing as fast as it can and then moves straight ahead at a speed, while
// all others keep their velocity.
typedef struct Course {
  double way;  // m: free distance, at most the horizon
  double room; // 0 .. 1: least distance to any obstacle relative to the margin, which shrinks along the path
} Course;

// Simulates the course in steps that are shorter than the width of any obstacle.
static Course try_course(const Sense *sense, const SenseDef *def, double bearing, double speed, double most) {
  double stride = fmin(def->radius, most / 12), heading = 0, left = 0, forward = 0;
  double turn = def->turn * RAD_PER_DEGREE * stride / speed;
  Course course = {most, 1};
  double way = stride;
  while (way <= most) {
    heading += fmin(fmax(bearing - heading, -turn), turn);
    left += stride * sin(heading);
    forward += stride * cos(heading);
    double time = way / speed, share = 1 - 0.5 * way / most;
    double widest = def->radius + share * (def->margin + def->moving_margin);
    for (int i = 0; i < sense->count; i++) {
      const SenseObstacle *o = &sense->obstacles[i];
      double x = o->left + o->velocity_left * time - left, z = o->forward + o->velocity_forward * time - forward;
      double gap2 = x * x + z * z;
      if (gap2 >= (o->radius + widest) * (o->radius + widest))
        continue;
      double gap = sqrt(gap2) - o->radius - def->radius;
      course.room = fmin(course.room, fmax(gap / (share * margin_to(o, def)), 0));
      if (gap < 0)
        return (Course){way - stride, 0};
    }
    way += stride;
  }
  return course;
}

// The cost of a direction: its angles to the goal and to the heading, how soon it is blocked, and how narrow it is. The
// first three are weighed as in the vector field histogram (Ulrich and Borenstein 1998), on straight paths; that the
// course must be feasible comes from the dynamic window approach (Fox, Burgard and Thrun 1997).
static double way_cost(const Sense *sense, const SenseDef *def, double bearing, double speed, double most) {
  Course course = try_course(sense, def, bearing, speed, most);
  return (fabs(wrap_angle(bearing - sense->goal_bearing)) + def->aside * fabs(bearing)) / M_PI +
         def->detour * (1 - course.way / most) + def->narrow * (1 - course.room) + (bearing > 0 ? def->keep_right : 0);
}

static double best_way(const Sense *sense, const SenseDef *def, double speed) {
  const double step = 10 * RAD_PER_DEGREE;
  double most = fmin(def->horizon, fmax(sense->goal_distance, 0.1));
  double best = sense->goal_bearing, least = way_cost(sense, def, best, speed, most);
  for (int k = 1; k <= 18; k++)
    for (int side = -1; side <= 1; side += 2) {
      double bearing = wrap_angle(sense->goal_bearing + side * k * step);
      double cost = way_cost(sense, def, bearing, speed, most);
      if (cost < least) {
        least = cost;
        best = bearing;
      }
    }
  return best;
}

int sense_nearest(const Sense *sense, const SenseDef *def, double *distance) {
  int nearest = -1;
  *distance = SENSE_FAR;
  for (int i = 0; i < sense->count; i++) {
    double gap = border_distance(&sense->obstacles[i]) - def->radius;
    if (gap < *distance) {
      *distance = gap;
      nearest = i;
    }
  }
  return nearest;
}

// The obstacles that can be met within the horizon.
static Sense sense_within(const Sense *sense, const SenseDef *def, double speed) {
  Sense near = {sense->goal_bearing, sense->goal_distance, sense->speed, .count = 0};
  for (int i = 0; i < sense->count; i++) {
    const SenseObstacle *o = &sense->obstacles[i];
    if (border_distance(o) - def->radius - margin_to(o, def) <= def->horizon * (1 + speed_of(o) / speed))
      near.obstacles[near.count++] = *o;
  }
  return near;
}

void sense_inputs(const Sense *sense, const SenseDef *def, double inputs[SENSE_INPUT_COUNT]) {
  const double walking = 1; // m/s: for a character that stands, free paths are computed as if it walked
  double speed = fmax(sense->speed, walking), gap, contact = SENSE_FAR, approach = SENSE_FAR, from = 0;
  Sense near = sense_within(sense, def, speed);
  int nearest = sense_nearest(sense, def, &gap);
  const SenseObstacle *obstacle = nearest >= 0 ? &sense->obstacles[nearest] : NULL;
  for (int i = 0; i < sense->count; i++) {
    const SenseObstacle *o = &sense->obstacles[i];
    contact = fmin(contact, contact_time(o, o->radius + def->radius, 0, sense->speed));
    double time = approach_time(o, def, sense->speed);
    if (time < approach) {
      approach = time;
      from = bearing_of(o);
    }
  }
  double way = best_way(&near, def, speed);
  inputs[SENSE_GOAL_BEARING] = sense->goal_bearing / RAD_PER_DEGREE;
  inputs[SENSE_GOAL_DISTANCE] = sense->goal_distance;
  inputs[SENSE_WAY] = way / RAD_PER_DEGREE;
  inputs[SENSE_AHEAD] = try_course(&near, def, way, speed, def->horizon).way;
  inputs[SENSE_OBSTACLE_BEARING] = obstacle ? bearing_of(obstacle) : 0;
  inputs[SENSE_OBSTACLE_DISTANCE] = gap;
  inputs[SENSE_CONTACT_TIME] = contact;
  inputs[SENSE_APPROACH_TIME] = approach;
  inputs[SENSE_APPROACH_BEARING] = from;
}

void sense_state(Sense *sense, StateStream *stream) {
  STATE(stream, sense->goal_bearing, sense->goal_distance, sense->speed);
  int count = state_count(stream, &sense->count, SENSE_MAX_OBSTACLES, sizeof *sense->obstacles);
  state_bytes(stream, sense->obstacles, (size_t)count * sizeof *sense->obstacles);
}
