// Collects numbers and computes their mean, quantiles and intervals.
#include "scenes/sweep/sample.h"

#include <math.h>
#include <stdlib.h>

typedef struct Member {
  double value;
  long cluster;
} Member;

struct Sampler {
  Bootstrap *bootstrap;
  Member *members;
  double *sorted;
  long *clusters; // cluster of each sorted value
};

const Sample sample_none = {
    .mean = NAN, .deviation = NAN, .min = NAN, .max = NAN, .quartile = {NAN, NAN, NAN}, .median = {NAN, NAN}};

Sampler *sampler_create(uint64_t seed, long most) {
  Sampler *sampler = calloc(1, sizeof *sampler);
  if (!sampler)
    return NULL;
  sampler->bootstrap = bootstrap_create(seed);
  sampler->members = calloc((size_t)most + 1, sizeof *sampler->members);
  sampler->sorted = calloc((size_t)most + 1, sizeof *sampler->sorted);
  sampler->clusters = calloc((size_t)most + 1, sizeof *sampler->clusters);
  if (sampler->bootstrap && sampler->members && sampler->sorted && sampler->clusters)
    return sampler;
  sampler_destroy(sampler);
  return NULL;
}

void sampler_destroy(Sampler *sampler) {
  if (!sampler)
    return;
  bootstrap_destroy(sampler->bootstrap);
  free(sampler->members);
  free(sampler->sorted);
  free(sampler->clusters);
  free(sampler);
}

static int compare_clusters(const void *a, const void *b) {
  const Member *x = a, *y = b;
  return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

static int compare_values(const void *a, const void *b) {
  const Member *x = a, *y = b;
  return x->value != y->value ? (x->value > y->value) - (x->value < y->value) : compare_clusters(a, b);
}

// Renumbers clusters from 0 without gaps, in the order of their numbers.
static long number_clusters(Member *members, long count) {
  qsort(members, (size_t)count, sizeof *members, compare_clusters);
  long clusters = 0, before = 0;
  for (long i = 0; i < count; i++) {
    const long cluster = members[i].cluster;
    clusters += i == 0 || cluster != before;
    before = cluster;
    members[i].cluster = clusters - 1;
  }
  return clusters;
}

// Limited to the range of the values, so that rounding gives equal values no deviation.
static double mean_of(const double *sorted, long count) {
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += sorted[i];
  return fmin(fmax(sum / (double)count, sorted[0]), sorted[count - 1]);
}

static double deviation_of(const double *values, long count, double mean) {
  if (count < 2)
    return NAN;
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return sqrt(sum / (double)(count - 1));
}

Sample sample_take(Sampler *sampler, const double *values, const long *clusters, long count) {
  Member *members = sampler->members;
  double *sorted = sampler->sorted;
  Sample sample = sample_none;
  for (long i = 0; i < count; i++)
    if (isfinite(values[i]))
      members[sample.count++] = (Member){values[i], clusters ? clusters[i] : i};
  if (sample.count == 0)
    return sample;
  sample.clusters = clusters ? number_clusters(members, sample.count) : sample.count;
  qsort(members, (size_t)sample.count, sizeof *members, compare_values);
  for (long i = 0; i < sample.count; i++) {
    sorted[i] = members[i].value;
    sampler->clusters[i] = members[i].cluster;
  }
  sample.mean = mean_of(sorted, sample.count);
  sample.deviation = deviation_of(sorted, sample.count, sample.mean);
  sample.min = sorted[0];
  sample.max = sorted[sample.count - 1];
  for (int i = 0; i < 3; i++)
    sample.quartile[i] = statistics_quantile(sorted, sample.count, 0.25 * (i + 1));
  sample.median = bootstrap_median(sampler->bootstrap, sorted, sampler->clusters, sample.count, sample.clusters);
  return sample;
}
