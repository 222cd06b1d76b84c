// Contacts for fast shapes, found one step ahead, so that no step begins with a shape deep in the ground or, in a
// level, behind a wall.
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
  dReal bounds[6];
  dGeomGetAABB(shape, bounds);
  return bounds[2] - way > terrain_top(world->terrain);
}

// The speed of a body along a direction; without one, in its own.
static double speed_along(dBodyID body, const double direction[3]) {
  if (!body)
    return 0;
  const dReal *velocity = dBodyGetLinearVel(body);
  return direction ? dot3(velocity, direction) : length3(velocity);
}

// The fastest of a body and those attached to it: a resting hand may be turned by the forearm that follows.
static double fastest_along(dBodyID body, const double direction[3]) {
  double speed = speed_along(body, direction);
  const int joints = dBodyGetNumJoints(body);
  for (int i = 0; i < joints; i++) {
    dJointID joint = dBodyGetJoint(body, i);
    for (int end = 0; end < 2; end++)
      speed = max_d(speed_along(dJointGetBody(joint, end), direction), speed);
  }
  return speed;
}

static const double down[3] = {0, -1, 0};

double world_way_ahead(const World *world) {
  const double *direction = world->terrain && world->terrain->level ? NULL : down;
  double speed = 0;
  for (int i = 0; i < world->body_count; i++)
    speed = max_d(speed_along(world->bodies[i].ode, direction), speed);
  for (int i = 0; i < world->stand_in_count; i++)
    speed = max_d(speed_along(world->stand_ins[i].ode, direction), speed);
  return speed * world->def.dt;
}

// m/s at which a body's point, the body or one attached to it moves toward the ground, along a normal out of the
// ground.
static double approach_speed(dBodyID body, const double point[3], const double normal[3]) {
  const double toward[3] = {-normal[0], -normal[1], -normal[2]};
  dVector3 velocity;
  dBodyGetPointVel(body, point[0], point[1], point[2], velocity);
  return max_d(fastest_along(body, toward), dot3(velocity, toward));
}

// In a level the nearest points are known for shapes that are apart, so that the shape need not be moved.
static int contacts_in_level(const World *world, dGeomID shape, dContact contacts[], int most) {
  const double dt = world->def.dt;
  dBodyID body = dGeomGetBody(shape);
  dReal bounds[6];
  dGeomGetAABB(shape, bounds);
  const double size[3] = {bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4]};
  double way = (fastest_along(body, NULL) + length3(dBodyGetAngularVel(body)) * length3(size) / 2) * dt;
  if (way < WORLD_AHEAD_WAY)
    return 0;
  int found = terrain_contacts_near(world->ground, shape, AHEAD * way, most, &contacts[0].geom, sizeof contacts[0]);
  int count = 0;
  for (int i = 0; i < found; i++) {
    dContact contact = contacts[i];
    double gap = -contact.geom.depth, toward = approach_speed(body, contact.geom.pos, contact.geom.normal) * dt;
    if (gap <= 0 || toward < WORLD_AHEAD_WAY || gap > AHEAD * toward)
      continue; // it touches already, or will not touch
    contact.surface.mode = dContactMotionN;
    contact.surface.motionN = -gap / dt;
    contacts[count++] = contact;
  }
  return count;
}

int world_contacts_ahead(const World *world, dGeomID shape, double way_ahead, dContact contacts[], int most) {
  if (world->ground && world->terrain->level)
    return contacts_in_level(world, shape, contacts, most);
  if (!world->ground || stays_above(world, shape, AHEAD * way_ahead))
    return 0;
  const double dt = world->def.dt, way = fastest_along(dGeomGetBody(shape), down) * dt;
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
