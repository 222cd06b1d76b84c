// Teaches the planner of a scene, tries what it has learnt on unseen fields, and beside it a table over the whole state
// that has learnt as long. What is written is whole at every moment, and goes on where it was.
#ifndef STAGGER_SCENES_TRAIN_TRAIN_H
#define STAGGER_SCENES_TRAIN_TRAIN_H

#include "scenes/description/scene_def.h"

typedef struct TrainOptions {
  const char *scene, *policy; // the policy is written there
  const char *baseline;       // and that of the direct table there; NULL: none is taught
  const char *curve;          // CSV table of the learning curves, may be NULL
  const char *const *overrides;
  int override_count;
  long limit;  // moves to learn from this time, 0: all
  bool resume; // go on with what the files have, if they are there
  bool quiet;
} TrainOptions;

// As the command line's exit codes.
typedef enum TrainResult {
  TRAIN_DONE = 0,
  TRAIN_BAD_INPUT = 2,
  TRAIN_FAILED = 3, // results could not be written
  TRAIN_INTERRUPTED = 130
} TrainResult;

// Results go to stdout, errors to stderr.
TrainResult train_run(const TrainOptions *options);

#endif
