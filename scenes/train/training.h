// Reinforcement learning: a table learns from the results of each move. The reward is for meeting a demand smoothly.
// The demand comes from the fuzzy rules of a walker in a random field, or from a drill: a heading and a speed that
// change at random moments, without any surroundings, which is possible because the table's state contains only the
// demand. A table over the whole state is trained in fields only; its reward is for approaching the goal without
// touching anything. All random numbers come from the seed and the number of the episode, so that an interrupted
// training continues exactly, to the last bit.
#ifndef STAGGER_SCENES_TRAIN_TRAINING_H
#define STAGGER_SCENES_TRAIN_TRAINING_H

#include "anim/planner/policy.h"
#include "scenes/train/field.h"

#define TRAINING_PARAMS(ROW, T)                                                                                        \
  ROW(T, INT, decisions, "400000", 1, 1000000000, "-", "Total number of moves that are chosen.")                       \
  ROW(T, REAL, dt, "1/20", 0.001, 0.1, "s", "Time step of the fields.")                                                \
  ROW(T, REAL, drill, "0.7", 0, 1, "-", "Share of the episodes that are drills.")                                      \
  ROW(T, REAL, drill_time, "30", 1, 3600, "s", "Duration of a drill.")                                                 \
  ROW(T, REAL, drill_change, "1.5", 0.1, 100, "s", "Mean time between changes of its demand.")                         \
  ROW(T, REAL, rate, "0.01", 0, 1, "-", "Least share by which a value moves toward an observation (learning rate).")   \
  ROW(T, REAL, discount, "0.4", 0, 1, "1/s", "Value of a reward one second later.")                                    \
  ROW(T, REAL, explore, "0.5", 0, 1, "-", "Share of random moves at the beginning.")                                   \
  ROW(T, REAL, explore_end, "0.05", 0, 1, "-", "Share of random moves at the end.")                                    \
  ROW(T, REAL, turn_error, "1", 0, 100, "1/s", "Cost of a turn that is 90 deg/s off the demand.")                      \
  ROW(T, REAL, speed_error, "0.7", 0, 100, "1/s", "Cost of a speed that is 1 m/s off the demand.")                     \
  ROW(T, REAL, jolt, "0.02", 0, 100, "s", "Cost of a blend per rad/s of mean joint speed that it causes.")             \
  ROW(T, REAL, progress, "1", 0, 100, "1/m", "direct: reward for a metre toward the goal.")                            \
  ROW(T, REAL, waiting, "0.3", 0, 100, "1/s", "direct: cost of time.")                                                 \
  ROW(T, REAL, touch, "10", 0, 1000, "-", "direct: cost of a touch.")                                                  \
  ROW(T, REAL, arrival, "10", 0, 1000, "-", "direct: reward for reaching the goal.")                                   \
  ROW(T, INT, points, "20", 1, 60, "-", "Points of the learning curve; the policy is written at each.")                \
  ROW(T, INT, check_fields, "20", 1, 10000, "-",                                                                       \
      "Fields on which each point is measured; they are not used for training.")                                       \
  ROW(T, INT, test_fields, "100", 1, 10000, "-", "Unseen fields on which the result is tested.")                       \
  ROW(T, INT, test_crowds, "30", 0, 10000, "-", "Crowds in which the result is tested.")                               \
  ROW(T, INT, crowd, "20", 2, 32, "-", "Walkers in each crowd, who cross an empty circle.")

typedef struct TrainingDef {
  TRAINING_PARAMS(PARAM_FIELD, TrainingDef)
} TrainingDef;

extern const ParamTable training_params;

typedef struct Training {
  const TrainingDef *def;
  const FieldDef *field;
  const PlannerDef *planner;
  const Ground *ground; // NULL: flat
  int seed;
  Policy *policy; // the policy that is trained
} Training;

// Reads the sections `training` and `field` of a planner's file; missing values get their defaults.
bool training_read(TrainingDef *training, FieldDef *field, FileSet *files, const char *planner_file, Error *error);

// Runs one episode, and adds a point to the curve when one is due. Returns whether one was added.
bool training_episode(Training *training);
bool training_is_done(const Training *training);

// The performance of the policy on fields, with its best moves.
typedef struct FieldScore {
  int walkers;                    // of all fields
  int reached, touched;           // number of walkers that did
  int succeeded;                  // reached the goal and touched nothing
  double path;                    // mean length of path relative to the shortest one, of walkers that succeeded; 0:
                                  // none
  long decisions, unknown;        // number of chosen moves, and of those about which nothing had been learnt
  double seconds;                 // simulated time of all walkers
  double turn_error, speed_error; // deg/s, m/s: mean deviation from the demand
  double fired[FUZZY_MAX_RULES];  // s: for each rule, the time integral of its strength
} FieldScore;

// name: of a set of fields; each set has its own random numbers.
FieldScore training_try(const Training *training, const char *name, int count);

// The same for crowds that cross a circle, all planning by the policy.
FieldScore training_crowds(const Training *training, int count);

#endif
