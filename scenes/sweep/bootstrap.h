// Intervals of medians by the bootstrap over clusters: a resample draws as many clusters as there are, each with all of
// its values, and a cluster again and again. The interval's ends are quantiles of the resamples' medians.
//
// Percentiles of 2.5 % and 97.5 % would cover the true median too seldom where clusters are few (80 to 90 % of the time
// of 6 to 10 clusters), since resamples vary too little by a factor of sqrt((m - 1) / m), and have no long tails. So
// the ends are the quantiles of expanded shares, the normal distribution at -+ t sqrt(m / (m - 1)) with Student's t of
// m - 1 degrees of freedom: 0.24 % of 6 clusters, 1.6 % of 20, 2.35 % of 125, 2.5 % of very many. Of independent normal
// numbers the interval then covers the median so often: 6: 97 %, 7: 98 %, 10: 97 %, 20: 96 %, 100: 95 %; of values in
// clusters, which tests/property/test_intervals.c draws, 93 to 96 %.
// Sources: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13; Davison and Hinkley 1997, Bootstrap
// Methods and their Application, section 3.8; Hesterberg 2015, What teachers should know about the bootstrap, Am. Stat.
// 69 (expanded percentiles).
#ifndef STAGGER_SCENES_SWEEP_BOOTSTRAP_H
#define STAGGER_SCENES_SWEEP_BOOTSTRAP_H

#include <stdint.h>

#include "scenes/sweep/statistics.h"

enum {
  BOOTSTRAP_RESAMPLES = 10000,
  // Of n values all together cover the median with 1 - 2^(1 - n): 94 % of 5. Of fewer than 6 there is no interval.
  BOOTSTRAP_LEAST_CLUSTERS = 6,
  BOOTSTRAP_MOST_CLUSTERS = 500 // of several values each: more of them are taken together
};

// Random numbers and room. The numbers hang on the seed, and on how many clusters there are, alone: the same sample has
// the same interval wherever it occurs.
typedef struct Bootstrap Bootstrap;

Bootstrap *bootstrap_make(uint64_t seed); // NULL: no memory
void bootstrap_free(Bootstrap *bootstrap);

// The interval of the median of sorted, finite values. clusters: of each value, numbers from 0 of which none is left
// out (renumbered when there are too many); of no use when every value is a cluster of its own. NAN of fewer than 6
// clusters.
//
// The median of a resample of single values hangs on one or two of its order statistics alone. These are drawn
// directly, from their beta distributions, instead of `count` values: the medians have exactly the distribution of
// those of whole resamples, and take the same time for any count. Clusters of several values are drawn as weights,
// and the median is sought from the sample's own, which is near.
// Sources: David and Nagaraja 2003, Order Statistics, section 2.1; Marsaglia and Tsang 2000, A simple method for
// generating gamma variables, ACM Trans. Math. Softw. 26.
Interval bootstrap_median(Bootstrap *bootstrap, const double *sorted, long *clusters, long count, long cluster_count);

// The medians of the last call's resamples, in no order; nothing when there was no interval to find.
const double *bootstrap_medians(const Bootstrap *bootstrap);

#endif
