// What a sample of numbers comes to.
#ifndef STAGGER_SCENES_SWEEP_SAMPLE_H
#define STAGGER_SCENES_SWEEP_SAMPLE_H

#include "scenes/sweep/bootstrap.h"

typedef struct Sample {
  long count;                                    // finite values
  long clusters;                                 // of them
  double mean, deviation, min, max, quartile[3]; // [1]: the median; deviation with count - 1, NAN of one value
  Interval median;                               // see bootstrap.h; NAN of fewer than 6 clusters
} Sample;                                        // without any finite value all numbers are NAN

extern const Sample sample_none;

typedef struct Sampler Sampler; // what sampling needs: room for `most` values, and the bootstrap

Sampler *sampler_make(uint64_t seed, long most); // NULL: no memory
void sampler_free(Sampler *sampler);

// Leaves out what is not finite. clusters: of each value, any numbers (NULL: every value is its own). A sample hangs on
// which values belong together and on the order of the clusters' numbers, not on the order of values.
Sample sample_take(Sampler *sampler, const double *values, const long *clusters, long count);

#endif
