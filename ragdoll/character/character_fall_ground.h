// The ground under a character that gets up, and its get-up poses on slopes and bumps.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_FALL_GROUND_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_FALL_GROUND_H

#include "ragdoll/character/character.h"

// Height of the ground at x, z, m of the world; `otherwise` where there is none.
double character_ground_under(const Character *character, double x, double z, double otherwise);

// Fits a plane (least squares) to the ground on which the character gets up with the root at a place (m) and heading
// (rad), and finds the height of the highest bump above it: sets `tilt` and `lift` of its fall.
void character_fall_find_ground(Character *character, const double root[3], double heading);

// Adapts a get-up pose, relative to the root, to that ground. A lying body is tilted with the ground. Who kneels or
// rises has his trunk upright and as far above his feet and knees as on level ground, so that he is in balance; these
// stay on the ground.
void character_fall_fit(const Character *character, Pose *pose_m);

#endif
