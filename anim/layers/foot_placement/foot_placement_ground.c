// The ground for a foot: rays under its sole, the surface that supports it, and alternative places when its landing
// place cannot support it.
#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"
#include "sim/base/plane2.h"

static const double MOST_BEND = 0.6;      // largest difference of slope within one surface under a sole
static const double MOST_RAISED = 0.002;  // m: largest gap under heel and toe caused by a bump under the middle
static const double MOVED_STEP = 0.03;    // m between candidate places
static const double ROOM = 0.03;          // m that should be free around a landing place before the ground rises
static const double NEAR_OTHER = 0.04;    // m: sideways, no foot is moved nearer to another
static const double APART = 0.01;         // m between soles that stand side by side
static const double MOST_APART = 0.08;    // m: largest displacement of a landing place for that
static const double CLEAR_BEHIND = 0.05;  // m: soles one behind the other with a larger gap do not count
static const double FORESEEN_SLOPE = 0.6; // largest deviation of the predicted level, relative to the distance
static const double COMMITTED = 0.4;      // share of a swing after which a moved landing place is kept
static const double ROUGH = 0.01;         // m of unevenness that are as bad as a ray that misses
static const double CARRIED = 4;          // value of support along the whole sole, in rays
static const double OFF_EDGE = 0.004;     // m: least distance of a whole sole from an edge
static const double FARTHEST = 0.21;      // m: largest displacement of a landing place
enum { MOVED_RINGS = 7, MOVED_WAYS = 8, EDGE_ROUNDS = 6 };

// ---- Rays ----

// The result of a single ray. Slopes in m of height per m: toward the left and the front of the foot.
typedef struct Meeting {
  bool met, wall, inside;
  double slope[2], start[3], hit[3], velocity[3], turn_rate; // hit: end of the ray if it met nothing
} Meeting;

FootRange foot_range(const FootPlacementDef *def, const PlacedLeg *leg, double level) {
  return (FootRange){
      .top = level + leg->height + def->ray_start_height,
      .bottom = level - def->extra_ray_distance,
      .lowest = level - def->pelvis_drop - leg->height,
  };
}

// Place and orientation of a sole whose ground is looked for.
typedef struct Sole {
  const PlacedLeg *leg;
  const LayerStep *step;
  unsigned mask;
  double middle[2], sine, cosine; // of the yaw
  double flattest;                // vertical component of the unit normal; walls have less
  FootRange range;
} Sole;

// Casts a ray. offset: of the ray from the ankle, to the side and ahead.
static Meeting meet(const Sole *sole, const double offset[2]) {
  static const double down[3] = {0, -1, 0};
  const double left = offset[0] - sole->leg->sole[0], ahead = offset[1] - sole->leg->sole[1];
  const double sine = sole->sine, cosine = sole->cosine;
  const double x = sole->middle[0] + left * cosine + ahead * sine;
  const double z = sole->middle[1] + ahead * cosine - left * sine;
  double top = sole->range.top, length = top - sole->range.bottom;
  Meeting meeting = {.start = {x, top, z}, .hit = {x, top - length, z}};
  const Ground *ground = sole->step->ground;
  GroundHit hit;
  if (!(length > 0) || !ground->ray(ground->context, sole->mask, meeting.start, down, length, &hit))
    return meeting;
  memcpy(meeting.hit, hit.position_w, sizeof meeting.hit);
  const double *n = hit.normal_w;
  meeting.met = true;
  meeting.inside = !(hit.distance > 0);
  meeting.wall = meeting.inside || !(n[1] >= sole->flattest);
  if (!meeting.wall) {
    meeting.slope[0] = -(n[0] * cosine - n[2] * sine) / n[1];
    meeting.slope[1] = -(n[0] * sine + n[2] * cosine) / n[1];
  }
  memcpy(meeting.velocity, hit.velocity_w, sizeof meeting.velocity);
  meeting.turn_rate = hit.turn_rate;
  return meeting;
}

// Height difference of two places predicted by the mean of their slopes.
static double rise_between(const Meeting *from, const Meeting *to, const double a[2], const double b[2]) {
  double rise = 0;
  for (int k = 0; k < 2; k++)
    rise += 0.5 * (from->slope[k] + to->slope[k]) * (b[k] - a[k]);
  return rise;
}

static bool is_under_middle(int ray) { return ray == FOOT_RAY_ANKLE || ray == FOOT_RAY_TOE || ray == FOOT_RAY_HEEL; }

// The highest hit that is not a wall, of the rays under the sole's middle line or of all; -1: none.
static int find_highest(const Meeting *meetings, bool middle) {
  int best = -1;
  for (int i = 0; i < FOOT_RAYS; i++)
    if (meetings[i].met && !meetings[i].wall && (!middle || is_under_middle(i)) &&
        (best < 0 || meetings[i].hit[1] > meetings[best].hit[1]))
      best = i;
  return best;
}

// Whether a ray met the same surface as the ray that met the supporting one.
static bool is_same(const Meeting *highest, const double from[2], const Meeting *other, const double to[2]) {
  double rise = rise_between(highest, other, from, to);
  double bend = max_d(fabs(other->slope[0] - highest->slope[0]), fabs(other->slope[1] - highest->slope[1]));
  return other->met && !other->wall && bend <= MOST_BEND && fabs(other->hit[1] - highest->hit[1] - rise) <= FOOT_EDGE;
}

// The ray that met the surface which supports the foot: the highest one. A surface that only a side of the sole
// touches, such as the edge of a kerb beside it, does not support the foot. -1: none does.
static int find_support(const PlacedLeg *leg, const Meeting *meetings) {
  int highest = find_highest(meetings, false);
  for (int i = 0; i < FOOT_RAYS && highest >= 0; i++)
    if (is_under_middle(i) && is_same(&meetings[highest], leg->offset[highest], &meetings[i], leg->offset[i]))
      return highest;
  return find_highest(meetings, true);
}

// Which rays met the surface that supports the foot.
static void find_supported(const PlacedLeg *leg, const Meeting *meetings, int support, bool *supported,
                           FootGround *ground) {
  const Meeting *highest = &meetings[support];
  for (int i = 0; i < FOOT_RAYS; i++) {
    const Meeting *other = &meetings[i];
    double rise = rise_between(highest, other, leg->offset[support], leg->offset[i]);
    supported[i] = is_same(highest, leg->offset[support], other, leg->offset[i]);
    ground->supported += supported[i];
    ground->supported_rays |= supported[i] ? 1 << i : 0;
    ground->blocked |= other->met && other->wall && other->hit[1] > highest->hit[1] + rise + MOST_RAISED;
  }
}

// How far the supporting surface extends toward an end of the sole: share of the sole's length from its heel.
static double support_end(const Sole *sole, const Meeting *meetings, const bool *supported, int support, int end) {
  const double(*offset)[2] = sole->leg->offset;
  int inner = supported[FOOT_RAY_ANKLE] ? FOOT_RAY_ANKLE : end == FOOT_RAY_HEEL ? FOOT_RAY_TOE : FOOT_RAY_HEEL;
  double on[2], off[2], whole = offset[FOOT_RAY_TOE][1] - offset[FOOT_RAY_HEEL][1];
  if (supported[end] || !supported[inner] || !(whole > 0))
    return end == FOOT_RAY_HEEL ? 0 : 1;
  memcpy(on, offset[inner], sizeof on);
  memcpy(off, offset[end], sizeof off);
  for (int round = 0; round < EDGE_ROUNDS; round++) {
    const double between[2] = {0.5 * (on[0] + off[0]), 0.5 * (on[1] + off[1])};
    Meeting other = meet(sole, between);
    bool same = is_same(&meetings[support], offset[support], &other, between);
    memcpy(same ? on : off, between, sizeof on);
  }
  return (on[1] - offset[FOOT_RAY_HEEL][1]) / whole;
}

// How far the ground under an end of the sole is below the sole's plane.
static double drop_at(const FootGround *ground, const Meeting *end) {
  const double *n = ground->normal, x = end->hit[0] - ground->place[0], z = end->hit[2] - ground->place[2];
  double plane = ground->place[1] - (n[0] * x + n[2] * z) / n[1];
  return end->met && !end->inside ? max_d(plane - end->hit[1], 0) : HUGE_VAL;
}

// The slope along an axis of the foot: between the rays at both ends or, if one does not count, from the normals.
static double slope_along(const PlacedLeg *leg, const Meeting *meetings, const bool *supported, int axis, int front,
                          int back) {
  double way = leg->offset[front][axis] - leg->offset[back][axis];
  if (supported[front] && supported[back] && fabs(way) > 1e-6)
    return (meetings[front].hit[1] - meetings[back].hit[1]) / way;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < FOOT_RAYS; i++)
    if (supported[i]) {
      sum += meetings[i].slope[axis];
      count++;
    }
  return sum / count;
}

// Fits the sole's plane to the ground: heel and toe lie on it; a bump between them lifts the sole a little.
static void lay_sole(const PlacedLeg *leg, const Meeting *meetings, const bool *supported, double yaw,
                     FootGround *ground) {
  const double slope[2] = {slope_along(leg, meetings, supported, 0, FOOT_RAY_OUTER, FOOT_RAY_INNER),
                           slope_along(leg, meetings, supported, 1, FOOT_RAY_TOE, FOOT_RAY_HEEL)};
  double height = -HUGE_VAL, raised = -HUGE_VAL;
  for (int i = 0; i < FOOT_RAYS; i++) {
    if (!supported[i])
      continue;
    double here = meetings[i].hit[1];
    for (int k = 0; k < 2; k++)
      here += slope[k] * (leg->sole[k] - leg->offset[i][k]);
    if (i == FOOT_RAY_TOE || i == FOOT_RAY_HEEL)
      height = max_d(height, here);
    raised = max_d(raised, here);
  }
  ground->place[1] = height > -HUGE_VAL ? min_d(raised, height + MOST_RAISED) : raised;
  double level[2];
  turn_level(yaw, slope, level);
  double size = sqrt(1 + level[0] * level[0] + level[1] * level[1]);
  ground->normal[0] = -level[0] / size;
  ground->normal[1] = 1 / size;
  ground->normal[2] = -level[1] / size;
}

// Rays see the ground at the beginning of the step; moves the result to the end of the step, with the ground as a rigid
// body that turns about up.
static void move_on(const Meeting *support, double dt, FootGround *ground) {
  ground->turn_rate = support->turn_rate;
  memcpy(ground->velocity, support->velocity, sizeof ground->velocity);
  double turn = support->turn_rate * dt,
         arm[2] = {ground->place[0] - support->hit[0], ground->place[2] - support->hit[2]};
  double turned[2];
  turn_level(turn, arm, turned);
  for (int k = 0; k < 2; k++)
    ground->velocity[2 * k] += dt > 0 ? (turned[k] - arm[k]) / dt : 0;
  for (int k = 0; k < 3; k++)
    ground->place[k] += ground->velocity[k] * dt;
}

// The reason why nothing supports the foot.
static FootRefusal why_not(const Meeting *meetings) {
  FootRefusal why = FOOT_NO_GROUND;
  for (int i = FOOT_RAYS - 1; i >= 0; i--)
    if (meetings[i].met)
      why = meetings[i].inside ? FOOT_TOO_HIGH : FOOT_TOO_STEEP;
  return why;
}

FootGround foot_ground_find(const FootPlacementDef *def, const PlacedLeg *leg, unsigned mask, const LayerStep *step,
                            const double middle[2], double yaw, const FootRange *range) {
  const Sole sole = {.leg = leg,
                     .step = step,
                     .mask = mask,
                     .middle = {middle[0], middle[1]},
                     .sine = sin(yaw),
                     .cosine = cos(yaw),
                     .flattest = cos(def->steepest * RAD_PER_DEGREE) - 1e-9,
                     .range = *range};
  FootGround ground = {.normal = {0, 1, 0}, .place = {middle[0], range->lowest, middle[1]}, .support_span = {0, 1}};
  Meeting meetings[FOOT_RAYS];
  bool supported[FOOT_RAYS];
  for (int i = 0; i < FOOT_RAYS; i++) {
    meetings[i] = meet(&sole, leg->offset[i]);
    ground.met[i] = meetings[i].met;
    memcpy(ground.start[i], meetings[i].start, sizeof ground.start[i]);
    memcpy(ground.hit[i], meetings[i].hit, sizeof ground.hit[i]);
  }
  ground.highest = find_highest(meetings, false);
  if (ground.highest >= 0)
    memcpy(ground.highest_velocity, meetings[ground.highest].velocity, sizeof ground.highest_velocity);
  int support = find_support(leg, meetings);
  if (support < 0 || meetings[FOOT_RAY_ANKLE].inside) {
    ground.refusal = support < 0 ? why_not(meetings) : FOOT_TOO_HIGH;
    return ground;
  }
  find_supported(leg, meetings, support, supported, &ground);
  ground.support_span[0] = support_end(&sole, meetings, supported, support, FOOT_RAY_HEEL);
  ground.support_span[1] = support_end(&sole, meetings, supported, support, FOOT_RAY_TOE);
  lay_sole(leg, meetings, supported, yaw, &ground);
  for (int i = 0; i < 2; i++)
    ground.drop[i] =
        supported[i ? FOOT_RAY_TOE : FOOT_RAY_HEEL] ? 0 : drop_at(&ground, &meetings[i ? FOOT_RAY_TOE : FOOT_RAY_HEEL]);
  move_on(&meetings[support], step->dt, &ground);
  if (!(ground.normal[1] >= sole.flattest))
    ground.refusal = FOOT_TOO_STEEP;
  else if (ground.place[1] < range->lowest)
    ground.refusal = FOOT_TOO_LOW;
  ground.found = ground.refusal == FOOT_NOT_REFUSED;
  return ground;
}

bool foot_height_at(const FootPlacementDef *def, unsigned mask, const LayerStep *step, const double at[2], double level,
                    double *height) {
  static const double down[3] = {0, -1, 0};
  const double reach = 2 * (def->ray_start_height + def->extra_ray_distance + def->pelvis_drop);
  const double *drift = step->ground_velocity, dt = step->dt; // at the beginning of the step, where rays see the ground
  const double start[3] = {at[0] - drift[0] * dt, level + 0.5 * reach, at[1] - drift[2] * dt};
  GroundHit hit;
  if (!(reach > 0) || !step->ground->ray(step->ground->context, mask, start, down, reach, &hit))
    return false;
  *height = hit.position_w[1] + hit.velocity_w[1] * dt;
  return true;
}

// ---- Where it will land ----

bool foot_stands_well(const FootGround *ground) {
  return ground->found && !ground->blocked && !ground->sole.blocked && ground->sole.uneven <= FOOT_EVEN &&
         ground->support_span[1] - ground->support_span[0] >= 0.5;
}

static bool is_good(const FootGround *ground) { return foot_stands_well(ground) && ground->supported == FOOT_RAYS; }

static double quality(const FootGround *ground) {
  if (!ground->found)
    return -1;
  bool blocked = ground->blocked || ground->sole.blocked;
  double carried = ground->support_span[1] - ground->support_span[0];
  return 1 + ground->supported + CARRIED * carried - (blocked ? 2 : 0) - min_d(ground->sole.uneven / ROUGH, 2);
}

// Half of a sole's extent along the heading and across it, m. turned: rad of the toes relative to the heading.
static void find_extent(const PlacedLeg *leg, double turned, double *along, double *across) {
  double half_width = leg->offset[FOOT_RAY_OUTER][0] * (leg->side < 0 ? -1 : 1);
  *along = 0.5 * leg->length * fabs(cos(turned)) + half_width * fabs(sin(turned));
  *across = half_width * fabs(cos(turned)) + 0.5 * leg->length * fabs(sin(turned));
}

void foot_keep_apart(const FootPlacementDef *def, const FootPlacement *placement, double heading, int index, double yaw,
                     double place[2]) {
  const PlacedLeg *leg = &def->legs[index];
  const double left[2] = {cos(heading), -sin(heading)}, ahead[2] = {sin(heading), cos(heading)};
  double along, across, other_along, other_across;
  find_extent(leg, yaw - heading, &along, &across);
  for (int i = 0; i < def->count; i++) {
    const PlacedFoot *other = &placement->feet[i];
    if (!other->standing || def->legs[i].side * leg->side >= 0)
      continue;
    find_extent(&def->legs[i], other->held_yaw - heading, &other_along, &other_across);
    const double way[2] = {place[0] - other->place[0], place[1] - other->place[2]};
    double behind = fabs(way[0] * ahead[0] + way[1] * ahead[1]) - along - other_along;
    double lacking = across + other_across + APART - leg->side * (way[0] * left[0] + way[1] * left[1]);
    double move = leg->side * min_d(max_d(lacking, 0), MOST_APART) * smooth_step(1 - behind / CLEAR_BEHIND);
    place[0] += move * left[0];
    place[1] += move * left[1];
  }
}

// Whether another foot is on its own side of this place and not too near.
static bool keeps_side(const FootPlacementDef *def, const FootPlacement *placement, const LayerStep *step, int index,
                       const double place[2], const double planned[2]) {
  double left[2] = {cos(step->heading), -sin(step->heading)};
  for (int i = 0; i < def->count; i++) {
    if (i == index || def->legs[i].side == def->legs[index].side)
      continue;
    const double *other = placement->feet[i].place;
    double side = def->legs[index].side;
    double gap = side * ((place[0] - other[0]) * left[0] + (place[1] - other[2]) * left[1]);
    double before = side * ((planned[0] - other[0]) * left[0] + (planned[1] - other[2]) * left[1]);
    if (gap < min_d(NEAR_OTHER, before - 1e-9))
      return false;
  }
  return true;
}

typedef struct Search {
  const FootPlacementDef *def;
  FootPlacement *placement;
  const LayerStep *step;
  int index;
  const FootPlan *plan;
  double planned[2];
  FootRange range;
  FootGround best;
  double spot[2];
  double worth;
  double slack;        // m: largest deviation of the level from the predicted one
  bool tried, crosses; // a place that would support the foot lies on the other side of another leg
} Search;

// Whether nothing rises close behind the heel or ahead of the toe, so that a foot can come down and leave directly.
static bool has_room(const Search *search, const FootGround *ground) {
  const PlacedLeg *leg = &search->def->legs[search->index];
  const double ends[2] = {leg->offset[FOOT_RAY_TOE][1] - leg->sole[1] + ROOM,
                          leg->offset[FOOT_RAY_HEEL][1] - leg->sole[1] - ROOM};
  double ahead[2], height;
  turn_level(search->plan->landing_yaw, (double[2]){0, 1}, ahead);
  double slope = -(ground->normal[0] * ahead[0] + ground->normal[2] * ahead[1]) / ground->normal[1];
  for (int i = 0; i < 2; i++) {
    const double at[2] = {ground->place[0] + ends[i] * ahead[0], ground->place[2] + ends[i] * ahead[1]};
    if (foot_height_at(search->def, search->placement->mask, search->step, at, ground->place[1], &height) &&
        height > ground->place[1] + slope * ends[i] + FOOT_EDGE)
      return false;
  }
  return true;
}

// Whether the leg can reach it, with the pelvis at its lowest.
static bool is_in_reach(const Search *search, const FootGround *ground) {
  const PlacedFoot *foot = &search->placement->feet[search->index];
  const PlacedLeg *leg = &search->def->legs[search->index];
  double reach = search->def->stretch * leg->reach, way[2];
  for (int k = 0; k < 2; k++)
    way[k] = (double)foot->hip.raw[2 * k] + search->step->root_velocity[2 * k] * search->plan->time_left -
             ground->place[2 * k];
  double low = (double)foot->hip.y + search->placement->drop - search->def->pelvis_drop +
               search->step->root_velocity[1] * search->plan->time_left - search->slack;
  double height = low - ground->place[1] - leg->height;
  return height <= 0 || way[0] * way[0] + way[1] * way[1] + height * height < reach * reach;
}

// Tries a displaced place; true when it supports the whole foot and has room.
static bool try_spot(Search *search, const double wanted[2]) {
  double place[2] = {search->planned[0] + wanted[0], search->planned[1] + wanted[1]};
  foot_keep_apart(search->def, search->placement, search->step->heading, search->index, search->plan->landing_yaw,
                  place);
  const double moved[2] = {place[0] - search->planned[0], place[1] - search->planned[1]};
  const double *drift = search->step->ground_velocity, dt = search->step->dt;
  const double begin[2] = {place[0] - drift[0] * dt, place[1] - drift[2] * dt};
  const PlacedLeg *leg = &search->def->legs[search->index];
  FootLook look = {.def = search->def,
                   .leg = leg,
                   .mask = search->placement->mask,
                   .step = search->step,
                   .middle = {begin[0], begin[1]},
                   .yaw = search->plan->landing_yaw,
                   .range = search->range};
  const FootGround *before = &search->placement->feet[search->index].ground;
  FootGround ground = foot_ground_find(look.def, leg, look.mask, look.step, look.middle, look.yaw, &look.range);
  if (search->plan->progress > COMMITTED)
    foot_stay_below_edge(&look, before, &ground);
  foot_look_closer(&look, before, &ground);
  if (!keeps_side(search->def, search->placement, search->step, search->index, place, search->planned)) {
    search->crosses |= ground.found;
    return false;
  }
  bool room = is_good(&ground) && has_room(search, &ground);
  bool reached = is_in_reach(search, &ground);
  double worth = quality(&ground) + (room ? 1 : 0) + (reached ? FOOT_RAYS : 0);
  if (!search->tried || worth > search->worth) {
    search->best = ground;
    search->worth = worth;
    memcpy(search->spot, moved, sizeof search->spot);
  }
  search->tried = true;
  return room && reached;
}

// Tries increasing distances: ahead and back first, then to the outer and the inner side.
static void search_around(Search *search) {
  double side = search->def->legs[search->index].side;
  const double outer = side != 0 ? side : 1;
  const double ways[MOVED_WAYS][2] = {{0, 1},     {0, -1},     {outer, 0},  {-outer, 0},
                                      {outer, 1}, {outer, -1}, {-outer, 1}, {-outer, -1}};
  for (int ring = 1; ring <= MOVED_RINGS; ring++)
    for (int i = 0; i < MOVED_WAYS; i++) {
      double size = MOVED_STEP * ring / sqrt(ways[i][0] * ways[i][0] + ways[i][1] * ways[i][1]);
      double level[2] = {size * ways[i][0], size * ways[i][1]}, moved[2];
      turn_level(search->plan->landing_yaw, level, moved);
      if (try_spot(search, moved))
        return;
    }
}

// Moves along the foot from the best place so far until the whole sole is on the surface.
static void slide_on(Search *search) {
  const FootGround *best = &search->best;
  const PlacedLeg *leg = &search->def->legs[search->index];
  double whole = leg->offset[FOOT_RAY_TOE][1] - leg->offset[FOOT_RAY_HEEL][1];
  double ahead = best->support_span[0] > 0 ? best->support_span[0] * whole + OFF_EDGE : 0;
  double back = best->support_span[1] < 1 ? (1 - best->support_span[1]) * whole + OFF_EDGE : 0;
  if (!best->found || (ahead > 0) == (back > 0))
    return;
  double slide[2], moved[2];
  turn_level(search->plan->landing_yaw, (double[2]){0, ahead - back}, slide);
  for (int k = 0; k < 2; k++)
    moved[k] = search->spot[k] + slide[k];
  if (length_2d(moved) <= FARTHEST)
    try_spot(search, moved);
}

void foot_find_spot(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                    const FootPlan *plan) {
  PlacedFoot *foot = &placement->feet[index];
  Search search = {.def = def, .placement = placement, .step = step, .index = index, .plan = plan};
  // Ground that moves with the root also moves the landing place: it is searched for where it is now.
  double level = step->root_position[1] + step->root_velocity[1] * plan->time_left;
  const double speed[2] = {step->root_velocity[0], step->root_velocity[2]};
  double slack = search.slack = FORESEEN_SLOPE * length_2d(speed) * plan->time_left;
  search.range = foot_range(def, &def->legs[index], level);
  search.range.top += slack;
  search.range.bottom -= slack + FOOT_STAYS;
  search.range.lowest -= slack;
  double before[2];
  for (int k = 0; k < 2; k++) {
    search.planned[k] = plan->landing[k] - step->ground_velocity[2 * k] * plan->time_left;
    before[k] = foot->ground.place[2 * k] + step->ground_velocity[2 * k] * step->dt - search.planned[k];
  }
  // The displacement found before is kept while it is small, and late in a swing in any case.
  bool near = foot->spot_moved && length_2d(before) <= FARTHEST;
  bool good = near && plan->progress > COMMITTED && (try_spot(&search, before) || search.best.found);
  good = good || try_spot(&search, (double[2]){0, 0});
  good = good || (near && try_spot(&search, before));
  if (!good) {
    search_around(&search);
    slide_on(&search);
  }
  if (!search.best.found && search.crosses)
    search.best.refusal = FOOT_CROSSES;
  foot->ground = search.best;
  foot->spot_moved = search.spot[0] != 0 || search.spot[1] != 0;
  memcpy(foot->spot, search.spot, sizeof foot->spot);
}
