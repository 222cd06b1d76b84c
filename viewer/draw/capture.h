// Images without a window: draws into a framebuffer, arranges panels, writes PNG files.
#ifndef STAGGER_VIEWER_DRAW_CAPTURE_H
#define STAGGER_VIEWER_DRAW_CAPTURE_H

#include <stdint.h>

#include "viewer/draw/draw.h"
#include "viewer/draw/overlay.h"

enum { CAPTURE_MAX_SIDE = 8192 }; // pixels

// An image of columns x rows panels of equal size with a white gap between them. A single panel has the legend inside;
// several have it below them.
typedef struct Capture {
  int width, height; // pixels
  int columns, rows;
  uint8_t *pixels; // RGB, from the top left
  GlTarget target; // one panel
  GlTarget strip;  // the legend below several panels
  Drawer drawer;
  Overlay overlay;
} Capture;

// Needs a current OpenGL context. width and height 1 .. CAPTURE_MAX_SIDE, large enough for all panels. Call
// capture_close at the end, and also after an error.
bool capture_open(Capture *capture, int width, int height, int columns, int rows, Error *error);
void capture_close(Capture *capture);

// Width / height of one panel.
float capture_panel_aspect(const Capture *capture);

// Draws the panel with that index, counted row by row from the top left.
bool capture_panel(Capture *capture, int panel, const Picture *picture, const Camera *camera, unsigned layers,
                   Error *error);

// Writes a PNG file, in whole or not at all.
bool capture_write(const Capture *capture, const char *path, Error *error);

// Reads the content of the current window, as large as `pixels`: RGB, from the top left.
void capture_read_window(int width, int height, uint8_t *pixels);

// Writes the content of the current window to a PNG file; width and height are its size in pixels.
bool capture_window(int width, int height, const char *path, Error *error);

#endif
