// Shares and quantiles against values of R 4.2.2 and Python (numpy 1.24.2, scipy 1.10.1), by the commands in the
// comments.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scenes/sweep/statistics.h"

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

// R: qt(0.975, n).
static void test_student_is_that_of_r(void **state) {
  (void)state;
  static const struct {
    long freedom;
    double quantile;
  } CASES[] = {{1, 12.706204736174694},   {5, 2.5705818356363137},   {10, 2.2281388519862739},
               {11, 2.2009851600916388},  {20, 2.0859634472658648},  {40, 2.0210753903062733},
               {124, 1.9792801166048397}, {1599, 1.9614486858503590}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
    assert_close(statistics_student(CASES[i].freedom), CASES[i].quantile, 6e-6);
  for (long freedom = 1; freedom < 1000; freedom++)
    assert_true(statistics_student(freedom) > statistics_student(freedom + 1));
  assert_close(statistics_student(100000000), 1.9599639845400545, 1e-7);
}

static ShareTally tally_of(const int *successes, const int *counts, int clusters) {
  ShareTally tally = {0};
  for (int i = 0; i < clusters; i++)
    statistics_tally(&tally, successes[i], counts[i]);
  return tally;
}

// R, of successes y and trials n of the clusters:
//   m <- length(y); N <- sum(n); p <- sum(y) / N; z <- qnorm(.975)
//   deff <- m / (m-1) * sum((y - p*n)^2) / N^2 / (p * (1-p) / (N-1))
//   e <- min(N, N / deff * (qt(.975, N-1) / qt(.975, m-1))^2)
//   (p + z^2/(2*e) + c(-1, 1) * z * sqrt(p*(1-p)/e + z^2/(4*e^2))) / (1 + z^2/e)
static void test_intervals_of_clusters_are_those_of_r(void **state) {
  (void)state;
  static const struct {
    int successes[20], counts[20], clusters;
    double effective, low, high;
  } CASES[] = {
      {{8, 1, 5, 0, 7, 2, 8, 3},
       {8, 8, 8, 8, 8, 8, 8, 8},
       8,
       9.0564152567021345,
       0.24944504920877184,
       0.79444016397809381},
      {{3, 0, 5, 1}, {5, 4, 6, 2}, 4, 3.2072874057048955, 0.14455809996276994, 0.88220750614387033},
      {{16, 2}, {16, 16}, 2, 0.034194338141231483, 0.0027963430353580734, 0.99830651423604388},
      {{1}, {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, 12, 30.627145839587836, 0.0043828852462471186, 0.15642916321130437},
      {{2, 2, 2, 2, 1}, {4, 4, 4, 4, 4}, 5, 20, 0.25819785825562425, 0.65791465754965761},
      {{0, 3, 9, 12, 16, 4, 7, 16, 1, 0, 11, 8, 14, 2, 6, 10, 16, 5, 3, 13},
       {16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16},
       20,
       37.452593510214285,
       0.33620448603159953,
       0.64112118716094069},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    const ShareTally tally = tally_of(CASES[i].successes, CASES[i].counts, CASES[i].clusters);
    const Interval interval = statistics_share_interval(&tally);
    // Student's quantile is within 6e-6, and it enters squared.
    assert_close(statistics_effective_count(&tally), CASES[i].effective, 1e-5 * CASES[i].effective);
    assert_close(interval.low, CASES[i].low, 1e-5);
    assert_close(interval.high, CASES[i].high, 1e-5);
  }
}

static void assert_effective(const ShareTally *tally, double effective, Interval expected) {
  const Interval interval = statistics_share_interval(tally);
  assert_true(statistics_effective_count(tally) == effective);
  assert_true(interval.low == expected.low && interval.high == expected.high);
}

static void test_single_trials_have_wilsons_interval(void **state) {
  (void)state;
  for (long count = 1; count <= 60; count++)
    for (long successes = 0; successes <= count; successes++) {
      ShareTally tally = {0};
      for (long i = 0; i < count; i++)
        statistics_tally(&tally, i < successes, 1);
      assert_effective(&tally, (double)count, statistics_wilson(successes, count));
    }
}

// The same for clusters that differ like single trials: the formula has no jump there.
static void test_pairs_of_trials_are_near_wilsons_interval(void **state) {
  (void)state;
  ShareTally pairs = {0};
  for (int i = 0; i < 400; i++)
    statistics_tally(&pairs, i % 4 == 0 ? 0 : i % 4 == 3 ? 2 : 1, 2);
  assert_close(statistics_effective_count(&pairs), 800, 4);
}

static void test_without_spread_clusters_count(void **state) {
  (void)state;
  static const int none[9] = {0}, counts[] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
  const ShareTally never = tally_of(none, counts, 9), always = tally_of(counts, counts, 9);
  assert_effective(&never, 9, statistics_wilson(0, 9));
  assert_effective(&always, 9, statistics_wilson(9, 9));
  const ShareTally one = tally_of((const int[]){3}, counts, 1); // all with the same random numbers
  assert_true(statistics_effective_count(&one) == 1);
  assert_true(statistics_share_interval(&one).low < 0.1 && statistics_share_interval(&one).high > 0.9);
  // Clusters that are more alike than chance would make them count for no more than all of their trials.
  const ShareTally alike = tally_of((const int[]){3, 3, 3, 3, 3, 3, 3, 3, 3}, counts, 9);
  assert_effective(&alike, 63, statistics_wilson(27, 63));
  const ShareTally empty = tally_of(none, none, 9);
  assert_int_equal(empty.clusters, 0);
  assert_effective(&empty, 0, (Interval){0, 1});
}

// R: quantile(x, c(0, .025, .1, .25, .5, .75, .975, 1), type=7); Python: numpy.quantile(x, ...).
static void test_quantiles_are_those_of_r_and_numpy(void **state) {
  (void)state;
  static const double SHARES[] = {0, 0.025, 0.1, 0.25, 0.5, 0.75, 0.975, 1};
  static const double EXPECTED[] = {0.1, 0.14725, 0.289, 0.4475, 0.56, 0.935, 2.2165, 2.5};
  static const double sorted[] = {0.1, 0.31, 0.44, 0.47, 0.52, 0.6, 0.83, 0.97, 1.24, 2.5};
  for (int i = 0; i < 8; i++)
    assert_close(statistics_quantile(sorted, 10, SHARES[i]), EXPECTED[i], 1e-15);
  assert_true(statistics_quantile(sorted, 1, 0.3) == 0.1);
  assert_true(isnan(statistics_quantile(sorted, 0, 0.5)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wilson_is_that_of_r_and_scipy),
      cmocka_unit_test(test_wilson_ends_are_exact),
      cmocka_unit_test(test_student_is_that_of_r),
      cmocka_unit_test(test_intervals_of_clusters_are_those_of_r),
      cmocka_unit_test(test_single_trials_have_wilsons_interval),
      cmocka_unit_test(test_pairs_of_trials_are_near_wilsons_interval),
      cmocka_unit_test(test_without_spread_clusters_count),
      cmocka_unit_test(test_quantiles_are_those_of_r_and_numpy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
