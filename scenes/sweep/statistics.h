// Statistics of samples, with 95 % intervals. Pure functions of numbers.
//
// Trials of one repeat have the same seed in all cells of a study, so they are not independent: the scene's random
// values are the same in all of them. The repeats are independent; they are the clusters of a sample. If every value is
// a cluster of its own, as in a cell, the results are the usual ones for independent values.
#ifndef STAGGER_SCENES_SWEEP_STATISTICS_H
#define STAGGER_SCENES_SWEEP_STATISTICS_H

typedef struct Interval {
  double low, high;
} Interval;

// Wilson's score interval of a share of `successes` in `count` trials, without continuity correction. [0, 1] for count
// 0.
// Source: Wilson 1927, Probable inference, the law of succession, and statistical inference, J. Am. Stat. Assoc. 22.
Interval statistics_wilson(long successes, long count);

// Sums over the clusters for a share, each cluster with n trials and y successes.
typedef struct ShareTally {
  long clusters;
  long successes, count;                        // sums of y and n
  double success_square, count_square, product; // sums of y^2, n^2, y n: exact up to 9e15
} ShareTally;

void statistics_tally(ShareTally *tally, long successes, long count); // adds a cluster; one without trials is ignored

// The number of independent trials with the same information about the share p: n / deff (t / t')^2, at most n. The
// design effect deff is the variance of a ratio of cluster totals, m / (m - 1) sum (y - p n)^2 / (sum n)^2 for m
// clusters, divided by that of independent trials, p (1 - p) / (n - 1). t and t' are Student's 97.5 % quantiles for n -
// 1 and m - 1 degrees of freedom: with few clusters the variance itself is uncertain. If all trials succeed, or none,
// or there is one cluster, the design effect can not be estimated; it is then taken as if all trials of a cluster were
// the same. The result is n if every trial is a cluster of its own.
// Sources: Kish 1965, Survey Sampling, sections 6.5 and 8.2; Korn and Graubard 1998, Confidence intervals for
// proportions with small expected number of positive counts estimated from survey data, Survey Methodology 24.
double statistics_effective_count(const ShareTally *tally);

// Wilson's interval with the effective count as the count. [0, 1] without trials.
Interval statistics_share_interval(const ShareTally *tally);

// Student's quantile of 97.5 %, to 6e-6; degrees of freedom >= 1.
// Source: Fisher and Cornish 1960, The percentile points of distributions having known cumulants, Technometrics 2.
double statistics_student(long freedom);

// The quantile of sorted values: linear between order statistics (R's type 7, numpy's default). NAN for none.
double statistics_quantile(const double *sorted, long count, double share);

#endif
