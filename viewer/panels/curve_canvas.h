// A curve in a rectangle, and what the mouse does to its keys there: computed here, drawn by panels_curves.c.
#ifndef STAGGER_VIEWER_PANELS_CURVE_CANVAS_H
#define STAGGER_VIEWER_PANELS_CURVE_CANVAS_H

#include "anim/curve.h"
#include "viewer/panels/gui.h"

// The part of the curve's plane that a rectangle of the window (points) shows.
typedef struct CurveCanvas {
  GuiRect rect;
  double x_from, x_to, y_from, y_to;
} CurveCanvas;

// Shows the whole range of a row, or, where that has no end or is wide, all keys of both curves with room to move them.
CurveCanvas curve_canvas(GuiRect rect, const CurveRow *row, const Curve *now, const Curve *opened);

float curve_canvas_x(const CurveCanvas *canvas, double x);
float curve_canvas_y(const CurveCanvas *canvas, double y);

// The key nearest to a point of the window, at most `reach` points from it; -1: none.
int curve_canvas_hit(const CurveCanvas *canvas, const Curve *curve, float x, float y, float reach);

// The functions below change a curve so that its row allows it: x increases from key to key, y is in the range, and the
// ends of an arch keep their places. Values are rounded to about a 500th of the rectangle.

// Moves a key to a point of the window, or as near to it as it may be.
void curve_canvas_move(const CurveCanvas *canvas, const CurveRow *row, Curve *curve, int key, float x, float y);

// Adds a key at a point of the window and returns its index; -1: there are CURVE_MAX_KEYS already, or it would be at
// the x of another one or beyond the ends of an arch.
int curve_canvas_add(const CurveCanvas *canvas, const CurveRow *row, Curve *curve, float x, float y);

// False: the last key, and the ends of an arch, remain.
bool curve_canvas_remove(const CurveRow *row, Curve *curve, int key);

#endif
