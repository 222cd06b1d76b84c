// How much of the sky the bodies hide from the ground below them, as a picture from above: what makes feet stand on the
// ground instead of floating.
#ifndef STAGGER_VIEWER_DRAW_CONTACT_SHADE_H
#define STAGGER_VIEWER_DRAW_CONTACT_SHADE_H

#include "sim/terrain/terrain.h"
#include "viewer/draw/gl.h"
#include "viewer/draw/picture.h"

enum { CONTACT_MAX_SHAPES = 2048 }; // that darken; more are left out

// A shape as a capsule, and the plane of the ground below it. As the shader reads it.
typedef struct ContactShape {
  vec4s a_radius, b_reach, plane; // ends, radius and reach, m; normal and distance of the plane
} ContactShape;

// The square of the ground that the picture covers, in x and z, m.
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

// Draws the map of the output's shapes (picture NULL: none), `size` pixels along a side, leaving out what darkens by
// less than `weakest` (0 .. 1). The number of triangles; leaves another framebuffer and viewport bound.
long contact_shade_draw(ContactShade *shade, const Picture *picture, ContactArea area, int size, float weakest);

#endif
