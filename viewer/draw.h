// Draws a Picture: ground, solid bodies with soft shadows, translucent ghosts, arrows and lines.
#ifndef STAGGER_VIEWER_DRAW_H
#define STAGGER_VIEWER_DRAW_H

#include "viewer/camera.h"
#include "viewer/gl.h"
#include "viewer/picture.h"
#include "viewer/terrain_mesh.h"

// OpenGL objects that last from picture to picture.
typedef struct Drawer {
  GLuint sky, solid, ghost, terrain, shape_depth, terrain_depth, copy; // programs
  GlMesh shape;
  TerrainMesh ground;
  GLuint shadow_framebuffer, shadow_map;
  GLuint empty_vertex_array;
  GlTarget ghost_target; // as large as the last picture
} Drawer;

// Needs a current context. On error, and in the end, drawer_close frees what is there.
bool drawer_open(Drawer *drawer, Error *error);
void drawer_close(Drawer *drawer);

// Draws the layers (bit mask, 1u << PictureLayer) of a picture into the target's multisampled framebuffer.
bool draw_picture(Drawer *drawer, const Picture *picture, const Camera *camera, unsigned layers, const GlTarget *target,
                  Error *error);

#endif
