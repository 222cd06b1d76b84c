// A curve in a rectangle of the window: which key the mouse is at, and where it may move, add and remove keys.
#include "viewer/panels/curve_canvas.h"

#include <math.h>
#include <string.h>

#include "viewer/panels/panels.h"

static const double MOST_WHOLE_X = 360, MOST_WHOLE_Y = 2; // wider ranges are not shown as a whole
static const double ROOM = 1.25;                          // of the range of the keys
static const int STEPS = 500;                             // to which values are rounded, in each direction

// The highest key of two curves in one direction.
static double highest(const double *a, int a_count, const double *b, int b_count) {
  double most = a[0];
  for (int i = 1; i < a_count; i++)
    most = fmax(most, a[i]);
  for (int i = 0; i < b_count; i++)
    most = fmax(most, b[i]);
  return most;
}

// The end of a range from `min` on: `max` if it is near, otherwise beyond the highest key.
static double end_of_range(double min, double max, double most_whole, double high) {
  if (max - min <= most_whole)
    return max;
  return fmin(max, high > min ? min + ROOM * (high - min) : min + 1);
}

CurveCanvas curve_canvas(GuiRect rect, const CurveRow *row, const Curve *now, const Curve *opened) {
  const double high_x = highest(now->x, now->count, opened->x, opened->count);
  const double high_y = highest(now->y, now->count, opened->y, opened->count);
  return (CurveCanvas){rect, row->x_min, end_of_range(row->x_min, row->x_max, MOST_WHOLE_X, high_x), row->y_min,
                       end_of_range(row->y_min, row->y_max, MOST_WHOLE_Y, high_y)};
}

float curve_canvas_x(const CurveCanvas *canvas, double x) {
  return canvas->rect.x + canvas->rect.width * (float)((x - canvas->x_from) / (canvas->x_to - canvas->x_from));
}

float curve_canvas_y(const CurveCanvas *canvas, double y) {
  return canvas->rect.y + canvas->rect.height * (float)((canvas->y_to - y) / (canvas->y_to - canvas->y_from));
}

int curve_canvas_hit(const CurveCanvas *canvas, const Curve *curve, float x, float y, float reach) {
  int nearest = -1;
  float least = reach;
  for (int i = 0; i < curve->count; i++) {
    const float distance = hypotf(curve_canvas_x(canvas, curve->x[i]) - x, curve_canvas_y(canvas, curve->y[i]) - y);
    if (distance <= least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}

static double round_to(double value, double step) { return round(value / step) * step; }

static double clamp(double value, double min, double max) { return fmin(fmax(value, min), max); }

// A value near `value` with few digits: a multiple of a decimal step is not one in binary.
static double shorten(double value, double from, double to) {
  const double step = panels_round_step(to - from, STEPS), digits = fmax(0, ceil(-log10(step)));
  const double scale = pow(10, digits);
  return round(round_to(value, step) * scale) / scale;
}

static double value_at_x(const CurveCanvas *canvas, float x) {
  const double share = clamp((double)((x - canvas->rect.x) / canvas->rect.width), 0, 1);
  return shorten(canvas->x_from + share * (canvas->x_to - canvas->x_from), canvas->x_from, canvas->x_to);
}

static double value_at_y(const CurveCanvas *canvas, const CurveRow *row, float y) {
  const double share = clamp((double)((canvas->rect.y + canvas->rect.height - y) / canvas->rect.height), 0, 1);
  const double value = canvas->y_from + share * (canvas->y_to - canvas->y_from);
  return clamp(shorten(value, canvas->y_from, canvas->y_to), row->y_min, row->y_max);
}

static bool is_fixed(const CurveRow *row, const Curve *curve, int key) {
  return row->arch && (key == 0 || key == curve->count - 1);
}

void curve_canvas_move(const CurveCanvas *canvas, const CurveRow *row, Curve *curve, int key, float x, float y) {
  if (is_fixed(row, curve, key))
    return;
  const double step = panels_round_step(canvas->x_to - canvas->x_from, STEPS);
  const double low = key > 0 ? curve->x[key - 1] + step : fmin(row->x_min, curve->x[key]);
  const double high = key < curve->count - 1 ? curve->x[key + 1] - step : fmax(canvas->x_to, curve->x[key]);
  if (low <= high) // otherwise its neighbours leave no room
    curve->x[key] = shorten(clamp(value_at_x(canvas, x), low, high), canvas->x_from, canvas->x_to);
  curve->y[key] = value_at_y(canvas, row, y);
}

int curve_canvas_add(const CurveCanvas *canvas, const CurveRow *row, Curve *curve, float x, float y) {
  const double at = value_at_x(canvas, x);
  int key = 0;
  while (key < curve->count && curve->x[key] < at)
    key++;
  const bool taken = key < curve->count && curve->x[key] == at;
  const bool beyond = row->arch && (key == 0 || key == curve->count);
  if (curve->count == CURVE_MAX_KEYS || taken || beyond)
    return -1;
  const size_t behind = (size_t)(curve->count - key) * sizeof curve->x[0];
  memmove(curve->x + key + 1, curve->x + key, behind);
  memmove(curve->y + key + 1, curve->y + key, behind);
  curve->x[key] = at;
  curve->y[key] = value_at_y(canvas, row, y);
  curve->count++;
  return key;
}

bool curve_canvas_remove(const CurveRow *row, Curve *curve, int key) {
  if (curve->count == 1 || is_fixed(row, curve, key))
    return false;
  const size_t behind = (size_t)(curve->count - key - 1) * sizeof curve->x[0];
  memmove(curve->x + key, curve->x + key + 1, behind);
  memmove(curve->y + key, curve->y + key + 1, behind);
  curve->count--;
  return true;
}
