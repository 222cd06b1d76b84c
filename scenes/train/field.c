// A flat world of discs, goals and obstacles for training planners; bodies follow their moves without physics.
#include "scenes/train/field.h"

#include <math.h>

#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

PARAM_TABLE(field_params, FieldDef, FIELD_PARAMS, "field",
            "The random fields in which planners are trained and tested.")

static double distance(const double a[2], const double b[2]) {
  double way[2] = {b[0] - a[0], b[1] - a[1]};
  return length_2d(way);
}

// ---- Making ----

// Finds a place in the band, away from starts, goals and earlier obstacles. False when none was found.
static bool place_obstacle(const Field *field, FieldObstacle *obstacle, double length, double gap, Rng *rng) {
  const double clear = 1; // m around start and goal
  for (int attempt = 0; attempt < 100; attempt++) {
    obstacle->position[0] = rng_range(rng, -field->def->width / 2, field->def->width / 2);
    obstacle->position[1] = rng_range(rng, 0, length);
    bool free = true;
    for (int i = 0; i < field->walker_count && free; i++) {
      const FieldWalker *walker = &field->walkers[i];
      double start[2] = {walker->place.x, walker->place.z};
      free = distance(obstacle->position, start) > obstacle->radius + clear &&
             distance(obstacle->position, walker->goal) > obstacle->radius + clear;
    }
    for (int i = 0; i < field->obstacle_count && free; i++) {
      const FieldObstacle *other = &field->obstacles[i];
      free = distance(obstacle->position, other->position) > obstacle->radius + other->radius + gap;
    }
    if (free)
      return true;
  }
  return false;
}

static void make_obstacles(Field *field, double length, Rng *rng) {
  const FieldDef *def = field->def;
  for (int i = 0; i < def->obstacles; i++) {
    FieldObstacle obstacle = {.radius = rng_range(rng, def->radius[0], def->radius[1])};
    if (place_obstacle(field, &obstacle, length, def->gap, rng))
      field->obstacles[field->obstacle_count++] = obstacle;
  }
  for (int i = 0; i < def->moving; i++) {
    FieldObstacle obstacle = {.radius = 0.3};
    double angle = rng_range(rng, -M_PI, M_PI), speed = rng_range(rng, def->pace[0], def->pace[1]);
    obstacle.velocity[0] = speed * sin(angle);
    obstacle.velocity[1] = speed * cos(angle);
    if (!place_obstacle(field, &obstacle, length, 0.1, rng))
      continue;
    field->obstacles[field->obstacle_count++] = obstacle;
    field->moving_count++;
  }
}

// A single walker goes from the origin straight ahead, with a random initial heading; several start on a circle, facing
// its opposite side.
static void make_walkers(Field *field, double length, Rng *rng) {
  const double off = 0.3; // m from the circle, so that starts are not regular
  int count = field->walker_count = field->def->walkers;
  for (int i = 0; i < count; i++) {
    FieldWalker *walker = &field->walkers[i];
    double angle = 2 * M_PI * i / count, radius = length / 2;
    if (count == 1) {
      walker->goal[1] = length;
      walker->place.heading = rng_range(rng, -M_PI, M_PI);
      continue;
    }
    walker->place = (SensePlace){radius * sin(angle), radius - radius * cos(angle), wrap_angle(-angle), 0};
    walker->goal[0] = -walker->place.x;
    walker->goal[1] = 2 * radius - walker->place.z;
    walker->place.x += rng_range(rng, -off, off);
    walker->place.z += rng_range(rng, -off, off);
  }
}

void field_make(Field *field, const FieldDef *def, const PlannerDef *planner, const QTable *table, bool direct,
                const Ground *ground, int seed, const char *name) {
  *field = (Field){.def = def, .ground = ground};
  Rng rng = rng_make((uint64_t)seed, name);
  double length = rng_range(&rng, def->goal[0], def->goal[1]);
  make_walkers(field, length, &rng);
  make_obstacles(field, length, &rng);
  for (int i = 0; i < field->walker_count; i++) {
    FieldWalker *walker = &field->walkers[i];
    walker->planner = planner_make(planner, table, direct);
    double start[2] = {walker->place.x, walker->place.z};
    walker->shortest = fmax(field_shortest(field, start, walker->goal, planner->sense.radius) - def->near, 0);
  }
}

// ---- Going ----

Sense field_sense(const Field *field, int index) {
  const FieldWalker *walker = &field->walkers[index];
  const SenseDef *def = &walker->planner.def->sense;
  Sense sense = sense_make(&walker->place, walker->goal, length_2d(walker->velocity));
  for (int i = 0; i < field->obstacle_count; i++) {
    const FieldObstacle *obstacle = &field->obstacles[i];
    sense_add(&sense, &walker->place, obstacle->position, obstacle->velocity, obstacle->radius);
  }
  for (int i = 0; i < field->walker_count; i++) {
    const FieldWalker *other = &field->walkers[i];
    double position[2] = {other->place.x, other->place.z}, led[2];
    sense_lead(def, other->velocity, other->turn, led);
    if (i != index && !other->reached)
      sense_add(&sense, &walker->place, position, led, def->radius);
  }
  if (field->ground)
    sense_ground(&sense, &walker->place, def, field->ground);
  return sense;
}

static void go(FieldWalker *walker, const PlannerStep *step, double dt) {
  double heading = walker->place.heading, now[2];
  double shift[2] = {step->shift_left, step->shift_forward}, speed[2] = {step->left, step->forward};
  turn_level(heading, shift, now);
  turn_level(heading + step->turn * dt / 2, speed, walker->velocity);
  double way[2] = {now[0] + walker->velocity[0] * dt, now[1] + walker->velocity[1] * dt};
  walker->place.x += way[0];
  walker->place.z += way[1];
  walker->place.heading = wrap_angle(heading + step->turn * dt);
  walker->turn = step->turn;
  walker->way += length_2d(way);
}

// Moving obstacles turn back at the band's borders and at resting obstacles.
static void move_obstacle(Field *field, FieldObstacle *obstacle, double dt) {
  double length = field->def->goal[1], half = field->def->width / 2, *p = obstacle->position, *v = obstacle->velocity;
  for (int k = 0; k < 2; k++)
    p[k] += v[k] * dt;
  if (fabs(p[0]) > half)
    v[0] = -copysign(v[0], p[0]);
  if (p[1] < 0 || p[1] > length)
    v[1] = copysign(v[1], length / 2 - p[1]);
  for (int i = 0; i < field->obstacle_count - field->moving_count; i++) {
    const FieldObstacle *other = &field->obstacles[i];
    double normal[2] = {p[0] - other->position[0], p[1] - other->position[1]}, gap = length_2d(normal);
    double approach = normal[0] * v[0] + normal[1] * v[1];
    if (gap > other->radius + obstacle->radius || approach >= 0)
      continue;
    for (int k = 0; k < 2; k++)
      v[k] -= 2 * approach * normal[k] / (gap * gap);
  }
}

static bool touches(const Field *field, int index) {
  const FieldWalker *walker = &field->walkers[index];
  double position[2] = {walker->place.x, walker->place.z}, radius = walker->planner.def->sense.radius, height;
  for (int i = 0; i < field->obstacle_count; i++)
    if (distance(position, field->obstacles[i].position) < field->obstacles[i].radius + radius)
      return true;
  for (int i = 0; i < field->walker_count; i++) {
    const FieldWalker *other = &field->walkers[i];
    double there[2] = {other->place.x, other->place.z};
    if (i != index && !other->reached && distance(position, there) < 2 * radius)
      return true;
  }
  return field->ground &&
         !field->ground->height(field->ground->context, position[0], position[1], GROUND_HIGHEST, &height, NULL);
}

void field_step(Field *field, double dt) {
  Sense senses[FIELD_MAX_WALKERS];
  for (int i = 0; i < field->walker_count; i++)
    if (!field->walkers[i].reached)
      senses[i] = field_sense(field, i);
  for (int i = field->obstacle_count - field->moving_count; i < field->obstacle_count; i++)
    move_obstacle(field, &field->obstacles[i], dt);
  for (int i = 0; i < field->walker_count; i++) {
    FieldWalker *walker = &field->walkers[i];
    if (walker->reached)
      continue;
    PlannerStep step = planner_step(&walker->planner, &senses[i], dt);
    go(walker, &step, dt);
  }
  field->time += dt;
  for (int i = 0; i < field->walker_count; i++) {
    FieldWalker *walker = &field->walkers[i];
    double position[2] = {walker->place.x, walker->place.z};
    walker->touched |= !walker->reached && touches(field, i);
    walker->reached |= distance(position, walker->goal) < field->def->near;
  }
}

bool field_is_over(const Field *field) {
  int reached = 0;
  for (int i = 0; i < field->walker_count; i++)
    reached += field->walkers[i].reached;
  return reached == field->walker_count || field->time >= field->def->time;
}
