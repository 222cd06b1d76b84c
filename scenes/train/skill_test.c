// Runs the trials of a test, shared out among threads, and adds up what they did.
#include "scenes/train/skill_test.h"

#include <math.h>
#include <stdlib.h>

// What one copy of the scene has done.
typedef struct Share {
  int lasted, failures;
  long decisions;
  double reward;
} Share;

typedef struct Test {
  SkillTask *task;
  const SkillNetwork *network;
  int trials;
  Share *shares;
} Test;

// One trial from its beginning to its end.
static void run_trial(Test *test, int index, Share *share) {
  float inputs[SKILL_MAX_INPUTS], outputs[SKILL_MAX_ACTIONS];
  SkillOutcome outcome = {0};
  skill_task_reset(test->task, index, inputs);
  while (!outcome.ended) {
    skill_network_run(test->network, inputs, outputs);
    outcome = skill_task_step(test->task, index, outputs, inputs);
    share->reward += (double)outcome.reward;
    share->decisions++;
  }
  share->lasted += !outcome.failed;
  share->failures += outcome.failed;
}

static void run_share(void *context, int index, int worker) {
  (void)worker;
  Test *test = context;
  for (int i = index; i < test->trials; i += test->task->trial_count)
    run_trial(test, index, &test->shares[index]);
}

SkillScore skill_test(SkillTask *task, const SkillNetwork *network, int trials, WorkerPool *pool) {
  SkillScore score = {.trials = trials};
  Test test = {task, network, trials, calloc((size_t)task->trial_count, sizeof(Share))};
  if (!test.shares)
    return (SkillScore){0};
  skill_task_terms(task, score.terms); // forgets those of before
  worker_pool_run(pool, task->trial_count, run_share, &test);
  long decisions = 0;
  int failures = 0;
  for (int i = 0; i < task->trial_count; i++) {
    score.lasted += test.shares[i].lasted;
    score.reward += test.shares[i].reward;
    failures += test.shares[i].failures;
    decisions += test.shares[i].decisions;
  }
  score.seconds = (double)decisions / task->skill->params.rate;
  score.to_failure = failures > 0 ? score.seconds / failures : INFINITY;
  score.reward /= fmax(1, (double)decisions);
  skill_task_terms(task, score.terms);
  free(test.shares);
  return score;
}
