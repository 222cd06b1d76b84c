// Contacts for fast descending shapes, found one step ahead, so that no step begins with a shape deep in the ground.
#include "sim/world/world_ahead.h"

#include "sim/base/numbers.h"

// factor of the descent in a step: an impact elsewhere on the body can accelerate it
static const double AHEAD = 4;

enum { BALL, CAPSULE, BOX };

void world_ahead_create(World *world) {
  world->ahead[BALL] = dCreateSphere(NULL, 1);
  world->ahead[CAPSULE] = dCreateCapsule(NULL, 1, 1);
  world->ahead[BOX] = dCreateBox(NULL, 1, 1, 1);
}

void world_ahead_destroy(World *world) {
  for (int i = 0; i < WORLD_AHEAD_KINDS; i++)
    dGeomDestroy(world->ahead[i]);
}

// A shape of the same kind and size in no space; NULL for kinds that the terrain does not support.
static dGeomID copy_shape(const World *world, dGeomID shape) {
  dVector3 sides;
  dReal radius, length;
  switch (dGeomGetClass(shape)) {
  case dSphereClass:
    dGeomSphereSetRadius(world->ahead[BALL], dGeomSphereGetRadius(shape));
    return world->ahead[BALL];
  case dCapsuleClass:
    dGeomCapsuleGetParams(shape, &radius, &length);
    dGeomCapsuleSetParams(world->ahead[CAPSULE], radius, length);
    return world->ahead[CAPSULE];
  case dBoxClass:
    dGeomBoxGetLengths(shape, sides);
    dGeomBoxSetLengths(world->ahead[BOX], sides[0], sides[1], sides[2]);
    return world->ahead[BOX];
  default:
    return NULL;
  }
}

// The contacts that the shape would have with the terrain if it were lower by `way`.
static int touch_below(const World *world, dGeomID shape, double way, dContact contacts[], int most) {
  dGeomID copy = copy_shape(world, shape);
  if (!copy)
    return 0;
  const dReal *position = dGeomGetPosition(shape);
  dGeomSetPosition(copy, position[0], position[1] - way, position[2]);
  dGeomSetRotation(copy, dGeomGetRotation(shape));
  return dCollide(copy, world->ground, most, &contacts[0].geom, sizeof contacts[0]);
}

// Whether the shape stays above the highest ground when it descends by `way`.
static bool stays_above(const World *world, dGeomID shape, double way) {
  dReal bounds[6], ground[6];
  dGeomGetAABB(shape, bounds);
  dGeomGetAABB(world->ground, ground);
  return bounds[2] - way > ground[3];
}

static double down_speed(dBodyID body) { return body ? -dBodyGetLinearVel(body)[1] : 0; }

// The fastest of a body and those attached to it: a resting hand may be turned by the forearm that follows.
static double fastest_down(dBodyID body) {
  double speed = down_speed(body);
  for (int i = 0; i < dBodyGetNumJoints(body); i++) {
    dJointID joint = dBodyGetJoint(body, i);
    speed = max_d(max_d(down_speed(dJointGetBody(joint, 0)), down_speed(dJointGetBody(joint, 1))), speed);
  }
  return speed;
}

double world_way_down(const World *world) {
  double speed = 0;
  for (int i = 0; i < world->body_count; i++)
    speed = max_d(down_speed(world->bodies[i].ode), speed);
  for (int i = 0; i < world->stand_in_count; i++)
    speed = max_d(down_speed(world->stand_ins[i].ode), speed);
  return speed * world->def.dt;
}

int world_contacts_ahead(const World *world, dGeomID shape, double way_down, dContact contacts[], int most) {
  if (!world->ground || stays_above(world, shape, AHEAD * way_down))
    return 0;
  const double dt = world->def.dt, way = fastest_down(dGeomGetBody(shape)) * dt;
  if (way < WORLD_AHEAD_WAY || stays_above(world, shape, AHEAD * way))
    return 0;
  int found = touch_below(world, shape, AHEAD * way, contacts, most), count = 0;
  for (int i = 0; i < found; i++) {
    dContact contact = contacts[i];
    double gap = AHEAD * way * contact.geom.normal[1] - contact.geom.depth;
    if (gap <= 0)
      continue; // it touches already
    contact.geom.pos[1] += AHEAD * way;
    contact.geom.depth = -gap;
    contact.surface.mode = dContactMotionN;
    contact.surface.motionN = -gap / dt;
    contacts[count++] = contact;
  }
  return count;
}
