// Pictures without a window: draws into a framebuffer, puts panels side by side, writes PNG files.
#ifndef STAGGER_VIEWER_DRAW_CAPTURE_H
#define STAGGER_VIEWER_DRAW_CAPTURE_H

#include <stdint.h>

#include "viewer/draw/draw.h"
#include "viewer/draw/overlay.h"

enum { CAPTURE_MAX_SIDE = 8192 }; // pixels

// A picture made of columns x rows panels of equal size with a white gap between them. A single one carries its legend,
// several have it below them.
typedef struct Capture {
  int width, height; // pixels
  int columns, rows;
  uint8_t *pixels; // RGB, from the top left
  GlTarget target; // one panel
  GlTarget strip;  // the legend below the panels; none for a single one
  Drawer drawer;
  Overlay overlay;
} Capture;

// Needs a current OpenGL context. width and height 1 .. CAPTURE_MAX_SIDE, with room for every panel. On error, and in
// the end, capture_close frees what is there.
bool capture_open(Capture *capture, int width, int height, int columns, int rows, Error *error);
void capture_close(Capture *capture);

// Width / height of one panel.
float capture_panel_aspect(const Capture *capture);

// Draws the panel of that index, row by row from the top left.
bool capture_panel(Capture *capture, int panel, const Picture *picture, const Camera *camera, unsigned layers,
                   Error *error);

// Writes a PNG file, in whole or not at all.
bool capture_write(const Capture *capture, const char *path, Error *error);

// Writes what stands in the current window, whose size in pixels that is, into a PNG file.
bool capture_window(int width, int height, const char *path, Error *error);

#endif
