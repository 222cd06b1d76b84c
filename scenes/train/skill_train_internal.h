// A training in progress, shared by the files that read its description, write its curve and its checkpoint, and run
// it.
#ifndef STAGGER_SCENES_TRAIN_SKILL_TRAIN_INTERNAL_H
#define STAGGER_SCENES_TRAIN_SKILL_TRAIN_INTERNAL_H

#include "scenes/train/learner.h"
#include "scenes/train/skill_task.h"
#include "scenes/train/skill_train.h"

enum { MAX_STAGES = 16 };

// A point of the learning curve: means since the point before.
typedef struct CurvePoint {
  double samples, minutes, seconds_to_failure, reward, terms[SKILL_TERMS];
  double help, hit_share; // shares of the help in getting up and of the size of hits
  int stage;
} CurvePoint;

// Under MPI all ranks go through the same steps. What only one of them knows - the clock, a signal, an error - they
// share before they act on it, since a rank that acted alone would leave the others waiting.
typedef struct TrainingRun {
  const SkillTrainOptions *options;
  int threads; // of this rank
  FileSet found;
  const File *file; // of the description
  char network[512];
  FileSet compared;    // of `present` alone: what is learnt does not depend on it, and the training may replace it
  const File *present; // of the network that scenes use at present; NULL: there is none
  SceneDef *scene;
  SkillDef *skill;
  SkillTraining def;
  SkillReward reward;
  LearnerDef learner_def;
  SkillStage stages[MAX_STAGES];
  int stage_count, stage;
  SkillTask task;
  Learner *learner;
  CurvePoint *points;
  int point_count, point_capacity;
  // Since the last point.
  double decisions, failures, reward_sum;
  double samples, samples_before; // so far, and those of earlier stages
  double began;                   // wall clock, s
  double minutes_before;          // of a training that was resumed
  bool resumed;                   // it continues from a checkpoint
  bool interrupted;               // by a signal to any rank
} TrainingRun;

// Reads the description, its stages and its scene. False: the error names file, line and column.
bool skill_train_read(TrainingRun *training, Error *error);

// Begins the present stage with the networks of the one before.
bool skill_train_begin_stage(TrainingRun *training, Error *error);

// Minutes of wall time so far, those before a stop included.
double skill_train_minutes(const TrainingRun *training);

// Adds a point to the curve: means since the point before. `samples`: of the present stage.
bool skill_train_add_point(TrainingRun *training, double samples, Error *error);

// Whether a curve of that name is drawn (.svg) rather than written as a table.
bool skill_train_is_picture(const char *path);

// Writes the curve, where one was asked for.
bool skill_train_write_curve(const TrainingRun *training, Error *error);

// Writes the training between two iterations beside its result, as FILE.checkpoint.
bool skill_train_write_checkpoint(TrainingRun *training, Error *error);

// All ranks continue from the checkpoint that rank 0 has, or begin where nothing has been written yet.
bool skill_train_read_checkpoint(TrainingRun *training, Error *error);

void skill_train_remove_checkpoint(const TrainingRun *training);

#endif
