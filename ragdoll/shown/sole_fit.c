// Fits a sole to the ground under it: height and slope along its middle line from heel to toe.
#include "ragdoll/shown/sole_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/numbers.h"

enum { POINTS = 9, MIDDLE = POINTS / 2, WAY_PARTS = 8, HALVINGS = 8, CLOSE_POINTS = 256 };

static const double CARRIES = 0.01;    // m
static const double REACH = 0.03;      // m
static const double WALL_DEPTH = 0.02; // m
static const double STEEPEST = 0.5;    // upward part of a normal at 60 deg
static const double STRAIGHT = 1e-9;   // m from point to point of a line: more than rounding
static const double BESIDE = 0.005;    // m: ground that a point is deeper in than this may be a wall beside it
static const double SHALLOW = 0.0049;  // m: less than that by more than rounding

// A point of the sole and the ground under it.
typedef struct SolePoint {
  double place[3];  // m, world
  double height;    // m of the ground, where there is some
  double clearance; // m over the ground, HUGE_VAL where there is none
  double normal[3];
  bool can_carry;
} SolePoint;

// m that the point is below the ground on a level way, negative above it.
static double depth_on(const Ground *ground, const double point[3], const double way[2], double distance) {
  double height;
  bool found = ground->height(ground->context, point[0] + distance * way[0], point[2] + distance * way[1],
                              point[1] + GROUND_OVER_SOLE, &height, NULL);
  return found ? height - point[1] : -HUGE_VAL;
}

static bool is_inside(const Ground *ground, const double point[3], const double way[2], double distance) {
  return depth_on(ground, point, way, distance) > BESIDE;
}

// Whether the ground is known to be one plane all along a level way.
static bool is_plane_along(const Ground *ground, const double point[3], const double way[2], double distance) {
  const double from[2] = {point[0], point[2]}, to[2] = {from[0] + distance * way[0], from[1] + distance * way[1]};
  return ground->is_plane && ground->is_plane(ground->context, from, to);
}

// m to where the point leaves the ground on a level way; `most` when that is no shorter.
static double way_out(const Ground *ground, const double point[3], const double way[2], double most) {
  double inside = 0, outside = 0;
  for (int i = 1; i <= WAY_PARTS && outside <= 0; i++) {
    double distance = most * i / WAY_PARTS;
    if (is_inside(ground, point, way, distance))
      inside = distance;
    else
      outside = distance;
  }
  if (outside <= 0)
    return most;
  for (int i = 0; i < HALVINGS; i++) {
    double between = 0.5 * (inside + outside);
    if (is_inside(ground, point, way, between))
      inside = between;
    else
      outside = between;
  }
  return outside;
}

// m to where the point, which is `depth` in the ground, leaves it on a level way, and from there up to the floor in
// which it still stands a little; `most` when that is no shorter.
static double level_depth(const Ground *ground, const double point[3], double depth, const double way[2], double most) {
  const double end = depth_on(ground, point, way, most);
  if (end > BESIDE && is_plane_along(ground, point, way, most))
    return most;
  const bool nowhere_inside = depth < SHALLOW && end < SHALLOW && is_plane_along(ground, point, way, most);
  const double outside = nowhere_inside ? most / (WAY_PARTS << HALVINGS) // what the search would find
                                        : way_out(ground, point, way, most);
  return min_d(outside + max_d(0, depth_on(ground, point, way, outside)), most);
}

// ahead: unit, level, along the sole. known: less deep does not matter, and need not be exact.
static double depth_of(const Ground *ground, const SolePoint *point, const double ahead[2], double known) {
  const double ways[4][2] = {
      {-ahead[0], -ahead[1]}, {ahead[0], ahead[1]}, {ahead[1], -ahead[0]}, {-ahead[1], ahead[0]}};
  double depth = max_d(0, -point->clearance);
  for (int i = 0; i < 4 && depth > known; i++)
    depth = level_depth(ground, point->place, -point->clearance, ways[i], depth);
  return depth;
}

// Points from heel to toe. Returns how deep the deepest is.
static double find_points(const Ground *ground, const double heel[3], const double toe[3], SolePoint points[POINTS]) {
  const double along[2] = {toe[0] - heel[0], toe[2] - heel[2]};
  double length = length_2d(along), deepest = 0;
  const double ahead[2] = {length > 0 ? along[0] / length : 0, length > 0 ? along[1] / length : 1};
  for (int i = 0; i < POINTS; i++) {
    SolePoint *point = &points[i];
    *point = (SolePoint){.clearance = HUGE_VAL, .normal = {0, 1, 0}};
    for (int k = 0; k < 3; k++)
      point->place[k] = heel[k] + (toe[k] - heel[k]) * i / (POINTS - 1);
    if (!ground->height(ground->context, point->place[0], point->place[2], point->place[1] + GROUND_OVER_SOLE,
                        &point->height, point->normal))
      continue;
    point->clearance = point->place[1] - point->height;
    double depth = depth_of(ground, point, ahead, min_d(deepest, WALL_DEPTH));
    bool in_wall = point->clearance < -WALL_DEPTH && depth < -point->clearance;
    point->can_carry = point->normal[1] > STEEPEST && !in_wall;
    deepest = max_d(deepest, depth);
  }
  return deepest;
}

// Least clearance of the points that can carry; HUGE_VAL where none can.
static double least_clearance(const SolePoint points[POINTS]) {
  double least = HUGE_VAL;
  for (int i = 0; i < POINTS; i++)
    least = points[i].can_carry ? min_d(least, points[i].clearance) : least;
  return least;
}

// A point of the line from heel to toe over the ground.
typedef struct LinePoint {
  int number;      // of CLOSE_POINTS
  double place[3]; // m, world
  double height;   // m of the ground, where there is some
  double clearance;
} LinePoint;

static LinePoint line_point(const Ground *ground, const double heel[3], const double toe[3], int number) {
  LinePoint point = {.number = number, .clearance = HUGE_VAL};
  double share = (double)number / CLOSE_POINTS;
  for (int k = 0; k < 3; k++)
    point.place[k] = heel[k] + (toe[k] - heel[k]) * share;
  if (ground->height(ground->context, point.place[0], point.place[2], point.place[1] + GROUND_OVER_SOLE, &point.height,
                     NULL))
    point.clearance = point.place[1] - point.height;
  return point;
}

// Whether all points between two ones are over one plane, and none is lower than the lower one, even by rounding: the
// clearance changes by more than that from one to the next, or the plane is level along the line.
static bool is_straight(const Ground *ground, const LinePoint *a, const LinePoint *b) {
  const bool slopes = fabs(b->clearance - a->clearance) > STRAIGHT * (b->number - a->number);
  return (slopes || a->height == b->height) && ground->is_plane &&
         ground->is_plane(ground->context, (const double[2]){a->place[0], a->place[2]},
                          (const double[2]){b->place[0], b->place[2]});
}

// Least clearance of the points between two ones, if it is less than what is known; halves until it is over planes.
static double least_between(const Ground *ground, const LinePoint *a, const LinePoint *b, const double heel[3],
                            const double toe[3], double known) {
  if (b->number - a->number < 2 || !(known > 0) || is_straight(ground, a, b))
    return known;
  LinePoint middle = line_point(ground, heel, toe, (a->number + b->number) / 2);
  known = min_d(known, middle.clearance);
  known = least_between(ground, a, &middle, heel, toe, known);
  return least_between(ground, &middle, b, heel, toe, known);
}

// m from the sole down to the ground, 0 where any of it is on or in it, or there is none. Edges on which a sole rolls
// lie between the points: in the air it is looked at more closely.
static double find_lift(const Ground *ground, const SolePoint points[POINTS]) {
  const double *heel = points[0].place, *toe = points[POINTS - 1].place;
  double least = HUGE_VAL;
  for (int i = 0; i < POINTS; i++)
    least = min_d(least, points[i].clearance);
  for (int i = 1; i < POINTS && least > 0; i++) {
    LinePoint ends[2];
    for (int k = 0; k < 2; k++) {
      const SolePoint *end = &points[i - 1 + k];
      ends[k] = (LinePoint){CLOSE_POINTS / (POINTS - 1) * (i - 1 + k), {0}, end->height, end->clearance};
      memcpy(ends[k].place, end->place, sizeof ends[k].place);
    }
    least = least_between(ground, &ends[0], &ends[1], heel, toe, least);
  }
  return isfinite(least) ? max_d(0, least) : 0;
}

// Points of the ground under the parts of the sole that carry, added up.
typedef struct Support {
  double count, along, along2, height, product; // along the sole from its heel: 1 at the toe
  double normal[3];
  int first, last, nearest; // of the points; to the middle
} Support;

static Support find_support(const SolePoint points[POINTS], double least) {
  Support support = {.first = -1, .nearest = POINTS};
  for (int i = 0; i < POINTS; i++) {
    const SolePoint *point = &points[i];
    if (!point->can_carry || point->clearance > least + CARRIES)
      continue;
    double along = (double)i / (POINTS - 1), height = point->place[1] - point->clearance;
    support.count++;
    support.along += along;
    support.along2 += along * along;
    support.height += height;
    support.product += along * height;
    for (int k = 0; k < 3; k++)
      support.normal[k] += point->normal[k];
    support.first = support.first < 0 ? i : support.first;
    support.last = i;
    support.nearest = abs(i - MIDDLE) < abs(support.nearest - MIDDLE) ? i : support.nearest;
  }
  return support;
}

// m that the support plane rises from heel to toe: by the line that fits best where the sole carries on both sides of
// its middle, as across a gap; else by the ground's own normals. `length`: of the sole, level.
static double plane_rise(const Support *support, const double ahead[2], double length) {
  if (support->first < MIDDLE && support->last > MIDDLE) {
    double spread = support->along2 - support->along * support->along / support->count;
    return (support->product - support->along * support->height / support->count) / spread;
  }
  return -(support->normal[0] * ahead[0] + support->normal[2] * ahead[1]) / support->normal[1] * length;
}

// The plane under what carries. center: a point of it.
static void find_plane(const SolePoint points[POINTS], double least, SoleFit *fit, double center[3]) {
  const double *heel = points[0].place, *toe = points[POINTS - 1].place;
  const double along[2] = {toe[0] - heel[0], toe[2] - heel[2]};
  double length = length_2d(along);
  const double ahead[2] = {length > 0 ? along[0] / length : 0, length > 0 ? along[1] / length : 1};
  Support support = find_support(points, least);
  double pitch = length > 0 ? plane_rise(&support, ahead, length) / length : 0;
  double roll = -(support.normal[0] * ahead[1] - support.normal[2] * ahead[0]) / support.normal[1];
  const double normal[3] = {-pitch * ahead[0] - roll * ahead[1], 1, -pitch * ahead[1] + roll * ahead[0]};
  for (int k = 0; k < 3; k++)
    fit->normal[k] = normal[k] / length3(normal);
  double middle = support.along / support.count;
  for (int k = 0; k < 3; k++)
    center[k] = k == 1 ? support.height / support.count : heel[k] + middle * (toe[k] - heel[k]);
  fit->place[0] = points[support.nearest].place[0];
  fit->place[1] = points[support.nearest].place[2];
}

static bool has_support(const SolePoint *point, const double normal[3], const double center[3]) {
  double x = point->place[0] - center[0], z = point->place[2] - center[2];
  double plane = center[1] - (normal[0] * x + normal[2] * z) / normal[1];
  return point->can_carry && plane - (point->place[1] - point->clearance) <= REACH;
}

// Clearance of the outermost supported point from one end inward.
static double end_gap(const SolePoint points[POINTS], int from, int step, const SoleFit *fit, const double center[3]) {
  for (int i = from; i >= 0 && i < POINTS; i += step)
    if (has_support(&points[i], fit->normal, center))
      return points[i].clearance;
  return 0;
}

SoleFit sole_fit(const Ground *ground, const double heel[3], const double toe[3]) {
  SolePoint points[POINTS];
  SoleFit fit = {.depth = find_points(ground, heel, toe, points)};
  double least = least_clearance(points), center[3];
  fit.lift = fit.gap = find_lift(ground, points);
  memcpy(fit.normal, points[MIDDLE].normal, sizeof fit.normal);
  fit.place[0] = points[MIDDLE].place[0];
  fit.place[1] = points[MIDDLE].place[2];
  if (least < HUGE_VAL) {
    find_plane(points, least, &fit, center);
    fit.gap = max_d(fit.gap, end_gap(points, 0, 1, &fit, center));
    fit.gap = max_d(fit.gap, end_gap(points, POINTS - 1, -1, &fit, center));
    const SolePoint *back = &points[0], *front = &points[POINTS - 1];
    if (has_support(back, fit.normal, center) && has_support(front, fit.normal, center)) {
      fit.rise = front->clearance - back->clearance;
      return fit;
    }
  }
  for (int k = 0; k < 3; k++)
    fit.rise += fit.normal[k] * (toe[k] - heel[k]);
  return fit;
}
