// Resamples clusters of values with seeded random numbers and computes the interval of the median.
#include "scenes/sweep/bootstrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/rng.h"

enum { KEPT_COUNTS = 64 };

// The one or two middle values of a resample, as indices into the sorted sample.
typedef struct Middle {
  uint32_t lower, upper;
} Middle;

// The middles of resamples of `count` single values, which are the same for all samples of that size.
typedef struct Middles {
  long count;
  Middle resample[BOOTSTRAP_RESAMPLES];
} Middles;

struct Bootstrap {
  uint64_t seed;
  Middles kept[KEPT_COUNTS]; // indexed by the remainder of `count`
  double medians[BOOTSTRAP_RESAMPLES];
  // For the present clusters:
  long size[BOOTSTRAP_MOST_CLUSTERS];                             // number of values of each
  long below[BOOTSTRAP_MOST_CLUSTERS];                            // of these, the number below the middle of the sample
  long weights_of;                                                // number of clusters for which the weights were drawn
  uint16_t weights[BOOTSTRAP_RESAMPLES][BOOTSTRAP_MOST_CLUSTERS]; // how often each resample contains them
};

Bootstrap *bootstrap_create(uint64_t seed) {
  Bootstrap *bootstrap = calloc(1, sizeof *bootstrap);
  if (bootstrap)
    bootstrap->seed = seed;
  return bootstrap;
}

void bootstrap_destroy(Bootstrap *bootstrap) { free(bootstrap); }

const double *bootstrap_medians(const Bootstrap *bootstrap) { return bootstrap->medians; }

// ---- Single values ----

// A gamma distributed number with a shape of at least 1, by rejection.
static double draw_gamma(Rng *rng, double shape) {
  const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double x = rng_normal(rng), root = 1 + c * x;
    if (root <= 0)
      continue;
    const double v = root * root * root;
    if (log(1 - rng_unit(rng)) < 0.5 * x * x + d - d * v + d * log(v))
      return d * v;
  }
}

// The `rank`-th smallest (from 1) of `count` uniform numbers, which is beta distributed.
static double draw_order_statistic(Rng *rng, long rank, long count) {
  const double below = draw_gamma(rng, (double)rank), above = draw_gamma(rng, (double)(count - rank + 1));
  return below / (below + above);
}

// A uniform number selects an index, all with equal probability. The mapping is monotonic, so that order statistics of
// uniform numbers select those of a resample.
static uint32_t pick(long count, double unit) {
  const long i = (long)(unit * (double)count);
  return (uint32_t)(i < count ? i : count - 1);
}

static Middle draw_middle(Rng *rng, long count) {
  const double upper = draw_order_statistic(rng, count / 2 + 1, count);
  if (count % 2 == 1)
    return (Middle){pick(count, upper), pick(count, upper)};
  // The value below it is the largest of count / 2 numbers that are uniform below `upper`.
  const double lower = upper * pow(1 - rng_unit(rng), 2.0 / (double)count);
  return (Middle){pick(count, lower), pick(count, upper)};
}

static const Middle *middles_of(Bootstrap *bootstrap, long count) {
  Middles *middles = &bootstrap->kept[count % KEPT_COUNTS];
  if (middles->count != count) {
    Rng rng = rng_make(bootstrap->seed, "bootstrap of values");
    for (int i = 0; i < BOOTSTRAP_RESAMPLES; i++)
      middles->resample[i] = draw_middle(&rng, count);
    middles->count = count;
  }
  return middles->resample;
}

static void resample_values(Bootstrap *bootstrap, const double *sorted, long count) {
  const Middle *middles = middles_of(bootstrap, count);
  for (int i = 0; i < BOOTSTRAP_RESAMPLES; i++)
    bootstrap->medians[i] = (sorted[middles[i].lower] + sorted[middles[i].upper]) / 2;
}

// ---- Clusters ----

// If there are too many clusters, neighbours are combined into groups, which are independent of each other, too.
static long bundle_clusters(long *clusters, long count, long cluster_count) {
  if (cluster_count <= BOOTSTRAP_MOST_CLUSTERS)
    return cluster_count;
  for (long i = 0; i < count; i++)
    clusters[i] = clusters[i] * BOOTSTRAP_MOST_CLUSTERS / cluster_count;
  return BOOTSTRAP_MOST_CLUSTERS;
}

static void measure_clusters(Bootstrap *bootstrap, const long *clusters, long count, long cluster_count) {
  memset(bootstrap->size, 0, (size_t)cluster_count * sizeof *bootstrap->size);
  for (long i = 0; i < count; i++) {
    if (i == count / 2)
      memcpy(bootstrap->below, bootstrap->size, (size_t)cluster_count * sizeof *bootstrap->below);
    bootstrap->size[clusters[i]]++;
  }
}

// Most samples of a study have the same number of clusters, and so the same resamples.
static void draw_weights(Bootstrap *bootstrap, long cluster_count) {
  if (bootstrap->weights_of == cluster_count)
    return;
  Rng rng = rng_make(bootstrap->seed, "bootstrap of clusters");
  for (int i = 0; i < BOOTSTRAP_RESAMPLES; i++) {
    uint16_t *weights = bootstrap->weights[i];
    memset(weights, 0, (size_t)cluster_count * sizeof *weights);
    for (long k = 0; k < cluster_count; k++)
      weights[pick(cluster_count, rng_unit(&rng))]++;
  }
  bootstrap->weights_of = cluster_count;
}

// The median of the values, each counted as often as its cluster was drawn. The search for the value with half of the
// weight below it starts at the middle of the sample; it is short, since resamples are similar to the sample.
static double weighted_median(const Bootstrap *bootstrap, const uint16_t *weight, const double *sorted,
                              const long *clusters, long count) {
  long total = 0, below = 0, place = count / 2; // below: weight of all values before `place`
  for (long i = 0; i < bootstrap->weights_of; i++) {
    total += weight[i] * bootstrap->size[i];
    below += weight[i] * bootstrap->below[i];
  }
  const long lower_rank = (total + 1) / 2, upper_rank = total / 2 + 1;
  while (below >= lower_rank)
    below -= weight[clusters[--place]];
  while (below + weight[clusters[place]] < lower_rank)
    below += weight[clusters[place++]];
  const double lower = sorted[place];
  while (below + weight[clusters[place]] < upper_rank)
    below += weight[clusters[place++]];
  return (lower + sorted[place]) / 2;
}

static void resample_clusters(Bootstrap *bootstrap, const double *sorted, const long *clusters, long count,
                              long cluster_count) {
  draw_weights(bootstrap, cluster_count);
  measure_clusters(bootstrap, clusters, count, cluster_count);
  for (int i = 0; i < BOOTSTRAP_RESAMPLES; i++)
    bootstrap->medians[i] = weighted_median(bootstrap, bootstrap->weights[i], sorted, clusters, count);
}

// ---- Quantiles ----

static void swap(double *a, double *b) {
  const double kept = *a;
  *a = *b;
  *b = kept;
}

// Partially sorts `count` numbers so that the one at `rank` (from 0) is in its place, smaller ones before it and larger
// ones after it.
static void select_rank(double *numbers, long count, long rank) {
  for (long first = 0, last = count - 1; first < last;) {
    const double middle = numbers[first + (last - first) / 2];
    long low = first, high = last;
    while (low <= high) {
      while (numbers[low] < middle)
        low++;
      while (numbers[high] > middle)
        high--;
      if (low <= high)
        swap(&numbers[low++], &numbers[high--]);
    }
    if (rank <= high)
      last = high;
    else if (rank >= low)
      first = low;
    else
      return;
  }
}

// Like statistics_quantile, for numbers in any order.
static double quantile_of(double *numbers, long count, double share) {
  const long rank = (long)((double)(count - 1) * share);
  select_rank(numbers, count, rank);
  for (long i = rank + 2; i < count; i++)
    if (numbers[i] < numbers[rank + 1])
      swap(&numbers[i], &numbers[rank + 1]);
  const double pair[] = {numbers[rank], numbers[rank + 1]};
  return statistics_quantile(pair, 2, (double)(count - 1) * share - (double)rank);
}

// The share of resamples beyond each end of the interval.
static double tail_share(long cluster_count) {
  const double m = (double)cluster_count;
  return erfc(statistics_student(cluster_count - 1) * sqrt(m / (m - 1)) / sqrt(2)) / 2;
}

static Interval interval_of_resamples(Bootstrap *bootstrap, long cluster_count) {
  const double tail = tail_share(cluster_count);
  return (Interval){.low = quantile_of(bootstrap->medians, BOOTSTRAP_RESAMPLES, tail),
                    .high = quantile_of(bootstrap->medians, BOOTSTRAP_RESAMPLES, 1 - tail)};
}

Interval bootstrap_median(Bootstrap *bootstrap, const double *sorted, long *clusters, long count, long cluster_count) {
  if (cluster_count < BOOTSTRAP_LEAST_CLUSTERS)
    return (Interval){NAN, NAN};
  if (sorted[0] == sorted[count - 1])
    return (Interval){sorted[0], sorted[0]};
  if (cluster_count == count) {
    resample_values(bootstrap, sorted, count);
  } else {
    cluster_count = bundle_clusters(clusters, count, cluster_count);
    resample_clusters(bootstrap, sorted, clusters, count, cluster_count);
  }
  return interval_of_resamples(bootstrap, cluster_count);
}

Interval bootstrap_statistic(Bootstrap *bootstrap, long cluster_count, BootstrapStatistic statistic,
                             const void *context) {
  if (cluster_count < BOOTSTRAP_LEAST_CLUSTERS)
    return (Interval){NAN, NAN};
  draw_weights(bootstrap, cluster_count);
  for (int i = 0; i < BOOTSTRAP_RESAMPLES; i++)
    bootstrap->medians[i] = statistic(context, bootstrap->weights[i]);
  return interval_of_resamples(bootstrap, cluster_count);
}
