// Text over an image: the caption, labels of debug items, and the legend of the colours.
#ifndef STAGGER_VIEWER_DRAW_OVERLAY_H
#define STAGGER_VIEWER_DRAW_OVERLAY_H

#include "viewer/draw/gl.h"
#include "viewer/draw/picture.h"

typedef struct Overlay {
  GLuint program, vertex_array, vertices;
  GLint size; // place of a uniform
  bool has_free, has_blend;
  bool has_hits, has_assist; // of the last drawn run: decide what the legend explains
  PictureColoring coloring;
} Overlay;

bool overlay_open(Overlay *overlay, Error *error);
void overlay_close(Overlay *overlay);

// Draws time, speed and the latest hit into the target's framebuffer, the whole of it or a part, and on request the
// legend of the shown layers. The caption is in the first corner (top, then bottom; left, then right) where it does not
// cover the subject's head.
void overlay_draw(Overlay *overlay, const Picture *picture, const Camera *camera, unsigned layers, bool legend,
                  const GlTarget *target);
void overlay_draw_part(Overlay *overlay, const Picture *picture, const Camera *camera, unsigned layers, bool legend,
                       const GlTarget *target, GlRect part);

// Draws the labels of shown groups beside their points, if the layer of labels is shown. To be called before
// overlay_draw, whose panels cover the labels.
void overlay_draw_labels(Overlay *overlay, const Picture *picture, const Camera *camera, unsigned layers,
                         const GlTarget *target, GlRect part);

// overlay_draw_strip draws the legend of the last image in one line on white; overlay_strip_height gives the height in
// pixels that it needs at that width.
void overlay_draw_strip(const Overlay *overlay, const char *scene, unsigned layers, const GlTarget *target);
int overlay_strip_height(int width);

#endif
