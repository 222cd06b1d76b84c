// Makes and launches balls, aims them, and throws the oldest one again when there is no room for more.
#include "sim/world/projectile.h"

#include <math.h>

#include "sim/base/numbers.h"

// A free fall and a fast spin end at this share of the world's limits, so that no ball stops a run. In free fall the
// air takes DRAG of the speed in a step, which is more than gravity gives.
static const double TOP_SPEED = 0.8, DRAG = 0.1;

static const double SPIN_TIME = 2; // s, in which rolling fades

// Comparisons are written so that NaN fails them.
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

int projectile_create(World *world, const Projectile *ball) {
  if (world->body_count == WORLD_MAX_BODIES || !in_range(world, ball))
    return -1;
  dBodyID body = dBodyCreate(world->ode);
  dGeomSetBody(dCreateSphere(world->space, ball->radius), body);
  launch(world, body, ball);
  return world_add_body(world, (WorldBody){.ode = body, .owner = WORLD_NO_OWNER, .event = ball->event, .name = "ball"});
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

int projectiles_throw(Projectiles *balls, World *world, const Projectile *ball) {
  int body = balls->count < PROJECTILE_MAX ? projectile_create(world, ball) : -1;
  if (body >= 0) {
    balls->bodies[balls->count++] = body;
    return body;
  }
  body = balls->count > 0 ? balls->bodies[balls->oldest] : -1;
  if (!projectile_relaunch(world, body, ball))
    return -1;
  balls->oldest = (balls->oldest + 1) % balls->count;
  return body;
}

void projectiles_state(Projectiles *balls, const World *world, StateStream *stream) {
  int count = state_count(stream, &balls->count, PROJECTILE_MAX, sizeof(int));
  state_int(stream, &balls->oldest, 0, count > 0 ? count - 1 : 0);
  for (int i = 0; i < count; i++)
    state_int(stream, &balls->bodies[i], 0, world->body_count - 1);
}
