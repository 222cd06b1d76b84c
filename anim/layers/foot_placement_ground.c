// What carries a foot: rays under its sole, which of them met the surface that bears it, and where else it could stand.
#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement_parts.h"
#include "sim/numbers.h"

static const double EDGE = 0.03;          // m by which two heights differ more than slopes tell: an edge lies between
static const double MOST_RAISED = 0.004;  // m: a bump under the middle may lift heel and toe so far off the ground
static const double MOVED_STEP = 0.03;    // m between places that are tried
static const double ROOM = 0.03;          // m that a landing place likes to have before anything rises
static const double NEAR_OTHER = 0.04;    // m to the side: no foot is moved nearer to another
static const double FORESEEN_SLOPE = 0.6; // of the ground ahead: so far off may the foreseen level be
static const double COMMITTED = 0.4;      // share of a swing from which a moved landing place stays
enum { MOVED_RINGS = 7, MOVED_WAYS = 8 };

// ---- Rays ----

// What a single ray met. Slopes in m of height per m: to the left and ahead of the foot.
typedef struct Meeting {
  bool met, wall, inside;
  double height, slope[2], velocity[3];
} Meeting;

// A level vector of the foot, to its left and ahead, in the world.
static void foot_to_world(double yaw, const double level[2], double world[2]) {
  world[0] = level[0] * cos(yaw) + level[1] * sin(yaw);
  world[1] = level[1] * cos(yaw) - level[0] * sin(yaw);
}

FootRange foot_range(const FootPlacementDef *def, const PlacedLeg *leg, double level) {
  return (FootRange){
      .top = level + leg->height + def->ray_start_height,
      .bottom = level - def->extra_ray_distance,
      .lowest = level - def->pelvis_drop - leg->height,
  };
}

static Meeting meet(const FootPlacementDef *def, unsigned mask, const LayerStep *step, const double at[2], double yaw,
                    const FootRange *range, FootGround *ground, int ray) {
  static const double down[3] = {0, -1, 0};
  double length = range->top - range->bottom;
  const double start[3] = {at[0], range->top, at[1]};
  GroundHit hit;
  memcpy(ground->start[ray], start, sizeof start);
  memcpy(ground->hit[ray], (double[3]){start[0], start[1] - length, start[2]}, sizeof start);
  Meeting meeting = {.met = false};
  if (!(length > 0) || !step->ground->ray(step->ground->context, mask, start, down, length, &hit))
    return meeting;
  memcpy(ground->hit[ray], hit.position_w, sizeof start);
  ground->met[ray] = true;
  const double *n = hit.normal_w;
  meeting.met = true;
  meeting.inside = !(hit.distance > 0);
  meeting.wall = meeting.inside || !(n[1] >= cos(def->steepest * RAD_PER_DEGREE) - 1e-9);
  meeting.height = hit.position_w[1];
  if (!meeting.wall) {
    meeting.slope[0] = -(n[0] * cos(yaw) - n[2] * sin(yaw)) / n[1];
    meeting.slope[1] = -(n[0] * sin(yaw) + n[2] * cos(yaw)) / n[1];
  }
  memcpy(meeting.velocity, hit.velocity_w, sizeof meeting.velocity);
  return meeting;
}

// By how much one place is higher than another says the mean of their slopes.
static double rise_between(const Meeting *from, const Meeting *to, const double a[2], const double b[2]) {
  double rise = 0;
  for (int k = 0; k < 2; k++)
    rise += 0.5 * (from->slope[k] + to->slope[k]) * (b[k] - a[k]);
  return rise;
}

// The highest that is no wall; -1: none.
static int find_bearer(const Meeting *meetings) {
  int best = -1;
  for (int i = 0; i < FOOT_RAYS; i++)
    if (meetings[i].met && !meetings[i].wall && (best < 0 || meetings[i].height > meetings[best].height))
      best = i;
  return best;
}

// Which rays met the bearer's surface.
static void find_borne(const PlacedLeg *leg, const Meeting *meetings, int bearer, bool *borne, FootGround *ground) {
  const Meeting *highest = &meetings[bearer];
  for (int i = 0; i < FOOT_RAYS; i++) {
    const Meeting *other = &meetings[i];
    double rise = rise_between(highest, other, leg->offset[bearer], leg->offset[i]);
    borne[i] = other->met && !other->wall && fabs(other->height - highest->height - rise) <= EDGE;
    ground->borne += borne[i];
    ground->blocked |= other->met && other->wall && other->height > highest->height + rise + MOST_RAISED;
  }
}

// The slope along an axis of the foot: between the rays at both its ends, or as the normals say.
static double slope_along(const PlacedLeg *leg, const Meeting *meetings, const bool *borne, int axis, int front,
                          int back) {
  double way = leg->offset[front][axis] - leg->offset[back][axis];
  if (borne[front] && borne[back] && fabs(way) > 1e-6)
    return (meetings[front].height - meetings[back].height) / way;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < FOOT_RAYS; i++)
    if (borne[i]) {
      sum += meetings[i].slope[axis];
      count++;
    }
  return sum / count;
}

// The sole's plane through the ground: heel and toe on it; a bump between them lifts it a little.
static void lay_sole(const PlacedLeg *leg, const Meeting *meetings, const bool *borne, int bearer, double yaw,
                     FootGround *ground) {
  const double slope[2] = {slope_along(leg, meetings, borne, 0, OUTER, INNER),
                           slope_along(leg, meetings, borne, 1, TOE, HEEL)};
  double height = -HUGE_VAL, raised = -HUGE_VAL;
  for (int i = 0; i < FOOT_RAYS; i++) {
    if (!borne[i])
      continue;
    double here = meetings[i].height;
    for (int k = 0; k < 2; k++)
      here += slope[k] * (leg->sole[k] - leg->offset[i][k]);
    if (i == TOE || i == HEEL)
      height = fmax(height, here);
    raised = fmax(raised, here);
  }
  ground->place[1] = height > -HUGE_VAL ? fmin(raised, height + MOST_RAISED) : raised;
  double level[2];
  foot_to_world(yaw, slope, level);
  double size = sqrt(1 + level[0] * level[0] + level[1] * level[1]);
  ground->normal[0] = -level[0] / size;
  ground->normal[1] = 1 / size;
  ground->normal[2] = -level[1] / size;
  memcpy(ground->velocity, meetings[bearer].velocity, sizeof ground->velocity);
}

// How fast the surface turns about up: by the velocities at two of its points.
static double turn_of(const PlacedLeg *leg, const Meeting *meetings, const bool *borne, double yaw) {
  if (!borne[TOE] || !borne[HEEL])
    return 0;
  double arm[2], level[2] = {leg->offset[TOE][0] - leg->offset[HEEL][0], leg->offset[TOE][1] - leg->offset[HEEL][1]};
  foot_to_world(yaw, level, arm);
  double square = arm[0] * arm[0] + arm[1] * arm[1];
  double x = meetings[TOE].velocity[0] - meetings[HEEL].velocity[0];
  double z = meetings[TOE].velocity[2] - meetings[HEEL].velocity[2];
  return square > 1e-6 ? (arm[1] * x - arm[0] * z) / square : 0;
}

// Why nothing bears the foot.
static FootRefusal why_not(const Meeting *meetings) {
  FootRefusal why = FOOT_NO_GROUND;
  for (int i = FOOT_RAYS - 1; i >= 0; i--)
    if (meetings[i].met)
      why = meetings[i].inside ? FOOT_TOO_HIGH : FOOT_TOO_STEEP;
  return why;
}

FootGround foot_ground_find(const FootPlacementDef *def, const PlacedLeg *leg, unsigned mask, const LayerStep *step,
                            const double middle[2], double yaw, const FootRange *range) {
  FootGround ground = {.normal = {0, 1, 0}, .place = {middle[0], range->lowest, middle[1]}};
  Meeting meetings[FOOT_RAYS];
  bool borne[FOOT_RAYS];
  for (int i = 0; i < FOOT_RAYS; i++) {
    double from_middle[2] = {leg->offset[i][0] - leg->sole[0], leg->offset[i][1] - leg->sole[1]}, at[2];
    foot_to_world(yaw, from_middle, at);
    for (int k = 0; k < 2; k++)
      at[k] += middle[k];
    meetings[i] = meet(def, mask, step, at, yaw, range, &ground, i);
  }
  int bearer = find_bearer(meetings);
  if (bearer < 0 || meetings[ANKLE].inside) {
    ground.refusal = bearer < 0 ? why_not(meetings) : FOOT_TOO_HIGH;
    return ground;
  }
  find_borne(leg, meetings, bearer, borne, &ground);
  lay_sole(leg, meetings, borne, bearer, yaw, &ground);
  ground.turn_rate = turn_of(leg, meetings, borne, yaw);
  if (!(ground.normal[1] >= cos(def->steepest * RAD_PER_DEGREE) - 1e-9))
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
  const double start[3] = {at[0], level + 0.5 * reach, at[1]};
  GroundHit hit;
  if (!(reach > 0) || !step->ground->ray(step->ground->context, mask, start, down, reach, &hit))
    return false;
  *height = hit.position_w[1];
  return true;
}

// ---- Where it will land ----

static bool is_good(const FootGround *ground) {
  return ground->found && !ground->blocked && ground->borne == FOOT_RAYS;
}

static int quality(const FootGround *ground) {
  return ground->found ? 1 + ground->borne - (ground->blocked ? 2 : 0) : -1;
}

// Whether another foot is on its own side of this place, and not too near.
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
    if (gap < fmin(NEAR_OTHER, before - 1e-9))
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
  int worth;
  double slack; // m: so far off may the foreseen level be
  bool tried, crosses;
} Search;

// Whether nothing rises close behind the heel or ahead of the toe: there feet come down and leave without a detour.
static bool has_room(const Search *search, const FootGround *ground) {
  const PlacedLeg *leg = &search->def->legs[search->index];
  const double ends[2] = {leg->offset[TOE][1] - leg->sole[1] + ROOM, leg->offset[HEEL][1] - leg->sole[1] - ROOM};
  double ahead[2], height;
  foot_to_world(search->plan->landing_yaw, (double[2]){0, 1}, ahead);
  double slope = -(ground->normal[0] * ahead[0] + ground->normal[2] * ahead[1]) / ground->normal[1];
  for (int i = 0; i < 2; i++) {
    const double at[2] = {ground->place[0] + ends[i] * ahead[0], ground->place[2] + ends[i] * ahead[1]};
    if (foot_height_at(search->def, search->placement->mask, search->step, at, ground->place[1], &height) &&
        height > ground->place[1] + slope * ends[i] + EDGE)
      return false;
  }
  return true;
}

// Whether the leg gets there, with the pelvis as low as it may be.
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

// Tries a place that is moved; true when it carries the whole foot and has room.
static bool try_spot(Search *search, const double moved[2]) {
  double place[2] = {search->planned[0] + moved[0], search->planned[1] + moved[1]};
  if (!keeps_side(search->def, search->placement, search->step, search->index, place, search->planned)) {
    search->crosses = true;
    return false;
  }
  const PlacedLeg *leg = &search->def->legs[search->index];
  FootGround ground = foot_ground_find(search->def, leg, search->placement->mask, search->step, place,
                                       search->plan->landing_yaw, &search->range);
  bool room = is_good(&ground) && has_room(search, &ground);
  bool reached = is_in_reach(search, &ground);
  int worth = quality(&ground) + (room ? 1 : 0) + (reached ? FOOT_RAYS : 0);
  if (!search->tried || worth > search->worth) {
    search->best = ground;
    search->worth = worth;
    memcpy(search->spot, moved, sizeof search->spot);
  }
  search->tried = true;
  return room && reached;
}

// Farther and farther away: ahead and back first, then to the outer and the inner side.
static void search_around(Search *search) {
  double side = search->def->legs[search->index].side;
  const double outer = side != 0 ? side : 1;
  const double ways[MOVED_WAYS][2] = {{0, 1},     {0, -1},     {outer, 0},  {-outer, 0},
                                      {outer, 1}, {outer, -1}, {-outer, 1}, {-outer, -1}};
  for (int ring = 1; ring <= MOVED_RINGS; ring++)
    for (int i = 0; i < MOVED_WAYS; i++) {
      double size = MOVED_STEP * ring / sqrt(ways[i][0] * ways[i][0] + ways[i][1] * ways[i][1]);
      double level[2] = {size * ways[i][0], size * ways[i][1]}, moved[2];
      foot_to_world(search->plan->landing_yaw, level, moved);
      if (try_spot(search, moved))
        return;
    }
}

void foot_find_spot(const FootPlacementDef *def, FootPlacement *placement, const LayerStep *step, int index,
                    const FootPlan *plan) {
  PlacedFoot *foot = &placement->feet[index];
  Search search = {.def = def, .placement = placement, .step = step, .index = index, .plan = plan};
  // What carries the root carries the landing place: it is looked for where it lies now.
  double level = step->root_position[1] + step->root_velocity[1] * plan->time_left;
  const double speed[2] = {step->root_velocity[0], step->root_velocity[2]};
  double slack = search.slack = FORESEEN_SLOPE * length_2d(speed) * plan->time_left;
  search.range = foot_range(def, &def->legs[index], level);
  search.range.top += slack;
  search.range.bottom -= slack + FOOT_STAYS;
  search.range.lowest -= slack;
  double before[2], most = MOVED_STEP * MOVED_RINGS;
  for (int k = 0; k < 2; k++) {
    search.planned[k] = plan->landing[k] - step->ground_velocity[2 * k] * plan->time_left;
    before[k] = foot->ground.place[2 * k] + step->ground_velocity[2 * k] * step->dt - search.planned[k];
  }
  // What was found before is taken again, as long as it is near; late in a swing in any case.
  bool near = foot->spot_moved && length_2d(before) <= most;
  bool good = near && plan->progress > COMMITTED && (try_spot(&search, before) || search.best.found);
  good = good || try_spot(&search, (double[2]){0, 0});
  good = good || (near && try_spot(&search, before));
  if (!good)
    search_around(&search);
  if (!search.best.found && search.crosses && search.best.refusal == FOOT_NOT_REFUSED)
    search.best.refusal = FOOT_CROSSES;
  foot->ground = search.best;
  foot->spot_moved = search.spot[0] != 0 || search.spot[1] != 0;
  memcpy(foot->spot, search.spot, sizeof foot->spot);
}
