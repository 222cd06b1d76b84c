// Debug drawing of foot placement.
#include <math.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"

static const uint32_t RAY_COLOR = 0x2f7d4f80, HIT_COLOR = 0x2f7d4fff, REFUSED_COLOR = 0xd62728ff;
static const uint32_t LOCKED_COLOR = 0x1971c2ff, MISSED_COLOR = 0x86868680, IK_COLOR = 0xb8651bff;
static const float RAY_THICKNESS = 0.003f; // m
static const double NORMAL_LENGTH = 0.12;  // m
static const double SHOWN_MISSING = 1e-3;  // m: smaller misses are not drawn
static const double SHOWN_RAY = 0.25;      // m: length drawn of a ray above its hit

static void debug_rays(const PlacedFoot *foot, uint32_t color, DebugDraw *draw) {
  for (int i = 0; i < FOOT_RAYS; i++) {
    const double *hit = foot->ground.hit[i];
    const double top[3] = {hit[0], fmin(foot->ground.start[i][1], hit[1] + SHOWN_RAY), hit[2]};
    bool met = foot->ground.met[i];
    debug_line(draw, top, hit, RAY_THICKNESS, met ? RAY_COLOR : MISSED_COLOR);
    if (met)
      debug_point(draw, hit, 2 * RAY_THICKNESS, color);
  }
}

// Draws the outline of the sole on its plane.
static void debug_sole(const PlacedFoot *foot, const PlacedLeg *leg, uint32_t color, DebugDraw *draw) {
  static const double corners[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
  const double *n = foot->normal, yaw = foot->held_yaw, half = fabs(leg->offset[3][0]);
  double last[3] = {0};
  for (int i = 0; i < 5; i++) {
    double across = half * corners[i][0], ahead = 0.5 * leg->length * corners[i][1];
    double x = across * cos(yaw) + ahead * sin(yaw), z = ahead * cos(yaw) - across * sin(yaw);
    const double corner[3] = {foot->place[0] + x, foot->place[1] - (n[0] * x + n[2] * z) / fmax(n[1], 1e-3),
                              foot->place[2] + z};
    if (i > 0)
      debug_line(draw, last, corner, 2 * RAY_THICKNESS, color);
    for (int k = 0; k < 3; k++)
      last[k] = corner[k];
  }
}

static void debug_foot(const PlacedFoot *foot, const PlacedLeg *leg, DebugDraw *draw) {
  bool refused = foot->refusal != FOOT_NOT_REFUSED;
  uint32_t color = refused ? REFUSED_COLOR : HIT_COLOR;
  const double *place = foot->ground.place, *normal = foot->ground.normal;
  double tip[3];
  for (int k = 0; k < 3; k++)
    tip[k] = place[k] + NORMAL_LENGTH * normal[k];
  debug_rays(foot, color, draw);
  debug_arrow(draw, place, tip, 2 * RAY_THICKNESS, color);
  if (refused)
    debug_label(draw, tip, REFUSED_COLOR, "%s", foot_refusal_name(foot->refusal));
  if (foot->standing && !foot->let_go && foot->ground.found)
    debug_sole(foot, leg, foot->plant_weight > 0 ? LOCKED_COLOR : HIT_COLOR, draw);
}

static void debug_goal(const PlacedFoot *foot, DebugDraw *draw) {
  double goal[3], hip[3];
  for (int k = 0; k < 3; k++) {
    goal[k] = (double)foot->goal.raw[k];
    hip[k] = (double)foot->hip.raw[k];
  }
  debug_point(draw, goal, 0.02f, IK_COLOR);
  debug_line(draw, hip, goal, RAY_THICKNESS, IK_COLOR);
  if (foot->lacking > SHOWN_MISSING)
    debug_label(draw, goal, IK_COLOR, "%.0f mm short", 1000 * foot->lacking);
}

// Turns drawn items from the frame in which `up` is vertical back to the world.
static void turn_items(const FootPlacementDef *def, DebugDraw *draw, int from) {
  FootAxes axes = foot_up_axes(def);
  for (int i = from; i < draw->count; i++) {
    float *points[2] = {draw->items[i].a, draw->items[i].b};
    for (int p = 0; p < 2; p++) {
      double turned[3] = {(double)points[p][0], (double)points[p][1], (double)points[p][2]};
      foot_up_turn(&axes, true, turned, turned);
      for (int k = 0; k < 3; k++)
        points[p][k] = (float)turned[k];
    }
  }
}

void foot_placement_debug(const FootPlacementDef *def, const FootPlacement *placement, const LayerStep *step,
                          DebugDraw *draw) {
  int from = draw ? draw->count : 0;
  for (int i = 0; i < def->count; i++) {
    const PlacedFoot *foot = &placement->feet[i];
    if (!foot->active || (step->plans && step->plans[i].on_ground))
      continue;
    debug_group(draw, DEBUG_FEET);
    debug_foot(foot, &def->legs[i], draw);
    debug_group(draw, DEBUG_IK);
    debug_goal(foot, draw);
  }
  if (draw && !foot_up_is_worlds(def))
    turn_items(def, draw, from);
}
