// The network of a controller: a small one by hand, limits, and the same bits for one decision and for many at once.
#include <math.h>

#include "ragdoll/skill/skill_network.h"
#include "scenes/train/learner_gradient.h"
#include "sim/base/rng.h"
#include "tests/fixture.h"

static SkillNetwork network_of(NetworkShape shape) {
  Error error = {0};
  SkillNetwork network;
  assert_true(skill_network_init(&network, shape, &error));
  return network;
}

static void randomize(float numbers[], size_t count, float range, Rng *rng) {
  for (size_t i = 0; i < count; i++)
    numbers[i] = (float)rng_range(rng, -(double)range, (double)range);
}

static void test_small_network_by_hand(void **state) {
  (void)state;
  SkillNetwork network = network_of((NetworkShape){2, {2, 1}, 2});
  // Weights as [input][output], then the biases, layer by layer.
  const float weights[] = {1, -1, 2, 0.5f, 0.25f, -0.5f, /**/ 2, 4, 1, /**/ 3, -2, 0.5f, 1};
  assert_int_equal(network_size(network.shape), sizeof weights / sizeof weights[0]);
  memcpy(network.weights, weights, sizeof weights);
  network.mean[0] = 1;
  network.scale[0] = 2;
  const float inputs[] = {2, 0.5f}; // seen as 2 and 0.5
  float outputs[2];
  skill_network_run(&network, inputs, outputs);
  const double first = 2 * 1 + 0.5 * 2 + 0.25, second = 2 * -1.0 + 0.5 * 0.5 - 0.5;
  const double hidden = 2 * first + 4 * (exp(second) - 1) + 1;
  assert_true(second < 0 && hidden > 0);
  assert_true(fabs((double)outputs[0] - (3 * hidden + 0.5)) < 1e-5);
  assert_true(fabs((double)outputs[1] - (-2 * hidden + 1)) < 1e-5);
  skill_network_free(&network);
}

static void test_elu_is_within_a_unit_in_the_last_place(void **state) {
  (void)state;
  enum { COUNT = 20003 }; // not a multiple of eight
  static float values[COUNT];
  for (int i = 0; i < COUNT; i++)
    values[i] = -20.0f + 21.0f * (float)i / COUNT;
  network_elu(values, COUNT);
  for (int i = 0; i < COUNT; i++) {
    const float x = -20.0f + 21.0f * (float)i / COUNT;
    const double right = x > 0 ? (double)x : expm1((double)x);
    int exponent;
    frexp(right, &exponent);
    assert_true(fabs((double)values[i] - right) <= ldexp(1, exponent - 24));
  }
  float ends[] = {0, -1e-30f, -1e30f, -INFINITY, INFINITY, NAN};
  network_elu(ends, 6);
  assert_true(ends[0] == 0 && ends[1] == -1e-30f && ends[2] == -1 && ends[3] == -1 && isinf(ends[4]) && ends[5] == 0);
}

static void test_inputs_are_limited(void **state) {
  (void)state;
  SkillNetwork network = network_of((NetworkShape){5, {1, 1}, 1});
  for (int i = 0; i < 5; i++) {
    network.mean[i] = 1;
    network.scale[i] = 10;
  }
  const float inputs[] = {1.25f, 3, -1e30f, NAN, INFINITY};
  float seen[5];
  skill_network_see(&network, inputs, seen);
  assert_true(seen[0] == 2.5f && seen[1] == 5 && seen[2] == -5 && seen[3] == 0 && seen[4] == 5);
  skill_network_free(&network);
}

// Units that fill registers, that do not, and that are fewer than a register has.
static void test_one_decision_equals_many_at_once(void **state) {
  (void)state;
  const NetworkShape shapes[] = {{127, {256, 128}, 27}, {13, {75, 9}, 3}, {1, {1, 8}, 64}, {256, {17, 300}, 8}};
  enum { ROWS = 139 };
  Rng rng = rng_make(1, "networks");
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    const NetworkShape shape = shapes[i];
    SkillNetwork network = network_of(shape);
    GradientScratch scratch;
    assert_true(gradient_scratch_init(&scratch, shape, ROWS));
    randomize(network.weights, network_size(shape), 0.3f, &rng);
    randomize(scratch.seen, (size_t)ROWS * (size_t)shape.inputs, 4, &rng);
    network_forward(shape, network.weights, ROWS, &scratch);
    for (int row = 0; row < ROWS; row++) {
      float outputs[NETWORK_MAX_OUTPUTS];
      skill_network_run(&network, scratch.seen + (size_t)row * (size_t)shape.inputs, outputs);
      assert_memory_equal(outputs, scratch.outputs + (size_t)row * (size_t)shape.outputs,
                          (size_t)shape.outputs * sizeof outputs[0]);
    }
    gradient_scratch_free(&scratch);
    skill_network_free(&network);
  }
}

// The sums of each unit in the order of its inputs, without vectors.
static void plain_layer(NetworkLayer layer, const float *weights, const float *from, float *to) {
  for (int k = 0; k < layer.outputs; k++) {
    volatile float sum = weights[layer.bias + (size_t)k];
    for (int i = 0; i < layer.inputs; i++)
      sum += weights[layer.weights + (size_t)(i * layer.outputs + k)] * from[i];
    to[k] = sum;
  }
}

static void test_sums_have_the_order_of_the_inputs(void **state) {
  (void)state;
  const NetworkShape shape = {127, {256, 128}, 27};
  SkillNetwork network = network_of(shape);
  Rng rng = rng_make(2, "order");
  randomize(network.weights, network_size(shape), 0.3f, &rng);
  float inputs[127], outputs[27], plain[27], first[256], second[128];
  randomize(inputs, 127, 3, &rng);
  skill_network_run(&network, inputs, outputs);
  plain_layer(network_layer(shape, 0), network.weights, inputs, first);
  network_elu(first, 256);
  plain_layer(network_layer(shape, 1), network.weights, first, second);
  network_elu(second, 128);
  plain_layer(network_layer(shape, 2), network.weights, second, plain);
  assert_memory_equal(outputs, plain, sizeof plain);
  skill_network_free(&network);
}

static void test_shapes_out_of_range_are_refused(void **state) {
  (void)state;
  const NetworkShape shapes[] = {{0, {8, 8}, 1}, {257, {8, 8}, 1}, {8, {513, 8}, 1}, {8, {8, 0}, 1}, {8, {8, 8}, 65}};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    Error error = {0};
    SkillNetwork network;
    assert_false(skill_network_init(&network, shapes[i], &error));
    assert_non_null(strstr(error.text, "allowed are 1 to"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small_network_by_hand),
      cmocka_unit_test(test_elu_is_within_a_unit_in_the_last_place),
      cmocka_unit_test(test_inputs_are_limited),
      cmocka_unit_test(test_one_decision_equals_many_at_once),
      cmocka_unit_test(test_sums_have_the_order_of_the_inputs),
      cmocka_unit_test(test_shapes_out_of_range_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
