// Confidence intervals of medians by the cluster bootstrap: a resample draws, with replacement, as many clusters as
// there are, each with all of its values. The interval's ends are quantiles of the resamples' medians.
//
// Percentiles of 2.5 % and 97.5 % would cover the true median too seldom if there are few clusters (80 to 90 % of the
// time for 6 to 10 clusters), since the variance of resamples is too small by a factor of (m - 1) / m, and their tails
// are too short. So the ends are quantiles of expanded shares, the normal distribution at -+ t sqrt(m / (m - 1)) with
// Student's t of m - 1 degrees of freedom: 0.24 % for 6 clusters, 1.6 % for 20, 2.35 % for 125, 2.5 % in the limit. For
// independent normal numbers the interval then covers the median with these rates: 6 clusters: 97 %, 7: 98 %, 10: 97 %,
// 20: 96 %, 100: 95 %; for clustered values as in tests/property/test_intervals.c 93 to 96 %.
// Sources: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13; Davison and Hinkley 1997, Bootstrap
// Methods and their Application, section 3.8; Hesterberg 2015, What teachers should know about the bootstrap, Am. Stat.
// 69 (expanded percentiles).
#ifndef STAGGER_SCENES_SWEEP_BOOTSTRAP_H
#define STAGGER_SCENES_SWEEP_BOOTSTRAP_H

#include <stdint.h>

#include "scenes/sweep/statistics.h"

enum {
  BOOTSTRAP_RESAMPLES = 10000,
  // The range of n values covers the median with probability 1 - 2^(1 - n), which is 94 % for 5. Below 6 no interval is
  // given.
  BOOTSTRAP_LEAST_CLUSTERS = 6,
  BOOTSTRAP_MOST_CLUSTERS = 500 // for clusters of several values; if there are more, they are combined
};

// Random numbers and memory. The numbers depend only on the seed and on the number of clusters, so the same sample has
// the same interval wherever it occurs.
typedef struct Bootstrap Bootstrap;

Bootstrap *bootstrap_create(uint64_t seed); // NULL: no memory
void bootstrap_destroy(Bootstrap *bootstrap);

// The interval of the median of sorted, finite values. clusters: cluster of each value, numbered from 0 without gaps
// (renumbered if there are too many); not used when every value is a cluster of its own. NAN for fewer than 6 clusters.
//
// The median of a resample of single values depends only on one or two of its order statistics. These are drawn
// directly from their beta distributions, instead of `count` values: the medians have exactly the same distribution,
// and take the same time for any count. Clusters of several values are drawn as weights, and the median is searched
// from that of the sample, which is near.
// Sources: David and Nagaraja 2003, Order Statistics, section 2.1; Marsaglia and Tsang 2000, A simple method for
// generating gamma variables, ACM Trans. Math. Softw. 26.
Interval bootstrap_median(Bootstrap *bootstrap, const double *sorted, long *clusters, long count, long cluster_count);

// A statistic of clusters, each counted weights[cluster] times.
typedef double (*BootstrapStatistic)(const void *context, const uint16_t *weights);

// The interval of any statistic of at most BOOTSTRAP_MOST_CLUSTERS clusters, with the same resamples and expanded
// percentiles. NAN for fewer than 6 clusters.
Interval bootstrap_statistic(Bootstrap *bootstrap, long cluster_count, BootstrapStatistic statistic,
                             const void *context);

// The medians of the last call's resamples, unsorted; not valid when there was no interval.
const double *bootstrap_medians(const Bootstrap *bootstrap);

#endif
