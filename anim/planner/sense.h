// What a planner knows of the world around it: where its goal is, what is in the way, how it moves. The caller fills it
// in; obstacles are round, and ground that cannot be walked on is a row of small ones. Level coordinates in the frame
// of the planned character: left and forward.
#ifndef STAGGER_ANIM_PLANNER_SENSE_H
#define STAGGER_ANIM_PLANNER_SENSE_H

#include "sim/base/param.h"
#include "sim/base/state.h"
#include "sim/terrain/ground.h"

enum { SENSE_MAX_OBSTACLES = 48 };

#define SENSE_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, radius, "0.3", 0.01, 10, "m", "Radius of the body, seen from above.")                                   \
  ROW(T, REAL, margin, "0.2", 0, 10, "m", "Distance kept from what is in the way.")                                    \
  ROW(T, REAL, moving_margin, "0", 0, 10, "m", "Kept besides from what moves at half a metre per second or more.")     \
  ROW(T, REAL, horizon, "4", 0.5, 50, "m", "So far ahead is looked for a free way.")                                   \
  ROW(T, REAL, turn, "70", 1, 720, "deg/s", "So quickly it is taken to turn to a way.")                                \
  ROW(T, REAL, lead, "0", 0, 2, "s", "Who turns is taken to go where he will face so much later.")                     \
  ROW(T, REAL, aside, "0.35", 0, 10, "-",                                                                              \
      "What a degree away from the heading counts against one away from the goal.")                                    \
  ROW(T, REAL, detour, "2", 0, 20, "-", "What a blocked way counts against one that leads half round.")                \
  ROW(T, REAL, narrow, "0.6", 0, 20, "-", "What a way without any margin counts against one that leads half round.")   \
  ROW(T, REAL, keep_right, "0.03", 0, 1, "-", "What a way on the left counts more than one on the right.")             \
  ROW(T, REAL, reach, "2.5", 0.3, 20, "m", "So far ahead the ground is looked at.")                                    \
  ROW(T, REAL, steepest, "35", 1, 80, "deg", "Ground steeper than that over half a metre is not walked on.")

typedef struct SenseDef {
  SENSE_PARAMS(PARAM_FIELD, SenseDef)
} SenseDef;

extern const ParamTable sense_params;

// Where a character stands and faces. The heading is about up, 0 along +z, positive to the left (+x).
typedef struct SensePlace {
  double x, z;    // m
  double heading; // rad
  double y;       // m: of the ground it stands on
} SensePlace;

typedef struct SenseObstacle {
  double left, forward;                   // m, of its centre
  double radius;                          // m
  double velocity_left, velocity_forward; // m/s over the ground
} SenseObstacle;

typedef struct Sense {
  double goal_bearing;  // rad, positive to the left
  double goal_distance; // m
  double speed;         // m/s, own, over the ground
  SenseObstacle obstacles[SENSE_MAX_OBSTACLES];
  int count;
} Sense;

// Empty but for the goal (x, z).
Sense sense_make(const SensePlace *place, const double goal[2], double speed);

// An obstacle at x, z; of more than there is room for the nearest ones stay.
void sense_add(Sense *sense, const SensePlace *place, const double position[2], const double velocity[2],
               double radius);

// The velocity (x, z) after def->lead of a character that turns at `turn` (rad/s about up). It is added instead of the
// present velocity, since a path that is free now would be blocked by the time at which it is taken.
void sense_lead(const SenseDef *def, const double velocity[2], double turn, double led[2]);

// Looks at the ground ahead, by heights along a fan of lines: where one ends or becomes too steep stands an obstacle.
void sense_ground(Sense *sense, const SensePlace *place, const SenseDef *def, const Ground *ground);

// The inputs that rules may use.
typedef enum SenseInput {
  SENSE_GOAL_BEARING,      // deg
  SENSE_GOAL_DISTANCE,     // m
  SENSE_WAY,               // deg: bearing of the best free way to the goal
  SENSE_AHEAD,             // m: that are free on that way
  SENSE_OBSTACLE_BEARING,  // deg: of the nearest obstacle
  SENSE_OBSTACLE_DISTANCE, // m: between its border and the body's
  SENSE_CONTACT_TIME,      // s until something is touched, as all move now
  SENSE_APPROACH_TIME,     // s until what moves and will pass too close is nearest, as all move now
  SENSE_APPROACH_BEARING,  // deg, from which it comes
  SENSE_INPUT_COUNT
} SenseInput;

extern const char *const sense_input_names[SENSE_INPUT_COUNT + 1]; // NULL-terminated

// All of them. What is not there (no obstacle) is SENSE_FAR away, straight ahead.
#define SENSE_FAR 100.0
void sense_inputs(const Sense *sense, const SenseDef *def, double inputs[SENSE_INPUT_COUNT]);

// The nearest obstacle's index, -1: none. distance: m between its border and the body's, below 0 where they overlap.
int sense_nearest(const Sense *sense, const SenseDef *def, double *distance);

// Saves or restores.
void sense_state(Sense *sense, StateStream *stream);

#endif
