// The life of a learner, its iterations, the normalisation of inputs, and its state.
#include "scenes/train/learner_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/sweep/mpi_link.h"
#include "scenes/train/rank_share.h"
#include "sim/base/wall_clock.h"

PARAM_TABLE(learner_params, LearnerDef, LEARNER_PARAMS, "learner", "How a controller is learnt.")

// ---- Life ----

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
  const size_t samples = learner_sample_count(learner), inputs = (size_t)learner->task.inputs;
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
  learner->learnt = floats(learner_learnt_count(learner), &complete);
  learner->moment = floats(learner_learnt_count(learner), &complete);
  learner->second_moment = floats(learner_learnt_count(learner), &complete);
  learner->gradients = floats(CHUNKS * learner_learnt_count(learner), &complete);
  learner->squares = doubles((size_t)learner_slice_count(learner) * PARTS, &complete);
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
  for (size_t i = learner->first[PART_DEVIATION]; i < learner_learnt_count(learner); i++)
    learner->learnt[i] = learner_log_deviation(def, def->deviation);
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
  // The variance keeps the scale to rounding, within limits; the network has been trained with this one.
  memcpy(learner->scale, actor->scale, (size_t)learner->task.inputs * sizeof *learner->scale);
  float *log_deviation = learner->learnt + learner->first[PART_DEVIATION];
  for (int i = 0; deviations && i < learner->task.outputs; i++)
    log_deviation[i] = learner_log_deviation(&learner->def, (double)deviations[i]);
  return true;
}

const SkillNetwork *learner_network(const Learner *learner) { return &learner->actor; }

const SkillNetwork *learner_critic(const Learner *learner) { return &learner->critic; }

double learner_deviation(const Learner *learner, int output) {
  return exp((double)learner->learnt[learner->first[PART_DEVIATION] + (size_t)output]);
}

// ---- Iterations ----

// Merges the mean and variance of this iteration's inputs into those of all.
static void update_normalization(Learner *learner) {
  Normalization *all = &learner->normalization;
  const double count = (double)learner_sample_count(learner), total = all->samples + count;
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

static void report_environments(const Learner *learner, LearnerReport *report) {
  double length = 0;
  for (int i = 0; i < learner->def.environments; i++) {
    const EnvironmentSums *sums = &learner->environments[i].sums;
    report->episodes += sums->episodes;
    report->failures += sums->failures;
    report->invalid += sums->invalid;
    report->reward += sums->reward / (double)learner_sample_count(learner);
    length += (double)sums->length;
  }
  report->episode_length = length / fmax(report->episodes, 1);
}

// Learns from the samples of all environments.
static void learn(Learner *learner, LearnerReport *report) {
  report_environments(learner, report);
  learner_learn(learner, report);
  update_normalization(learner);
  report->samples = learner->samples;
  report->iterations = learner->iterations;
  report->rate = learner->rate;
  for (int i = 0; i < learner->task.outputs; i++)
    report->deviation += learner_deviation(learner, i) / learner->task.outputs;
}

void learner_share(Learner *learner) {
  const size_t inputs = (size_t)learner->task.inputs;
  link_share(0, learner->learnt, learner_learnt_count(learner) * sizeof *learner->learnt);
  link_share(0, learner->mean, inputs * sizeof *learner->mean);
  link_share(0, learner->scale, inputs * sizeof *learner->scale);
}

void learner_iterate(Learner *learner, LearnerReport *report) {
  const double begin = wall_seconds();
  *report = (LearnerReport){0};
  learner_share(learner);
  learner_collect(learner);
  const double collected = wall_seconds();
  learner->samples += (int64_t)learner_sample_count(learner);
  learner->iterations++;
  if (link_rank() == 0)
    learn(learner, report);
  report->collecting_s = collected - begin;
  report->learning_s = wall_seconds() - collected;
  link_share(0, report, sizeof *report);
}

// ---- State ----

static void state_floats(StateStream *stream, float numbers[], size_t count) {
  state_bytes(stream, numbers, count * sizeof *numbers);
  if (state_restores(stream) && !stream->failed && !learner_all_finite(numbers, (int)count))
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
  state_floats(stream, learner->learnt, learner_learnt_count(learner));
  state_floats(stream, learner->moment, learner_learnt_count(learner));
  state_floats(stream, learner->second_moment, learner_learnt_count(learner));
  state_floats(stream, learner->mean, (size_t)inputs);
  state_floats(stream, learner->scale, (size_t)inputs);
  state_finite(stream, &learner->normalization.samples, 1);
  state_finite(stream, learner->normalization.mean, inputs);
  state_finite(stream, learner->normalization.variance, inputs);
  state_finite(stream, &learner->rate, 1);
  STATE(stream, learner->samples, learner->iterations, learner->steps);
  state_rng(&learner->order_random, stream);
}

static void state_environment(Learner *learner, int index, StateStream *stream) {
  Environment *environment = &learner->environments[index];
  state_rng(&environment->noise, stream);
  STATE(stream, environment->decisions);
  state_floats(stream, environment->inputs, (size_t)learner->task.inputs);
  learner->task.state(learner->task.context, index, stream);
}

// The state of an environment, which the caller frees. NULL: it cannot be saved.
static void *save_environment(Learner *learner, int index, size_t *size) {
  StateStream count = state_stream_count();
  state_environment(learner, index, &count);
  *size = count.at;
  void *bytes = malloc(*size);
  StateStream save = state_stream_save(bytes, *size, NULL);
  if (bytes)
    state_environment(learner, index, &save);
  if (bytes && !save.failed)
    return bytes;
  free(bytes);
  return NULL;
}

// Rank 0 restores the state of another rank's environment. A rank without memory would leave the other one waiting, so
// it ends all.
static bool gather_environment(Learner *learner, int index, int owner, Error *error) {
  size_t size = 0;
  void *bytes = NULL;
  if (link_rank() == owner && !(bytes = save_environment(learner, index, &size)))
    size = 0;
  link_bring(owner, &size, sizeof size);
  if (link_rank() == 0 && size > 0 && !(bytes = malloc(size)))
    link_abort();
  link_bring(owner, bytes, size);
  bool good = link_rank() != 0 || size > 0 || error_set(error, "environment %d could not be saved", index);
  if (link_rank() == 0 && good) {
    StateStream restore = state_stream_restore(bytes, size, error);
    state_environment(learner, index, &restore);
    good = !restore.failed;
  }
  free(bytes);
  return good;
}

bool learner_gather(Learner *learner, Error *error) {
  bool good = true;
  for (int i = 0; i < learner->def.environments && learner->started; i++) {
    const int owner = rank_share_owner(i, learner->def.environments);
    if (owner > 0 && (link_rank() == 0 || link_rank() == owner))
      good = gather_environment(learner, i, owner, error) && good;
  }
  return good;
}

void learner_state(Learner *learner, StateStream *stream) {
  state_section(stream, "learner", 1);
  state_facts(learner, stream);
  if (stream->failed)
    return;
  state_learnt(learner, stream);
  STATE(stream, learner->started);
  for (int i = 0; i < learner->def.environments && learner->started && !stream->failed; i++)
    state_environment(learner, i, stream);
}
