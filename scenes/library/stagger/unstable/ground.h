// The ground of a scene and its objects, as rays find them. Unstable: it may change from one version to the next;
// stagger.h is the stable part.
#ifndef STAGGER_UNSTABLE_GROUND_H
#define STAGGER_UNSTABLE_GROUND_H

#include <stagger/stagger.h>

#ifdef __cplusplus
extern "C" {
#endif

// Height of the terrain (m) at a place (x and z, m, world), and its unit normal (may be NULL). Platforms do not count.
// False if there is no terrain, as over a gap, or a number is not finite.
STAGGER_API bool stagger_ground_height(const StaggerScene *scene, double x, double z, double *height, double normal[3]);

// A ray's hit. A character of -1 is the terrain, or a body that belongs to no character.
typedef struct StaggerRayHit {
  int character, part;
  double point[3], normal[3]; // m, world; the unit normal points out of what was hit
  double distance;            // m
} StaggerRayHit;

// The first hit of a ray, at most `length` (m) away; direction need not be of unit length. False: no hit, or a number
// is not finite.
STAGGER_API bool stagger_cast_ray(const StaggerScene *scene, const double origin[3], const double direction[3],
                                  double length, StaggerRayHit *hit);

#ifdef __cplusplus
}
#endif

#endif
