// The forward pass of a controller's network, eight units at a time.
#include "ragdoll/skill/skill_network.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/wide.h"

// ---- Shape ----

static bool check_units(int units, int most, const char *what, Error *error) {
  return (units >= 1 && units <= most) ||
         error_set(error, "a network of %d %s is not possible: allowed are 1 to %d", units, what, most);
}

bool network_shape_check(NetworkShape shape, Error *error) {
  return check_units(shape.inputs, NETWORK_MAX_INPUTS, "inputs", error) &&
         check_units(shape.hidden[0], NETWORK_MAX_HIDDEN, "units in the first hidden layer", error) &&
         check_units(shape.hidden[1], NETWORK_MAX_HIDDEN, "units in the second hidden layer", error) &&
         check_units(shape.outputs, NETWORK_MAX_OUTPUTS, "outputs", error);
}

NetworkLayer network_layer(NetworkShape shape, int index) {
  const int units[NETWORK_LAYERS + 1] = {shape.inputs, shape.hidden[0], shape.hidden[1], shape.outputs};
  size_t first = 0;
  for (int i = 0; i < index; i++)
    first += ((size_t)units[i] + 1) * (size_t)units[i + 1];
  const int inputs = units[index], outputs = units[index + 1];
  return (NetworkLayer){inputs, outputs, first, first + (size_t)inputs * (size_t)outputs};
}

size_t network_size(NetworkShape shape) {
  const NetworkLayer last = network_layer(shape, NETWORK_LAYERS - 1);
  return last.bias + (size_t)last.outputs;
}

// ---- Life ----

bool skill_network_init(SkillNetwork *network, NetworkShape shape, Error *error) {
  *network = (SkillNetwork){.shape = shape};
  if (!network_shape_check(shape, error))
    return false;
  const size_t inputs = (size_t)shape.inputs;
  network->mean = calloc(inputs, sizeof *network->mean);
  network->scale = calloc(inputs, sizeof *network->scale);
  network->weights = calloc(network_size(shape), sizeof *network->weights);
  if (!network->mean || !network->scale || !network->weights) {
    skill_network_free(network);
    return error_set(error, "out of memory");
  }
  for (size_t i = 0; i < inputs; i++)
    network->scale[i] = 1;
  return true;
}

void skill_network_free(SkillNetwork *network) {
  free(network->mean);
  free(network->scale);
  free(network->weights);
  *network = (SkillNetwork){0};
}

// ---- Forward pass ----

// Units in a vector, and inputs that are added at a time.
enum { LANES = 8, BLOCK = 8 };

typedef int32_t Whole __attribute__((vector_size(LANES * sizeof(int32_t)))); // integers, or masks of 0 and -1

#define SELECT(mask, yes, no) ((Octet)(((mask) & (Whole)(yes)) | (~(mask) & (Whole)(no))))

// Eight values. For x <= 0, e^x - 1 with x = n log 2 + r, |r| <= log 2 / 2, is 2^n (e^r - 1) + (2^n - 1). The
// polynomial is the Taylor series of e^r - 1 to r^7, whose error is below half a unit in the last place. Below -18 the
// result is -1.
WIDE_PART void elu_octet(float values[LANES]) {
  const float per_log_2 = 1.44269504f, log_2_high = 0.693359375f, log_2_low = -2.12194440e-4f;
  const Octet given = OCTET_AT(values), zero = {0}, least = zero - 18.0f;
  const Octet below = SELECT(given < zero, given, zero), x = SELECT(below > least, below, least);
  // Truncation rounds it to the nearest integer, since it is negative.
  const Whole n = __builtin_convertvector(x * per_log_2 - 0.5f, Whole);
  const Octet whole = __builtin_convertvector(n, Octet);
  const Octet r = x - whole * log_2_high - whole * log_2_low;
  Octet series = r * (1 / 5040.0f) + 1 / 720.0f;
  series = series * r + 1 / 120.0f;
  series = series * r + 1 / 24.0f;
  series = series * r + 1 / 6.0f;
  series = series * r + 0.5f;
  series = series * r * r + r;
  const Octet power = (Octet)((n + 127) << 23);
  const Octet bent = power * series + (power - 1.0f);
  OCTET_PUT(values, SELECT(given > zero, given, bent));
}

WIDE void network_elu(float values[], size_t count) {
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    elu_octet(values + i);
  float rest[LANES] = {0};
  memcpy(rest, values + i, (count - i) * sizeof *rest);
  elu_octet(rest);
  memcpy(values + i, rest, (count - i) * sizeof *rest);
}

WIDE void skill_network_see(const SkillNetwork *network, const float inputs[], float seen[]) {
  const float limit = NETWORK_SEEN_LIMIT, *mean = network->mean, *scale = network->scale;
  for (int i = 0; i < network->shape.inputs; i++) {
    float value = (inputs[i] - mean[i]) * scale[i];
    value = value == value ? value : 0;
    value = value < limit ? value : limit;
    seen[i] = value > -limit ? value : -limit;
  }
}

// Adds the products of some neighbouring inputs to the sums of all units.
WIDE_PART void add_inputs(int inputs, const float *restrict weights, int outputs, const float *restrict seen,
                          float *restrict sums) {
  int k = 0;
  for (; k + LANES <= outputs; k += LANES) {
    Octet sum = OCTET_AT(sums + k);
    for (int i = 0; i < inputs; i++)
      sum += OCTET_AT(weights + i * outputs + k) * seen[i];
    OCTET_PUT(sums + k, sum);
  }
  for (; k < outputs; k++)
    for (int i = 0; i < inputs; i++)
      sums[k] += weights[i * outputs + k] * seen[i];
}

// The sums of a layer's units, before the ELU. The weights, most of which are not in the first cache, are read from the
// first to the last, so that the processor fetches them ahead.
WIDE static void run_layer(NetworkLayer layer, const float *all, const float *restrict seen, float *restrict sums) {
  const float *weights = all + layer.weights;
  const int outputs = layer.outputs, inputs = layer.inputs;
  int i = 0;
  memcpy(sums, all + layer.bias, (size_t)outputs * sizeof *sums);
  for (; i + BLOCK <= inputs; i += BLOCK)
    add_inputs(BLOCK, weights + (size_t)i * (size_t)outputs, outputs, seen + i, sums);
  for (; i < inputs; i++)
    add_inputs(1, weights + (size_t)i * (size_t)outputs, outputs, seen + i, sums);
}

void skill_network_run(const SkillNetwork *network, const float inputs[], float outputs[]) {
  float seen[NETWORK_MAX_INPUTS], first[NETWORK_MAX_HIDDEN], second[NETWORK_MAX_HIDDEN];
  const NetworkShape shape = network->shape;
  skill_network_see(network, inputs, seen);
  run_layer(network_layer(shape, 0), network->weights, seen, first);
  network_elu(first, (size_t)shape.hidden[0]);
  run_layer(network_layer(shape, 1), network->weights, first, second);
  network_elu(second, (size_t)shape.hidden[1]);
  run_layer(network_layer(shape, 2), network->weights, second, outputs);
}
