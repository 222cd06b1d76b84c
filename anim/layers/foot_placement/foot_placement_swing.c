// A foot in its swing: it passes over obstacles on the path to its landing place.
#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"

static const double HIGHEST_LIFT = 0.15; // m: largest additional height of a swinging foot of a body whose pelvis is
                                         // lower than the animated one
static const double LIFTING = 0.2;       // share of a swing in which the foot rises, and of its end in which it comes
                                         // down
static const double LOWER_THAN_CLIP = 0.005;            // m by which the clearance of a swing may be lower than the
                                                        // clip's
static const double SHORT_STEP = 0.1, LONG_STEP = 0.25; // m: in steps longer than these a foot's progress is measured
                                                        // by its place
static const double LEFT = 0.3, NEARS = 0.6; // share of a swing until which the edge left counts, and from which the
                                             // edge approached counts
static const double ARRIVING = 0.95;         // share of a swing after which it ends by time, wherever the foot is
static const double EDGE = 0.02;             // m of height difference between two places on the path above which there
                                             // may be an edge between them
static const double STEEP = 0.7;             // m of height per m: a steeper rise of the needed height is an edge, not a
                                             // slope
static const double OVER_EDGE = 0.02;        // m: distance kept from an edge
static const double ASIDE = 0.03;            // m by which a swinging foot may be beside its path
static const double SAME_PLACE = 0.003;      // m
static const double SAME_NORMAL = 0.01;      // of a unit vector
static const double CATCH_UP = 0.04;         // s: time constant with which a foot that was held back catches up
static const double UPHILL_SLOWER = 1.7;     // a metre of rise or descent takes as long as this many level ones
enum { WAY_POINTS = 12, CORNER_ROUNDS = 4, HOLD_ROUNDS = 6 };

// ---- The path ----

static void mix_normals(const double a[3], const double b[3], double share, double mixed[3]) {
  for (int k = 0; k < 3; k++)
    mixed[k] = a[k] + share * (b[k] - a[k]);
  double size = length3(mixed);
  for (int k = 0; k < 3; k++)
    mixed[k] = size > 0 ? mixed[k] / size : (k == 1);
}

// The height that a sole's middle needs at a place of the path so that neither end touches, also a little to the side.
// -HUGE_VAL where there is no ground.
static double needed_height_at(const FootPlacementDef *def, unsigned mask, const LayerStep *step,
                               const PlacedFoot *foot, const PlacedLeg *leg, double yaw, double share) {
  double normal[3], need = -HUGE_VAL;
  const double *to = foot->ground.place, *from = foot->from;
  mix_normals(foot->from_normal, foot->ground.normal, share, normal);
  const double ahead[2] = {sin(yaw), cos(yaw)};
  double slope = -(normal[0] * ahead[0] + normal[2] * ahead[1]) / max_d(normal[1], 1e-3);
  double bank = -(normal[0] * ahead[1] - normal[2] * ahead[0]) / max_d(normal[1], 1e-3);
  for (int i = -1; i <= 1; i++)
    for (int side = -1; side <= 1; side += 2) {
      double end = 0.5 * leg->length * i, height, beside = ASIDE * side;
      const double at[2] = {from[0] + share * (to[0] - from[0]) + end * ahead[0] + beside * ahead[1],
                            from[2] + share * (to[2] - from[2]) + end * ahead[1] - beside * ahead[0]};
      if (foot_height_at(def, mask, step, at, max_d(from[1], to[1]), &height))
        need = max_d(need, height - slope * end - bank * beside);
    }
  return need;
}

// Adds a point after the last one and removes those that are then below the hull.
static void add_to_hull(SwingHull *hull, double along, double height) {
  while (hull->count >= 2) {
    int last = hull->count - 1, before = last - 1;
    double share = (hull->along[last] - hull->along[before]) / max_d(along - hull->along[before], 1e-9);
    if (hull->height[last] > hull->height[before] + share * (height - hull->height[before]))
      break;
    hull->count--;
  }
  hull->count = hull->count < FOOT_CORNERS ? hull->count : FOOT_CORNERS - 1;
  hull->along[hull->count] = along;
  hull->height[hull->count++] = height;
}

// The path of a swing, along which the needed height is measured.
typedef struct SwingWay {
  const FootPlacementDef *def;
  const LayerStep *step;
  const PlacedFoot *foot;
  const PlacedLeg *leg;
  unsigned mask;
  double yaw;
} SwingWay;

static double needed_height(const SwingWay *way, double along) {
  return needed_height_at(way->def, way->mask, way->step, way->foot, way->leg, way->yaw, along) - way->foot->from[1];
}

// Between two places of which `high` needs more height: if the need rises at an edge rather than along a slope, adds
// the corner before or after the edge, on the side where the foot is clear of it.
static void add_edge_to_hull(const SwingWay *way, SwingHull *hull, double low, double low_need, double high,
                             double high_need) {
  const double *from = way->foot->from, *to = way->foot->ground.place;
  const double level[2] = {to[0] - from[0], to[2] - from[2]};
  double half = 0.5 * (low_need + high_need), highest = high_need;
  for (int round = 0; round < CORNER_ROUNDS; round++) {
    double middle = 0.5 * (low + high), need = needed_height(way, middle);
    bool up = need > half;
    *(up ? &high : &low) = middle;
    *(up ? &high_need : &low_need) = need;
    highest = max_d(highest, need);
  }
  if (high_need - low_need > STEEP * fabs(high - low) * length_2d(level))
    add_to_hull(hull, low, highest + OVER_EDGE);
}

// Measures the needed height, more densely at both ends, where little time is left to reach it, and at edges.
static void build_hull(const SwingWay *way, SwingHull *hull) {
  const PlacedFoot *foot = way->foot;
  double before = 0, last = 0, end = foot->ground.place[1] - foot->from[1];
  hull->count = 0;
  add_to_hull(hull, 0, 0);
  for (int i = 1; i <= WAY_POINTS; i++) {
    double along = 0.5 - 0.5 * cos(M_PI * i / (WAY_POINTS + 1)), need = needed_height(way, along);
    if (!isfinite(need))
      continue;
    if (need > last + EDGE)
      add_edge_to_hull(way, hull, before, last, along, need);
    else if (need < last - EDGE)
      add_edge_to_hull(way, hull, along, need, before, last);
    add_to_hull(hull, along, need);
    before = along;
    last = need;
  }
  add_to_hull(hull, 1, end);
  double level = 0;
  for (int k = 0; k < 3; k++) {
    hull->way[k] = foot->ground.place[k] - foot->from[k];
    hull->normal[k] = foot->ground.normal[k];
    level += k == 1 ? 0 : hull->way[k] * hull->way[k];
  }
  hull->length[0] = 0;
  for (int i = 1; i < hull->count; i++) {
    const double piece[2] = {sqrt(level) * (hull->along[i] - hull->along[i - 1]),
                             UPHILL_SLOWER * (hull->height[i] - hull->height[i - 1])};
    hull->length[i] = hull->length[i - 1] + length_2d(piece);
  }
}

// Whether the landing place has moved relative to the place left, or tilted, since the hull was built.
static bool is_stale(const SwingHull *hull, const PlacedFoot *foot) {
  double moved = 0, tilted = 0;
  for (int k = 0; k < 3; k++) {
    moved = max_d(moved, fabs(foot->ground.place[k] - foot->from[k] - hull->way[k]));
    tilted = max_d(tilted, fabs(foot->ground.normal[k] - hull->normal[k]));
  }
  return hull->count == 0 || moved > SAME_PLACE || tilted > SAME_NORMAL;
}

// The tangent of the rounded hull at a corner: components `along` and `height` per length.
static void tangent_at(const SwingHull *hull, int i, double tangent[2]) {
  int from = i > 0 ? i - 1 : 0, to = i < hull->count - 1 ? i + 1 : i;
  double length = hull->length[to] - hull->length[from];
  tangent[0] = length > 0 ? (hull->along[to] - hull->along[from]) / length : 0;
  tangent[1] = length > 0 ? (hull->height[to] - hull->height[from]) / length : 0;
}

// The point at this share of the hull's length. The hull is rounded at its corners, on their outer side.
static void hull_point(const SwingHull *hull, double share, double *along, double *height) {
  double length = share * hull->length[hull->count - 1], from[2], to[2];
  int i = 1;
  while (i < hull->count - 1 && hull->length[i] < length)
    i++;
  double piece = hull->length[i] - hull->length[i - 1];
  double t = piece > 0 ? min_d(max_d((length - hull->length[i - 1]) / piece, 0), 1) : share;
  tangent_at(hull, i - 1, from);
  tangent_at(hull, i, to);
  double rise = t * t * (3 - 2 * t), leave = piece * t * (1 - t) * (1 - t), arrive = -piece * t * t * (1 - t);
  *along = hull->along[i - 1] + rise * (hull->along[i] - hull->along[i - 1]) + leave * from[0] + arrive * to[0];
  *height = hull->height[i - 1] + rise * (hull->height[i] - hull->height[i - 1]) + leave * from[1] + arrive * to[1];
  *along = min_d(max_d(*along, 0), 1);
}

// Share of its path that a foot has covered, 0 .. 1: measured by place in long steps, by time in short ones.
static double along_way(const PlacedFoot *foot, const FootPose *pose) {
  const double *from = foot->from, *to = foot->ground.place;
  const double way[2] = {to[0] - from[0], to[2] - from[2]};
  double length = length_2d(way), share = smooth_step(foot->progress), middle[2];
  foot_shift_point(foot, pose, pose->middle, middle);
  double at = length > 0 ? ((middle[0] - from[0]) * way[0] + (middle[1] - from[2]) * way[1]) / (length * length) : 0;
  at = (at - foot->begin) / (1 - foot->begin);
  double by_place = smooth_step((length - SHORT_STEP) / (LONG_STEP - SHORT_STEP));
  double along = share + by_place * (min_d(max_d(at, 0), 1) - share);
  return along + (1 - along) * smooth_step((foot->progress - ARRIVING) / (1 - ARRIVING));
}

void foot_lift_off(PlacedFoot *foot) {
  foot->standing = foot->lost = false;
  foot->progress = 0;
  memcpy(foot->from, foot->place, sizeof foot->from);
  memcpy(foot->from_normal, foot->normal, sizeof foot->from_normal);
  foot->begin = -1;
  foot->hull.count = 0;
}

// Stores how far the foot was ahead of its stance place when it left.
static void note_begin(PlacedFoot *foot, const FootPose *pose) {
  const double *from = foot->from, *to = foot->ground.place;
  const double way[2] = {to[0] - from[0], to[2] - from[2]};
  double square = way[0] * way[0] + way[1] * way[1], middle[2];
  foot_shift_point(foot, pose, pose->middle, middle);
  double at = square > 0 ? ((middle[0] - from[0]) * way[0] + (middle[1] - from[2]) * way[1]) / square : 0;
  foot->begin = min_d(max_d(at, 0), 0.5);
}

// A swinging foot rises in the first fifth of its path and comes down again in the last fifth.
static double lifted_share(double progress) {
  return smooth_step(progress / LIFTING) * smooth_step((1 - progress) / LIFTING);
}

// Height in m that the foot lacks above the ground below its ends.
static double find_deficit(const FootPlacementDef *def, unsigned mask, const LayerStep *step, const PlacedFoot *foot,
                           const FootFrame *frame, const FootPose *pose) {
  const double *points[3] = {pose->heel, pose->middle, pose->toe};
  double deficit = 0, clearance = max_d(pose->clearance - LOWER_THAN_CLIP, 0), carried[3], height;
  for (int i = 0; i < 3; i++) {
    foot_carry(frame, foot, pose, step->root_position[1], points[i], carried);
    const double at[2] = {carried[0], carried[2]};
    if (foot_height_at(def, mask, step, at, max_d(foot->from[1], foot->ground.place[1]), &height))
      deficit = max_d(deficit, height + clearance - carried[1]);
  }
  return deficit;
}

// Keeps the foot above the ground when it comes down, and holds it back when it has not risen enough.
static void hold_back(const FootPlacementDef *def, unsigned mask, const LayerStep *step, PlacedFoot *foot,
                      const FootFrame *frame, const FootPose *pose, const double before[3]) {
  double now[3], free[3], low = 0, high = 1, deficit = find_deficit(def, mask, step, foot, frame, pose);
  if (deficit <= LOWER_THAN_CLIP)
    return;
  foot_carry(frame, foot, pose, step->root_position[1], pose->middle, now);
  foot->nudge[1] += min_d(deficit, max_d(before[1] - now[1], 0));
  if (find_deficit(def, mask, step, foot, frame, pose) <= LOWER_THAN_CLIP)
    return;
  memcpy(free, foot->nudge, sizeof free);
  for (int round = 0; round < HOLD_ROUNDS; round++) {
    double share = 0.5 * (low + high);
    for (int k = 0; k < 3; k += 2)
      foot->nudge[k] = free[k] + (share - 1) * (now[k] - before[k]);
    if (find_deficit(def, mask, step, foot, frame, pose) <= LOWER_THAN_CLIP)
      low = share;
    else
      high = share;
  }
  for (int k = 0; k < 3; k += 2)
    foot->nudge[k] = free[k] + (low - 1) * (now[k] - before[k]);
}

// The progress at the end of this step; 1 in the last step before the foot stands.
static double progress_with_step(const FootPlan *plan, double dt) {
  return plan->time_left > dt ? plan->progress + (1 - plan->progress) * dt / plan->time_left : 1;
}

// Changes the remaining corrections, with the progress, to those that the landing place needs.
static void correct(PlacedFoot *foot, double progress, double dt) {
  double share = smooth_step(progress), last = smooth_step(foot->progress);
  double gone = last < 1 ? max_d((share - last) / (1 - last), 0) : 1;
  foot->progress = progress;
  for (int k = 0; k < 2; k++)
    foot->shift[k] += gone * (foot->spot[k] - foot->shift[k]);
  foot->turn -= gone * foot->turn;
  for (int k = 0; k < 3; k++)
    foot->nudge[k] -= max_d(gone, -expm1(-dt / CATCH_UP)) * foot->nudge[k];
}

// The foot has covered the same share of the hull's length as the animation of its path: where the hull is steep, the
// foot lags behind the animation or leads it.
static void follow_hull(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                        const FootPose *pose, double yaw) {
  PlacedFoot *foot = &placement->feet[index];
  const SwingWay way = {
      .def = def, .step = step, .foot = foot, .leg = &def->legs[index], .mask = placement->mask, .yaw = yaw};
  double normal[3], height, along;
  foot->dip = (1 - smooth_step(foot->progress / LEFT)) * foot_dip(pose, foot->support_span, foot->drop) +
              smooth_step((foot->progress - NEARS) / (1 - NEARS)) *
                  foot_dip(pose, foot->ground.support_span, foot->ground.drop);
  foot->lead[0] = foot->lead[1] = 0;
  double animated = along_way(foot, pose);
  if (is_stale(&foot->hull, foot))
    build_hull(&way, &foot->hull);
  hull_point(&foot->hull, animated, &along, &height);
  for (int k = 0; k < 2; k++) {
    double level = foot->ground.place[2 * k] - foot->from[2 * k];
    foot->lead[k] = (along - animated) * level;
    foot->place[2 * k] = foot->from[2 * k] + along * level;
  }
  double moved = foot->ground.place[1] - foot->from[1] - foot->hull.way[1]; // change of height too small for a new hull
  foot->place[1] = foot->from[1] + height + along * moved +
                   lifted_share(foot->progress) * min_d(max_d(step->pelvis_drop, 0), HIGHEST_LIFT);
  mix_normals(foot->from_normal, foot->ground.normal, along, normal);
  foot_set_normal(foot, def, normal);
}

bool foot_swing(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                const FootPose *pose, const FootPlan *plan) {
  PlacedFoot *foot = &placement->feet[index];
  double level = step->root_position[1], most = foot_most_way(foot, pose, step);
  for (int k = 0; k < 3; k++)
    foot->from[k] += step->ground_velocity[k] * step->dt;
  const FootGround before = foot->ground;
  foot_find_spot(def, placement, step, index, plan);
  foot->lost = foot->lost || foot_edge_has_left(&before, &foot->ground);
  foot->refusal = foot->ground.refusal;
  if (!foot->ground.found)
    return false;
  if (foot->begin < 0)
    note_begin(foot, pose);
  correct(foot, progress_with_step(plan, step->dt), step->dt);
  follow_hull(def, placement, step, index, pose, plan->landing_yaw);
  if (foot->weight <= 0)
    return true;
  const FootFrame frame = foot_frame(foot, pose);
  foot->nudge[1] += find_deficit(def, placement->mask, step, foot, &frame, pose);
  if (foot_limit_speed(foot, &frame, pose, level, foot->shown, most))
    hold_back(def, placement->mask, step, foot, &frame, pose, foot->shown);
  return true;
}
