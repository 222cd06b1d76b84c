// Statistics of samples, with intervals. Pure functions of numbers; all intervals are for 95 %.
#ifndef STAGGER_SCENES_SWEEP_STATISTICS_H
#define STAGGER_SCENES_SWEEP_STATISTICS_H

#include <stdint.h>

typedef struct Interval {
  double low, high;
} Interval;

// Wilson's score interval of a share of `successes` in `count` trials, without continuity correction. [0, 1] of none.
// Source: Wilson 1927, Probable inference, the law of succession, and statistical inference, J. Am. Stat. Assoc. 22.
Interval statistics_wilson(long successes, long count);

// The quantile of sorted values: linear between order statistics (R's type 7, numpy's default). NAN of none.
double statistics_quantile(const double *sorted, long count, double share);

// Interval of the median by the percentile bootstrap with 2000 resamples, from random numbers of `seed`. Of one value
// that value, NAN of none. work: room for `count` + 2000 numbers.
// Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13.
Interval statistics_median_interval(const double *sorted, long count, uint64_t seed, double *work);

typedef struct Sample {
  long count;                                    // finite values
  double mean, deviation, min, max, quartile[3]; // [1]: the median; deviation with count - 1
  Interval median;
} Sample;

// Leaves out what is not finite. work: room for 2 * `count` + 2000 numbers.
Sample statistics_sample(const double *values, long count, uint64_t seed, double *work);

#endif
