// The ground under a place and under a whole sole, by rays downward.
#include <math.h>

#include "ragdoll/balance/balance_internal.h"

static const double STEEPEST = 0.5; // slope of the ground to which a sole is turned
static const double LOOK_DOWN = 3;  // m, how far down ground is looked for

// m: an edge is a step of the ground by this between neighbouring rows of points under the sole, or a difference of
// ACROSS between its two sides.
static const double EDGE = 0.05, ACROSS = 0.08;
enum { ROWS = 5 };

// An overhang: where the sole has ground it is level within LEVEL, m; the rest, at most LARGEST_HANG of the sole's
// length, has ground lower than that by EDGE at least, found by HANG_ROWS rows.
static const double LEVEL = 0.015, LARGEST_HANG = 0.4;
enum { HANG_ROWS = 9 };

double balance_ground(const Ground *ground, Plane2 place, double from, double otherwise) {
  const double origin[3] = {place.x, from, place.z}, down[3] = {0, -1, 0};
  GroundHit hit;
  bool found = ground->ray(ground->context, GROUND_TERRAIN | GROUND_PLATFORMS, origin, down, LOOK_DOWN, &hit);
  return found ? hit.position_w[1] : otherwise;
}

double balance_foot_ground(const Ground *ground, const BalanceLeg *leg, Plane2 ankle, double from, double yaw,
                           double normal[3]) {
  double corner[2][2], none = from - LOOK_DOWN / 2, sine, cosine;
  sincos(yaw, &sine, &cosine);
  Plane2 middle = plane2_add(ankle, plane2_turn_by((Plane2){.x = 0, .z = leg->sole_ahead}, sine, cosine));
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      Plane2 offset = {.x = k ? leg->half_width : -leg->half_width, .z = i ? leg->half_length : -leg->half_length};
      corner[i][k] = balance_ground(ground, plane2_add(middle, plane2_turn_by(offset, sine, cosine)), from, none);
    }
  double rise = (corner[1][0] + corner[1][1] - corner[0][0] - corner[0][1]) / 2 / (2 * leg->half_length);
  double tilt = (corner[0][1] + corner[1][1] - corner[0][0] - corner[1][0]) / 2 / (2 * leg->half_width);
  double height = (corner[0][0] + corner[0][1] + corner[1][0] + corner[1][1]) / 4;
  double hump = balance_ground(ground, middle, from, none);
  if (hump > height) // it stands on its middle as well
    height = (height + hump) / 2;
  height -= rise * leg->sole_ahead;
  const Plane2 own_slope = {.x = fmax(-STEEPEST, fmin(STEEPEST, tilt)), .z = fmax(-STEEPEST, fmin(STEEPEST, rise))};
  const Plane2 slope = plane2_turn_by(own_slope, sine, cosine);
  double length = sqrt(1 + slope.z * slope.z + slope.x * slope.x);
  normal[0] = -slope.x / length;
  normal[1] = 1 / length;
  normal[2] = -slope.z / length;
  return height;
}

// Heights of the ground under both sides of a sole there, in rows from its heel to its toes; half_length: half of what
// is looked at.
static void sole_heights(const Ground *ground, const BalanceLeg *leg, Plane2 sole, double from, double yaw,
                         double half_length, int rows, double heights[][2]) {
  double none = from - LOOK_DOWN / 2, sine, cosine;
  sincos(yaw, &sine, &cosine);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < 2; k++) {
      Plane2 offset = {.x = k ? leg->half_width : -leg->half_width, .z = half_length * (2.0 * i / (rows - 1) - 1)};
      heights[i][k] = balance_ground(ground, plane2_add(sole, plane2_turn_by(offset, sine, cosine)), from, none);
    }
}

bool balance_on_edge(const Ground *ground, const BalanceLeg *leg, Plane2 sole, double from, double yaw, double margin) {
  double row[ROWS][2], side[2] = {0};
  sole_heights(ground, leg, sole, from, yaw, leg->half_length + margin, ROWS, row);
  bool edge = false;
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < 2; k++) {
      side[k] += row[i][k] / ROWS;
      edge = edge || (i > 0 && fabs(row[i][k] - row[i - 1][k]) > EDGE);
    }
  return edge || fabs(side[1] - side[0]) > ACROSS;
}

bool balance_overhangs(const Ground *ground, const BalanceLeg *leg, Plane2 sole, double from, double yaw,
                       double hangs[2], double *height) {
  double row[HANG_ROWS][2];
  sole_heights(ground, leg, sole, from, yaw, leg->half_length, HANG_ROWS, row);
  *height = (row[HANG_ROWS / 2][0] + row[HANG_ROWS / 2][1]) / 2;
  int first = HANG_ROWS, last = -1, bearing = 0;
  for (int i = 0; i < HANG_ROWS; i++) {
    double higher = fmax(row[i][0], row[i][1]) - *height, lower = fmin(row[i][0], row[i][1]) - *height;
    bool bears = higher < LEVEL && lower > -LEVEL;
    if (!bears && higher > -EDGE)
      return false;
    first = bears && first == HANG_ROWS ? i : first;
    last = bears ? i : last;
    bearing += bears;
  }
  const double apart = 2 * leg->half_length / (HANG_ROWS - 1);
  hangs[0] = first * apart;
  hangs[1] = (HANG_ROWS - 1 - last) * apart;
  return bearing == last - first + 1 && hangs[0] + hangs[1] <= LARGEST_HANG * 2 * leg->half_length;
}
