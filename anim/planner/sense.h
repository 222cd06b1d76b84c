// What a planner knows of its surroundings: its goal, and obstacles with their motion. The caller fills it in.
// Obstacles are round; ground that cannot be walked on is represented by a row of small ones. Coordinates are
// horizontal, in the frame of the planned character: left and forward.
#ifndef STAGGER_ANIM_PLANNER_SENSE_H
#define STAGGER_ANIM_PLANNER_SENSE_H

#include "sim/base/param.h"
#include "sim/base/state.h"
#include "sim/terrain/ground.h"

enum { SENSE_MAX_OBSTACLES = 48 };

#define SENSE_PARAMS(ROW, T)                                                                                           \
  ROW(T, REAL, radius, "0.3", 0.01, 10, "m", "Radius of the body, seen from above.")                                   \
  ROW(T, REAL, margin, "0.2", 0, 10, "m", "Distance kept from obstacles.")                                             \
  ROW(T, REAL, moving_margin, "0", 0, 10, "m",                                                                         \
      "Additional distance kept from obstacles that move at 0.5 m/s or more.")                                         \
  ROW(T, REAL, horizon, "4", 0.5, 50, "m", "Distance ahead within which a free path is sought.")                       \
  ROW(T, REAL, turn, "70", 1, 720, "deg/s", "Assumed rate of turning to a path.")                                      \
  ROW(T, REAL, lead, "0", 0, 2, "s",                                                                                   \
      "Characters that turn are assumed to move in the direction that they will face this much later.")                \
  ROW(T, REAL, aside, "0.35", 0, 10, "-",                                                                              \
      "Cost of a degree away from the heading, relative to a degree away from the goal.")                              \
  ROW(T, REAL, detour, "2", 0, 20, "-", "Cost of a blocked path, relative to one opposite to the goal.")               \
  ROW(T, REAL, narrow, "0.6", 0, 20, "-", "Cost of a path without any margin, relative to one opposite to the goal.")  \
  ROW(T, REAL, keep_right, "0.03", 0, 1, "-",                                                                          \
      "Additional cost of a path on the left, compared with one on the right.")                                        \
  ROW(T, REAL, reach, "2.5", 0.3, 20, "m", "Distance ahead to which the ground is examined.")                          \
  ROW(T, REAL, steepest, "35", 1, 80, "deg", "Ground steeper than this over half a metre is avoided.")

typedef struct SenseDef {
  SENSE_PARAMS(PARAM_FIELD, SenseDef)
} SenseDef;

extern const ParamTable sense_params;

// Position and heading of a character. The heading is about the up axis, 0 along +z, positive to the left (+x).
typedef struct SensePlace {
  double x, z;    // m
  double heading; // rad
  double y;       // m: height of the ground under the character
} SensePlace;

typedef struct SenseObstacle {
  double left, forward;                   // m: position of its centre
  double radius;                          // m
  double velocity_left, velocity_forward; // m/s over the ground
} SenseObstacle;

typedef struct Sense {
  double goal_bearing;  // rad, positive to the left
  double goal_distance; // m
  double speed;         // m/s: the character's own speed over the ground
  SenseObstacle obstacles[SENSE_MAX_OBSTACLES];
  int count;
} Sense;

// A sense with the goal (x, z) and no obstacles.
Sense sense_make(const SensePlace *place, const double goal[2], double speed);

// Adds an obstacle at x, z. If there are too many, the nearest ones are kept.
void sense_add(Sense *sense, const SensePlace *place, const double position[2], const double velocity[2],
               double radius);

// The expected velocity (x, z), def->lead seconds from now, of a character that turns at `turn` (rad/s about up). It is
// used instead of the present velocity, since a path that is free now may be blocked by the time it is taken.
void sense_lead(const SenseDef *def, const double velocity[2], double turn, double led[2]);

// Samples the ground ahead along a fan of lines and adds an obstacle where a line reaches an edge or a steep slope.
void sense_ground(Sense *sense, const SensePlace *place, const SenseDef *def, const Ground *ground);

// The inputs that rules may use.
typedef enum SenseInput {
  SENSE_GOAL_BEARING,      // deg
  SENSE_GOAL_DISTANCE,     // m
  SENSE_WAY,               // deg: bearing of the best free way to the goal
  SENSE_AHEAD,             // m: free distance in that direction
  SENSE_OBSTACLE_BEARING,  // deg: bearing of the nearest obstacle
  SENSE_OBSTACLE_DISTANCE, // m: distance between its border and the body's
  SENSE_CONTACT_TIME,      // s until the first contact, if all keep their velocity
  SENSE_APPROACH_TIME,     // s until the nearest approach of a moving obstacle that will violate the margin, if all
                           // keep their velocity
  SENSE_APPROACH_BEARING,  // deg: bearing of that obstacle
  SENSE_INPUT_COUNT
} SenseInput;

extern const char *const sense_input_names[SENSE_INPUT_COUNT + 1]; // NULL-terminated

// Computes all inputs. Without an obstacle its distance and time are SENSE_FAR and its bearing is 0.
#define SENSE_FAR 100.0
void sense_inputs(const Sense *sense, const SenseDef *def, double inputs[SENSE_INPUT_COUNT]);

// The nearest obstacle's index, -1: none. distance: m between its border and the body's, negative where they overlap.
int sense_nearest(const Sense *sense, const SenseDef *def, double *distance);

// Saves or restores.
void sense_state(Sense *sense, StateStream *stream);

#endif
