// Trains a skill: reads its description, learns stage by stage, and writes the weights of its network with the record
// of the training.
#ifndef STAGGER_SCENES_TRAIN_SKILL_TRAIN_H
#define STAGGER_SCENES_TRAIN_SKILL_TRAIN_H

#include "scenes/train/learner.h"
#include "scenes/train/skill_task.h"
#include "scenes/train/train.h"

#define SKILL_TRAINING_PARAMS(ROW, T)                                                                                  \
  ROW(T, TEXT, scene, "\"\"", 0, 0, "", "Scene in which it learns; its first character is the pupil.")                 \
  ROW(T, INT, seed, "1", 0, 2147483647, "-", "All random numbers of a training come from it.")                         \
  ROW(T, INT, trials, "100", 1, 100000, "-", "Number of trials with which the result is tested.")                      \
  ROW(T, REAL, enough, "0", 0, 1e6, "s", "Ends a stage when the mean time to a failure is longer; 0: never.")

typedef struct SkillTraining {
  SKILL_TRAINING_PARAMS(PARAM_FIELD, SkillTraining)
} SkillTraining;

extern const ParamTable skill_training_params;

typedef struct SkillTrainOptions {
  const char *skill; // description
  const char *out;   // file of tensors that is written; NULL: nothing is learnt, the skill is only tested
  const char *from;  // file of tensors to go on from; NULL: random weights
  const char *curve; // SVG or CSV of the learning curve, may be NULL
  double minutes;    // of wall time, after which it stops with what it has; 0: no limit
  int threads;       // 0: one for each processor; under MPI, in each rank, 1 or what Slurm gives it
  int seed;          // -1: that of the description
  bool resume;       // continues from the checkpoint beside `out`
  bool quiet;
} SkillTrainOptions;

// Whether the file describes a skill, not a scene.
bool skill_train_knows(const char *path);

// Whether a training by the description can begin: its `training`, if it has one, the scene that this names and the
// pupil there. Errors have line and column.
bool skill_train_check(const char *path, Error *error);

// Results go to stdout, errors to stderr. Started by mpirun or srun it starts MPI, and all ranks train together, see
// learner.h; then rank 0 alone writes, prints and has a result other than TRAIN_DONE.
TrainResult skill_train_run(const SkillTrainOptions *options);

#endif
