// Creates, launches and aims balls, and reuses those that are not in flight any more.
#include "sim/world/projectile.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/world/ode_net.h"

// Free fall and spin are limited to this share of the world's limits, so that no ball stops a run. Above it air
// resistance takes the share DRAG of the speed in each step, which is more than gravity adds.
static const double TOP_SPEED = 0.8, DRAG = 0.1;

static const double SPIN_TIME = 2; // s in which rolling decays

static const double LATE = 0.25; // s after the planned arrival at which a ball that has hit nothing counts as having
                                 // missed

// Comparisons are written so that NaN makes them false.
static bool in_range(const World *world, const Projectile *ball) {
  return ball->mass >= 0.001 && ball->mass <= 1000 && ball->radius >= 0.005 && ball->radius <= 5 &&
         finite3(ball->position) && length3(ball->velocity) <= world->def.max_speed;
}

static void launch(World *world, dBodyID body, const Projectile *ball) {
  dMass mass;
  dMassSetSphereTotal(&mass, ball->mass, ball->radius);
  dBodySetMass(body, &mass);
  dGeomSphereSetRadius(dBodyGetFirstGeom(body), ball->radius);
  const dQuaternion upright = {1, 0, 0, 0};
  dBodySetQuaternion(body, upright);
  dBodySetPosition(body, ball->position[0], ball->position[1], ball->position[2]);
  dBodySetLinearVel(body, ball->velocity[0], ball->velocity[1], ball->velocity[2]);
  dBodySetAngularVel(body, 0, 0, 0);
  dBodySetForce(body, 0, 0, 0);
  dBodySetTorque(body, 0, 0, 0);

  dBodySetMaxAngularSpeed(body, TOP_SPEED * world->def.max_angular_speed);
  dBodySetLinearDamping(body, DRAG);
  dBodySetLinearDampingThreshold(body, TOP_SPEED * world->def.max_speed);
  dBodySetAngularDamping(body, 1 - exp(-world->def.dt / SPIN_TIME));
}

void projectile_aim(const double from[3], const double at[3], const double moving[3], const double gravity[3],
                    double time, double velocity[3]) {
  for (int i = 0; i < 3; i++)
    velocity[i] = (at[i] - from[i]) / time + moving[i] - gravity[i] * time / 2;
}

typedef struct Making {
  World *world;
  const Projectile *ball;
  dBodyID body;
} Making;

static void make(void *context) {
  Making *making = context;
  World *world = making->world;
  making->body = dBodyCreate(world->ode);
  dGeomSetBody(dCreateSphere(world->space, making->ball->radius), making->body);
  launch(world, making->body, making->ball);
}

int projectile_create(World *world, const Projectile *ball) {
  if (world->stopped || world->body_count == WORLD_MAX_BODIES || !in_range(world, ball))
    return -1;
  Making making = {world, ball, NULL};
  if (!ode_guard(make, &making, NULL, world->stop_reason, sizeof world->stop_reason)) {
    world->stopped = world->broken = true;
    return -1;
  }
  return world_add_body(world,
                        (WorldBody){.ode = making.body, .owner = WORLD_NO_OWNER, .event = ball->event, .name = "ball"});
}

bool projectile_relaunch(World *world, int index, const Projectile *ball) {
  if (index < 0 || index >= world->body_count || !in_range(world, ball))
    return false;
  WorldBody *body = &world->bodies[index];
  dGeomID geom = dBodyGetFirstGeom(body->ode);
  if (body->owner != WORLD_NO_OWNER || !geom || dGeomGetClass(geom) != dSphereClass)
    return false;
  launch(world, body->ode, ball);
  body->mass = ball->mass;
  body->event = ball->event;
  return true;
}

// s, in the world's time.
static double end_of_flight(const World *world, const Projectile *ball) {
  return world->time + (ball->arrival > 0 ? ball->arrival + LATE : 0);
}

// The ring's entry for a new ball: after the last one thrown, which is before the oldest.
static int make_room(Projectiles *balls) {
  const int at = balls->oldest == 0 ? balls->count : balls->oldest++;
  const size_t behind = (size_t)(balls->count - at);
  memmove(&balls->bodies[at + 1], &balls->bodies[at], behind * sizeof *balls->bodies);
  memmove(&balls->busy_until[at + 1], &balls->busy_until[at], behind * sizeof *balls->busy_until);
  balls->count++;
  return at;
}

static int throw_another(Projectiles *balls, World *world, const Projectile *ball) {
  const int body = balls->count < PROJECTILE_MAX ? projectile_create(world, ball) : -1;
  if (body < 0)
    return -1;
  const int at = make_room(balls);
  balls->bodies[at] = body;
  balls->busy_until[at] = end_of_flight(world, ball);
  return body;
}

static int throw_oldest(Projectiles *balls, World *world, const Projectile *ball) {
  const int at = balls->oldest, body = balls->count > 0 ? balls->bodies[at] : -1;
  if (!projectile_relaunch(world, body, ball))
    return -1;
  balls->busy_until[at] = end_of_flight(world, ball);
  balls->oldest = (at + 1) % balls->count;
  return body;
}

int projectiles_throw(Projectiles *balls, World *world, const Projectile *ball) {
  const bool in_flight = balls->count > 0 && balls->busy_until[balls->oldest] > world->time;
  const int body = in_flight || balls->count < PROJECTILE_KEPT ? throw_another(balls, world, ball)
                                                               : throw_oldest(balls, world, ball);
  return body >= 0 || in_flight ? body : throw_oldest(balls, world, ball);
}

void projectiles_state(Projectiles *balls, const World *world, StateStream *stream) {
  int count = state_count(stream, &balls->count, PROJECTILE_MAX, sizeof(int) + sizeof(double));
  state_int(stream, &balls->oldest, 0, count > 0 ? count - 1 : 0);
  for (int i = 0; i < count; i++)
    state_int(stream, &balls->bodies[i], 0, world->body_count - 1);
  state_finite(stream, balls->busy_until, count);
}
