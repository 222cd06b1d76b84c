// The public interface's second, unstable tier: the ground, and what rays hit.
#include <stagger/unstable/ground.h>
#include <string.h>

#include "scenes/library/library_internal.h"

bool stagger_ground_height(const StaggerScene *scene, double x, double z, double *height, double normal[3]) {
  return terrain_height(scene->scene->terrain, x, z, height, normal);
}

bool stagger_cast_ray(const StaggerScene *scene, const double origin[3], const double direction[3], double length,
                      StaggerRayHit *hit) {
  const World *world = scene->scene->world;
  WorldHit met;
  if (!world_cast(world, origin, direction, length, &met))
    return false;
  const WorldBody *body = met.body == WORLD_GROUND ? NULL : &world->bodies[met.body];
  const bool owned = body && body->owner != WORLD_NO_OWNER;
  *hit =
      (StaggerRayHit){.character = owned ? body->owner : -1, .part = owned ? body->part : -1, .distance = met.distance};
  memcpy(hit->point, met.point, sizeof hit->point);
  memcpy(hit->normal, met.normal, sizeof hit->normal);
  return true;
}
