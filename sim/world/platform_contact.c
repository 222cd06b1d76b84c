// Attaches contacts with platforms to stand-in bodies, so that characters on one platform do not become one system of
// equations.
#include "sim/world/platform_contact.h"

#include <math.h>

#include "sim/base/numbers.h"

// Rodrigues' formula of the rotation about the axis of the angular velocity.
void platform_arc(const double spin[3], const double arm[3], double dt, double tangent, double way[3]) {
  double rate = length3(spin), turn = rate * dt, axis[3], across[3], inward[3];
  way[0] = way[1] = way[2] = 0;
  if (rate == 0)
    return;
  double half = sin(turn / 2), sine = sin(turn) - tangent * turn, versine = 2 * half * half;
  for (int i = 0; i < 3; i++)
    axis[i] = spin[i] / rate;
  cross3(axis, arm, across);
  cross3(axis, across, inward);
  for (int i = 0; i < 3; i++)
    way[i] = sine * across[i] + versine * inward[i];
}

// ODE moves the centre of a body standing on a rotating platform along the tangent, so that it would drift outward. The
// surface velocity is therefore turned inward: the centre's displacement in the step is the chord of its arc.
static void bend_surface(const World *world, const WorldBody *body, const WorldBody *platform, dContact *contact) {
  const dReal *spin = dBodyGetAngularVel(platform->ode), *pivot = dBodyGetPosition(platform->ode);
  const dReal *center = dBodyGetPosition(body->ode);
  if (spin[0] == 0 && spin[1] == 0 && spin[2] == 0)
    return;
  const double arm[3] = {center[0] - pivot[0], center[1] - pivot[1], center[2] - pivot[2]};
  double way[3];
  platform_arc(spin, arm, world->def.dt, 1, way);
  const dVector3 missing = {way[0] / world->def.dt, way[1] / world->def.dt, way[2] / world->def.dt};
  dVector3 second;
  dPlaneSpace(contact->geom.normal, contact->fdir1, second);
  contact->surface.mode |= dContactFDir1 | dContactMotion1 | dContactMotion2;
  contact->surface.motion1 = dCalcVectorDot3(missing, contact->fdir1);
  contact->surface.motion2 = dCalcVectorDot3(missing, second);
}

// The owner of a stand-in: one for all parts of a character, one for each other body.
static int toucher(const World *world, const WorldBody *body) {
  return body->owner != WORLD_NO_OWNER ? body->owner : -1 - (int)(body - world->bodies);
}

// NULL: there are too many.
static WorldStandIn *find_stand_in(World *world, int of, int platform) {
  for (int i = 0; i < world->stand_in_count; i++)
    if (world->stand_ins[i].toucher == of && world->stand_ins[i].platform == platform)
      return &world->stand_ins[i];
  if (world->stand_in_count == WORLD_MAX_STAND_INS)
    return NULL;
  WorldStandIn *made = &world->stand_ins[world->stand_in_count++];
  *made =
      (WorldStandIn){.toucher = of, .platform = platform, .before = world->body_count, .ode = dBodyCreate(world->ode)};
  dBodySetKinematic(made->ode);
  return made;
}

// Gives the stand-in the platform's position and velocity; its rotation does not affect a point's velocity.
static void follow(WorldStandIn *stand_in, dBodyID platform) {
  const dReal *position = dBodyGetPosition(platform), *velocity = dBodyGetLinearVel(platform);
  const dReal *spin = dBodyGetAngularVel(platform);
  dBodySetPosition(stand_in->ode, position[0], position[1], position[2]);
  dBodySetLinearVel(stand_in->ode, velocity[0], velocity[1], velocity[2]);
  dBodySetAngularVel(stand_in->ode, spin[0], spin[1], spin[2]);
  stand_in->moving = true;
}

dBodyID platform_contact(World *world, const WorldBody *body, const WorldBody *platform, dContact *contact) {
  bend_surface(world, body, platform, contact);
  WorldStandIn *stand_in = find_stand_in(world, toucher(world, body), (int)(platform - world->bodies));
  if (!stand_in)
    return platform->ode;
  if (!stand_in->moving)
    follow(stand_in, platform->ode);
  return stand_in->ode;
}

void platform_contacts_end(World *world) {
  for (int i = 0; i < world->stand_in_count; i++) {
    WorldStandIn *stand_in = &world->stand_ins[i];
    if (!stand_in->moving)
      continue;
    dBodySetLinearVel(stand_in->ode, 0, 0, 0);
    dBodySetAngularVel(stand_in->ode, 0, 0, 0);
    stand_in->moving = false;
  }
}
