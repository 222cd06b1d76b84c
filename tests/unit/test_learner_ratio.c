// How the loss of the actor takes ratios of likelihoods: within the clip as they are, beyond it on the side that gains
// as its edge, and however large one becomes, never beyond e^10.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/train/learner_gradient.h"

static const NetworkShape SHAPE = {1, {1, 1}, 1};
static const double CLIP = 0.2;

// Of one sample whose action is one deviation beside a mean of 0, and whose ratio has this logarithm.
static GradientSums sums_of(double log_ratio, double advantage, float *slope) {
  const ActorLoss loss = {.clip = (float)CLIP};
  GradientScratch scratch;
  const float seen[1] = {0}, action[1] = {1}, mean[1] = {0}, log_deviation[1] = {0}, goal[1] = {0};
  const float likelihood[1] = {(float)(-0.5 - log_ratio)}, gain[1] = {(float)advantage};
  const LearningSamples samples = {seen, action, mean, likelihood, gain, goal};
  const int rows[1] = {0};
  float weights[64] = {0}, gradient[64] = {0}, deviation_gradient[1] = {0};
  assert_true(network_size(SHAPE) <= 64 && gradient_scratch_init(&scratch, SHAPE, 1));
  const GradientSums sums = actor_gradient(&loss, SHAPE, weights, log_deviation, &samples, rows, 1, 1, &scratch,
                                           gradient, deviation_gradient);
  *slope = gradient[network_layer(SHAPE, 2).bias];
  gradient_scratch_free(&scratch);
  return sums;
}

static void near(double value, double wanted) {
  if (!(fabs(value - wanted) <= 1e-5 * fmax(1, fabs(wanted))))
    fail_msg("%.9g, not %.9g", value, wanted);
}

static void ratios_are_clipped_where_they_gain(void **state) {
  (void)state;
  static const struct {
    double log_ratio, advantage, ratio; // that counts
    bool clipped;
  } cases[] = {
      {0, 1, 1, false},           {0.1, 2, 1.1051709, false},   {0.3, 2, 1.2, true},       {0.3, -2, 1.3498588, false},
      {-0.3, -1, 0.8, true},      {-0.3, 1, 0.7408182, false},  {9, -1, 8103.0839, false}, {10, -1, 22026.466, false},
      {11, -1, 22026.466, false}, {1000, -3, 22026.466, false}, {1000, 3, 1.2, true},      {-1000, 1, 0, false},
      {-1000, -1, 0.8, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    float slope;
    const GradientSums sums = sums_of(cases[i].log_ratio, cases[i].advantage, &slope);
    near(sums.loss, -cases[i].advantage * cases[i].ratio);
    assert_true(sums.clipped == cases[i].clipped);
    near((double)slope, cases[i].clipped ? 0 : -cases[i].advantage * cases[i].ratio); // one deviation aside
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ratios_are_clipped_where_they_gain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
