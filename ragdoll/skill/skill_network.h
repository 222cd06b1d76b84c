// The multilayer perceptron of a learnt controller: two hidden layers of exponential linear units (ELU, Clevert,
// Unterthiner and Hochreiter 2016) and a linear output layer. One decision has the same bits on every machine: each
// unit adds its inputs in their order, beginning with the bias, and the exponential is a polynomial of this module.
#ifndef STAGGER_RAGDOLL_SKILL_SKILL_NETWORK_H
#define STAGGER_RAGDOLL_SKILL_SKILL_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

enum { NETWORK_MAX_INPUTS = 256, NETWORK_MAX_HIDDEN = 512, NETWORK_MAX_OUTPUTS = 64, NETWORK_LAYERS = 3 };

// Inputs are limited to this many standard deviations.
#define NETWORK_SEEN_LIMIT 5.0f

// Numbers of units: inputs 1 to NETWORK_MAX_INPUTS, and so on.
typedef struct NetworkShape {
  int inputs, hidden[2], outputs;
} NetworkShape;

// One layer of a network.
typedef struct NetworkLayer {
  int inputs, outputs;
  size_t weights, bias; // indices of their first entries: weight [input][output], then bias [output]
} NetworkLayer;

typedef struct SkillNetwork {
  NetworkShape shape;
  float *mean, *scale; // [inputs]: the first layer sees (input - mean) * scale, limited to +-NETWORK_SEEN_LIMIT
  float *weights;      // [network_size]: the layers in their order, each as in NetworkLayer
} SkillNetwork;

// Whether all numbers of units are in range; otherwise an error says which is not.
bool network_shape_check(NetworkShape shape, Error *error);

// Number of weights, biases included.
size_t network_size(NetworkShape shape);

// Layer 0, 1 or 2.
NetworkLayer network_layer(NetworkShape shape, int index);

// All weights and means are 0, all scales are 1. False with an error when the shape is out of range or memory is out.
bool skill_network_init(SkillNetwork *network, NetworkShape shape, Error *error);
void skill_network_free(SkillNetwork *network);

// What the first layer sees, [inputs]. An input that is not a number is seen as 0, so that it does not spread.
void skill_network_see(const SkillNetwork *network, const float inputs[], float seen[]);

// One decision: outputs [outputs]. Allocates nothing.
void skill_network_run(const SkillNetwork *network, const float inputs[], float outputs[]);

// The ELU of each value, in place: x for x > 0, otherwise exp(x) - 1 with an error below one unit in the last place.
// What is not a number becomes 0.
void network_elu(float values[], size_t count);

#endif
