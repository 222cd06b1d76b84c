// A character that goes to its goals by a planner (anim/planner): what it senses, how its root goes, what it plays.
#ifndef STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAN_H
#define STAGGER_RAGDOLL_CHARACTER_CHARACTER_PLAN_H

#include "ragdoll/character/character_root.h"

// A planner looks around so often.
#define PLAN_SENSE_RATE 30.0 // Hz

// A goal is reached within that distance, and the next one counts.
#define PLAN_NEAR 0.6 // m

// Something in the way: round, from one height to another, m and m/s, world. turn: rad/s about up.
typedef struct PlanObstacle {
  double position[2], velocity[2], turn, radius; // x and z
  double low, high;
  int owner; // index of the character that it is; -1: none
} PlanObstacle;

static inline bool character_plans(const Character *character) { return character->def->planner != NULL; }

// Standing at its place; for who has a planner.
void character_plan_init(Character *character);

// Looks around: goal, obstacles, the ground ahead. To be called PLAN_SENSE_RATE times a second, before any character
// steps. obstacles: all there are, itself among them.
void character_plan_sense(Character *character, const PlanObstacle *obstacles, int count);

// Lets a step of the planner pass: the root turns, goes and is shifted as the present move does. The root of a
// character that lies stays where it is. A RootDriver.
RootMotion character_plan_root(Character *character, const RootStep *step);

// The present pose as the animation, and which feet stand in it. Who lies begins anew, standing.
void character_plan_animate(Character *character);

// s, two steps of the present move; 0: it does not go.
double character_plan_stride(const Character *character);

// Where it wants to go now: m, x and z. Behind the last goal to where it is: it stops.
void character_plan_goal(const Character *character, double goal[2]);

#endif
