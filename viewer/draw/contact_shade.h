// Ambient occlusion of the ground by bodies, as a map seen from above. It makes feet appear to stand on the ground
// instead of floating.
#ifndef STAGGER_VIEWER_DRAW_CONTACT_SHADE_H
#define STAGGER_VIEWER_DRAW_CONTACT_SHADE_H

#include "sim/terrain/terrain.h"
#include "viewer/draw/gl.h"
#include "viewer/draw/picture.h"

enum { CONTACT_MAX_SHAPES = 2048 }; // largest number of shapes; others are left out

// A shape as a capsule, and the plane of the ground below it, as the shader reads them.
typedef struct ContactShape {
  vec4s a_radius, b_reach, plane; // ends, radius and reach, m; normal and distance of the plane
} ContactShape;

// The square of the ground that the map covers, in x and z, m.
typedef struct ContactArea {
  float x, z, half_side;
} ContactArea;

typedef struct ContactShade {
  GLuint program, vertex_array, buffer, framebuffer, map;
  GLint area_place;
  int size; // of the map, pixels along a side
  ContactShape shapes[CONTACT_MAX_SHAPES];
  int count;
} ContactShade;

bool contact_shade_open(ContactShade *shade, Error *error);
void contact_shade_close(ContactShade *shade);

// Draws the map for the output's shapes (picture NULL: none), `size` pixels along a side; darkening below `weakest` (0
// .. 1) is left out. Returns the number of triangles. Changes the bound framebuffer and the viewport.
long contact_shade_draw(ContactShade *shade, const Picture *picture, ContactArea area, int size, float weakest);

#endif
