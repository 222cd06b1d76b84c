// The place of the sun, and the part of the world whose shadows are drawn.
#ifndef STAGGER_VIEWER_DRAW_SUN_H
#define STAGGER_VIEWER_DRAW_SUN_H

#include "viewer/draw/picture.h"

// m: half the side of the square, seen from the sun, that the shadow map covers
#define SUN_SMALLEST_RADIUS 3.2f
#define SUN_LARGEST_RADIUS 16.0f

typedef struct Sun {
  vec3s to_sun; // unit
  vec3s center; // middle of what casts shadows, m
  float radius; // m
  float pixel;  // m, of the shadow map
  mat4s view_projection;
  vec4s casters; // on the map, 0 .. 1: the rectangle x0 y0 x1 y1 that bodies cover; empty without bodies
} Sun;

// The sun over the viewer's left shoulder, like a studio's main light: azimuth in rad, 0 is +Z, positive left.
float sun_azimuth(const Camera *camera);

// The sun at an azimuth for a map of map_size pixels along a side. The map covers the subject and the bodies near it
// that the camera sees; without the subject, the bodies that the camera sees, or else its target.
Sun sun_shine(float azimuth, const Picture *picture, const Camera *camera, int map_size);

#endif
