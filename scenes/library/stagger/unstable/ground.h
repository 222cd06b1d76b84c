// The ground of a scene and what stands about in it, as rays see it. Unstable: it may change from one version to the
// next, see stagger.h for what does not.
#ifndef STAGGER_UNSTABLE_GROUND_H
#define STAGGER_UNSTABLE_GROUND_H

#include <stagger/stagger.h>

#ifdef __cplusplus
extern "C" {
#endif

// Height of the terrain (m) under a place (x and z, m, world), and its unit normal (may be NULL). Platforms are no
// terrain. False when there is none, as over a gap, or a number is not finite.
STAGGER_API bool stagger_ground_height(const StaggerScene *scene, double x, double z, double *height, double normal[3]);

// What a ray met. A character of -1 is the terrain, or a body that is nobody's.
typedef struct StaggerRayHit {
  int character, part;
  double point[3], normal[3]; // m, world; the unit normal points out of what was hit
  double distance;            // m
} StaggerRayHit;

// The first thing on a ray, at most `length` (m) away; direction need not be of unit length. False: nothing, or a
// number is not finite.
STAGGER_API bool stagger_cast_ray(const StaggerScene *scene, const double origin[3], const double direction[3],
                                  double length, StaggerRayHit *hit);

#ifdef __cplusplus
}
#endif

#endif
