// Trains the planner of a scene and tests it on unseen fields; for comparison, a table over the whole state is trained
// for as long. The written files are complete at every moment, and training can be continued from them.
#ifndef STAGGER_SCENES_TRAIN_TRAIN_H
#define STAGGER_SCENES_TRAIN_TRAIN_H

#include "scenes/description/scene_def.h"

typedef struct TrainOptions {
  const char *scene, *policy; // the policy is written to this file
  const char *baseline;       // that of the table over the whole state, too; NULL: it is not trained
  const char *curve;          // CSV table of the learning curves, may be NULL
  const char *const *overrides;
  int override_count;
  long limit;  // number of moves to learn from now, 0: all
  bool resume; // continue with the files if they exist
  bool quiet;
} TrainOptions;

// Equal to the command line's exit codes.
typedef enum TrainResult {
  TRAIN_DONE = 0,
  TRAIN_BAD_INPUT = 2,
  TRAIN_FAILED = 3, // results could not be written
  TRAIN_INTERRUPTED = 130
} TrainResult;

// Results go to stdout, errors to stderr.
TrainResult train_run(const TrainOptions *options);

#endif
