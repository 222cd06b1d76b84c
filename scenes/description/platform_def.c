// Reads platforms, and computes their position and rotation at any time.
#include "scenes/description/platform_def.h"

#include <ctype.h>
#include <string.h>

#include "scenes/description/lookup.h"
#include "sim/base/numbers.h"

PARAM_TABLE(platform_params, PlatformDef, PLATFORM_PARAMS, "platforms", "Boxes that characters stand on.")

const char *const platform_other_keys[] = {"path", "speeds", "tilts", NULL};

// Thrown balls are called ball_1, ball_2 ... in a trace, so platforms must not be.
static bool is_name_of_ball(const char *name) {
  static const char ball[] = "ball_";
  return strncmp(name, ball, sizeof ball - 1) == 0 && isdigit((unsigned char)name[sizeof ball - 1]);
}

bool object_name_check(const Node *node, const char *name, Error *error) {
  if (!node_check_name(node, name, error))
    return false;
  return !is_name_of_ball(name) || node_error(node, error, "'%s' is what traces call a ball that is thrown", name);
}

int platform_def_find(const PlatformDef *platforms, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(platforms[i].name, name) == 0)
      return i;
  return -1;
}

static bool check_name(const PlatformDef *platforms, int index, const Node *node, Error *error) {
  const char *name = platforms[index].name;
  return object_name_check(node, name, error) && (platform_def_find(platforms, index, name) < 0 ||
                                                  node_error(node, error, "there is a platform '%s' already", name));
}

static bool is_same_place(const double a[4], const double b[4]) { return a[1] == b[1] && a[2] == b[2] && a[3] == b[3]; }

// So must speeds not: that would need an infinite force.
static bool check_speeds(const PlatformDef *platform, const Node *list, Error *error) {
  const double(*keys)[4] = platform->speeds.keys;
  for (int i = 1; i < platform->speeds.count; i++)
    if (keys[i][0] == keys[i - 1][0] && !is_same_place(keys[i], keys[i - 1]))
      return node_error(node_at(list, i), error, "a platform's speed cannot jump: two keys at %g s", keys[i][0]);
  return true;
}

// Paths and tilts must not jump: that would throw off or crush what stands on the platform.
static bool check_path(const PlatformDef *platform, const MotionPath *path, const Node *list, Error *error) {
  const double(*keys)[4] = path->keys;
  int last = path->count - 1;
  for (int i = 1; i <= last; i++)
    if (keys[i][0] == keys[i - 1][0] && !is_same_place(keys[i], keys[i - 1]))
      return node_error(node_at(list, i), error, "a platform cannot jump: two keys at %g s", keys[i][0]);
  if (last > 0 && platform->loop && !is_same_place(keys[0], keys[last]))
    return node_error(node_at(list, last), error, "a path with 'loop' ends where it begins, at [%g, %g, %g]",
                      keys[0][1], keys[0][2], keys[0][3]);
  return true;
}

// What has a mass is moved by forces alone; keys that give no motion may stand there.
static bool check_mass(const PlatformDef *platform, const Node *map, Error *error) {
  const struct {
    const char *key;
    bool moves;
  } motions[] = {{"turn", platform->turn != 0},          {"radius", platform->radius != 0},
                 {"rise", platform->rise != 0},          {"path", platform->path.count > 0},
                 {"speeds", platform->speeds.count > 0}, {"tilts", platform->tilts.count > 0}};
  if (platform->mass == 0 && length3(platform->axle) > 0)
    return node_key_error(node_find(map, "axle"), error, "'axle' belongs to a platform with a 'mass'");
  for (size_t i = 0; platform->mass > 0 && i < sizeof motions / sizeof motions[0]; i++)
    if (motions[i].moves)
      return node_key_error(node_find(map, motions[i].key), error,
                            "'%s' belongs to a platform without a 'mass': forces move this one", motions[i].key);
  return true;
}

bool platform_def_read(PlatformDef *platforms, int index, const Node *map, Error *error) {
  PlatformDef *platform = &platforms[index];
  *platform = (PlatformDef){.path.count = 0};
  param_defaults(&platform_params, platform);
  const Node *name = node_find(map, "name"), *path = node_find(map, "path"), *speeds = node_find(map, "speeds");
  const Node *tilts = node_find(map, "tilts");
  if (!param_read(&platform_params, platform, map, platform_other_keys, error))
    return false;
  if (!name)
    return node_error(map, error, "a platform needs a 'name'");
  return check_name(platforms, index, name, error) && motion_path_read(&platform->path, "path", path, error) &&
         check_path(platform, &platform->path, path, error) &&
         motion_path_read(&platform->speeds, "speeds", speeds, error) && check_speeds(platform, speeds, error) &&
         motion_tilts_read(&platform->tilts, "tilts", tilts, error) &&
         check_path(platform, &platform->tilts, tilts, error) && check_mass(platform, map, error);
}

// About a single level axis, so that a pitch and a roll at once are the tilt of one side.
static void tilt_at(const PlatformDef *platform, double time, double rotation[4]) {
  const PointMotion motion = {.period = 1, .loop = platform->loop, .path = &platform->tilts, .ease = platform->ease};
  double tilt[3];
  point_motion_offset(&motion, time, tilt);
  double angle = hypot(tilt[0], tilt[1]), sine, cosine;
  sincos(angle * RAD_PER_DEGREE / 2, &sine, &cosine);
  double share = angle > 0 ? sine / angle : 0;
  rotation[0] = cosine;
  rotation[1] = -share * tilt[0]; // x is to the left: about it, what is ahead sinks
  rotation[2] = 0;
  rotation[3] = share * tilt[1];
}

void platform_def_place(const PlatformDef *platform, double time, double position[3], double rotation[4]) {
  const PointMotion motion = {platform->radius, platform->rise,  platform->period,
                              platform->loop,   &platform->path, platform->ease};
  double offset[3], travel[3], hinge[3], tilt[4];
  point_motion_offset(&motion, time, offset);
  motion_path_travel(&platform->speeds, time, travel);
  double turned = platform->turn * point_motion_rounds_time(time, platform->ease);
  double yaw = (platform->yaw + turned) * RAD_PER_DEGREE;
  const double turn[4] = {cos(yaw / 2), 0, sin(yaw / 2), 0};
  tilt_at(platform, time, tilt);
  quaternion_times(turn, tilt, rotation);
  quaternion_turn(tilt, platform->hinge, hinge);
  for (int i = 0; i < 3; i++)
    hinge[i] = platform->hinge[i] - hinge[i];
  quaternion_turn(turn, hinge, hinge); // how far tilting about the hinge moves the middle
  for (int i = 0; i < 3; i++)
    position[i] = platform->center[i] + offset[i] + travel[i] + hinge[i];
}
