// Rays into the world. The geom of the ray is in no space, so that no step ever sees it.
#include <math.h>

#include "sim/numbers.h"
#include "sim/world.h"

// Takes what the ray meets of one body when it is nearer than what was met before.
static bool meet_body(const World *world, int index, dGeomID ray, WorldHit *hit) {
  bool nearer = false;
  dBodyID body = world->bodies[index].ode;
  for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom)) {
    dContactGeom contact;
    if (dCollide(ray, geom, 1, &contact, sizeof contact) == 0 || !(contact.depth < hit->distance))
      continue;
    nearer = true;
    hit->body = index;
    hit->distance = contact.depth; // along a ray it is the way to the hit
    for (int i = 0; i < 3; i++) {
      hit->point[i] = contact.pos[i];
      hit->normal[i] = contact.normal[i];
    }
  }
  return nearer;
}

static bool meet_ground(const World *world, const double origin[3], const double direction[3], double length,
                        WorldHit *hit) {
  GroundHit ground;
  if (!world->terrain || !terrain_ray(world->terrain, origin, direction, length, &ground) ||
      !(ground.distance < hit->distance))
    return false;
  hit->body = WORLD_GROUND;
  hit->distance = ground.distance;
  for (int i = 0; i < 3; i++) {
    hit->point[i] = ground.position_w[i];
    hit->normal[i] = ground.normal_w[i];
  }
  return true;
}

bool world_cast(const World *world, const double origin[3], const double direction[3], double length, WorldHit *hit) {
  double size = length3(direction);
  if (!finite3(origin) || !isfinite(size) || !(size > 0) || !isfinite(length) || !(length > 0))
    return false;
  const double unit[3] = {direction[0] / size, direction[1] / size, direction[2] / size};
  WorldHit nearest = {.body = WORLD_GROUND, .distance = INFINITY};
  bool met = meet_ground(world, origin, unit, length, &nearest);
  dGeomID ray = dCreateRay(0, length);
  dGeomRaySet(ray, origin[0], origin[1], origin[2], unit[0], unit[1], unit[2]);
  for (int i = 0; i < world->body_count; i++)
    met |= meet_body(world, i, ray, &nearest);
  dGeomDestroy(ray);
  if (met)
    *hit = nearest;
  return met;
}
