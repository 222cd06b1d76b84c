// Backpropagation through both networks; sums have a fixed order.
#include "scenes/train/learner_gradient.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/train/matrix.h"
#include "sim/base/wide.h"

// Means beyond it cost something: actions of 1 are those of full strength.
#define MEAN_LIMIT 2.0f

// ---- Scratch ----

static float *rows_of(int rows, int units) { return calloc((size_t)rows * (size_t)units, sizeof(float)); }

bool gradient_scratch_init(GradientScratch *scratch, NetworkShape shape, int rows) {
  *scratch = (GradientScratch){.rows = rows,
                               .seen = rows_of(rows, shape.inputs),
                               .outputs = rows_of(rows, shape.outputs),
                               .output_slope = rows_of(rows, shape.outputs)};
  bool complete = scratch->seen && scratch->outputs && scratch->output_slope;
  for (int i = 0; i < 2; i++) {
    scratch->hidden[i] = rows_of(rows, shape.hidden[i]);
    scratch->hidden_slope[i] = rows_of(rows, shape.hidden[i]);
    complete = complete && scratch->hidden[i] && scratch->hidden_slope[i];
  }
  if (!complete)
    gradient_scratch_free(scratch);
  return complete;
}

void gradient_scratch_free(GradientScratch *scratch) {
  free(scratch->seen);
  free(scratch->outputs);
  free(scratch->output_slope);
  for (int i = 0; i < 2; i++) {
    free(scratch->hidden[i]);
    free(scratch->hidden_slope[i]);
  }
  *scratch = (GradientScratch){0};
}

// ---- Networks ----

static MatrixView rows_view(const float *at, int columns) { return (MatrixView){at, (size_t)columns, 1}; }

static MatrixView transposed(const float *at, int columns) { return (MatrixView){at, 1, (size_t)columns}; }

// Beginning with the bias, as skill_network_run does.
static void forward_layer(NetworkLayer layer, const float *weights, int rows, const float *from, float *to) {
  for (int i = 0; i < rows; i++)
    memcpy(to + (size_t)i * (size_t)layer.outputs, weights + layer.bias, (size_t)layer.outputs * sizeof *to);
  matrix_add_product(rows, layer.outputs, layer.inputs, rows_view(from, layer.inputs),
                     rows_view(weights + layer.weights, layer.outputs), to);
}

void network_forward(NetworkShape shape, const float *weights, int rows, GradientScratch *scratch) {
  float *const *hidden = scratch->hidden;
  forward_layer(network_layer(shape, 0), weights, rows, scratch->seen, hidden[0]);
  network_elu(hidden[0], (size_t)rows * (size_t)shape.hidden[0]);
  forward_layer(network_layer(shape, 1), weights, rows, hidden[0], hidden[1]);
  network_elu(hidden[1], (size_t)rows * (size_t)shape.hidden[1]);
  forward_layer(network_layer(shape, 2), weights, rows, hidden[1], scratch->outputs);
}

// slope: derivatives of the loss with respect to the layer's sums; from: what the layer was given.
static void layer_gradient(NetworkLayer layer, int rows, const float *from, const float *slope, float *gradient) {
  const int outputs = layer.outputs;
  matrix_set_product(layer.inputs, outputs, rows, transposed(from, layer.inputs), rows_view(slope, outputs),
                     gradient + layer.weights);
  float *bias = gradient + layer.bias;
  memset(bias, 0, (size_t)outputs * sizeof *bias);
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < outputs; k++)
      bias[k] += slope[(size_t)i * (size_t)outputs + (size_t)k];
}

// Derivatives with respect to the sums of the layer before, whose units have the values `hidden`: the ELU's slope is 1
// above 0 and e^x = value + 1 below.
WIDE static void multiply_elu_slope(const float *restrict hidden, size_t count, float *restrict slope) {
  for (size_t i = 0; i < count; i++) {
    const float below = hidden[i] < 0 ? hidden[i] : 0;
    slope[i] *= 1 + below;
  }
}

static void backward_layer(NetworkLayer layer, const float *weights, int rows, const float *slope, const float *hidden,
                           float *hidden_slope) {
  const size_t count = (size_t)rows * (size_t)layer.inputs;
  matrix_set_product(rows, layer.inputs, layer.outputs, rows_view(slope, layer.outputs),
                     transposed(weights + layer.weights, layer.outputs), hidden_slope);
  multiply_elu_slope(hidden, count, hidden_slope);
}

void network_backward(NetworkShape shape, const float *weights, int rows, GradientScratch *scratch, float *gradient) {
  float *const *hidden = scratch->hidden, *const *slope = scratch->hidden_slope;
  const NetworkLayer first = network_layer(shape, 0), second = network_layer(shape, 1), last = network_layer(shape, 2);
  layer_gradient(last, rows, hidden[1], scratch->output_slope, gradient);
  backward_layer(last, weights, rows, scratch->output_slope, hidden[1], slope[1]);
  layer_gradient(second, rows, hidden[0], slope[1], gradient);
  backward_layer(second, weights, rows, slope[1], hidden[0], slope[0]);
  layer_gradient(first, rows, scratch->seen, slope[0], gradient);
}

static void gather_seen(const LearningSamples *samples, const int rows[], int count, int inputs, float *seen) {
  for (int i = 0; i < count; i++)
    memcpy(seen + (size_t)i * (size_t)inputs, samples->seen + (size_t)rows[i] * (size_t)inputs,
           (size_t)inputs * sizeof *seen);
}

// ---- Losses ----

// One sample's part of the actor's loss, before the division by the size of the minibatch.
typedef struct SampleTerms {
  float error[NETWORK_MAX_OUTPUTS]; // (action - mean) / deviation
  float slope;                      // derivative with respect to the logarithm of the action's likelihood
  double loss;
} SampleTerms;

static SampleTerms sample_terms(const ActorLoss *def, int outputs, const float *log_deviation, const float *inverse,
                                const LearningSamples *samples, size_t sample, const float *mean, GradientSums *sums) {
  SampleTerms terms;
  const float *action = samples->action + sample * (size_t)outputs,
              *old_mean = samples->mean + sample * (size_t)outputs;
  float likelihood = 0;
  for (int k = 0; k < outputs; k++) {
    const float error = (action[k] - mean[k]) * inverse[k], moved = (old_mean[k] - mean[k]) * inverse[k];
    likelihood -= 0.5f * error * error + log_deviation[k];
    sums->kl += 0.5 * (double)(moved * moved);
    terms.error[k] = error;
  }
  const float advantage = samples->advantage[sample];
  const float ratio = expf(fminf(likelihood - samples->likelihood[sample], 10)); // without overflow
  const bool clipped = advantage > 0 ? ratio > 1 + def->clip : ratio < 1 - def->clip;
  const float gained = !clipped ? ratio : advantage > 0 ? 1 + def->clip : 1 - def->clip;
  sums->clipped += clipped;
  terms.loss = -(double)(advantage * gained);
  terms.slope = clipped ? 0 : -advantage * ratio;
  return terms;
}

GradientSums actor_gradient(const ActorLoss *def, NetworkShape shape, const float *weights, const float *log_deviation,
                            const LearningSamples *samples, const int rows[], int count, int total,
                            GradientScratch *scratch, float *gradient, float *deviation_gradient) {
  const int outputs = shape.outputs;
  const float share = 1.0f / (float)total;
  float inverse[NETWORK_MAX_OUTPUTS];
  GradientSums sums = {0};
  memset(deviation_gradient, 0, (size_t)outputs * sizeof *deviation_gradient);
  for (int k = 0; k < outputs; k++)
    inverse[k] = 1 / expf(log_deviation[k]);
  gather_seen(samples, rows, count, shape.inputs, scratch->seen);
  network_forward(shape, weights, count, scratch);
  for (int i = 0; i < count; i++) {
    const float *mean = scratch->outputs + (size_t)i * (size_t)outputs;
    float *slope = scratch->output_slope + (size_t)i * (size_t)outputs;
    SampleTerms terms = sample_terms(def, outputs, log_deviation, inverse, samples, (size_t)rows[i], mean, &sums);
    for (int k = 0; k < outputs; k++) {
      const float beyond = fabsf(mean[k]) > MEAN_LIMIT ? mean[k] - copysignf(MEAN_LIMIT, mean[k]) : 0;
      terms.loss += (double)(def->bound * beyond * beyond) - (double)(def->entropy * log_deviation[k]);
      slope[k] = (terms.slope * terms.error[k] * inverse[k] + 2 * def->bound * beyond) * share;
      deviation_gradient[k] += (terms.slope * (terms.error[k] * terms.error[k] - 1) - def->entropy) * share;
    }
    sums.loss += terms.loss / total;
  }
  network_backward(shape, weights, count, scratch, gradient);
  return sums;
}

GradientSums critic_gradient(NetworkShape shape, const float *weights, const LearningSamples *samples, const int rows[],
                             int count, int total, GradientScratch *scratch, float *gradient) {
  GradientSums sums = {0};
  gather_seen(samples, rows, count, shape.inputs, scratch->seen);
  network_forward(shape, weights, count, scratch);
  for (int i = 0; i < count; i++) {
    const float error = scratch->outputs[i] - samples->value_goal[rows[i]];
    sums.loss += (double)(error * error) / total;
    scratch->output_slope[i] = 2 * error / (float)total;
  }
  network_backward(shape, weights, count, scratch, gradient);
  return sums;
}
