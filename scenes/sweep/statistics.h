// Statistics of samples, with intervals for 95 %. Pure functions of numbers.
//
// Trials of one repeat have the same seed in all cells of a study, so that they are no independent draws: what is
// random in the scene strikes all of them alike. Their repeats are, and they are the clusters of a sample. Where every
// value is a cluster of its own, as in a cell, all of this is what is usual for independent draws.
#ifndef STAGGER_SCENES_SWEEP_STATISTICS_H
#define STAGGER_SCENES_SWEEP_STATISTICS_H

typedef struct Interval {
  double low, high;
} Interval;

// Wilson's score interval of a share of `successes` in `count` trials, without continuity correction. [0, 1] of none.
// Source: Wilson 1927, Probable inference, the law of succession, and statistical inference, J. Am. Stat. Assoc. 22.
Interval statistics_wilson(long successes, long count);

// What a share needs to know of its clusters, each of n trials with y successes: sums over them.
typedef struct ShareTally {
  long clusters;
  long successes, count;                        // of all y, n
  double success_square, count_square, product; // of y^2, n^2, y n: exact up to 9e15
} ShareTally;

void statistics_tally(ShareTally *tally, long successes, long count); // one cluster more; of no trials: none

// So many independent trials would tell as much of the share p: n / deff (t / t')^2, at most n. The design effect deff
// is the variance of a ratio of cluster totals, m / (m - 1) sum (y - p n)^2 / (sum n)^2 of m clusters, over that of
// independent trials, p (1 - p) / (n - 1). t and t' are Student's 97.5 % quantiles of n - 1 and m - 1 degrees of
// freedom: a variance of few clusters is itself uncertain. The data tell no design effect when all trials succeed, or
// none, or there is one cluster: then it is m, as if all trials of a cluster were the same. n where every trial is a
// cluster of its own.
// Sources: Kish 1965, Survey Sampling, sections 6.5 and 8.2; Korn and Graubard 1998, Confidence intervals for
// proportions with small expected number of positive counts estimated from survey data, Survey Methodology 24.
double statistics_effective_count(const ShareTally *tally);

// Wilson's interval with the effective count for the count. [0, 1] of no trials.
Interval statistics_share_interval(const ShareTally *tally);

// Student's quantile of 97.5 %, within 6e-6; degrees of freedom >= 1.
// Source: Fisher and Cornish 1960, The percentile points of distributions having known cumulants, Technometrics 2.
double statistics_student(long freedom);

// The quantile of sorted values: linear between order statistics (R's type 7, numpy's default). NAN of none.
double statistics_quantile(const double *sorted, long count, double share);

#endif
