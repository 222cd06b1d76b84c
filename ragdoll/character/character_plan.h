// A character that goes to its goals by a planner (anim/planner): sensing, motion of the root, animation.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAN_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAN_H

#include "ragdoll/character/character_root.h"

// Rate of a planner's sensing.
#define PLAN_SENSE_RATE 30.0 // Hz

// A goal counts as reached within this distance.
#define PLAN_NEAR 0.6 // m

// An obstacle: round, between two heights, m and m/s, world. turn: rad/s about up.
typedef struct PlanObstacle {
  double position[2], velocity[2], turn, radius; // x and z
  double low, high;
  int owner; // index if it is a character; -1: otherwise
} PlanObstacle;

static inline bool character_plans(const Character *character) { return character->def->planner != NULL; }

// Starts standing at its place; for characters with a planner.
void character_plan_init(Character *character);

// Senses goal, obstacles and the ground ahead. To be called PLAN_SENSE_RATE times a second, before any character steps.
// obstacles: all obstacles, including the character itself.
void character_plan_sense(Character *character, const PlanObstacle *obstacles, int count);

// Makes a step of the planner: the root turns, moves and is shifted by the present move. The root of a character that
// is down does not move. A RootDriver.
RootMotion character_plan_root(Character *character, const RootStep *step);

// Sets the present pose as the animation, and the feet's contacts. A character that is down restarts, standing.
void character_plan_animate(Character *character);

// Duration of two steps of the present move, s; 0: it does not walk.
double character_plan_stride(const Character *character);

// The present goal, m, x and z. After the last goal, the present position, so that it stops.
void character_plan_goal(const Character *character, double goal[2]);

#endif
