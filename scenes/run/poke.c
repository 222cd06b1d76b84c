// Interaction of the user with a running scene: rays pick a part, which is shot at, pushed, dragged by a spring, or hit
// by a thrown ball.
#include "scenes/run/poke.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/text_buffer.h"
#include "sim/world/world_body.h"

PARAM_TABLE(poke_params, PokeDef, POKE_PARAMS, "poke", "How hard the user reaches in.")

static const double FARTHEST_POINT = 10; // m from the centre of mass; the limit of events, too
// m: the spring's force does not increase beyond this stretch, so that the body is not thrown when the goal is far
// away.
static const double LONGEST_STRETCH = 0.5;

static const double FARTHEST_GOAL = 1e5; // m from the origin, beyond any terrain
static const double FASTEST_GOAL = 100;  // m/s

// Flight times of an aimed ball that are tried, s; each is longer than the one before by the factor FLIGHT_STEP.
static const double SHORTEST_FLIGHT = 0.02, FLIGHT_STEP = 1.01;
enum { FLIGHTS = 532 }; // up to 4 s

void poke_init(Poke *poke) {
  param_defaults(&poke_params, &poke->def);
  poke_reset(poke);
}

void poke_reset(Poke *poke) { *poke = (Poke){.def = poke->def}; }

bool poke_pick(const Scene *scene, const double origin[3], const double direction[3], double length, WorldHit *hit) {
  return world_cast(scene->world, origin, direction, length, hit);
}

static bool is_direction(const double direction[3]) { return finite3(direction) && length3(direction) > 0; }

// ---- Bullets and pushes ----

// An event, and the angles in degrees from which it was made.
typedef struct Strike {
  ActiveEvent event;
  double direction, elevation;
} Strike;

enum { NUMBER_SIZE = 32 };

// Writes the event with every number in its shortest form that reads back unchanged. Names of parts are plain words.
static void write_event(const Strike *strike, const Scene *scene, char *text, size_t size) {
  const ActiveEvent *event = &strike->event;
  const CharacterDef *character = scene->characters[event->target]->def;
  char duration[48] = "", numbers[7][NUMBER_SIZE];
  const double values[7] = {event->start,      event->offset_l[0], event->offset_l[1], event->offset_l[2],
                            strike->direction, strike->elevation,  event->size};
  for (int i = 0; i < 7; i++)
    text_shortest_double(numbers[i], sizeof numbers[i], values[i]);
  if (event->kind == EVENT_PUSH) {
    char spread[NUMBER_SIZE];
    text_shortest_double(spread, sizeof spread, event->spread);
    snprintf(duration, sizeof duration, ", duration: %s", spread);
  }
  int length = snprintf(text, size,
                        "{kind: %s, character: %s, part: %s, time: %s, point: [%s, %s, %s], "
                        "direction: %s, elevation: %s, impulse: %s%s}",
                        event->kind == EVENT_PUSH ? "push" : "impulse", character->name,
                        character->body->parts[event->part].name, numbers[0], numbers[1], numbers[2], numbers[3],
                        numbers[4], numbers[5], numbers[6], duration);
  if (size > 0 && (size_t)length >= size)
    text[0] = '\0';
}

// A strike on the point of a part that the ray hit; the caller sets its spread. False when the hit is not on a part.
static bool aim_strike(const Scene *scene, const WorldHit *hit, const double direction[3], double size,
                       Strike *strike) {
  const World *world = scene->world;
  if (hit->body < 0 || hit->body >= world->body_count || !finite3(hit->point) || !is_direction(direction) ||
      !isfinite(size))
    return false;
  const WorldBody *body = &world->bodies[hit->body];
  if (body->owner == WORLD_NO_OWNER)
    return false;
  double offset[3];
  world_body_point_from_world(world, hit->body, hit->point, offset);
  if (!(length3(offset) <= FARTHEST_POINT))
    return false;

  double heading = scene->characters[body->owner]->root.heading;
  double level = hypot(direction[0], direction[2]);
  *strike = (Strike){
      .event = {.target = body->owner, .part = body->part, .size = size, .start = world->time},
      .direction = remainder(atan2(direction[0], direction[2]) - heading, 2 * M_PI) / RAD_PER_DEGREE,
      .elevation = fmax(-90, fmin(atan2(direction[1], level) / RAD_PER_DEGREE, 90)),
  };
  memcpy(strike->event.offset_l, offset, sizeof strike->event.offset_l);
  // Computed from the angles, as for an event that is read from a file.
  event_aim(heading, strike->direction, strike->elevation, size, strike->event.impulse_w);
  return true;
}

static bool launch_strike(Scene *scene, const Strike *strike, char *event_text, size_t size) {
  if (!events_strike(&scene->events, &strike->event))
    return false;
  if (event_text)
    write_event(strike, scene, event_text, size);
  return true;
}

bool poke_shoot(const Poke *poke, Scene *scene, const WorldHit *hit, const double direction[3], char *event_text,
                size_t size) {
  Strike strike;
  if (!aim_strike(scene, hit, direction, poke->def.impulse, &strike))
    return false;
  strike.event.kind = EVENT_IMPULSE;
  strike.event.spread = scene->characters[strike.event.target]->def->hit_reaction.spread;
  return launch_strike(scene, &strike, event_text, size);
}

bool poke_push(const Poke *poke, Scene *scene, const WorldHit *hit, const double direction[3], char *event_text,
               size_t size) {
  Strike strike;
  if (!aim_strike(scene, hit, direction, poke->def.push_force * poke->def.push_time, &strike))
    return false;
  strike.event.kind = EVENT_PUSH;
  strike.event.spread = poke->def.push_time;
  return launch_strike(scene, &strike, event_text, size);
}

// ---- Balls ----

static bool launch_ball(Poke *poke, Scene *scene, const double from[3], const double velocity[3]) {
  World *world = scene->world;
  double speed = length3(velocity), most = 0.99 * world->def.max_speed;
  Projectile ball = {.mass = poke->def.ball_mass,
                     .radius = poke->def.ball_radius,
                     .position = {from[0], from[1], from[2]},
                     .event = events_number(&scene->events)};
  for (int i = 0; i < 3; i++)
    ball.velocity[i] = velocity[i] * (speed > most ? most / speed : 1);
  int body = projectiles_throw(&poke->balls, world, &ball);
  if (poke->drag.active && poke->drag.body == body) // a dragged ball that is thrown again is released
    poke_drag_end(poke);
  return body >= 0;
}

bool poke_throw(Poke *poke, Scene *scene, const double from[3], const double direction[3]) {
  if (!finite3(from) || !is_direction(direction))
    return false;
  double velocity[3], length = length3(direction);
  for (int i = 0; i < 3; i++)
    velocity[i] = poke->def.ball_speed * direction[i] / length;
  return launch_ball(poke, scene, from, velocity);
}

bool poke_throw_at(Poke *poke, Scene *scene, const double from[3], const WorldHit *hit) {
  const World *world = scene->world;
  if (!finite3(from) || !finite3(hit->point) || hit->body >= world->body_count)
    return false;
  const double still[3] = {0};
  double velocity[3], slowest[3] = {0}, least = INFINITY;
  int owner = hit->body == WORLD_GROUND ? WORLD_NO_OWNER : world->bodies[hit->body].owner;
  const double *moving = owner == WORLD_NO_OWNER ? still : scene->characters[owner]->sensed.com_velocity;
  // The shortest flight with the given speed; if none reaches, the flight that needs the least speed.
  for (int i = 0; i < FLIGHTS; i++) {
    double time = SHORTEST_FLIGHT * pow(FLIGHT_STEP, i);
    projectile_aim(from, hit->point, moving, world->def.gravity, time, velocity);
    double speed = length3(velocity);
    if (speed < least) {
      least = speed;
      memcpy(slowest, velocity, sizeof slowest);
    }
    if (speed <= poke->def.ball_speed)
      break;
  }
  return launch_ball(poke, scene, from, slowest);
}

// ---- Dragging ----

void poke_drag_begin(Poke *poke, const Scene *scene, const WorldHit *hit) {
  poke_drag_end(poke);
  if (hit->body < 0 || hit->body >= scene->world->body_count || !finite3(hit->point) ||
      scene->world->bodies[hit->body].mass == 0) // a platform that no force moves
    return;
  poke->drag = (Drag){.active = true, .body = hit->body};
  world_body_point_from_world(scene->world, hit->body, hit->point, poke->drag.point_l);
  memcpy(poke->drag.goal_w, hit->point, sizeof poke->drag.goal_w);
}

void poke_drag_move(Poke *poke, const double goal_w[3]) {
  if (length3(goal_w) <= FARTHEST_GOAL) // false for NaN
    memcpy(poke->drag.goal_w, goal_w, sizeof poke->drag.goal_w);
}

void poke_drag_carry(Poke *poke, const double velocity_w[3]) {
  if (length3(velocity_w) <= FASTEST_GOAL) // false for NaN
    memcpy(poke->drag.goal_velocity_w, velocity_w, sizeof poke->drag.goal_velocity_w);
}

void poke_drag_end(Poke *poke) { poke->drag = (Drag){0}; }

// The force of the drag's spring, see the header: (1 + (c + k h) h W) F = k (goal - x) - (c + k h) v, W the mobility.
static void spring_force(const Drag *drag, const PokeDef *def, const World *world, double mass, const double point[3],
                         double force[3]) {
  const double dt = world->def.dt;
  double velocity[3];
  world_body_point_velocity(world, drag->body, point, velocity);
  double omega = 2 * M_PI * def->drag_frequency;
  double stiffness = mass * omega * omega, damping = 2 * mass * omega + stiffness * dt;
  double stretch[3], matrix[3][3], wanted[3];
  for (int i = 0; i < 3; i++)
    stretch[i] = drag->goal_w[i] - point[i];
  double length = length3(stretch), reach = length > LONGEST_STRETCH ? LONGEST_STRETCH / length : 1;
  world_body_mobility(world, drag->body, point, matrix);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      matrix[i][k] = damping * dt * matrix[i][k] + (i == k ? 1 : 0);
    wanted[i] = stiffness * reach * stretch[i] - damping * (velocity[i] - drag->goal_velocity_w[i]);
  }
  solve_columns3((const double(*)[3])matrix, wanted, force);
  double size = length3(force), share = size > def->drag_force ? def->drag_force / size : 1;
  for (int i = 0; i < 3; i++)
    force[i] *= share;
}

void poke_step(Poke *poke, Scene *scene) {
  World *world = scene->world;
  Drag *drag = &poke->drag;
  if (!drag->active || world->stopped || scene->record_failed)
    return;
  const WorldBody *body = &world->bodies[drag->body];
  double mass = body->owner == WORLD_NO_OWNER ? body->mass : scene->characters[body->owner]->def->body->mass;
  double point[3];
  world_body_point_to_world(world, drag->body, drag->point_l, point);
  spring_force(drag, &poke->def, world, mass, point, drag->force_w);

  Impulse impulse = {.body = drag->body, .source = IMPULSE_DRAG, .event = -1};
  for (int i = 0; i < 3; i++) {
    impulse.point[i] = point[i];
    impulse.impulse[i] = drag->force_w[i] * world->def.dt;
    drag->goal_w[i] += drag->goal_velocity_w[i] * world->def.dt;
  }
  if (world_apply_impulse(world, &impulse))
    event_report("drag", world->time, world, scene->characters, &impulse, recorder_trace(scene->recorder));
}
