// A world for training planners: goals and round obstacles on the ground, resting or moving, and other planned walkers.
// Bodies are discs that follow their moves exactly: no physics. Fields are random; each is determined by a name.
#ifndef STAGGER_SCENES_TRAIN_FIELD_H
#define STAGGER_SCENES_TRAIN_FIELD_H

#include "anim/planner/planner.h"
#include "sim/base/param.h"
#include "sim/base/rng.h"

enum { FIELD_MAX_OBSTACLES = 64, FIELD_MAX_WALKERS = 32 };

#define FIELD_PARAMS(ROW, T)                                                                                           \
  ROW(T, RANGE, goal, "[10, 16]", 2, 200, "m", "Distance from the start to the goal.")                                 \
  ROW(T, REAL, width, "10", 1, 200, "m", "Obstacles lie between start and goal in a band of this width.")              \
  ROW(T, INT, obstacles, "12", 0, 48, "-", "Round obstacles at rest; fewer where no more fit.")                        \
  ROW(T, RANGE, radius, "[0.3, 0.8]", 0.05, 20, "m", "Radius of these obstacles.")                                     \
  ROW(T, REAL, gap, "1.2", 0, 20, "m", "Least free distance between two of them.")                                     \
  ROW(T, INT, moving, "3", 0, 16, "-", "Obstacles of a person's size that move in straight lines and avoid nobody.")   \
  ROW(T, RANGE, pace, "[0.3, 0.8]", 0, 10, "m/s", "Speed of the moving obstacles.")                                    \
  ROW(T, INT, walkers, "1", 1, 32, "-", "Number of planned walkers; more than one start on a circle and cross it.")    \
  ROW(T, REAL, near, "0.6", 0.05, 10, "m", "Distance at which the goal counts as reached.")                            \
  ROW(T, REAL, time, "60", 1, 3600, "s", "Longest time allowed.")

typedef struct FieldDef {
  FIELD_PARAMS(PARAM_FIELD, FieldDef)
} FieldDef;

extern const ParamTable field_params;

typedef struct FieldObstacle {
  double position[2], velocity[2]; // m, m/s: x, z
  double radius;
} FieldObstacle;

typedef struct FieldWalker {
  Planner planner;
  SensePlace place;
  double goal[2];
  double velocity[2]; // m/s
  double turn;        // rad/s
  double way;         // m: length of its path so far
  double shortest;    // m: length of the shortest path among the resting obstacles; 0: there is none
  bool reached, touched;
} FieldWalker;

typedef struct Field {
  const FieldDef *def;
  const Ground *ground; // NULL: flat and unlimited
  FieldObstacle obstacles[FIELD_MAX_OBSTACLES];
  int obstacle_count, moving_count; // moving obstacles are the last ones
  FieldWalker walkers[FIELD_MAX_WALKERS];
  int walker_count;
  double time; // s
} Field;

// Makes the field for a name and a seed, with its walkers standing at their starts. ground may be NULL.
void field_make(Field *field, const FieldDef *def, const PlannerDef *planner, const QTable *table, bool direct,
                const Ground *ground, int seed, const char *name);

// What a walker senses at present.
Sense field_sense(const Field *field, int walker);

// Advances all walkers by dt. A walker that has reached its goal is removed from the field.
void field_step(Field *field, double dt);

// Whether all walkers have reached their goals, or the time is over.
bool field_is_over(const Field *field);

// Length of the shortest path for a disc of a given radius among the resting obstacles (by a visibility graph of points
// around each); 0: none.
double field_shortest(const Field *field, const double from[2], const double to[2], double radius);

#endif
