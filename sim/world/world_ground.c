// Rays and heights for terrain, platforms and props, as the Ground that animation uses.
#include "sim/world/world_ground.h"

#include <math.h>

#include "sim/world/platform_contact.h"

// A ray and its nearest hit so far: hit->distance is the remaining length.
typedef struct Cast {
  const double *origin, *direction; // m; unit
  GroundHit *hit;
} Cast;

// Whether the ray misses the bounding sphere of the platform, as most rays do.
static bool passes_by(const WorldPlatform *platform, const Cast *cast) {
  double to[3], along = 0, apart2 = 0;
  for (int i = 0; i < 3; i++) {
    to[i] = platform->position[i] - cast->origin[i];
    along += to[i] * cast->direction[i];
  }
  double near = along < 0 ? 0 : along > cast->hit->distance ? cast->hit->distance : along;
  for (int i = 0; i < 3; i++) {
    double apart = to[i] - near * cast->direction[i];
    apart2 += apart * apart;
  }
  return apart2 > platform->radius * platform->radius;
}

static bool is_level(const WorldPlatform *platform) { return platform->rotation[5] == 1; }

// The component of a world vector along an axis of the platform.
static double along_axis(const WorldPlatform *platform, int axis, const double vector[3]) {
  const dReal *r = platform->rotation; // rows of four
  return r[axis] * vector[0] + r[4 + axis] * vector[1] + r[8 + axis] * vector[2];
}

// The face nearest to a point inside: axis and side.
static int nearest_face(const double half[3], const double point_l[3], double *side) {
  int nearest = 0;
  for (int axis = 1; axis < 3; axis++)
    if (half[axis] - fabs(point_l[axis]) < half[nearest] - fabs(point_l[nearest]))
      nearest = axis;
  *side = point_l[nearest] < 0 ? -1 : 1;
  return nearest;
}

// Where the ray enters the box, by slabs (Kay and Kajiya 1986): the axis across which it enters, -1 when it does not
// enter within hit->distance. Distance 0: it starts inside.
static int enter_box(const WorldPlatform *platform, const Cast *cast, double *distance, double *side) {
  static const int order[3] = {1, 0, 2}; // most rays pass above or below
  double from[3], origin_l[3], enter = -INFINITY, leave = cast->hit->distance;
  int across = 1;
  for (int i = 0; i < 3; i++)
    from[i] = cast->origin[i] - platform->position[i];
  for (int i = 0; i < 3; i++) {
    int axis = order[i];
    double start = along_axis(platform, axis, from), rate = along_axis(platform, axis, cast->direction);
    double half = platform->half[axis];
    origin_l[axis] = start;
    if (rate == 0) {
      if (fabs(start) > half)
        return -1;
      continue;
    }
    double low = (copysign(half, -rate) - start) / rate, high = (copysign(half, rate) - start) / rate;
    if (low > enter) {
      enter = low;
      across = axis;
      *side = rate > 0 ? -1 : 1;
    }
    leave = high < leave ? high : leave;
    if (!(enter <= leave && leave >= 0))
      return -1;
  }
  *distance = enter > 0 ? enter : 0;
  return enter > 0 ? across : nearest_face(platform->half, origin_l, side);
}

// The mean velocity of a point of the platform in the coming step, from its displacement.
static void point_velocity(const WorldPlatform *platform, double dt, const double point[3], double velocity[3]) {
  double arm[3], way[3];
  for (int i = 0; i < 3; i++)
    arm[i] = point[i] - platform->position[i];
  platform_arc(platform->spin, arm, dt, 0, way);
  for (int i = 0; i < 3; i++)
    velocity[i] = platform->velocity[i] + way[i] / dt;
}

static bool meet_platform(const WorldPlatform *platform, double dt, const Cast *cast) {
  double distance = 0, side = 1;
  if (passes_by(platform, cast))
    return false;
  int axis = enter_box(platform, cast, &distance, &side);
  if (axis < 0)
    return false;
  GroundHit *hit = cast->hit;
  for (int i = 0; i < 3; i++) {
    hit->position_w[i] = cast->origin[i] + distance * cast->direction[i];
    hit->normal_w[i] = side * platform->rotation[4 * i + axis];
  }
  point_velocity(platform, dt, hit->position_w, hit->velocity_w);
  hit->turn_rate = platform->spin[1];
  hit->kind = GROUND_PLATFORMS;
  hit->distance = distance;
  return true;
}

static bool meet_prop(const World *world, int index, const Cast *cast) {
  WorldHit met = {.distance = cast->hit->distance};
  if (!world_cast_body(world, index, cast->origin, cast->direction, &met))
    return false;
  GroundHit *hit = cast->hit;
  dBodyID body = world->bodies[index].ode;
  dVector3 velocity;
  dBodyGetPointVel(body, met.point[0], met.point[1], met.point[2], velocity);
  for (int i = 0; i < 3; i++) {
    hit->position_w[i] = met.point[i];
    hit->normal_w[i] = met.normal[i];
    hit->velocity_w[i] = velocity[i];
  }
  hit->turn_rate = dBodyGetAngularVel(body)[1];
  hit->kind = GROUND_PROPS;
  hit->distance = met.distance;
  return true;
}

static bool ground_ray(const void *context, unsigned mask, const double origin[3], const double direction[3],
                       double length, GroundHit *hit) {
  const World *world = context;
  bool met = (mask & GROUND_TERRAIN) && world->terrain && terrain_ray(world->terrain, origin, direction, length, hit);
  int platforms = (mask & GROUND_PLATFORMS) ? world->platform_count : 0;
  int props = (mask & GROUND_PROPS) ? world->loose_count : 0;
  if (platforms == 0 && props == 0)
    return met;

  double sum = origin[0] + origin[1] + origin[2] + direction[0] + direction[1] + direction[2];
  if (!isfinite(sum) || !(length >= 0))
    return false;
  GroundHit nearest = {.distance = met ? hit->distance : length};
  Cast cast = {origin, direction, &nearest};
  bool nearer = false;
  for (int i = 0; i < platforms; i++)
    nearer |= meet_platform(&world->platforms[i], world->def.dt, &cast);
  for (int i = 0; i < props; i++)
    nearer |= meet_prop(world, world->loose[i], &cast);
  if (nearer)
    *hit = nearest;
  return met || nearer;
}

// Height of the upper and the lower side of the platform at a place. False: it is beside the platform.
static bool find_sides(const WorldPlatform *platform, double x, double z, double *top, double *bottom) {
  if (is_level(platform)) {
    const double from[3] = {x - platform->position[0], 0, z - platform->position[2]};
    *top = platform->position[1] + platform->half[1];
    *bottom = platform->position[1] - platform->half[1];
    return fabs(along_axis(platform, 0, from)) <= platform->half[0] &&
           fabs(along_axis(platform, 2, from)) <= platform->half[2];
  }
  const double over[3] = {x, platform->position[1] + 2 * platform->radius, z}, down[3] = {0, -1, 0};
  const double under[3] = {x, platform->position[1] - 2 * platform->radius, z}, up[3] = {0, 1, 0};
  GroundHit hit = {.distance = 4 * platform->radius};
  double to_top = 0, to_bottom = 0, side;
  bool found = enter_box(platform, &(Cast){over, down, &hit}, &to_top, &side) >= 0 &&
               enter_box(platform, &(Cast){under, up, &hit}, &to_bottom, &side) >= 0;
  *top = over[1] - to_top;
  *bottom = under[1] + to_bottom;
  return found;
}

// The highest platform that does not begin above `from`, if its top is above *height, which is then set to it. found:
// whether *height is valid.
static const WorldPlatform *highest_platform(const World *world, double x, double z, double from, bool found,
                                             double *height) {
  const WorldPlatform *highest = NULL;
  for (int i = 0; i < world->platform_count; i++) {
    const WorldPlatform *platform = &world->platforms[i];
    double top, bottom;
    bool below = find_sides(platform, x, z, &top, &bottom) && bottom <= from;
    if (!below || ((found || highest) && top <= *height))
      continue;
    highest = platform;
    *height = top;
  }
  return highest;
}

// The normal of a platform's upper side: its own axis that points up most. A place on the edge of a tilted one, where
// another side is uppermost, counts as its upper side.
static void upper_normal(const WorldPlatform *platform, double normal[3]) {
  const dReal *r = platform->rotation;
  double side = r[5] < 0 ? -1 : 1;
  for (int i = 0; i < 3; i++)
    normal[i] = side * r[4 * i + 1];
}

static bool ground_height(const void *context, double x, double z, double from, double *height, double normal[3]) {
  const World *world = context;
  bool found = world->terrain && terrain_height_below(world->terrain, x, z, from, height, normal);
  const WorldPlatform *platform = highest_platform(world, x, z, from, found, height);
  if (platform && normal)
    upper_normal(platform, normal);
  return found || platform;
}

const WorldPlatform *world_platform_under(const World *world, double x, double z, double from) {
  double height = 0;
  bool found = world->terrain && terrain_height_below(world->terrain, x, z, from, &height, NULL);
  return highest_platform(world, x, z, from, found, &height);
}

static bool ground_is_plane(const void *context, const double from[2], const double to[2]) {
  const World *world = context;
  return world->terrain && world->platform_count == 0 && terrain_is_plane(world->terrain, from, to);
}

Ground world_ground(const World *world) { return (Ground){world, ground_ray, ground_height, ground_is_plane}; }
