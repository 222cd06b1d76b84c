// The ground between heel and toe: rays along the sole measure its profile, and the sole is laid on the highest points
// as a board would lie.
#include <math.h>
#include <string.h>

#include "anim/layers/foot_placement/foot_placement_internal.h"
#include "sim/base/numbers.h"

enum { POINTS = 9, LOADED_FROM = 3, LOADED_TO = 5 }; // points along the sole; the middle ones carry its load

static const double GIVES = 0.002;      // m: compression of a sole
static const double FLAT = 1e-6;        // m: rounding
static const double SAME_PLACE = 0.002; // m: places nearer than this count as the same
static const double SAME_YAW = 0.01;    // rad

// Height of the ground relative to the sole's plane, at points from heel to toe.
typedef struct GroundProfile {
  double over[POINTS];   // m: height above the plane
  bool supports[POINTS]; // neither a wall nor below an edge: it can support the sole
  bool blocked;          // a wall rises between heel and toe
} GroundProfile;

static double plane_at(const double place[3], const double normal[3], double x, double z) {
  return place[1] - (normal[0] * (x - place[0]) + normal[2] * (z - place[2])) / normal[1];
}

// A straight line along the sole.
typedef struct Line {
  double middle, rise; // m above the plane under the sole's middle; m of height difference from heel to toe
} Line;

static double line_at(const Line *line, int i) { return line->middle + line->rise * ((double)i / (POINTS - 1) - 0.5); }

// Casts the rays along the sole. begin: the ground's place at the beginning of the step, as rays see it.
static GroundProfile look_along(const FootLook *look, const FootGround *ground, const double begin[3]) {
  static const double down[3] = {0, -1, 0};
  const double flattest = cos(look->def->steepest * RAD_PER_DEGREE) - 1e-9;
  const double *heel = ground->hit[FOOT_RAY_HEEL], *toe = ground->hit[FOOT_RAY_TOE];
  GroundProfile profile = {.supports = {[0] = ground->supported_rays & 1 << FOOT_RAY_HEEL,
                                        [POINTS - 1] = ground->supported_rays & 1 << FOOT_RAY_TOE}};
  for (int i = 0; i < POINTS; i++) {
    double share = (double)i / (POINTS - 1), top = look->range.top;
    const double at[3] = {heel[0] + share * (toe[0] - heel[0]), top, heel[2] + share * (toe[2] - heel[2])};
    double plane = plane_at(begin, ground->normal, at[0], at[2]);
    GroundHit hit;
    if (i == 0 || i == POINTS - 1) {
      profile.over[i] = (i == 0 ? heel : toe)[1] - plane;
    } else if (look->step->ground->ray(look->step->ground->context, look->mask, at, down, top - look->range.bottom,
                                       &hit)) {
      bool wall = !(hit.distance > 0) || !(hit.normal_w[1] >= flattest);
      profile.over[i] = hit.position_w[1] - plane;
      profile.supports[i] = !wall && profile.over[i] > -FOOT_EDGE;
      profile.blocked |= wall && profile.over[i] > GIVES;
    }
  }
  return profile;
}

// Finds the points of the upper convex hull. Returns their number.
static int find_hull(const GroundProfile *profile, int hull[POINTS]) {
  int count = 0;
  for (int i = 0; i < POINTS; i++) {
    if (!profile->supports[i])
      continue;
    while (count >= 2) {
      int a = hull[count - 2], b = hull[count - 1];
      double chord = profile->over[a] + (profile->over[i] - profile->over[a]) * (b - a) / (i - a);
      if (profile->over[b] > chord)
        break;
      count--;
    }
    hull[count++] = i;
  }
  return count;
}

// The line at which a board with its load near the middle comes to rest. If a corner lies under the load the board
// rests on it, with both ends equally high over the ground; otherwise on the corners before and behind the load. If one
// side has no support, the board is parallel to the plane of the rays.
static Line rest(const GroundProfile *profile) {
  int hull[POINTS], count = find_hull(profile, hull), highest = -1, behind = -1, before = -1;
  double best = -HUGE_VAL;
  if (count == 0)
    return (Line){0};
  double first = profile->over[hull[0]], whole = hull[count - 1] - hull[0];
  double slope = whole > 0 ? (profile->over[hull[count - 1]] - first) / whole : 0;
  for (int k = 0; k < count; k++) {
    int i = hull[k];
    double above = profile->over[i] - first - slope * (i - hull[0]);
    if (i >= LOADED_FROM && i <= LOADED_TO && above > best) {
      best = above;
      highest = i;
    }
    if (i < LOADED_FROM)
      behind = i;
    if (i > LOADED_TO && before < 0)
      before = i;
  }
  if (behind >= 0 && before >= 0 && highest < 0)
    slope = (profile->over[before] - profile->over[behind]) / (before - behind);
  else if (behind < 0 || before < 0)
    slope = 0;
  Line line = {.middle = -HUGE_VAL, .rise = slope * (POINTS - 1)};
  for (int k = 0; k < count; k++)
    line.middle = max_d(line.middle, profile->over[hull[k]] - slope * (hull[k] - 0.5 * (POINTS - 1)));
  return line;
}

// Gap in m between an end of the sole and the ground that should support it.
static double end_gap(const GroundProfile *profile, const Line *line, int end) {
  return profile->supports[end] ? line_at(line, end) - profile->over[end] : 0;
}

static SoleProfile make_sole_profile(const GroundProfile *profile) {
  Line line = rest(profile);
  SoleProfile sole = {.known = true, .blocked = profile->blocked};
  sole.uneven = max_d(end_gap(profile, &line, 0), end_gap(profile, &line, POINTS - 1));
  sole.lift = line.middle - min_d(GIVES, 0.5 * sole.uneven);
  sole.rise = line.rise;
  return sole;
}

// Moves and tilts the sole's plane according to its profile.
static void lay_sole_on_profile(const FootLook *look, FootGround *ground) {
  const SoleProfile *sole = &ground->sole;
  if (fabs(sole->lift) < FLAT && fabs(sole->rise) < FLAT)
    return;
  double length = look->leg->offset[FOOT_RAY_TOE][1] - look->leg->offset[FOOT_RAY_HEEL][1];
  double rise = length > 0 ? sole->rise / length : 0, ahead[2] = {sin(look->yaw), cos(look->yaw)}, *n = ground->normal;
  double slope[2];
  for (int k = 0; k < 2; k++)
    slope[k] = -n[2 * k] / n[1] + rise * ahead[k];
  double size = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
  n[0] = -slope[0] / size;
  n[1] = 1 / size;
  n[2] = -slope[1] / size;
  ground->place[1] += sole->lift;
}

static bool is_known(const SoleProfile *sole, const FootLook *look, int supported_rays) {
  const double away[2] = {look->middle[0] - sole->at[0], look->middle[1] - sole->at[1]};
  return sole->known && sole->supported_rays == supported_rays && length_2d(away) <= SAME_PLACE &&
         fabs(wrap_angle(look->yaw - sole->yaw)) <= SAME_YAW;
}

void foot_look_closer(const FootLook *look, const FootGround *before, FootGround *ground) {
  if (!ground->found)
    return;
  if (before && is_known(&before->sole, look, ground->supported_rays)) {
    ground->sole = before->sole;
  } else {
    double begin[3];
    for (int k = 0; k < 3; k++)
      begin[k] = ground->place[k] - ground->velocity[k] * look->step->dt;
    GroundProfile profile = look_along(look, ground, begin);
    ground->sole = make_sole_profile(&profile);
    ground->sole.supported_rays = ground->supported_rays;
    memcpy(ground->sole.at, look->middle, sizeof ground->sole.at);
    ground->sole.yaw = look->yaw;
  }
  ground->sole.yaw += ground->turn_rate * look->step->dt;
  for (int k = 0; k < 2; k++)
    ground->sole.at[k] += ground->velocity[2 * k] * look->step->dt;
  lay_sole_on_profile(look, ground);
}
