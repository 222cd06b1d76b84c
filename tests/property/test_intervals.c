// Intervals cover the truth as often as they say. The bounds are 5 standard deviations of a count of that many cases.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scenes/sweep/statistics.h"
#include "sim/rng.h"

enum { SHARES = 20000, MEDIANS = 3000, MAX_COUNT = 101 };

static void assert_coverage(int covered, int cases, double expected) {
  const double share = (double)covered / cases, deviation = sqrt(expected * (1 - expected) / cases);
  if (fabs(share - expected) > 5 * deviation)
    fail_msg("%d of %d intervals, %.4f, cover the truth, not %.4f", covered, cases, share, expected);
}

static long draw_successes(Rng *rng, long count, double share) {
  long successes = 0;
  for (long i = 0; i < count; i++)
    successes += rng_unit(rng) < share;
  return successes;
}

// Of one share the coverage swings with the count, so that shares are drawn too, uniformly. Then it is exactly the sum
// over k of (pbeta(high, k+1, n-k+1) - pbeta(low, k+1, n-k+1)) / (n+1), here computed with scipy from scipy's
// intervals.
static void test_wilson_covers_the_share(void **state) {
  (void)state;
  static const struct {
    long count;
    double coverage;
  } CASES[] = {{5, 0.9552}, {20, 0.9530}, {100, 0.9511}};
  Rng rng = rng_make(1, "shares");
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    int covered = 0;
    for (int k = 0; k < SHARES; k++) {
      const double share = rng_unit(&rng);
      const Interval interval = statistics_wilson(draw_successes(&rng, CASES[i].count, share), CASES[i].count);
      covered += interval.low <= share && share <= interval.high;
    }
    assert_coverage(covered, SHARES, CASES[i].coverage);
  }
}

// Log-normal numbers of median 1: skewed, as recovery times are. Whatever the distribution, the coverage is the same,
// since medians and their intervals go along with any rising function (of odd counts exactly). It is less than 95 % for
// few values; the figures are numpy's, with numpy.quantile(numpy.median(rng.choice(x, (2000, n)), axis=1), [.025,
// .975]) of 8000 samples of normal numbers (2000 for 101).
static void test_bootstrap_covers_the_median(void **state) {
  (void)state;
  static const struct {
    int count;
    double coverage;
  } CASES[] = {{7, 0.87}, {20, 0.937}, {101, 0.95}};
  Rng rng = rng_make(1, "medians");
  double values[MAX_COUNT], work[MAX_COUNT + STATISTICS_RESAMPLES];
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    int covered = 0;
    for (int k = 0; k < MEDIANS; k++) {
      for (int n = 0; n < CASES[i].count; n++)
        values[n] = exp(rng_normal(&rng));
      const Sample sample = statistics_sample(values, CASES[i].count, (uint64_t)k, work);
      covered += sample.median.low <= 1 && 1 <= sample.median.high;
    }
    assert_coverage(covered, MEDIANS, CASES[i].coverage);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wilson_covers_the_share),
      cmocka_unit_test(test_bootstrap_covers_the_median),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
