// What the parts of the learner share. Only for scenes/train/learner*.c.
#ifndef STAGGER_SCENES_TRAIN_LEARNER_INTERNAL_H
#define STAGGER_SCENES_TRAIN_LEARNER_INTERNAL_H

#include "scenes/train/learner.h"
#include "scenes/train/learner_gradient.h"
#include "scenes/train/worker_pool.h"
#include "sim/base/rng.h"

// A minibatch is cut into chunks, whose gradients are computed separately and added in their order.
enum { CHUNKS = 8 };
// Adam's step is made in slices of this many weights.
enum { SLICE = 8192 };

typedef enum Part { PART_ACTOR, PART_CRITIC, PART_DEVIATION, PARTS } Part; // of the learnt numbers, in this order

// What is summed of an environment in an iteration.
typedef struct EnvironmentSums {
  int episodes, failures, invalid;
  long length;   // decisions of the episodes that ended
  double reward; // of all decisions
} EnvironmentSums;

typedef struct Environment {
  Rng noise;
  int64_t decisions;            // of the running episode
  float *inputs;                // [inputs] at present
  double *sum, *sum_of_squares; // [inputs] of this iteration's
  EnvironmentSums sums;
} Environment;

typedef struct LearnerWorker {
  GradientScratch scratch;
  bool begun; // its thread has been announced to the task
} LearnerWorker;

// Running mean and variance of each input (Chan, Golub and LeVeque 1979).
typedef struct Normalization {
  double samples, *mean, *variance;
} Normalization;

struct Learner {
  LearnerDef def;
  LearningTask task;
  Rng order_random; // of the order of samples
  bool started;     // the environments have been reset
  int64_t samples;
  int iterations;

  // What is learnt: the actor's weights, the critic's, and the logarithms of the standard deviations.
  size_t first[PARTS + 1];                // index of each part's first number, and the number of all
  float *learnt, *moment, *second_moment; // with Adam's moments
  int64_t steps;                          // of Adam
  double rate;
  float *mean, *scale; // [inputs], of both networks
  SkillNetwork actor, critic;
  Normalization normalization;

  Environment *environments;
  float *environment_numbers;  // the arrays of all environments
  double *environment_doubles; // likewise

  // Samples of an iteration, [environment][time]: see LearningSamples.
  float *seen, *action, *action_mean, *likelihood, *advantage, *value_goal;
  float *reward, *value, *next_value; // reward times (1 - gamma); the critic's prediction before and after the decision
  bool *ended;
  int *order;

  // Work of a minibatch.
  const int *minibatch; // its samples
  float *gradients;     // [CHUNKS][all learnt numbers]
  double *squares;      // [slices]: sum of squares of the gradient
  GradientSums sums[2][CHUNKS];
  float part_factor[PARTS], step_size, second_correction;

  WorkerPool *pool;
  LearnerWorker *workers;
  int threads;
};

static inline size_t learner_learnt_count(const Learner *learner) { return learner->first[PARTS]; }

static inline size_t learner_sample_count(const Learner *learner) {
  return (size_t)learner->def.environments * (size_t)learner->def.horizon;
}

static inline int learner_slice_count(const Learner *learner) {
  return (int)((learner_learnt_count(learner) + SLICE - 1) / SLICE);
}

static inline bool learner_all_finite(const float numbers[], int count) {
  bool finite = true;
  for (int i = 0; i < count; i++)
    finite = finite && isfinite(numbers[i]);
  return finite;
}

// The logarithm of a standard deviation within its limits.
static inline float learner_log_deviation(const LearnerDef *def, double deviation) {
  return (float)log(fmax(def->deviation_limits[0], fmin(def->deviation_limits[1], deviation)));
}

// learner_collect.c: all environments are stepped for the horizon; fills the samples, and the environments' sums. On
// other ranks than 0 it does so for this rank's own ones alone.
void learner_collect(Learner *learner);

// learner_steps.c: all epochs of an iteration. The report gets the means over minibatches.
void learner_learn(Learner *learner, LearnerReport *report);

#endif
