// Statistics of a sample of numbers.
#ifndef STAGGER_SCENES_SWEEP_SAMPLE_H
#define STAGGER_SCENES_SWEEP_SAMPLE_H

#include "scenes/sweep/bootstrap.h"

typedef struct Sample {
  long count;                                    // number of finite values
  long clusters;                                 // number of their clusters
  double mean, deviation, min, max, quartile[3]; // [1]: the median; deviation with count - 1, NAN for one value
  Interval median;                               // see bootstrap.h; NAN for fewer than 6 clusters
} Sample;                                        // without any finite value all numbers are NAN

extern const Sample sample_none;

typedef struct Sampler Sampler; // memory for samples of `most` values, and the bootstrap

Sampler *sampler_create(uint64_t seed, long most); // NULL: no memory
void sampler_destroy(Sampler *sampler);

// Values that are not finite are left out. clusters: cluster of each value, any numbers (NULL: every value is a
// cluster). The result depends on which values belong together and on the order of the clusters' numbers, not on the
// order of the values.
Sample sample_take(Sampler *sampler, const double *values, const long *clusters, long count);

#endif
