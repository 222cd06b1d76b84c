// Creates props as kinematic bodies, on a rod if they hang, and releases them.
#include "sim/world/prop.h"

#include <math.h>

#include "sim/base/numbers.h"

// Rolling and swinging decay in this time, since bearings and balls have friction.
static const double SPIN_TIME = 20; // s

// Comparisons are written so that NaN makes them false.
static bool in_range(const Prop *prop) {
  int lengths = prop->shape == PROP_BALL ? 1 : 3;
  for (int i = 0; i < lengths; i++)
    if (!(prop->size[i] >= 0.01 && prop->size[i] <= 1000))
      return false;
  return prop->mass >= 0.001 && prop->mass <= 1e5 && finite3(prop->position) && isfinite(prop->yaw) &&
         (!prop->hangs || finite3(prop->anchor));
}

static dGeomID create_shape(World *world, const Prop *prop, dMass *mass) {
  const double *size = prop->size;
  if (prop->shape == PROP_BALL) {
    dMassSetSphereTotal(mass, prop->mass, size[0] / 2);
    return dCreateSphere(world->space, size[0] / 2);
  }
  dMassSetBoxTotal(mass, prop->mass, size[0], size[1], size[2]);
  return dCreateBox(world->space, size[0], size[1], size[2]);
}

static void hang(World *world, dBodyID body, const double anchor[3]) {
  dJointID rod = dJointCreateBall(world->ode, 0);
  dJointAttach(rod, body, 0);
  dJointSetBallAnchor(rod, anchor[0], anchor[1], anchor[2]);
}

int prop_create(World *world, const Prop *prop) {
  if (world->body_count == WORLD_MAX_BODIES || !in_range(prop))
    return -1;
  dBodyID body = dBodyCreate(world->ode);
  dMass mass;
  dGeomSetBody(create_shape(world, prop, &mass), body);
  dBodySetMass(body, &mass);
  dBodySetPosition(body, prop->position[0], prop->position[1], prop->position[2]);
  const dQuaternion rotation = {cos(prop->yaw / 2), 0, sin(prop->yaw / 2), 0};
  dBodySetQuaternion(body, rotation);
  dBodySetAngularDamping(body, 1 - exp(-world->def.dt / SPIN_TIME));
  if (prop->hangs)
    hang(world, body, prop->anchor);
  dBodySetKinematic(body);
  return world_add_body(
      world, (WorldBody){.ode = body, .owner = WORLD_NO_OWNER, .event = prop->event, .name = prop->name, .prop = true});
}

// Reduces the velocity to the part across the rod, with the rotation about the anchor that belongs to it.
static void swing(dBodyID body, const double velocity[3]) {
  dVector3 anchor;
  dJointGetBallAnchor(dBodyGetJoint(body, 0), anchor);
  const dReal *place = dBodyGetPosition(body);
  const double rod[3] = {place[0] - anchor[0], place[1] - anchor[1], place[2] - anchor[2]};
  double length2 = rod[0] * rod[0] + rod[1] * rod[1] + rod[2] * rod[2];
  if (!(length2 > 0))
    return;
  double spin[3], across[3];
  cross3(rod, velocity, spin);
  for (int i = 0; i < 3; i++)
    spin[i] /= length2;
  cross3(spin, rod, across);
  dBodySetAngularVel(body, spin[0], spin[1], spin[2]);
  dBodySetLinearVel(body, across[0], across[1], across[2]);
}

bool prop_release(World *world, int index, const double velocity[3]) {
  if (index < 0 || index >= world->body_count || !world->bodies[index].prop ||
      !(length3(velocity) <= world->def.max_speed))
    return false;
  dBodyID body = world->bodies[index].ode;
  dBodySetDynamic(body);
  dBodySetLinearVel(body, velocity[0], velocity[1], velocity[2]);
  if (dBodyGetNumJoints(body) > 0)
    swing(body, velocity);
  return true;
}
