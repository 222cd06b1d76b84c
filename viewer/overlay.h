// Text over the picture: the caption, and the legend of what the colours mean.
#ifndef STAGGER_VIEWER_OVERLAY_H
#define STAGGER_VIEWER_OVERLAY_H

#include "viewer/gl.h"
#include "viewer/picture.h"

typedef struct Overlay {
  GLuint program, vertex_array, vertices;
  bool has_hits, has_assist; // of the run drawn last: what the legend has to explain
} Overlay;

bool overlay_open(Overlay *overlay, Error *error);
void overlay_close(Overlay *overlay);

// Draws time, speed and the latest hit into the target's multisampled framebuffer, and the legend of the shown layers
// when it is asked for.
void overlay_draw(Overlay *overlay, const Picture *picture, unsigned layers, bool legend, const GlTarget *target);

// The legend of the picture drawn last on one line, on white, and the height in pixels that it needs in a picture of
// that width.
void overlay_draw_strip(const Overlay *overlay, const char *scene, unsigned layers, const GlTarget *target);
int overlay_strip_height(int width);

#endif
