// Draws a Picture: ground, solid bodies with soft shadows, translucent ghosts, arrows and lines.
#ifndef STAGGER_VIEWER_DRAW_DRAW_H
#define STAGGER_VIEWER_DRAW_DRAW_H

#include "viewer/draw/camera.h"
#include "viewer/draw/contact_shade.h"
#include "viewer/draw/gl.h"
#include "viewer/draw/instances.h"
#include "viewer/draw/picture.h"
#include "viewer/draw/skin_draw.h"
#include "viewer/draw/terrain_mesh.h"

enum { DRAW_MAX_TERRAINS = 4 };

// Settings of quality versus speed.
typedef struct DrawQuality {
  int samples;           // samples per pixel: 4 or 1; targets are made by the caller with gl_target_init or
                         // gl_target_fit
  int shadow_size;       // pixels along a side of the shadow map, 256 .. 4096
  int shadow_taps;       // samples along a side of the filter that blurs the shadows' borders, 1 .. 5
  int contact_size;      // pixels along a side of the map of contact shade, 64 .. 2048
  float outline_error;   // of round shapes, pixels
  bool ground_shadows;   // uneven ground casts shadows
  bool sun_stands_still; // keeps its place from the first image on; otherwise it moves with the camera
} DrawQuality;

DrawQuality draw_quality_best(void);   // for images and films
DrawQuality draw_quality_window(void); // what the current context draws at an interactive rate

// A program with the locations of its uniforms, -1 for those that it lacks.
typedef struct DrawProgram {
  GLuint program;
  GLint view_projection, light_view_projection, eye, to_sun, fog_range;
  GLint shadow_map, shadow_taps, shadow_rect, shadow_step, shadow_offset;
  GLint contact_map, contact_area, from_clip, glow, opacity, source;
} DrawProgram;

// A mesh of a terrain, and when it was last used.
typedef struct DrawGround {
  TerrainMesh mesh;
  long used; // number of the image
} DrawGround;

// OpenGL objects that are kept between images.
typedef struct Drawer {
  DrawQuality quality;
  bool sun_is_placed;
  float sun_azimuth; // rad, see sun.h
  DrawProgram sky, solid, ghost, terrain, shape_depth, terrain_depth, copy, skin, skin_depth;
  Instances instances;
  SkinDraw skins;
  DrawGround grounds[DRAW_MAX_TERRAINS];
  ContactShade contact;
  GLuint shadow_framebuffer, shadow_map;
  int shadow_size; // of the map, 0: none yet
  GLuint empty_vertex_array;
  GlTarget ghost_target; // as large as for the last image
  long picture_count, triangles;
} Drawer;

// Needs a current context; begins with the best quality. Call drawer_close at the end, and also after an error.
bool drawer_open(Drawer *drawer, Error *error);
void drawer_close(Drawer *drawer);

void drawer_set_quality(Drawer *drawer, DrawQuality quality);

// After other input has been loaded: discards the meshes of terrains and the place of the sun.
void drawer_forget(Drawer *drawer);

// Number of triangles of the last image, in all passes.
long drawer_triangles(const Drawer *drawer);

// Draws the layers (bit mask, 1u << PictureLayer) of a picture into the target's framebuffer, the whole of it or a
// part. camera->aspect: that of the part.
bool draw_picture(Drawer *drawer, const Picture *picture, const Camera *camera, unsigned layers, const GlTarget *target,
                  Error *error);
bool draw_picture_part(Drawer *drawer, const Picture *picture, const Camera *camera, unsigned layers,
                       const GlTarget *target, GlRect part, Error *error);

#endif
