// An iteration: each environment is stepped for the horizon with random actions around the actor's, advantages are
// estimated with the critic, and both networks make steps of Adam (Kingma and Ba 2015) down their losses.
#include "scenes/train/learner.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/train/learner_gradient.h"
#include "scenes/train/worker_pool.h"
#include "sim/base/rng.h"
#include "sim/base/wall_clock.h"
#include "sim/base/wide.h"

PARAM_TABLE(learner_params, LearnerDef, LEARNER_PARAMS, "learner", "How a controller is learnt.")

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

typedef struct Worker {
  GradientScratch scratch;
  bool begun; // its thread has been announced to the task
} Worker;

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
  Worker *workers;
  int threads;
};

// ---- Life ----

static size_t learnt_count(const Learner *learner) { return learner->first[PARTS]; }

static int slice_count(const Learner *learner) { return (int)((learnt_count(learner) + SLICE - 1) / SLICE); }

static size_t sample_count(const Learner *learner) {
  return (size_t)learner->def.environments * (size_t)learner->def.horizon;
}

static float *floats(size_t count, bool *complete) {
  float *numbers = calloc(count, sizeof *numbers);
  *complete = *complete && numbers;
  return numbers;
}

static double *doubles(size_t count, bool *complete) {
  double *numbers = calloc(count, sizeof *numbers);
  *complete = *complete && numbers;
  return numbers;
}

static bool init_samples(Learner *learner) {
  const size_t samples = sample_count(learner), inputs = (size_t)learner->task.inputs;
  const size_t outputs = (size_t)learner->task.outputs;
  bool complete = true;
  learner->seen = floats(samples * inputs, &complete);
  learner->action = floats(samples * outputs, &complete);
  learner->action_mean = floats(samples * outputs, &complete);
  learner->likelihood = floats(samples, &complete);
  learner->advantage = floats(samples, &complete);
  learner->value_goal = floats(samples, &complete);
  learner->reward = floats(samples, &complete);
  learner->value = floats(samples, &complete);
  learner->next_value = floats(samples, &complete);
  learner->ended = calloc(samples, sizeof *learner->ended);
  learner->order = calloc(samples, sizeof *learner->order);
  return complete && learner->ended && learner->order;
}

static bool init_environments(Learner *learner, uint64_t seed) {
  const int count = learner->def.environments;
  const size_t inputs = (size_t)learner->task.inputs;
  bool complete = true;
  learner->environments = calloc((size_t)count, sizeof *learner->environments);
  learner->environment_numbers = floats((size_t)count * inputs, &complete);
  learner->environment_doubles = doubles(2 * (size_t)count * inputs, &complete);
  if (!complete || !learner->environments)
    return false;
  for (int i = 0; i < count; i++) {
    char name[32];
    Environment *environment = &learner->environments[i];
    snprintf(name, sizeof name, "environment.%d", i);
    environment->noise = rng_make(seed, name);
    environment->inputs = learner->environment_numbers + (size_t)i * inputs;
    environment->sum = learner->environment_doubles + 2 * (size_t)i * inputs;
    environment->sum_of_squares = environment->sum + inputs;
  }
  return true;
}

// Uniform weights that keep the variance of what passes through them; those of the last layer times `last`.
static void randomize_weights(NetworkShape shape, float *weights, double last, Rng *rng) {
  for (int i = 0; i < NETWORK_LAYERS; i++) {
    const NetworkLayer layer = network_layer(shape, i);
    const double range = sqrt(3.0 / layer.inputs) * (i < NETWORK_LAYERS - 1 ? 1 : last);
    for (size_t k = layer.weights; k < layer.bias; k++)
      weights[k] = (float)rng_range(rng, -range, range);
  }
}

static float limited_log_deviation(const LearnerDef *def, double deviation) {
  return (float)log(fmax(def->deviation_limits[0], fmin(def->deviation_limits[1], deviation)));
}

// The networks see inputs times their scale; the small constant limits that of inputs that hardly vary.
static void apply_normalization(Learner *learner) {
  for (int i = 0; i < learner->task.inputs; i++) {
    learner->mean[i] = (float)learner->normalization.mean[i];
    learner->scale[i] = (float)(1 / sqrt(learner->normalization.variance[i] + 1e-4));
  }
}

static bool init_networks(Learner *learner, uint64_t seed) {
  const LearnerDef *def = &learner->def;
  const int inputs = learner->task.inputs, outputs = learner->task.outputs;
  const NetworkShape actor = {inputs, {def->hidden_first, def->hidden_second}, outputs};
  const NetworkShape critic = {inputs, {def->hidden_first, def->hidden_second}, 1};
  const size_t sizes[PARTS] = {network_size(actor), network_size(critic), (size_t)outputs};
  bool complete = true;
  for (int i = 0; i < PARTS; i++)
    learner->first[i + 1] = learner->first[i] + sizes[i];
  learner->learnt = floats(learnt_count(learner), &complete);
  learner->moment = floats(learnt_count(learner), &complete);
  learner->second_moment = floats(learnt_count(learner), &complete);
  learner->gradients = floats(CHUNKS * learnt_count(learner), &complete);
  learner->squares = doubles((size_t)slice_count(learner) * PARTS, &complete);
  learner->mean = floats((size_t)inputs, &complete);
  learner->scale = floats((size_t)inputs, &complete);
  learner->normalization.mean = doubles((size_t)inputs, &complete);
  learner->normalization.variance = doubles((size_t)inputs, &complete);
  if (!complete)
    return false;
  float *critic_weights = learner->learnt + learner->first[PART_CRITIC];
  learner->actor = (SkillNetwork){actor, learner->mean, learner->scale, learner->learnt};
  learner->critic = (SkillNetwork){critic, learner->mean, learner->scale, critic_weights};
  Rng rng = rng_make(seed, "weights");
  randomize_weights(actor, learner->learnt, 0.01, &rng); // the first actions are near 0
  randomize_weights(critic, critic_weights, 1, &rng);
  for (size_t i = learner->first[PART_DEVIATION]; i < learnt_count(learner); i++)
    learner->learnt[i] = limited_log_deviation(def, def->deviation);
  learner->normalization.samples = 1e-4; // the first iteration's mean and variance replace these
  for (int i = 0; i < inputs; i++)
    learner->normalization.variance[i] = 1;
  apply_normalization(learner);
  return true;
}

static bool init_workers(Learner *learner, Error *error) {
  const int chunk = learner->def.minibatch / CHUNKS + 1, horizon = learner->def.horizon;
  learner->workers = calloc((size_t)learner->threads, sizeof *learner->workers);
  if (!learner->workers)
    return error_set(error, "out of memory");
  for (int i = 0; i < learner->threads; i++)
    if (!gradient_scratch_init(&learner->workers[i].scratch, learner->actor.shape, chunk > horizon ? chunk : horizon))
      return error_set(error, "out of memory");
  learner->pool = worker_pool_create(learner->threads, error);
  return learner->pool;
}

static bool check_numbers(const LearnerDef *def, const LearningTask *task, int threads, Error *error) {
  const NetworkShape shape = {task->inputs, {def->hidden_first, def->hidden_second}, task->outputs};
  if (!network_shape_check(shape, error))
    return false;
  if (def->environments > task->environments)
    return error_set(error, "the learner uses %d environments, the task has %d", def->environments, task->environments);
  if (def->minibatch > def->environments * def->horizon)
    return error_set(error, "a minibatch of %d samples is larger than the %d x %d that are collected", def->minibatch,
                     def->environments, def->horizon);
  return threads >= 1 || error_set(error, "%d threads are not possible: at least 1 is needed", threads);
}

Learner *learner_create(const LearnerDef *def, const LearningTask *task, uint64_t seed, int threads, Error *error) {
  if (!check_numbers(def, task, threads, error))
    return NULL;
  Learner *learner = calloc(1, sizeof *learner);
  if (!learner) {
    error_set(error, "out of memory");
    return NULL;
  }
  *learner = (Learner){
      .def = *def, .task = *task, .order_random = rng_make(seed, "order"), .rate = def->rate, .threads = threads};
  if (!init_networks(learner, seed) || !init_environments(learner, seed) || !init_samples(learner))
    error_set(error, "out of memory");
  else if (init_workers(learner, error))
    return learner;
  learner_destroy(learner);
  return NULL;
}

void learner_destroy(Learner *learner) {
  if (!learner)
    return;
  worker_pool_destroy(learner->pool);
  for (int i = 0; learner->workers && i < learner->threads; i++)
    gradient_scratch_free(&learner->workers[i].scratch);
  void *const arrays[] = {learner->learnt,
                          learner->moment,
                          learner->second_moment,
                          learner->gradients,
                          learner->squares,
                          learner->mean,
                          learner->scale,
                          learner->normalization.mean,
                          learner->normalization.variance,
                          learner->environments,
                          learner->environment_numbers,
                          learner->environment_doubles,
                          learner->seen,
                          learner->action,
                          learner->action_mean,
                          learner->likelihood,
                          learner->advantage,
                          learner->value_goal,
                          learner->reward,
                          learner->value,
                          learner->next_value,
                          learner->ended,
                          learner->order,
                          learner->workers};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    free(arrays[i]);
  free(learner);
}

static bool check_shape(NetworkShape given, NetworkShape own, const char *name, Error *error) {
  if (given.inputs == own.inputs && given.outputs == own.outputs && given.hidden[0] == own.hidden[0] &&
      given.hidden[1] == own.hidden[1])
    return true;
  return error_set(error, "the given %s has %d x %d x %d x %d units, %d x %d x %d x %d are needed", name, given.inputs,
                   given.hidden[0], given.hidden[1], given.outputs, own.inputs, own.hidden[0], own.hidden[1],
                   own.outputs);
}

bool learner_start_from(Learner *learner, const SkillNetwork *actor, const float deviations[],
                        const SkillNetwork *critic, Error *error) {
  if (!check_shape(actor->shape, learner->actor.shape, "actor", error) ||
      (critic && !check_shape(critic->shape, learner->critic.shape, "critic", error)))
    return false;
  memcpy(learner->actor.weights, actor->weights, network_size(actor->shape) * sizeof *actor->weights);
  if (critic)
    memcpy(learner->critic.weights, critic->weights, network_size(critic->shape) * sizeof *critic->weights);
  Normalization *normalization = &learner->normalization;
  normalization->samples = learner->def.given_samples;
  for (int i = 0; i < learner->task.inputs; i++) {
    normalization->mean[i] = (double)actor->mean[i];
    normalization->variance[i] = fmax(1 / ((double)actor->scale[i] * (double)actor->scale[i]) - 1e-4, 0);
  }
  apply_normalization(learner);
  memcpy(learner->mean, actor->mean, (size_t)learner->task.inputs * sizeof *learner->mean);
  memcpy(learner->scale, actor->scale, (size_t)learner->task.inputs * sizeof *learner->scale);
  float *log_deviation = learner->learnt + learner->first[PART_DEVIATION];
  for (int i = 0; deviations && i < learner->task.outputs; i++)
    log_deviation[i] = limited_log_deviation(&learner->def, (double)deviations[i]);
  return true;
}

const SkillNetwork *learner_network(const Learner *learner) { return &learner->actor; }

const SkillNetwork *learner_critic(const Learner *learner) { return &learner->critic; }

double learner_deviation(const Learner *learner, int output) {
  return exp((double)learner->learnt[learner->first[PART_DEVIATION] + (size_t)output]);
}

// ---- Collecting ----

static bool all_finite(const float numbers[], int count) {
  bool finite = true;
  for (int i = 0; i < count; i++)
    finite = finite && isfinite(numbers[i]);
  return finite;
}

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
  if (!isfinite(step.reward) || !all_finite(environment->inputs, learner->task.inputs)) {
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
  const size_t size = (size_t)learner->task.inputs * sizeof(double);
  environment->sums = (EnvironmentSums){0};
  memset(environment->sum, 0, size);
  memset(environment->sum_of_squares, 0, size);
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

static void collect_environment(void *context, int index, int worker) {
  Learner *learner = context;
  const size_t first = (size_t)index * (size_t)learner->def.horizon;
  if (!learner->workers[worker].begun && learner->task.begin_thread)
    learner->task.begin_thread(learner->task.context);
  learner->workers[worker].begun = true;
  start_environment(learner, index);
  run_environment(learner, index, first);
  predict_samples(learner, index, first, &learner->workers[worker].scratch);
  estimate_advantages(learner, first);
}

// ---- Learning ----

// Advantages get mean 0 and standard deviation 1.
static void normalize_advantages(Learner *learner) {
  const size_t count = sample_count(learner);
  double mean = 0, variance = 0;
  for (size_t i = 0; i < count; i++)
    mean += (double)learner->advantage[i] / (double)count;
  for (size_t i = 0; i < count; i++) {
    const double error = (double)learner->advantage[i] - mean;
    variance += error * error / (double)count;
  }
  const double scale = 1 / (sqrt(variance) + 1e-8);
  for (size_t i = 0; i < count; i++)
    learner->advantage[i] = (float)(((double)learner->advantage[i] - mean) * scale);
}

static void shuffle(int order[], int count, Rng *rng) {
  for (int i = count - 1; i > 0; i--) {
    const int other = rng_index(rng, i + 1), kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
}

// Job 0 .. 2 CHUNKS - 1: a chunk's gradient for the actor (even) or the critic (odd).
static void compute_gradient(void *context, int index, int worker) {
  Learner *learner = context;
  const LearnerDef *def = &learner->def;
  const int chunk = index / 2, total = def->minibatch;
  const int begin = total * chunk / CHUNKS, end = total * (chunk + 1) / CHUNKS;
  const int *rows = learner->minibatch + begin;
  const LearningSamples samples = {learner->seen,       learner->action,    learner->action_mean,
                                   learner->likelihood, learner->advantage, learner->value_goal};
  GradientScratch *scratch = &learner->workers[worker].scratch;
  float *gradient = learner->gradients + (size_t)chunk * learnt_count(learner);
  if (index % 2 == 1) {
    learner->sums[PART_CRITIC][chunk] =
        critic_gradient(learner->critic.shape, learner->critic.weights, &samples, rows, end - begin, total, scratch,
                        gradient + learner->first[PART_CRITIC]);
    return;
  }
  const ActorLoss loss = {(float)def->clip, (float)def->bound, (float)def->entropy};
  learner->sums[PART_ACTOR][chunk] = actor_gradient(
      &loss, learner->actor.shape, learner->actor.weights, learner->learnt + learner->first[PART_DEVIATION], &samples,
      rows, end - begin, total, scratch, gradient, gradient + learner->first[PART_DEVIATION]);
}

WIDE static void add_numbers(float *restrict to, const float *restrict from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] += from[i];
}

// Eight sums side by side, so that it has the same bits with all instructions.
WIDE static double sum_of_squares(const float *numbers, size_t count) {
  Octet sums = {0};
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    sums += OCTET_AT(numbers + i) * OCTET_AT(numbers + i);
  double sum = 0;
  for (int k = 0; k < 8; k++)
    sum += (double)sums[k];
  for (; i < count; i++)
    sum += (double)(numbers[i] * numbers[i]);
  return sum;
}

// The share of a slice in a part: numbers begin .. end - 1, none when end <= begin.
typedef struct Range {
  size_t begin, end;
} Range;

static Range slice_part(const Learner *learner, int slice, int part) {
  const size_t begin = (size_t)slice * SLICE, end = begin + SLICE;
  return (Range){begin > learner->first[part] ? begin : learner->first[part],
                 end < learner->first[part + 1] ? end : learner->first[part + 1]};
}

// Adds the chunks' gradients to the first one's.
static void add_gradients(void *context, int slice, int worker) {
  (void)worker;
  Learner *learner = context;
  for (int part = 0; part < PARTS; part++) {
    const Range range = slice_part(learner, slice, part);
    double *square = &learner->squares[slice * PARTS + part];
    *square = 0;
    if (range.end <= range.begin)
      continue;
    float *sum = learner->gradients + range.begin;
    for (size_t chunk = 1; chunk < CHUNKS; chunk++)
      add_numbers(sum, sum + chunk * learnt_count(learner), range.end - range.begin);
    *square = sum_of_squares(sum, range.end - range.begin);
  }
}

// Adam's numbers for one step.
typedef struct AdamStep {
  float factor; // of the gradient
  float size;   // step size, with the correction of the moment's beginning at 0
  float second; // that correction of the second moment
} AdamStep;

WIDE static void adam_step(AdamStep step, const float *restrict gradient, size_t count, float *restrict moment,
                           float *restrict second_moment, float *restrict learnt) {
  for (size_t i = 0; i < count; i++) {
    const float slope = gradient[i] * step.factor;
    moment[i] = 0.9f * moment[i] + 0.1f * slope;
    second_moment[i] = 0.999f * second_moment[i] + 0.001f * slope * slope;
    learnt[i] -= step.size * moment[i] / (sqrtf(second_moment[i] * step.second) + 1e-8f);
  }
}

static void step_weights(void *context, int slice, int worker) {
  (void)worker;
  Learner *learner = context;
  for (int part = 0; part < PARTS; part++) {
    const Range range = slice_part(learner, slice, part);
    if (range.end <= range.begin)
      continue;
    const size_t at = range.begin;
    adam_step((AdamStep){learner->part_factor[part], learner->step_size, learner->second_correction},
              learner->gradients + at, range.end - at, learner->moment + at, learner->second_moment + at,
              learner->learnt + at);
  }
}

// Gradients of the networks longer than the limit are shortened to it. False when the gradient is not finite.
static bool limit_gradients(Learner *learner) {
  for (int part = 0; part < PARTS; part++) {
    double square = 0;
    for (int slice = 0; slice < slice_count(learner); slice++)
      square += learner->squares[slice * PARTS + part];
    if (!isfinite(square))
      return false;
    const double norm = sqrt(square), most = learner->def.gradient_norm;
    learner->part_factor[part] = part != PART_DEVIATION && norm > most ? (float)(most / norm) : 1;
  }
  return true;
}

// The step size falls when the policy moves too fast from the one that drew the actions, and grows when it is slow; in
// the first epoch it has not moved yet.
static void adapt_rate(Learner *learner, double kl, int epoch) {
  const LearnerDef *def = &learner->def;
  if (kl > 2 * def->kl)
    learner->rate = fmax(def->rate_limits[0], learner->rate / 1.3);
  else if (kl < 0.5 * def->kl && kl > 0 && epoch > 0)
    learner->rate = fmin(def->rate_limits[1], learner->rate * 1.1);
}

static void limit_deviations(Learner *learner) {
  const float least = limited_log_deviation(&learner->def, 0), most = limited_log_deviation(&learner->def, INFINITY);
  for (size_t i = learner->first[PART_DEVIATION]; i < learnt_count(learner); i++)
    learner->learnt[i] = fmaxf(least, fminf(most, learner->learnt[i]));
}

static GradientSums add_sums(const GradientSums sums[CHUNKS]) {
  GradientSums sum = {0};
  for (int i = 0; i < CHUNKS; i++) {
    sum.loss += sums[i].loss;
    sum.kl += sums[i].kl;
    sum.clipped += sums[i].clipped;
  }
  return sum;
}

// One step of the weights. The report gets sums over minibatches.
static void learn_minibatch(Learner *learner, const int *rows, int epoch, LearnerReport *report) {
  const int slices = slice_count(learner);
  learner->minibatch = rows;
  worker_pool_run(learner->pool, 2 * CHUNKS, compute_gradient, learner);
  worker_pool_run(learner->pool, slices, add_gradients, learner);
  if (!limit_gradients(learner)) {
    report->skipped++;
    return;
  }
  const GradientSums actor = add_sums(learner->sums[PART_ACTOR]), critic = add_sums(learner->sums[PART_CRITIC]);
  const double kl = actor.kl / learner->def.minibatch;
  adapt_rate(learner, kl, epoch);
  learner->steps++;
  learner->step_size = (float)(learner->rate / (1 - pow(0.9, (double)learner->steps)));
  learner->second_correction = (float)(1 / (1 - pow(0.999, (double)learner->steps)));
  worker_pool_run(learner->pool, slices, step_weights, learner);
  limit_deviations(learner);
  report->kl += kl;
  report->clipped += actor.clipped / learner->def.minibatch;
  report->value_loss += critic.loss;
}

static void learn(Learner *learner, LearnerReport *report) {
  const int count = (int)sample_count(learner), minibatches = count / learner->def.minibatch;
  normalize_advantages(learner);
  for (int i = 0; i < count; i++)
    learner->order[i] = i;
  for (int epoch = 0; epoch < learner->def.epochs; epoch++) {
    shuffle(learner->order, count, &learner->order_random);
    for (int i = 0; i < minibatches; i++)
      learn_minibatch(learner, learner->order + (size_t)i * (size_t)learner->def.minibatch, epoch, report);
  }
  const int learnt_from = minibatches * learner->def.epochs - report->skipped;
  report->kl /= fmax(learnt_from, 1);
  report->clipped /= fmax(learnt_from, 1);
  report->value_loss /= fmax(learnt_from, 1);
}

// Merges the mean and variance of this iteration's inputs into those of all.
static void update_normalization(Learner *learner) {
  Normalization *all = &learner->normalization;
  const double count = (double)sample_count(learner), total = all->samples + count;
  if (all->samples >= learner->def.normalization_samples)
    return;
  for (int i = 0; i < learner->task.inputs; i++) {
    double sum = 0, squares = 0;
    for (int k = 0; k < learner->def.environments; k++) {
      sum += learner->environments[k].sum[i];
      squares += learner->environments[k].sum_of_squares[i];
    }
    const double mean = sum / count, variance = fmax(squares / count - mean * mean, 0);
    const double step = mean - all->mean[i];
    all->variance[i] =
        (all->variance[i] * all->samples + variance * count + step * step * all->samples * count / total) / total;
    all->mean[i] += step * count / total;
  }
  all->samples = total;
  apply_normalization(learner);
}

// ---- Iterations ----

static void report_environments(const Learner *learner, LearnerReport *report) {
  double length = 0;
  for (int i = 0; i < learner->def.environments; i++) {
    const EnvironmentSums *sums = &learner->environments[i].sums;
    report->episodes += sums->episodes;
    report->failures += sums->failures;
    report->invalid += sums->invalid;
    report->reward += sums->reward / (double)sample_count(learner);
    length += (double)sums->length;
  }
  report->episode_length = length / fmax(report->episodes, 1);
}

void learner_iterate(Learner *learner, LearnerReport *report) {
  const double begin = wall_seconds();
  *report = (LearnerReport){0};
  worker_pool_run(learner->pool, learner->def.environments, collect_environment, learner);
  const double collected = wall_seconds();
  learner->started = true;
  learner->samples += (int64_t)sample_count(learner);
  learner->iterations++;
  report_environments(learner, report);
  learn(learner, report);
  update_normalization(learner);
  report->samples = learner->samples;
  report->iterations = learner->iterations;
  report->rate = learner->rate;
  for (int i = 0; i < learner->task.outputs; i++)
    report->deviation += learner_deviation(learner, i) / learner->task.outputs;
  report->collecting_s = collected - begin;
  report->learning_s = wall_seconds() - collected;
}

// ---- State ----

static void state_floats(StateStream *stream, float numbers[], size_t count) {
  state_bytes(stream, numbers, count * sizeof *numbers);
  if (state_restores(stream) && !stream->failed && !all_finite(numbers, (int)count))
    state_fail(stream, "a number is not finite");
}

static void state_facts(const Learner *learner, StateStream *stream) {
  const NetworkShape shape = learner->actor.shape;
  state_same(stream, shape.inputs, "number of inputs");
  state_same(stream, shape.hidden[0], "units in the first hidden layer");
  state_same(stream, shape.hidden[1], "units in the second hidden layer");
  state_same(stream, shape.outputs, "number of outputs");
  state_same(stream, learner->def.environments, "number of environments");
}

static void state_learnt(Learner *learner, StateStream *stream) {
  const int inputs = learner->task.inputs;
  state_floats(stream, learner->learnt, learnt_count(learner));
  state_floats(stream, learner->moment, learnt_count(learner));
  state_floats(stream, learner->second_moment, learnt_count(learner));
  state_floats(stream, learner->mean, (size_t)inputs);
  state_floats(stream, learner->scale, (size_t)inputs);
  state_finite(stream, &learner->normalization.samples, 1);
  state_finite(stream, learner->normalization.mean, inputs);
  state_finite(stream, learner->normalization.variance, inputs);
  state_finite(stream, &learner->rate, 1);
  STATE(stream, learner->samples, learner->iterations, learner->steps);
  state_rng(&learner->order_random, stream);
}

void learner_state(Learner *learner, StateStream *stream) {
  state_section(stream, "learner", 1);
  state_facts(learner, stream);
  if (stream->failed)
    return;
  state_learnt(learner, stream);
  STATE(stream, learner->started);
  for (int i = 0; i < learner->def.environments && learner->started && !stream->failed; i++) {
    Environment *environment = &learner->environments[i];
    state_rng(&environment->noise, stream);
    STATE(stream, environment->decisions);
    state_floats(stream, environment->inputs, (size_t)learner->task.inputs);
    learner->task.state(learner->task.context, i, stream);
  }
}
