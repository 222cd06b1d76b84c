// Steps of Adam (Kingma and Ba 2015) down the losses of both networks, minibatch by minibatch.
#include "scenes/train/learner_internal.h"

#include "sim/base/wide.h"

// Advantages get mean 0 and standard deviation 1.
static void normalize_advantages(Learner *learner) {
  const size_t count = learner_sample_count(learner);
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
static bool compute_gradient(void *context, int index, int worker) {
  Learner *learner = context;
  const LearnerDef *def = &learner->def;
  const int chunk = index / 2, total = def->minibatch;
  const int begin = total * chunk / CHUNKS, end = total * (chunk + 1) / CHUNKS;
  const int *rows = learner->minibatch + begin;
  const LearningSamples samples = {learner->seen,       learner->action,    learner->action_mean,
                                   learner->likelihood, learner->advantage, learner->value_goal};
  GradientScratch *scratch = &learner->workers[worker].scratch;
  float *gradient = learner->gradients + (size_t)chunk * learner_learnt_count(learner);
  if (index % 2 == 1) {
    learner->sums[PART_CRITIC][chunk] =
        critic_gradient(learner->critic.shape, learner->critic.weights, &samples, rows, end - begin, total, scratch,
                        gradient + learner->first[PART_CRITIC]);
    return false;
  }
  const ActorLoss loss = {(float)def->clip, (float)def->bound, (float)def->entropy};
  learner->sums[PART_ACTOR][chunk] = actor_gradient(
      &loss, learner->actor.shape, learner->actor.weights, learner->learnt + learner->first[PART_DEVIATION], &samples,
      rows, end - begin, total, scratch, gradient, gradient + learner->first[PART_DEVIATION]);
  return false;
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
static bool add_gradients(void *context, int slice, int worker) {
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
      add_numbers(sum, sum + chunk * learner_learnt_count(learner), range.end - range.begin);
    *square = sum_of_squares(sum, range.end - range.begin);
  }
  return false;
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

static bool step_weights(void *context, int slice, int worker) {
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
  return false;
}

// Gradients of the networks longer than the limit are shortened to it. False when the gradient is not finite.
static bool limit_gradients(Learner *learner) {
  for (int part = 0; part < PARTS; part++) {
    double square = 0;
    for (int slice = 0; slice < learner_slice_count(learner); slice++)
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
  const float least = learner_log_deviation(&learner->def, 0), most = learner_log_deviation(&learner->def, INFINITY);
  for (size_t i = learner->first[PART_DEVIATION]; i < learner_learnt_count(learner); i++)
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
  const int slices = learner_slice_count(learner);
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

void learner_learn(Learner *learner, LearnerReport *report) {
  const int count = (int)learner_sample_count(learner), minibatches = count / learner->def.minibatch;
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
