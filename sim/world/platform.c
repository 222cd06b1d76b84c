// Creates platforms, and sets the velocities with which they reach their positions at the end of the step.
#include "sim/world/platform.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"

static void turn_to(dBodyID body, double yaw) {
  const dQuaternion rotation = {cos(yaw / 2), 0, sin(yaw / 2), 0};
  dBodySetQuaternion(body, rotation);
}

static void show_to_rays(World *world, int body, const double size[3]) {
  dBodyID ode = world->bodies[body].ode;
  WorldPlatform *platform = &world->platforms[world->platform_count++];
  *platform = (WorldPlatform){.body = body,
                              .radius = length3(size) / 2,
                              .position = dBodyGetPosition(ode),
                              .rotation = dBodyGetRotation(ode),
                              .velocity = dBodyGetLinearVel(ode),
                              .spin = dBodyGetAngularVel(ode)};
  for (int i = 0; i < 3; i++)
    platform->half[i] = size[i] / 2;
}

int platform_create(World *world, const char *name, const double size[3], const double position[3], double yaw) {
  bool is_box = finite3(size) && size[0] > 0 && size[1] > 0 && size[2] > 0;
  if (!is_box || !finite3(position) || !isfinite(yaw) || world->body_count == WORLD_MAX_BODIES ||
      world->platform_count == WORLD_MAX_PLATFORMS)
    return -1;
  dBodyID body = dBodyCreate(world->ode);
  dBodySetKinematic(body);
  dBodySetFiniteRotationMode(body, 1); // the rotation of a whole step is exact
  dGeomSetBody(dCreateBox(world->space, size[0], size[1], size[2]), body);
  dBodySetPosition(body, position[0], position[1], position[2]);
  turn_to(body, yaw);
  int index = world_add_body(
      world,
      (WorldBody){.ode = body, .owner = WORLD_NO_OWNER, .event = -1, .name = name, .ground = true, .friction = -1});
  show_to_rays(world, index, size);
  return index;
}

void platform_set_friction(World *world, int body, double friction) { world->bodies[body].friction = friction; }

bool platform_move(World *world, int body, const double position[3], double yaw) {
  if (body < 0 || body >= world->body_count || !world->bodies[body].ground)
    return false;
  dBodyID ode = world->bodies[body].ode;
  if (!finite3(position) || !isfinite(yaw)) {
    dBodySetLinearVel(ode, 0, 0, 0);
    dBodySetAngularVel(ode, 0, 0, 0);
    return false;
  }
  const dReal *now = dBodyGetPosition(ode), *rotation = dBodyGetQuaternion(ode);
  double rate = 1 / world->def.dt, turn = wrap_angle(yaw - 2 * atan2(rotation[2], rotation[0]));
  dBodySetLinearVel(ode, (position[0] - now[0]) * rate, (position[1] - now[1]) * rate, (position[2] - now[2]) * rate);
  dBodySetAngularVel(ode, 0, turn * rate, 0);
  return true;
}
