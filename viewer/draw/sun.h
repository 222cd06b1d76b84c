// Where the sun stands, and the part of the world whose shadows are drawn.
#ifndef STAGGER_VIEWER_DRAW_SUN_H
#define STAGGER_VIEWER_DRAW_SUN_H

#include "viewer/draw/picture.h"

// Half the side of the square, seen from the sun, that the shadow map covers, m.
#define SUN_SMALLEST_RADIUS 3.2f
#define SUN_LARGEST_RADIUS 16.0f

typedef struct Sun {
  vec3s to_sun; // unit
  vec3s center; // of what casts shadows, m
  float radius; // m
  float pixel;  // m, of the shadow map
  mat4s view_projection;
  vec4s casters; // on the map, 0 .. 1: the rectangle x0 y0 x1 y1 that bodies fill; empty without bodies
} Sun;

// The sun over the viewer's left shoulder, as a studio's main light stands: azimuth in rad, 0 is +Z, positive left.
float sun_azimuth(const Camera *camera);

// The sun at an azimuth for a map of map_size pixels a side. The map covers the subject and the bodies around it that
// the camera sees; if it does not see the subject, the bodies that it does see, or else what it looks at.
Sun sun_shine(float azimuth, const Picture *picture, const Camera *camera, int map_size);

#endif
