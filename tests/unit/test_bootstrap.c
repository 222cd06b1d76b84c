// Intervals of medians against values of R 4.2.2, by the commands in the comments.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "scenes/sweep/sample.h"
#include "scenes/sweep/statistics.h"
#include "sim/base/rng.h"
#include "tests/unit/drill.h"

enum { LARGE = 1001, MAX_SMALL = 7, SEEDS = 40, MANY = 3000 };

static const double EVEN[] = {0.31, 1.24, 0.52, 0.97, 0.1, 0.44, 0.83, 0.47, 0.6, 2.5}; // nine of them: odd

static void assert_close(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.17g, not %.17g", value, expected);
}

static Sample take(uint64_t seed, const double *values, const long *clusters, long count) {
  Sampler *sampler = sampler_create(seed, count);
  assert_non_null(sampler);
  const Sample sample = sample_take(sampler, values, clusters, count);
  sampler_destroy(sampler);
  return sample;
}

// R: mean(x), sd(x), quantile(x, c(.25, .5, .75)).
static void test_sample_is_that_of_r(void **state) {
  (void)state;
  const Sample even = take(1, EVEN, NULL, 10);
  assert_true(even.count == 10 && even.clusters == 10);
  assert_close(even.mean, 0.798, 1e-15);
  assert_close(even.deviation, 0.68315932743882424, 1e-15);
  assert_true(even.min == 0.1 && even.max == 2.5);
  assert_close(even.quartile[0], 0.4475, 1e-15);
  assert_close(even.quartile[1], 0.56, 1e-15);
  assert_close(even.quartile[2], 0.935, 1e-15);

  const Sample odd = take(1, EVEN, NULL, 9);
  assert_close(odd.mean, 0.60888888888888892, 1e-15);
  assert_close(odd.deviation, 0.35030145747785735, 1e-15);
  assert_close(odd.quartile[0], 0.44, 1e-15);
  assert_close(odd.quartile[1], 0.52, 1e-15);
  assert_close(odd.quartile[2], 0.83, 1e-15);
}

// R: a <- pnorm(-qt(.975, n-1) * sqrt(n / (n-1))) is 0.00855 of ten values and 0.00722 of nine. With 10000 resamples an
// end is the quantile of a share of all resamples within 5 sqrt(a (1-a) / 10000) of it: quantile(b, c(.00395, .01315,
// 1-.01315, 1-.00395)) of b <- apply(matrix(sample(x, 1e6 * n, TRUE), ncol=n), 1, median).
static void test_median_intervals_are_those_of_r(void **state) {
  (void)state;
  for (int seed = 0; seed < SEEDS; seed++) {
    const Interval even = take((uint64_t)seed, EVEN, NULL, 10).median;
    assert_true(even.low >= 0.31 && even.low <= 0.375 && even.high >= 1.105 && even.high <= 1.24);
    const Interval odd = take((uint64_t)seed, EVEN, NULL, 9).median;
    assert_true(odd.low == 0.31 && odd.high == 0.97);
  }
}

// R, of a list v with the values of 8 clusters: quantile(b, ...) as above of b <- replicate(400000,
// median(unlist(v[sample(8, 8, TRUE)]))).
static void test_intervals_of_clusters_are_those_of_r(void **state) {
  (void)state;
  static const double values[] = {0.31, 1.24, 0.52, 0.97, 0.1,  0.44, 0.83, 0.47, 0.6,  2.5, 0.2,
                                  0.9,  1.1,  0.7,  0.35, 0.66, 1.9,  1.6,  0.05, 0.15, 0.4};
  static const long clusters[] = {0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7, 7, 7};
  for (int seed = 0; seed < SEEDS; seed++) {
    const Sample sample = take((uint64_t)seed, values, clusters, 21);
    assert_true(sample.count == 21 && sample.clusters == 8);
    assert_true(sample.median.low >= 0.3 && sample.median.low <= 0.4);
    assert_true(sample.median.high >= 1.285 && sample.median.high <= 1.6);
  }
}

// Of 1 .. n the median of a resample has a smooth distribution: R's 1001 * qbeta(c(a, 1-a), 501, 501) + 0.5 is 469.98
// and 532.02 for a = 0.024804; of 1000 values both ends are 0.5 lower. The mean over 40 seeds has an error of 0.07, a
// single one of 0.43: the error of the share, 0.0016, over the density of a median there.
static void test_median_intervals_of_many_values(void **state) {
  (void)state;
  double values[LARGE];
  for (int i = 0; i < LARGE; i++)
    values[i] = i + 1;
  Interval odd = {0, 0}, even = {0, 0};
  for (int seed = 0; seed < SEEDS; seed++) {
    const Interval a = take((uint64_t)seed, values, NULL, LARGE).median;
    const Interval b = take((uint64_t)seed + SEEDS, values, NULL, LARGE - 1).median;
    odd.low += a.low / SEEDS, odd.high += a.high / SEEDS;
    even.low += b.low / SEEDS, even.high += b.high / SEEDS;
  }
  assert_close(odd.low, 469.98, 0.5);
  assert_close(odd.high, 532.02, 0.5);
  assert_close(even.low, 469.48, 0.5);
  assert_close(even.high, 531.52, 0.5);
}

// The share of all count^count resamples of 0, 1 .. count - 1 whose median is half of `twice`, by enumeration.
static double share_of_resamples(int count, int twice) {
  int resamples = 1, found = 0;
  for (int i = 0; i < count; i++)
    resamples *= count;
  for (int resample = 0; resample < resamples; resample++) {
    int rest = resample, seen = 0, lower = -1, upper = -1, tally[MAX_SMALL] = {0};
    for (int i = 0; i < count; i++, rest /= count)
      tally[rest % count]++;
    for (int value = 0; value < count; value++) {
      seen += tally[value];
      if (lower < 0 && seen >= (count + 1) / 2)
        lower = value;
      if (upper < 0 && seen >= count / 2 + 1)
        upper = value;
    }
    found += lower + upper == twice;
  }
  return (double)found / resamples;
}

// Within 5 standard deviations of a count of 400000 draws. Every value is twice in its cluster: the median is that of
// the clusters' values.
static void assert_medians(int count, bool twice_each) {
  const double sorted[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}, single[] = {0, 1, 2, 3, 4, 5, 6};
  long clusters[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6};
  int found[2 * MAX_SMALL] = {0};
  for (int seed = 0; seed < SEEDS; seed++) {
    Bootstrap *bootstrap = bootstrap_create((uint64_t)seed);
    assert_non_null(bootstrap);
    bootstrap_median(bootstrap, twice_each ? sorted : single, clusters, twice_each ? 2 * count : count, count);
    for (int i = 0; i < BOOTSTRAP_RESAMPLES; i++)
      found[(int)(2 * bootstrap_medians(bootstrap)[i])]++;
    bootstrap_destroy(bootstrap);
  }
  for (int twice = 0; twice <= 2 * (count - 1); twice++) {
    const double share = share_of_resamples(count, twice), draws = (double)SEEDS * BOOTSTRAP_RESAMPLES;
    assert_close(found[twice] / draws, share, 5 * sqrt(share * (1 - share) / draws));
  }
}

static void test_medians_are_those_of_whole_resamples(void **state) {
  (void)state;
  for (int count = BOOTSTRAP_LEAST_CLUSTERS; count <= MAX_SMALL; count++) {
    assert_medians(count, false);
    assert_medians(count, true);
  }
}

// All values of few clusters together cover the median too seldom.
static void test_few_clusters_have_no_interval(void **state) {
  (void)state;
  static const long two_each[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4}, six[] = {0, 1, 2, 3, 4, 5, 5, 5, 5, 5};
  static const double same[] = {3, 3, 3, 3, 3, 3};
  for (int count = 0; count < BOOTSTRAP_LEAST_CLUSTERS; count++) {
    const Sample few = take(1, EVEN, NULL, count);
    assert_true(few.count == count && isnan(few.median.low) && isnan(few.median.high));
    assert_true(isnan(take(1, same, NULL, count).median.low));
  }
  const Sample paired = take(1, EVEN, two_each, 10);
  assert_true(paired.count == 10 && paired.clusters == 5 && paired.quartile[1] == take(1, EVEN, NULL, 10).quartile[1]);
  assert_true(isnan(paired.median.low) && isnan(paired.median.high));
  assert_true(take(1, EVEN, six, 10).median.low >= 0.1 && take(1, EVEN, NULL, 6).median.high <= 1.24);
  const Interval constant = take(1, same, NULL, 6).median;
  assert_true(constant.low == 3 && constant.high == 3);
}

// The numbers of clusters, gaps between them and the order of the values do not matter.
static void test_a_sample_has_one_interval(void **state) {
  (void)state;
  double values[60], shuffled[60];
  long clusters[60], others[60];
  for (int i = 0; i < 60; i++) {
    values[i] = sin(i * i), clusters[i] = i % 12;
    const int from = (i * 7 + 3) % 60;
    shuffled[i] = sin(from * from), others[i] = 1000 * (from % 12) + 5;
  }
  const Interval a = take(7, values, clusters, 60).median, b = take(7, shuffled, others, 60).median;
  assert_true(a.low == b.low && a.high == b.high);
  const Interval c = take(8, values, clusters, 60).median, d = take(7, values, NULL, 60).median;
  assert_true(a.low != c.low || a.high != c.high);
  const Interval e = take(7, shuffled, NULL, 60).median;
  assert_true(d.low == e.low && d.high == e.high);

  // Also for counts that share a place in the sampler's cache with others.
  Sampler *sampler = sampler_create(7, 700);
  assert_non_null(sampler);
  double more[700];
  for (int i = 0; i < 700; i++)
    more[i] = i;
  for (long count = 6; count <= 700; count += 59)
    sample_take(sampler, more, NULL, count);
  sample_take(sampler, more, NULL, 124);
  const Interval f = sample_take(sampler, values, NULL, 60).median,
                 g = sample_take(sampler, values, clusters, 60).median;
  assert_true(f.low == d.low && f.high == d.high && g.low == a.low && g.high == a.high);
  sampler_destroy(sampler);
}

// More clusters than are drawn one by one: for independent values the interval is that of single values, here for 6000
// uniform numbers 1.96 * 0.5 / sqrt(6000) = 0.0127 wide to each side. About 80 numbers are in each half, so that it is
// uncertain by 0.0014.
static void test_many_clusters_are_taken_together(void **state) {
  (void)state;
  static double values[2 * MANY];
  static long clusters[2 * MANY];
  Rng rng = rng_make(1, "values");
  for (long i = 0; i < 2 * MANY; i++) {
    values[i] = rng_unit(&rng);
    clusters[i] = rng_index(&rng, MANY);
  }
  const Sample sample = take(1, values, clusters, 2 * MANY);
  assert_true(sample.clusters > BOOTSTRAP_MOST_CLUSTERS);
  assert_close(sample.quartile[1] - sample.median.low, 0.0127, 0.005);
  assert_close(sample.median.high - sample.quartile[1], 0.0127, 0.005);
}

static void test_what_is_not_finite_is_left_out(void **state) {
  (void)state;
  const double values[] = {NAN, 3, INFINITY, 1, -INFINITY, 2, NAN};
  const long clusters[] = {0, 1, 2, 3, 4, 1, 6};
  const Sample sample = take(1, values, clusters, 7);
  assert_true(sample.count == 3 && sample.clusters == 2);
  assert_true(sample.mean == 2 && sample.deviation == 1 && sample.min == 1 && sample.max == 3);
  assert_true(sample.quartile[0] == 1.5 && sample.quartile[1] == 2 && sample.quartile[2] == 2.5);

  const Sample one = take(1, values, NULL, 2);
  assert_true(one.count == 1 && one.mean == 3 && isnan(one.deviation) && one.quartile[1] == 3);

  const Sample none = take(1, values, NULL, 1);
  assert_true(none.count == 0 && none.clusters == 0);
  assert_true(isnan(none.mean) && isnan(none.deviation) && isnan(none.min) && isnan(none.max));
  assert_true(isnan(none.quartile[0]) && isnan(none.quartile[1]) && isnan(none.quartile[2]));
  assert_true(isnan(none.median.low) && isnan(none.median.high));
}

// ---- Drawn samples: sums to nine digits ----

enum { INTERVALS, MEDIANS, SHARES, SUMS };
static const char *const NAMES[SUMS] = {"intervals", "medians", "shares"};
static const double OUTCOMES[1][SUMS] = {
    {1.3072220524, 0.91559844854, 119.49553268},
};

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The mean of clusters, weighted.
static double weighted_mean(const void *context, const uint16_t *weights) {
  const double *values = context;
  double sum = 0, count = 0;
  for (int i = 0; i < 9; i++) {
    sum += weights[i] * values[i];
    count += weights[i];
  }
  return sum / count;
}

static void drawn_samples_come_to(void **state) {
  (void)state;
  static const struct {
    long count, clusters;
  } samples[] = {{6, 6}, {9, 9}, {40, 40}, {2500, 2500}, {30, 10}, {61, 7}, {900, 300}, {4000, 1300}};
  DrillSum sums[SUMS] = {{0}};
  Rng rng = rng_make(2, "samples");
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    static double values[4000];
    static long clusters[4000];
    for (long k = 0; k < samples[i].count; k++) {
      values[k] = rng_index(&rng, 3) ? rng_normal(&rng) : rng_index(&rng, 5);
      clusters[k] = k < samples[i].clusters ? k : rng_index(&rng, (int)samples[i].clusters);
    }
    qsort(values, (size_t)samples[i].count, sizeof *values, compare_numbers);
    Bootstrap *bootstrap = bootstrap_create(i);
    assert_non_null(bootstrap);
    const Interval median = bootstrap_median(bootstrap, values, clusters, samples[i].count, samples[i].clusters);
    drill_add(&sums[INTERVALS], median.low);
    drill_add(&sums[INTERVALS], median.high);
    DrillSum medians = {0};
    drill_add_all(&medians, bootstrap_medians(bootstrap), BOOTSTRAP_RESAMPLES);
    drill_add(&sums[MEDIANS], medians.sum / 100);
    const Interval mean = bootstrap_statistic(bootstrap, 9, weighted_mean, values);
    drill_add(&sums[INTERVALS], mean.low);
    drill_add(&sums[INTERVALS], mean.high);
    bootstrap_destroy(bootstrap);
    for (int n = 0; n <= 10; n++)
      drill_add(&sums[MEDIANS], statistics_quantile(values, samples[i].count, n / 10.0));
  }
  for (int n = 0; n < 200; n++) {
    ShareTally tally = {0};
    const int repeats = 1 + rng_index(&rng, 12);
    for (int k = 0; k < repeats; k++) {
      const int count = rng_index(&rng, 9);
      statistics_tally(&tally, count > 0 ? rng_index(&rng, count + 1) : 0, count);
    }
    if (tally.count == 0)
      continue;
    const Interval share = statistics_share_interval(&tally), plain = statistics_wilson(tally.successes, tally.count);
    const double figures[] = {
        share.low, share.high, plain.low, plain.high, statistics_effective_count(&tally), statistics_student(1 + n)};
    drill_add_all(&sums[SHARES], figures, 6);
  }
  const double found[SUMS] = {sums[INTERVALS].sum, sums[MEDIANS].sum, sums[SHARES].sum};
  const bool same = drill_matches("drawn samples", NAMES, found, OUTCOMES[0], SUMS);
  if (!same)
    drill_print(found, SUMS);
  assert_true(same);
}

// The mean of equal values is that value to the bit, however the sum is rounded.
static void test_equal_values_have_no_deviation(void **state) {
  (void)state;
  for (int count = 2; count < 24; count++)
    for (int k = 1; k < 30; k++) {
      double values[24];
      for (int i = 0; i < count; i++)
        values[i] = 0.1 * k - 1.5;
      const Sample sample = take(1, values, NULL, count);
      assert_true(sample.mean == values[0] && sample.deviation == 0);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sample_is_that_of_r),
      cmocka_unit_test(test_median_intervals_are_those_of_r),
      cmocka_unit_test(test_intervals_of_clusters_are_those_of_r),
      cmocka_unit_test(test_median_intervals_of_many_values),
      cmocka_unit_test(test_medians_are_those_of_whole_resamples),
      cmocka_unit_test(test_few_clusters_have_no_interval),
      cmocka_unit_test(test_a_sample_has_one_interval),
      cmocka_unit_test(test_many_clusters_are_taken_together),
      cmocka_unit_test(test_what_is_not_finite_is_left_out),
      cmocka_unit_test(test_equal_values_have_no_deviation),
      cmocka_unit_test(drawn_samples_come_to),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
