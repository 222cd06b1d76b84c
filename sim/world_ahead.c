#include "sim/world_ahead.h"

#include <math.h>

// So many times the way that it comes down by: an impact elsewhere on the body can speed it up.
static const double AHEAD = 4;

// A shape of that kind and size in no space; NULL for kinds that the terrain does not know.
static dGeomID copy_shape(dGeomID shape) {
  dVector3 sides;
  dReal radius, length;
  switch (dGeomGetClass(shape)) {
  case dSphereClass:
    return dCreateSphere(NULL, dGeomSphereGetRadius(shape));
  case dCapsuleClass:
    dGeomCapsuleGetParams(shape, &radius, &length);
    return dCreateCapsule(NULL, radius, length);
  case dBoxClass:
    dGeomBoxGetLengths(shape, sides);
    return dCreateBox(NULL, sides[0], sides[1], sides[2]);
  default:
    return NULL;
  }
}

// The contacts that the shape would have with the terrain if it were lower by `way`.
static int touch_below(const World *world, dGeomID shape, double way, dContact contacts[], int most) {
  dGeomID copy = copy_shape(shape);
  if (!copy)
    return 0;
  const dReal *position = dGeomGetPosition(shape);
  dGeomSetPosition(copy, position[0], position[1] - way, position[2]);
  dGeomSetRotation(copy, dGeomGetRotation(shape));
  int count = dCollide(copy, world->ground, most, &contacts[0].geom, sizeof contacts[0]);
  dGeomDestroy(copy);
  return count;
}

// Whether the shape stays above the highest ground when it comes down by `way`.
static bool stays_above(const World *world, dGeomID shape, double way) {
  dReal bounds[6], ground[6];
  dGeomGetAABB(shape, bounds);
  dGeomGetAABB(world->ground, ground);
  return bounds[2] - way > ground[3];
}

static double down_speed(dBodyID body) { return body ? -dBodyGetLinearVel(body)[1] : 0; }

// The fastest of a body and those that hang on it: a hand that lies still is turned by the forearm that comes after it.
static double fastest_down(dBodyID body) {
  double speed = down_speed(body);
  for (int i = 0; i < dBodyGetNumJoints(body); i++) {
    dJointID joint = dBodyGetJoint(body, i);
    speed = fmax(speed, fmax(down_speed(dJointGetBody(joint, 0)), down_speed(dJointGetBody(joint, 1))));
  }
  return speed;
}

double world_fastest_way(const World *world) {
  double speed = 0;
  for (int i = 0; i < world->body_count; i++)
    speed = fmax(speed, down_speed(world->bodies[i].ode));
  return speed * world->def.dt;
}

int world_contacts_ahead(const World *world, dGeomID shape, double most_way, dContact contacts[], int most) {
  if (!world->ground || stays_above(world, shape, AHEAD * most_way)) // without a look at the joints
    return 0;
  const double dt = world->def.dt, way = fastest_down(dGeomGetBody(shape)) * dt;
  if (way < WORLD_AHEAD_WAY || stays_above(world, shape, AHEAD * way))
    return 0;
  int found = touch_below(world, shape, AHEAD * way, contacts, most), count = 0;
  for (int i = 0; i < found; i++) {
    dContact contact = contacts[i];
    double gap = AHEAD * way * contact.geom.normal[1] - contact.geom.depth;
    if (gap <= 0)
      continue; // touches already
    contact.geom.pos[1] += AHEAD * way;
    contact.geom.depth = -gap;
    contact.surface.mode = dContactMotionN;
    contact.surface.motionN = -gap / dt;
    contacts[count++] = contact;
  }
  return count;
}
