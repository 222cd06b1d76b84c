// Margin of stability: the extrapolated centre of mass against the base of support, both seen from above.
#include <math.h>

#include "sim/metrics.h"

typedef struct Point {
  double x, z; // m
} Point;

static Point contact_point(const double (*contacts)[3], int index) {
  return (Point){contacts[index][0], contacts[index][2]};
}

static double points_distance(Point a, Point b) { return hypot(b.x - a.x, b.z - a.z); }

// Twice the area of the triangle a b c: its sign tells the side of the line a b on which c lies.
static double triangle_area2(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

static double segment_distance(Point a, Point b, Point point) {
  const double dx = b.x - a.x, dz = b.z - a.z;
  const double length2 = dx * dx + dz * dz;
  if (length2 == 0)
    return points_distance(a, point);
  const double along = fmax(0, fmin(1, ((point.x - a.x) * dx + (point.z - a.z) * dz) / length2));
  return points_distance((Point){a.x + along * dx, a.z + along * dz}, point);
}

// The next corner of the hull after `from`: no other point is on the negative side of the line between the two. Of
// points in one line the farthest. `from` itself when all points coincide.
static int find_next_corner(const double (*contacts)[3], int count, int from) {
  const Point start = contact_point(contacts, from);
  int best = from;
  double best_distance = 0;
  for (int i = 0; i < count; i++) {
    const Point point = contact_point(contacts, i);
    const double distance = points_distance(start, point);
    if (distance == 0)
      continue;
    const double area = best_distance > 0 ? triangle_area2(start, contact_point(contacts, best), point) : -1;
    if (area < 0 || (area == 0 && distance > best_distance)) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

static int find_first_corner(const double (*contacts)[3], int count) {
  int first = 0;
  for (int i = 1; i < count; i++) {
    const Point point = contact_point(contacts, i), best = contact_point(contacts, first);
    if (point.x < best.x || (point.x == best.x && point.z < best.z))
      first = i;
  }
  return first;
}

double metrics_support_margin(const double com[3], const double com_velocity[3], double ground_height,
                              const double (*contacts)[3], int count) {
  if (count < 1)
    return NAN;
  const double lean = sqrt(fmax(0, com[1] - ground_height) / METRICS_GRAVITY); // s, 1 / sqrt(g / l)
  const Point xcom = {com[0] + com_velocity[0] * lean, com[2] + com_velocity[2] * lean};

  // Once around the hull (gift wrapping, so that nothing is allocated). Inside is on the positive side of every edge.
  const int first = find_first_corner(contacts, count);
  double border_distance = INFINITY;
  bool inside = true;
  int from = first;
  for (int edge = 0; edge < count; edge++) {
    const int to = find_next_corner(contacts, count, from);
    const Point a = contact_point(contacts, from), b = contact_point(contacts, to);
    border_distance = fmin(border_distance, segment_distance(a, b, xcom));
    inside = inside && triangle_area2(a, b, xcom) > 0;
    from = to;
    if (points_distance(contact_point(contacts, to), contact_point(contacts, first)) == 0)
      break;
  }
  return inside ? border_distance : -border_distance;
}
