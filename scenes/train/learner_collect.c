// Collects samples: environment by environment, each for the whole horizon, with random actions around the actor's;
// then the critic's predictions give the advantage of each action.
#include "scenes/train/learner_internal.h"

#include <string.h>

#include "scenes/sweep/mpi_link.h"
#include "scenes/train/rank_share.h"

// Numbers that are not finite become 0; returns their number.
static int clean(float numbers[], int count) {
  int cleaned = 0;
  for (int i = 0; i < count; i++)
    if (!isfinite(numbers[i])) {
      numbers[i] = 0;
      cleaned++;
    }
  return cleaned;
}

static void reset_environment(Learner *learner, int index) {
  Environment *environment = &learner->environments[index];
  learner->task.reset(learner->task.context, index, environment->inputs);
  environment->sums.invalid += clean(environment->inputs, learner->task.inputs);
  environment->decisions = 0;
}

// Draws an action; the arrays of the samples get it, its mean and its likelihood.
static void draw_action(Learner *learner, int index, size_t sample) {
  Environment *environment = &learner->environments[index];
  const int outputs = learner->task.outputs;
  const float *log_deviation = learner->learnt + learner->first[PART_DEVIATION];
  float *mean = learner->action_mean + sample * (size_t)outputs, *action = learner->action + sample * (size_t)outputs;
  float likelihood = 0;
  skill_network_run(&learner->actor, environment->inputs, mean);
  environment->sums.invalid += clean(mean, outputs);
  for (int k = 0; k < outputs; k++) {
    const float noise = (float)rng_normal(&environment->noise);
    action[k] = mean[k] + noise * expf(log_deviation[k]);
    likelihood -= 0.5f * noise * noise + log_deviation[k];
  }
  learner->likelihood[sample] = likelihood;
}

// Adds this decision's inputs to the sums for the normalisation.
static void add_inputs(Environment *environment, int inputs) {
  for (int i = 0; i < inputs; i++) {
    const double value = (double)environment->inputs[i];
    environment->sum[i] += value;
    environment->sum_of_squares[i] += value * value;
  }
}

// One step of the task, in which numbers that are not finite count as a failure.
static LearningStep step_task(Learner *learner, int index, const float action[]) {
  Environment *environment = &learner->environments[index];
  LearningStep step = learner->task.step(learner->task.context, index, action, environment->inputs);
  if (!isfinite(step.reward) || !learner_all_finite(environment->inputs, learner->task.inputs)) {
    environment->sums.invalid++;
    step = (LearningStep){.ended = true, .failed = true};
  }
  return step;
}

// The critic's prediction for the present inputs.
static float predict(const Learner *learner, const Environment *environment) {
  float value;
  skill_network_run(&learner->critic, environment->inputs, &value);
  return isfinite(value) ? value : 0;
}

static void end_episode(Learner *learner, int index, LearningStep step) {
  EnvironmentSums *sums = &learner->environments[index].sums;
  sums->episodes++;
  sums->failures += step.failed;
  sums->length += (long)learner->environments[index].decisions;
  reset_environment(learner, index);
}

static void start_environment(Learner *learner, int index) {
  Environment *environment = &learner->environments[index];
  environment->sums = (EnvironmentSums){0};
  for (int i = 0; i < learner->task.inputs; i++)
    environment->sum[i] = environment->sum_of_squares[i] = 0;
  if (!learner->started)
    reset_environment(learner, index);
}

// Draws the actions of an environment and fills its samples but for what the critic has to say.
static void run_environment(Learner *learner, int index, size_t first) {
  Environment *environment = &learner->environments[index];
  const int inputs = learner->task.inputs, outputs = learner->task.outputs;
  for (size_t sample = first; sample < first + (size_t)learner->def.horizon; sample++) {
    skill_network_see(&learner->actor, environment->inputs, learner->seen + sample * (size_t)inputs);
    add_inputs(environment, inputs);
    draw_action(learner, index, sample);
    const LearningStep step = step_task(learner, index, learner->action + sample * (size_t)outputs);
    environment->decisions++;
    environment->sums.reward += (double)step.reward;
    learner->reward[sample] = step.reward * (float)(1 - learner->def.gamma);
    learner->ended[sample] = step.ended;
    learner->next_value[sample] = step.ended && !step.failed ? predict(learner, environment) : 0;
    if (step.ended)
      end_episode(learner, index, step);
  }
}

// The critic's predictions for an environment's samples, before and after each decision.
static void predict_samples(Learner *learner, int index, size_t first, GradientScratch *scratch) {
  const size_t inputs = (size_t)learner->task.inputs, horizon = (size_t)learner->def.horizon;
  float *value = learner->value + first, *next_value = learner->next_value + first;
  memcpy(scratch->seen, learner->seen + first * inputs, horizon * inputs * sizeof *scratch->seen);
  network_forward(learner->critic.shape, learner->critic.weights, (int)horizon, scratch);
  memcpy(value, scratch->outputs, horizon * sizeof *value);
  clean(value, (int)horizon);
  for (size_t t = 0; t < horizon; t++)
    if (!learner->ended[first + t])
      next_value[t] = t + 1 < horizon ? value[t + 1] : predict(learner, &learner->environments[index]);
}

// Generalised advantage estimation, backward in time.
static void estimate_advantages(Learner *learner, size_t first) {
  const float gamma = (float)learner->def.gamma, decay = (float)(learner->def.gamma * learner->def.lambda);
  float advantage = 0;
  for (size_t i = first + (size_t)learner->def.horizon; i-- > first;) {
    const float surprise = learner->reward[i] + gamma * learner->next_value[i] - learner->value[i];
    advantage = surprise + (learner->ended[i] ? 0 : decay * advantage);
    learner->advantage[i] = advantage;
    learner->value_goal[i] = advantage + learner->value[i];
  }
}

// Job `job`: one of this rank's environments.
static bool collect_environment(void *context, int job, int worker) {
  Learner *learner = context;
  const int index = rank_share_begin(learner->def.environments) + job;
  const size_t first = (size_t)index * (size_t)learner->def.horizon;
  if (!learner->workers[worker].begun && learner->task.begin_thread)
    learner->task.begin_thread(learner->task.context);
  learner->workers[worker].begun = true;
  start_environment(learner, index);
  run_environment(learner, index, first);
  predict_samples(learner, index, first, &learner->workers[worker].scratch);
  estimate_advantages(learner, first);
  return false;
}

// Rank 0 gets what it learns from.
static void bring_samples(Learner *learner) {
  const int count = learner->def.environments;
  const size_t inputs = (size_t)learner->task.inputs, outputs = (size_t)learner->task.outputs;
  const size_t numbers = (size_t)learner->def.horizon * sizeof(float); // one for each sample of an environment
  rank_share_bring(learner->seen, count, numbers * inputs);
  rank_share_bring(learner->action, count, numbers * outputs);
  rank_share_bring(learner->action_mean, count, numbers * outputs);
  rank_share_bring(learner->likelihood, count, numbers);
  rank_share_bring(learner->advantage, count, numbers);
  rank_share_bring(learner->value_goal, count, numbers);
  rank_share_bring(learner->environment_doubles, count, 2 * inputs * sizeof(double));
  for (int i = 0; i < count; i++)
    link_bring(rank_share_owner(i, count), &learner->environments[i].sums, sizeof learner->environments[i].sums);
}

void learner_collect(Learner *learner) {
  const int own = rank_share_end(learner->def.environments) - rank_share_begin(learner->def.environments);
  worker_pool_run(learner->pool, own, collect_environment, learner);
  bring_samples(learner);
  learner->started = true;
}
