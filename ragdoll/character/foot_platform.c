// Accumulates the motion of the platforms under a foot, and applies its inverse to world positions.
#include "ragdoll/character/foot_platform.h"

#include <string.h>

#include "sim/base/numbers.h"
#include "sim/world/world_ground.h"

static bool has_turned(const FootPlatform *foot) { return foot->turn[0] != 0 || length3(foot->turn + 1) > 0; }

// Appends the platform's motion since the last frame.
static void add_motion(FootPlatform *foot, const double position[3], const double rotation[4]) {
  const double back[4] = {foot->rotation[0], -foot->rotation[1], -foot->rotation[2], -foot->rotation[3]};
  double way[4], arm[3], sum[4];
  quaternion_times(rotation, back, way);
  for (int i = 0; i < 3; i++)
    arm[i] = foot->travel[i] - foot->position[i];
  quaternion_turn(way, arm, arm);
  for (int i = 0; i < 3; i++)
    foot->travel[i] = position[i] + arm[i];
  if (has_turned(foot)) {
    quaternion_times(way, foot->turn, sum);
    dNormalize4(sum);
    memcpy(foot->turn, sum, sizeof sum);
  } else {
    memcpy(foot->turn, way, sizeof way);
  }
}

void foot_platform_frame(FootPlatform *foot, const World *world, const double place[2], double from) {
  if (foot->platform) {
    dBodyID body = world->bodies[foot->platform->body].ode;
    add_motion(foot, dBodyGetPosition(body), dBodyGetQuaternion(body));
  }
  foot->platform = world_platform_under(world, place[0], place[1], from);
  if (foot->platform) {
    dBodyID body = world->bodies[foot->platform->body].ode;
    memcpy(foot->position, dBodyGetPosition(body), sizeof foot->position);
    memcpy(foot->rotation, dBodyGetQuaternion(body), sizeof foot->rotation);
  }
}

void foot_platform_point(const FootPlatform *foot, double point[3]) {
  for (int i = 0; i < 3; i++)
    point[i] -= foot->travel[i];
  if (!has_turned(foot))
    return;
  const double back[4] = {foot->turn[0], -foot->turn[1], -foot->turn[2], -foot->turn[3]};
  quaternion_turn(back, point, point);
}
