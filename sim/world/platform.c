// Creates platforms, and sets the velocities with which they reach their positions at the end of the step.
#include "sim/world/platform.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"

static bool is_rotation(const double q[4]) {
  double size = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return isfinite(size) && size > 0;
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

int platform_create(World *world, const char *name, const double size[3], const double position[3],
                    const double rotation[4]) {
  bool is_box = finite3(size) && size[0] > 0 && size[1] > 0 && size[2] > 0;
  if (!is_box || !finite3(position) || !is_rotation(rotation) || world->body_count == WORLD_MAX_BODIES ||
      world->platform_count == WORLD_MAX_PLATFORMS)
    return -1;
  dBodyID body = dBodyCreate(world->ode);
  dBodySetKinematic(body);
  dBodySetFiniteRotationMode(body, 1); // the rotation of a whole step is exact
  dGeomSetBody(dCreateBox(world->space, size[0], size[1], size[2]), body);
  dBodySetPosition(body, position[0], position[1], position[2]);
  dBodySetQuaternion(body, rotation);
  int index = world_add_body(
      world,
      (WorldBody){.ode = body, .owner = WORLD_NO_OWNER, .event = -1, .name = name, .ground = true, .friction = -1});
  world->bodies[index].mass = 0;
  show_to_rays(world, index, size);
  return index;
}

bool platform_release(World *world, int body, double mass, const PlatformAxle *axle, double decay) {
  bool good = body >= 0 && body < world->body_count && world->bodies[body].ground && mass > 0 && isfinite(mass) &&
              decay > 0 && isfinite(decay);
  if (!good || (axle && !(finite3(axle->pivot_w) && finite3(axle->axis_w) && length3(axle->axis_w) > 0)))
    return false;
  dBodyID ode = world->bodies[body].ode;
  dVector3 size;
  dMass distributed;
  dGeomBoxGetLengths(dBodyGetFirstGeom(ode), size);
  dMassSetBoxTotal(&distributed, mass, size[0], size[1], size[2]);
  dBodySetMass(ode, &distributed);
  world->bodies[body].mass = mass;
  dBodySetDynamic(ode);
  dBodySetFiniteRotationMode(ode, 0);
  dBodySetLinearDamping(ode, 1 - exp(-world->def.dt / decay));
  dBodySetAngularDamping(ode, 1 - exp(-world->def.dt / decay));
  if (axle) {
    dJointID hinge = dJointCreateHinge(world->ode, 0);
    dJointAttach(hinge, ode, 0);
    dJointSetHingeAnchor(hinge, axle->pivot_w[0], axle->pivot_w[1], axle->pivot_w[2]);
    dJointSetHingeAxis(hinge, axle->axis_w[0], axle->axis_w[1], axle->axis_w[2]);
  }
  return true;
}

void platform_set_friction(World *world, int body, double friction) { world->bodies[body].friction = friction; }

// The angular velocity (rad/s) that turns one orientation into another within 1 / rate, about the axis between them.
static void spin_between(const double from[4], const double to[4], double rate, double spin[3]) {
  const double back[4] = {from[0], -from[1], -from[2], -from[3]};
  double way[4];
  quaternion_times(to, back, way);
  double sine = length3(way + 1), side = way[0] < 0 ? -1 : 1;
  double share = sine > 0 ? side * 2 * atan2(sine, fabs(way[0])) * rate / sine : 0;
  for (int i = 0; i < 3; i++)
    spin[i] = share * way[1 + i];
}

bool platform_move(World *world, int body, const double position[3], const double rotation[4]) {
  if (body < 0 || body >= world->body_count || !world->bodies[body].ground ||
      !dBodyIsKinematic(world->bodies[body].ode))
    return false;
  dBodyID ode = world->bodies[body].ode;
  if (!finite3(position) || !is_rotation(rotation)) {
    dBodySetLinearVel(ode, 0, 0, 0);
    dBodySetAngularVel(ode, 0, 0, 0);
    return false;
  }
  const dReal *now = dBodyGetPosition(ode);
  double rate = 1 / world->def.dt, spin[3];
  spin_between(dBodyGetQuaternion(ode), rotation, rate, spin);
  dBodySetLinearVel(ode, (position[0] - now[0]) * rate, (position[1] - now[1]) * rate, (position[2] - now[2]) * rate);
  dBodySetAngularVel(ode, spin[0], spin[1], spin[2]);
  return true;
}
