// Tests a network: trials without the noise of learning.
#ifndef STAGGER_SCENES_TRAIN_SKILL_TEST_H
#define STAGGER_SCENES_TRAIN_SKILL_TEST_H

#include "scenes/train/skill_task.h"
#include "scenes/train/worker_pool.h"

typedef struct SkillScore {
  int trials, lasted;         // lasted: until the end of the trial
  double seconds, to_failure; // s: all trials together; mean time to a failure, INFINITY without one
  double reward;              // mean of a decision
  double terms[SKILL_TERMS];  // means of the reward's terms
} SkillScore;

// Runs `trials` trials of a task that has begun a stage, each copy of the scene its share of them. The result does not
// depend on the number of workers. Called by all ranks together, each of which runs its own copies; rank 0 gets the
// result.
SkillScore skill_test(SkillTask *task, const SkillNetwork *network, int trials, WorkerPool *pool);

#endif
