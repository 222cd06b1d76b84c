// Margin of stability: the extrapolated centre of mass relative to the base of support, both seen from above.
#include "sim/base/support.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "sim/base/plane2.h"

static Plane2 contact_point(const double (*contacts)[3], int index) {
  return (Plane2){contacts[index][0], contacts[index][2]};
}

static bool is_at(Plane2 a, Plane2 b) { return a.x == b.x && a.z == b.z; }

static double points_distance(Plane2 a, Plane2 b) { return hypot(b.x - a.x, b.z - a.z); }

// Twice the signed area of the triangle a b c; the sign is the side of the line a b on which c lies.
static double triangle_area2(Plane2 a, Plane2 b, Plane2 c) {
  return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

// The share (0 .. 1) of the segment from a to b at which it is nearest to a point.
static double nearest_share(Plane2 a, Plane2 b, Plane2 point) {
  const double dx = b.x - a.x, dz = b.z - a.z;
  const double length2 = dx * dx + dz * dz;
  return length2 == 0 ? 0 : fmax(0, fmin(1, ((point.x - a.x) * dx + (point.z - a.z) * dz) / length2));
}

// The next corner of the hull after `from`: no other point is on the negative side of the line between them. Of
// collinear points the farthest is taken. Returns `from` when all points coincide.
static int find_next_corner(const double (*contacts)[3], int count, int from) {
  const Plane2 start = contact_point(contacts, from);
  Plane2 far = {0, 0}; // the best one so far, relative to `start`
  int best = from;
  for (int i = 0; i < count; i++) {
    const Plane2 point = contact_point(contacts, i), way = {point.x - start.x, point.z - start.z};
    const double area = far.x * way.z - far.z * way.x; // the sign is the side of the line to `far`
    const bool better =
        best == from ? way.x != 0 || way.z != 0 : area < 0 || (area == 0 && hypot(way.x, way.z) > hypot(far.x, far.z));
    if (better) {
      best = i;
      far = way;
    }
  }
  return best;
}

static int find_first_corner(const double (*contacts)[3], int count) {
  int first = 0;
  for (int i = 1; i < count; i++) {
    const Plane2 point = contact_point(contacts, i), best = contact_point(contacts, first);
    if (point.x < best.x || (point.x == best.x && point.z < best.z))
      first = i;
  }
  return first;
}

// A walk around the hull by gift wrapping, which needs no memory. Inside is the positive side of every edge.
typedef struct Walk {
  const double (*contacts)[3];
  int count;
  int first, from, to; // corners
  int edges;           // number so far
} Walk;

static Walk walk_begin(const double (*contacts)[3], int count) {
  const int first = count > 0 ? find_first_corner(contacts, count) : 0;
  return (Walk){.contacts = contacts, .count = count, .first = first, .to = first};
}

static bool walk_is_over(const Walk *walk) {
  if (walk->edges == 0 || walk->edges >= walk->count)
    return walk->edges >= walk->count;
  return is_at(contact_point(walk->contacts, walk->to), contact_point(walk->contacts, walk->first));
}

static bool walk_next_edge(Walk *walk) {
  if (walk_is_over(walk))
    return false;
  walk->from = walk->to;
  walk->to = find_next_corner(walk->contacts, walk->count, walk->from);
  walk->edges++;
  return true;
}

void support_extrapolated_com(const double com[3], const double com_velocity[3], double ground_height, double xcom[3]) {
  const double lean = sqrt(fmax(0, com[1] - ground_height) / STANDARD_GRAVITY); // s, 1 / sqrt(g / l)
  xcom[0] = com[0] + com_velocity[0] * lean;
  xcom[1] = ground_height;
  xcom[2] = com[2] + com_velocity[2] * lean;
}

int support_hull(const double (*contacts)[3], int count, int corners[]) {
  Walk walk = walk_begin(contacts, count);
  while (walk_next_edge(&walk))
    corners[walk.edges - 1] = walk.from;
  return walk.edges;
}

double support_distance(const double point[3], const double (*contacts)[3], int count, double nearest[3]) {
  if (count < 1)
    return NAN;
  const Plane2 place = {point[0], point[2]};
  double border_distance = INFINITY;
  bool inside = true;
  Walk walk = walk_begin(contacts, count);
  while (walk_next_edge(&walk)) {
    const Plane2 a = contact_point(contacts, walk.from), b = contact_point(contacts, walk.to);
    const double share = nearest_share(a, b, place);
    const Plane2 on_edge = {a.x + share * (b.x - a.x), a.z + share * (b.z - a.z)};
    const double distance = points_distance(on_edge, place);
    inside = inside && triangle_area2(a, b, place) > 0;
    if (!(distance < border_distance))
      continue;
    border_distance = distance;
    if (nearest) {
      nearest[0] = on_edge.x;
      nearest[1] = contacts[walk.from][1] + share * (contacts[walk.to][1] - contacts[walk.from][1]);
      nearest[2] = on_edge.z;
    }
  }
  return inside ? border_distance : -border_distance;
}

double support_margin(const double com[3], const double com_velocity[3], double ground_height,
                      const double (*contacts)[3], int count) {
  double xcom[3];
  support_extrapolated_com(com, com_velocity, ground_height, xcom);
  return support_distance(xcom, contacts, count, NULL);
}
