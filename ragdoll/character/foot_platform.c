// Accumulates the motion of the platforms under a foot, and applies its inverse to world positions.
#include "ragdoll/character/foot_platform.h"

#include <math.h>
#include <string.h>

#include "sim/base/numbers.h"
#include "sim/base/plane2.h"
#include "sim/world/world_ground.h"

void platform_travel_undo(const double travel[3], double turn, double point[3]) {
  const double from[2] = {point[0] - travel[0], point[2] - travel[2]};
  double turned[2];
  turn_level(-turn, from, turned);
  point[0] = turned[0];
  point[1] -= travel[1];
  point[2] = turned[1];
}

void foot_platform_frame(FootPlatform *foot, const World *world, const double place[2], double from) {
  if (foot->platform) {
    const dReal *now = foot->platform->position, *rotation = foot->platform->rotation; // rows of four
    double turn = wrap_angle(atan2(rotation[2], rotation[0]) - foot->yaw), turned[2];
    const double arm[2] = {foot->travel[0] - foot->position[0], foot->travel[2] - foot->position[2]};
    turn_level(turn, arm, turned);
    foot->travel[0] = now[0] + turned[0];
    foot->travel[1] += now[1] - foot->position[1];
    foot->travel[2] = now[2] + turned[1];
    foot->turn += turn;
  }
  foot->platform = world_platform_under(world, place[0], place[1], from);
  if (foot->platform) {
    memcpy(foot->position, foot->platform->position, sizeof foot->position);
    foot->yaw = atan2(foot->platform->rotation[2], foot->platform->rotation[0]);
  }
}

void foot_platform_point(const FootPlatform *foot, double point[3]) {
  platform_travel_undo(foot->travel, foot->turn, point);
}
