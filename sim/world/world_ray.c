// Ray casts into the world.
#include <math.h>

#include "sim/base/numbers.h"
#include "sim/world/world.h"

static void aim(dGeomID ray, const double origin[3], const double direction_unit[3], double length) {
  dGeomRaySetLength(ray, length);
  dGeomRaySet(ray, origin[0], origin[1], origin[2], direction_unit[0], direction_unit[1], direction_unit[2]);
}

// Updates the hit if the ray hits this body at a smaller distance.
static bool meet_body(const World *world, int index, WorldHit *hit) {
  bool nearer = false;
  dBodyID body = world->bodies[index].ode;
  for (dGeomID geom = dBodyGetFirstGeom(body); geom; geom = dBodyGetNextGeom(geom)) {
    dContactGeom contact;
    if (dCollide(world->ray, geom, 1, &contact, sizeof contact) == 0 || !(contact.depth < hit->distance))
      continue;
    nearer = true;
    hit->body = index;
    hit->distance = contact.depth; // for rays ODE stores the distance of the hit here
    for (int i = 0; i < 3; i++) {
      hit->point[i] = contact.pos[i];
      hit->normal[i] = contact.normal[i];
    }
  }
  return nearer;
}

bool world_cast_body(const World *world, int body, const double origin[3], const double direction_unit[3],
                     WorldHit *hit) {
  aim(world->ray, origin, direction_unit, hit->distance);
  return meet_body(world, body, hit);
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
  aim(world->ray, origin, unit, length);
  for (int i = 0; i < world->body_count; i++)
    met |= meet_body(world, i, &nearest);
  if (met)
    *hit = nearest;
  return met;
}
