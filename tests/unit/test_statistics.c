// Statistics against figures that R 4.2.2 and Python (numpy 1.24.2, scipy 1.10.1) give, by the commands that stand
// beside them.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "scenes/sweep/statistics.h"

enum { LARGE = 1001, MAX_SMALL = 6, SEEDS = 200 };

static const double EVEN[] = {0.31, 1.24, 0.52, 0.97, 0.1, 0.44, 0.83, 0.47, 0.6, 2.5}; // nine of them: odd

static void assert_close(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.17g, not %.17g", value, expected);
}

// R: prop.test(7, 20, correct=FALSE)$conf.int; scipy.stats.binomtest(7, 20).proportion_ci(method="wilson") gives the
// same to 1e-15.
static void test_wilson_is_that_of_r_and_scipy(void **state) {
  (void)state;
  static const struct {
    long successes, count;
    double low, high;
  } CASES[] = {
      {0, 20, 0, 0.1611251580528193},
      {20, 20, 0.83887484194718065, 1},
      {1, 20, 0.0088814488007953798, 0.23613119344674197},
      {7, 20, 0.18119182410108206, 0.56714572331476365},
      {123, 1600, 0.064811745749960625, 0.09096515940898367},
      {1, 1, 0.2065493143772375, 1},
      {5000, 10000, 0.49020206181540477, 0.50979793818459518},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const Interval interval = statistics_wilson(CASES[i].successes, CASES[i].count);
    assert_close(interval.low, CASES[i].low, 1e-15);
    assert_close(interval.high, CASES[i].high, 1e-15);
  }
}

static void test_wilson_ends_are_exact(void **state) {
  (void)state;
  for (long count = 1; count < 3000; count++) {
    assert_true(statistics_wilson(0, count).low == 0);
    assert_true(statistics_wilson(count, count).high == 1);
  }
  const Interval none = statistics_wilson(0, 0);
  assert_true(none.low == 0 && none.high == 1);
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void sorted_copy(double *sorted, const double *values, int count) {
  for (int i = 0; i < count; i++)
    sorted[i] = values[i];
  qsort(sorted, (size_t)count, sizeof *sorted, compare_numbers);
}

// R: quantile(x, c(0, .025, .1, .25, .5, .75, .975, 1), type=7); Python: numpy.quantile(x, ...).
static void test_quantiles_are_those_of_r_and_numpy(void **state) {
  (void)state;
  static const double SHARES[] = {0, 0.025, 0.1, 0.25, 0.5, 0.75, 0.975, 1};
  static const double EXPECTED[] = {0.1, 0.14725, 0.289, 0.4475, 0.56, 0.935, 2.2165, 2.5};
  double sorted[10];
  sorted_copy(sorted, EVEN, 10);
  for (int i = 0; i < 8; i++)
    assert_close(statistics_quantile(sorted, 10, SHARES[i]), EXPECTED[i], 1e-15);
  assert_true(statistics_quantile(sorted, 1, 0.3) == 0.1);
  assert_true(isnan(statistics_quantile(sorted, 0, 0.5)));
}

// R: mean(x), sd(x), quantile(x, c(.25, .5, .75)).
static void test_sample_is_that_of_r(void **state) {
  (void)state;
  double work[10 + STATISTICS_RESAMPLES];
  const Sample even = statistics_sample(EVEN, 10, 1, work);
  assert_int_equal(even.count, 10);
  assert_close(even.mean, 0.798, 1e-15);
  assert_close(even.deviation, 0.68315932743882424, 1e-15);
  assert_true(even.min == 0.1 && even.max == 2.5);
  assert_close(even.quartile[0], 0.4475, 1e-15);
  assert_close(even.quartile[1], 0.56, 1e-15);
  assert_close(even.quartile[2], 0.935, 1e-15);

  const Sample odd = statistics_sample(EVEN, 9, 1, work);
  assert_close(odd.mean, 0.60888888888888892, 1e-15);
  assert_close(odd.deviation, 0.35030145747785735, 1e-15);
  assert_close(odd.quartile[0], 0.44, 1e-15);
  assert_close(odd.quartile[1], 0.52, 1e-15);
  assert_close(odd.quartile[2], 0.83, 1e-15);
}

// scipy.stats.bootstrap((x,), numpy.median, n_resamples=100000, method="percentile", random_state=1) gives [0.39,
// 1.035] of the ten values and [0.31, 0.97] of nine. With 2000 resamples an end is the quantile of a share within
// 0.025 +- 5 sqrt(0.025 * 0.975 / 2000) = 0.0075 .. 0.0425 of all resamples, and so at the other end. In R, of 1e6
// resamples: b <- apply(matrix(sample(x, 1e6 * n, TRUE), ncol=n), 1, median); quantile(b, c(.0075, .0425, .9575,
// .9925)).
static void test_median_intervals_are_those_of_r(void **state) {
  (void)state;
  double sorted[10], work[STATISTICS_RESAMPLES];
  for (int seed = 0; seed < SEEDS; seed++) {
    sorted_copy(sorted, EVEN, 10);
    const Interval even = statistics_median_interval(sorted, 10, (uint64_t)seed, work);
    assert_true(even.low >= 0.375 && even.low <= 0.44 && even.high >= 0.97 && even.high <= 1.105);
    sorted_copy(sorted, EVEN, 9);
    const Interval odd = statistics_median_interval(sorted, 9, (uint64_t)seed, work);
    assert_true(odd.low >= 0.31 && odd.low <= 0.44 && odd.high >= 0.83 && odd.high <= 0.97);
  }
}

// Of 1 .. n the median of a resample has a smooth distribution. Odd n: R's 1001 * qbeta(c(.025, .975), 501, 501) + 0.5
// is 470.0 and 532.0. Even n: numpy.quantile of 200000 numpy.median(rng.choice(1..1000, 1000)) at these shares is
// 469.5 and 531.5. The mean over 200 seeds errs by 0.07 (one by 0.95, which is the error of the share, 0.0035, over the
// density of a median there), the references by less than 0.3.
static void test_median_intervals_of_many_values(void **state) {
  (void)state;
  double sorted[LARGE], work[STATISTICS_RESAMPLES];
  for (int i = 0; i < LARGE; i++)
    sorted[i] = i + 1;
  Interval odd = {0, 0}, even = {0, 0};
  for (int seed = 0; seed < SEEDS; seed++) {
    const Interval a = statistics_median_interval(sorted, LARGE, (uint64_t)seed, work);
    const Interval b = statistics_median_interval(sorted, LARGE - 1, (uint64_t)seed + SEEDS, work);
    odd.low += a.low / SEEDS, odd.high += a.high / SEEDS;
    even.low += b.low / SEEDS, even.high += b.high / SEEDS;
  }
  assert_close(odd.low, 470, 0.65);
  assert_close(odd.high, 532, 0.65);
  assert_close(even.low, 469.5, 0.65);
  assert_close(even.high, 531.5, 0.65);
}

// The share of all count^count resamples of 0, 1 .. count - 1 whose median is half of `twice`: every one is made.
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

// Within 5 standard deviations of a count of 400000 draws.
static void test_medians_are_those_of_whole_resamples(void **state) {
  (void)state;
  const double values[] = {0, 1, 2, 3, 4, 5};
  double work[STATISTICS_RESAMPLES];
  for (int count = 2; count <= MAX_SMALL; count++) {
    int found[2 * MAX_SMALL] = {0};
    for (int seed = 0; seed < SEEDS; seed++) {
      statistics_median_interval(values, count, (uint64_t)seed, work);
      for (int i = 0; i < STATISTICS_RESAMPLES; i++)
        found[(int)(2 * work[i])]++;
    }
    for (int twice = 0; twice <= 2 * (count - 1); twice++) {
      const double share = share_of_resamples(count, twice), draws = (double)SEEDS * STATISTICS_RESAMPLES;
      assert_close(found[twice] / draws, share, 5 * sqrt(share * (1 - share) / draws));
    }
  }
}

// All resamples of two values a < b: a a, a b, b a, b b, with medians a, the middle (twice), b.
static void test_median_intervals_of_few_values(void **state) {
  (void)state;
  const double values[] = {2, 4};
  double work[STATISTICS_RESAMPLES];
  const Interval two = statistics_median_interval(values, 2, 1, work);
  assert_true(two.low == 2 && two.high == 4);
  const Interval one = statistics_median_interval(values, 1, 1, work);
  assert_true(one.low == 2 && one.high == 2);
  const Interval none = statistics_median_interval(values, 0, 1, work);
  assert_true(isnan(none.low) && isnan(none.high));
}

static void test_same_seed_same_interval(void **state) {
  (void)state;
  double work[10 + STATISTICS_RESAMPLES], sorted[LARGE];
  const Sample a = statistics_sample(EVEN, 10, 7, work), b = statistics_sample(EVEN, 10, 7, work);
  assert_true(a.median.low == b.median.low && a.median.high == b.median.high);
  for (int i = 0; i < LARGE; i++)
    sorted[i] = i;
  const Interval c = statistics_median_interval(sorted, LARGE, 7, work);
  const Interval d = statistics_median_interval(sorted, LARGE, 8, work);
  assert_true(c.low != d.low || c.high != d.high);
}

static void test_what_is_not_finite_is_left_out(void **state) {
  (void)state;
  const double values[] = {NAN, 3, INFINITY, 1, -INFINITY, 2, NAN};
  double work[7 + STATISTICS_RESAMPLES];
  const Sample sample = statistics_sample(values, 7, 1, work);
  assert_int_equal(sample.count, 3);
  assert_true(sample.mean == 2 && sample.deviation == 1 && sample.min == 1 && sample.max == 3);
  assert_true(sample.quartile[0] == 1.5 && sample.quartile[1] == 2 && sample.quartile[2] == 2.5);

  const Sample one = statistics_sample(values, 2, 1, work);
  assert_int_equal(one.count, 1);
  assert_true(one.mean == 3 && isnan(one.deviation) && one.quartile[1] == 3 && one.median.low == 3);

  const Sample none = statistics_sample(values, 1, 1, work);
  assert_int_equal(none.count, 0);
  assert_true(isnan(none.mean) && isnan(none.deviation) && isnan(none.min) && isnan(none.max));
  assert_true(isnan(none.quartile[0]) && isnan(none.quartile[1]) && isnan(none.quartile[2]));
  assert_true(isnan(none.median.low) && isnan(none.median.high));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wilson_is_that_of_r_and_scipy),
      cmocka_unit_test(test_wilson_ends_are_exact),
      cmocka_unit_test(test_quantiles_are_those_of_r_and_numpy),
      cmocka_unit_test(test_sample_is_that_of_r),
      cmocka_unit_test(test_median_intervals_are_those_of_r),
      cmocka_unit_test(test_median_intervals_of_many_values),
      cmocka_unit_test(test_medians_are_those_of_whole_resamples),
      cmocka_unit_test(test_median_intervals_of_few_values),
      cmocka_unit_test(test_same_seed_same_interval),
      cmocka_unit_test(test_what_is_not_finite_is_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
