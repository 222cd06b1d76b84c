// Runs the trials of a test, shared out among threads, and adds up what they did.
#include "scenes/train/skill_test.h"

#include <math.h>
#include <stdlib.h>

#include "scenes/sweep/mpi_link.h"
#include "scenes/train/rank_share.h"

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

// Job `job`: one of this rank's copies of the scene.
static bool run_share(void *context, int job, int worker) {
  (void)worker;
  Test *test = context;
  const int index = rank_share_begin(test->task->trial_count) + job;
  for (int i = index; i < test->trials; i += test->task->trial_count)
    run_trial(test, index, &test->shares[index]);
  return false;
}

SkillScore skill_test(SkillTask *task, const SkillNetwork *network, int trials, WorkerPool *pool) {
  SkillScore score = {.trials = trials};
  Test test = {task, network, trials, calloc((size_t)task->trial_count, sizeof(Share))};
  if (!test.shares && link_count() > 1)
    link_abort(); // others would wait
  if (!test.shares)
    return (SkillScore){0};
  skill_task_terms(task, score.terms); // forgets those of before
  worker_pool_run(pool, rank_share_end(task->trial_count) - rank_share_begin(task->trial_count), run_share, &test);
  rank_share_bring(test.shares, task->trial_count, sizeof *test.shares);
  skill_task_gather(task);
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
