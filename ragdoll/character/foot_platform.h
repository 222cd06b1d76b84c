// How what a foot stands on carries it, from frame to frame: for metrics, which compare places on ground that moves.
#ifndef STAGGER_RAGDOLL_CHARACTER_FOOT_PLATFORM_H
#define STAGGER_RAGDOLL_CHARACTER_FOOT_PLATFORM_H

#include "sim/world/world.h"

// How what a foot stands on has carried it, from one judged frame to the next.
typedef struct FootPlatform {
  const WorldPlatform *platform; // that carries it until the next frame; NULL: nothing that moves
  double position[3], yaw;       // m, rad: where that was
  double travel[3], turn;        // m, rad: its motion so far, all of it about and from the world's origin
} FootPlatform;

// A frame later: the foot has gone along with what carried it, and is now carried by the platform under that place (m,
// x and z), if there is one that does not begin above `from` (m).
void foot_platform_frame(FootPlatform *foot, const World *world, const double place[2], double from);

// Where a point of the world is for an observer that goes with the foot's ground: terrain while the foot stood on it,
// and each platform, turned and shifted, while the foot stood on that.
void foot_platform_point(const FootPlatform *foot, double point[3]);

// Takes a point back by the motion of a platform: m, and rad about the world's origin.
void platform_travel_undo(const double travel[3], double turn, double point[3]);

#endif
