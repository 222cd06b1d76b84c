// The shortest path among discs: Dijkstra's algorithm on a visibility graph of points around each of them. A polygon
// around a disc is longer than its border: with 24 corners by 0.6 %, and only on the arcs.
#include <float.h>
#include <math.h>

#include "scenes/train/field.h"

enum { CORNERS = 24, MAX_POINTS = 2 + FIELD_MAX_OBSTACLES * CORNERS };

typedef struct Point {
  double at[2], length; // m from the start
  bool done;
} Point;

// Whether a straight line is outside all discs, which are enlarged by the walker's radius.
static bool is_free(const Field *field, const double a[2], const double b[2], double radius) {
  const double rounding = 1e-9;
  double way[2] = {b[0] - a[0], b[1] - a[1]}, length2 = way[0] * way[0] + way[1] * way[1];
  for (int i = 0; i < field->obstacle_count - field->moving_count; i++) {
    const FieldObstacle *o = &field->obstacles[i];
    double to[2] = {o->position[0] - a[0], o->position[1] - a[1]}, reach = o->radius + radius;
    double along = length2 > 0 ? fmin(fmax((to[0] * way[0] + to[1] * way[1]) / length2, 0), 1) : 0;
    double x = to[0] - along * way[0], z = to[1] - along * way[1];
    if (x * x + z * z < reach * reach - rounding)
      return false;
  }
  return true;
}

static int make_points(const Field *field, const double from[2], const double to[2], double radius, Point *points) {
  int count = 0;
  points[count++] = (Point){{from[0], from[1]}, 0, false};
  points[count++] = (Point){{to[0], to[1]}, DBL_MAX, false};
  for (int i = 0; i < field->obstacle_count - field->moving_count; i++) {
    const FieldObstacle *o = &field->obstacles[i];
    double reach = (o->radius + radius) / cos(M_PI / CORNERS);
    for (int k = 0; k < CORNERS; k++) {
      double angle = 2 * M_PI * k / CORNERS;
      double at[2] = {o->position[0] + reach * sin(angle), o->position[1] + reach * cos(angle)};
      if (is_free(field, at, at, radius))
        points[count++] = (Point){{at[0], at[1]}, DBL_MAX, false};
    }
  }
  return count;
}

double field_shortest(const Field *field, const double from[2], const double to[2], double radius) {
  Point points[MAX_POINTS];
  int count = make_points(field, from, to, radius, points);
  for (;;) {
    int nearest = 1; // the goal, until a point is nearer
    for (int i = 0; i < count; i++)
      if (!points[i].done && points[i].length < points[nearest].length)
        nearest = i;
    if (nearest == 1)
      return points[1].length < DBL_MAX ? points[1].length : 0;
    Point *here = &points[nearest];
    here->done = true;
    for (int i = 0; i < count; i++) {
      double way = here->length + hypot(points[i].at[0] - here->at[0], points[i].at[1] - here->at[1]);
      if (!points[i].done && way < points[i].length && is_free(field, here->at, points[i].at, radius))
        points[i].length = way;
    }
  }
}
