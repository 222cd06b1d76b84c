// The losses of proximal policy optimisation (PPO, Schulman et al. 2017) and their gradients with respect to the
// weights of the two networks. Actions are drawn from independent normal distributions around the actor's outputs,
// whose standard deviations do not depend on the inputs.
#ifndef STAGGER_SCENES_TRAIN_LEARNER_GRADIENT_H
#define STAGGER_SCENES_TRAIN_LEARNER_GRADIENT_H

#include "ragdoll/skill/skill_network.h"

// What a thread computes in: activations of up to `rows` samples and their derivatives, [row][unit].
typedef struct GradientScratch {
  int rows;
  float *seen, *hidden[2], *outputs;
  float *hidden_slope[2], *output_slope; // derivatives of the loss
} GradientScratch;

// For networks of this shape and of fewer outputs. False when out of memory.
bool gradient_scratch_init(GradientScratch *scratch, NetworkShape shape, int rows);
void gradient_scratch_free(GradientScratch *scratch);

// Forward pass of the first `rows` rows of scratch->seen, with the same bits as skill_network_run: fills `hidden` and
// `outputs`.
void network_forward(NetworkShape shape, const float *weights, int rows, GradientScratch *scratch);

// Writes the derivatives of the loss with respect to the weights to gradient [network_size], given the derivatives with
// respect to the outputs (scratch->output_slope), after network_forward of the same rows.
void network_backward(NetworkShape shape, const float *weights, int rows, GradientScratch *scratch, float *gradient);

// Samples to learn from, [sample][unit]; advantage, likelihood and value_goal have one number for each sample.
typedef struct LearningSamples {
  const float *seen;       // inputs as the first layer sees them
  const float *action;     // as drawn
  const float *mean;       // actor's output when it was drawn
  const float *likelihood; // logarithm of the density of the action when it was drawn, without the constant
  const float *advantage;  // normalised
  const float *value_goal; // what the critic should have predicted
} LearningSamples;

typedef struct ActorLoss {
  float clip;    // ratios of likelihoods beyond 1 +- clip gain nothing more
  float bound;   // cost of the square of means beyond +-2
  float entropy; // gain for the sum of the logarithms of the deviations
} ActorLoss;

// Sums over samples.
typedef struct GradientSums {
  double loss;    // in units of the loss: already divided by `total`
  double kl;      // Kullback-Leibler divergence between the policy that drew and the present one, with equal deviations
  double clipped; // number of samples beyond the clip
} GradientSums;

// Sets gradient [network_size] to the derivatives of the actor's loss with respect to its weights, and
// deviation_gradient [outputs] to those with respect to log_deviation [outputs], over the samples `rows` of a minibatch
// of `total` samples.
GradientSums actor_gradient(const ActorLoss *def, NetworkShape shape, const float *weights, const float *log_deviation,
                            const LearningSamples *samples, const int rows[], int count, int total,
                            GradientScratch *scratch, float *gradient, float *deviation_gradient);

// The same of the critic's loss, the mean squared error of its one output: gradient [network_size].
GradientSums critic_gradient(NetworkShape shape, const float *weights, const LearningSamples *samples, const int rows[],
                             int count, int total, GradientScratch *scratch, float *gradient);

#endif
