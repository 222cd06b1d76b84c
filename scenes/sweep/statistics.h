// Statistics of samples, with intervals. Pure functions of numbers; all intervals are for 95 %.
#ifndef STAGGER_SCENES_SWEEP_STATISTICS_H
#define STAGGER_SCENES_SWEEP_STATISTICS_H

#include <stdint.h>

enum { STATISTICS_RESAMPLES = 2000 };

typedef struct Interval {
  double low, high;
} Interval;

// Wilson's score interval of a share of `successes` in `count` trials, without continuity correction. [0, 1] of none.
// Source: Wilson 1927, Probable inference, the law of succession, and statistical inference, J. Am. Stat. Assoc. 22.
Interval statistics_wilson(long successes, long count);

// The quantile of sorted values: linear between order statistics (R's type 7, numpy's default). NAN of none.
double statistics_quantile(const double *sorted, long count, double share);

// Interval of the median by the percentile bootstrap with 2000 resamples, from random numbers of `seed`: its ends are
// the 2.5 % and 97.5 % quantiles of the resamples' medians. Of one value that value, NAN of none. work: room for 2000
// numbers; of values that are not all the same it holds the resamples' medians afterwards, in ascending order.
//
// The median of a resample hangs on one or two of its order statistics alone. These are drawn directly, from their beta
// distributions, instead of `count` values: the medians have exactly the distribution of those of whole resamples, and
// take the same time for any count.
//
// A median of few values has few possible medians of resamples, so that the interval covers the true median only about
// 95 % of the time; of normal numbers 5: 94 %, 7: 87 %, 10: 94 %, 20: 94 %, 100: 95 %.
// Sources: Efron and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13; David and Nagaraja 2003, Order
// Statistics, section 2.1; Marsaglia and Tsang 2000, A simple method for generating gamma variables, ACM Trans. Math.
// Softw. 26.
Interval statistics_median_interval(const double *sorted, long count, uint64_t seed, double *work);

typedef struct Sample {
  long count;                                    // finite values
  double mean, deviation, min, max, quartile[3]; // [1]: the median; deviation with count - 1, NAN of one value
  Interval median;
} Sample; // without any finite value all of it is NAN

// Leaves out what is not finite. work: room for `count` + 2000 numbers.
Sample statistics_sample(const double *values, long count, uint64_t seed, double *work);

#endif
