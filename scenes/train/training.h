// Learning by doing: a table learns from what came of each move. What is rewarded is that a demand is met, smoothly. It
// comes from the fuzzy rules of a walker in a random field, or from a drill: a heading and a speed that change at
// random moments, in no world at all, which the rules' part in the state makes possible. A direct policy has fields
// alone, and way toward the goal without a touch as its reward. Everything comes from the seed and the number of the
// episode, so that a training goes on where it was stopped, to the last bit.
#ifndef STAGGER_SCENES_TRAIN_TRAINING_H
#define STAGGER_SCENES_TRAIN_TRAINING_H

#include "anim/planner/policy.h"
#include "scenes/train/field.h"

#define TRAINING_PARAMS(ROW, T)                                                                                        \
  ROW(T, INT, decisions, "400000", 1, 1000000000, "-", "Moves that are chosen in all.")                                \
  ROW(T, REAL, dt, "1/20", 0.001, 0.1, "s", "Step of the fields.")                                                     \
  ROW(T, REAL, drill, "0.7", 0, 1, "-", "Share of the episodes that are drills.")                                      \
  ROW(T, REAL, drill_time, "30", 1, 3600, "s", "How long one is.")                                                     \
  ROW(T, REAL, drill_change, "1.5", 0.1, 100, "s", "Mean time between its changes.")                                   \
  ROW(T, REAL, rate, "0.01", 0, 1, "-", "So far a value goes toward what was seen, once it was seen often.")           \
  ROW(T, REAL, discount, "0.4", 0, 1, "1/s", "Worth of what is a second away.")                                        \
  ROW(T, REAL, explore, "0.5", 0, 1, "-", "Share of random moves at first.")                                           \
  ROW(T, REAL, explore_end, "0.05", 0, 1, "-", "And at the end.")                                                      \
  ROW(T, REAL, turn_error, "1", 0, 100, "1/s", "Cost of a turn that is 90 deg/s off the demand.")                      \
  ROW(T, REAL, speed_error, "0.7", 0, 100, "1/s", "Cost of a speed that is 1 m/s off the demand.")                     \
  ROW(T, REAL, jolt, "0.02", 0, 100, "s", "Cost of a blend, for the mean speed in rad/s that it gives the joints.")    \
  ROW(T, REAL, progress, "1", 0, 100, "1/m", "direct: worth of a metre toward the goal.")                              \
  ROW(T, REAL, waiting, "0.3", 0, 100, "1/s", "direct: cost of time.")                                                 \
  ROW(T, REAL, touch, "10", 0, 1000, "-", "direct: cost of a touch.")                                                  \
  ROW(T, REAL, arrival, "10", 0, 1000, "-", "direct: worth of the goal.")                                              \
  ROW(T, INT, points, "20", 1, 60, "-", "Points of the learning curve; the policy is written at each.")                \
  ROW(T, INT, check_fields, "20", 1, 10000, "-", "Fields on which each is found; not those that are trained on.")      \
  ROW(T, INT, test_fields, "100", 1, 10000, "-", "Unseen fields on which the result is tried.")                        \
  ROW(T, INT, test_crowds, "30", 0, 10000, "-", "Crowds in which it is tried.")                                        \
  ROW(T, INT, crowd, "20", 2, 32, "-", "Walkers in each, who cross a circle with nothing else in it.")

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
  Policy *policy; // learns
} Training;

// The sections `training` and `field` of a planner's file, all else at its default.
bool training_read(TrainingDef *training, FieldDef *field, FileSet *files, const char *planner_file, Error *error);

// One episode, and a point of the curve when one is due. Returns whether there was one.
bool training_episode(Training *training);
bool training_is_done(const Training *training);

// How the policy does on fields, by its best moves.
typedef struct FieldScore {
  int walkers;                    // of all fields
  int reached, touched;           // walkers who did
  int succeeded;                  // reached, not touched
  double path;                    // mean way over the shortest one of those that succeeded; 0: none
  long decisions, unknown;        // moves chosen, and those about which nothing had been learnt
  double seconds;                 // simulated, of all walkers
  double turn_error, speed_error; // deg/s, m/s: mean distance from the demand
  double fired[FUZZY_MAX_RULES];  // s that each rule was at work, times its strength
} FieldScore;

// name: of the set of fields; each has its own random numbers.
FieldScore training_try(const Training *training, const char *name, int count);

// The same in crowds that cross a circle, one as every other planning by the policy.
FieldScore training_crowds(const Training *training, int count);

#endif
