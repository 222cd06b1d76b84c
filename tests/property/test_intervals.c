// Intervals cover the true value as often as they claim. The bounds are 5 standard deviations of a count of that many
// cases, plus the known error of the method.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "scenes/sweep/summary.h"
#include "sim/base/rng.h"

// Larger counts are a sharper test; under the sanitizers, which look for other faults, small ones suffice.
#ifdef __SANITIZE_ADDRESS__
enum { SHARES = 2000, MEDIANS = 150, STUDIES = 200, MEDIAN_STUDIES = 60 };
#else
enum { SHARES = 20000, MEDIANS = 1000, STUDIES = 1500, MEDIAN_STUDIES = 300 };
#endif
enum { MAX_COUNT = 101, SLOW = 2, FAST = 3, CELLS = SLOW * FAST, MAX_REPEATS = 30 };

static void assert_coverage(const char *what, int covered, int cases, double least, double most) {
  const double share = (double)covered / cases;
  if (share < least - 5 * sqrt(least * (1 - least) / cases) || share > most + 5 * sqrt(most * (1 - most) / cases))
    fail_msg("%s: %d of %d intervals, %.4f, cover the truth, not %g to %g", what, covered, cases, share, least, most);
}

static bool covers(Interval interval, double truth) { return interval.low <= truth && truth <= interval.high; }

static long draw_successes(Rng *rng, long count, double share) {
  long successes = 0;
  for (long i = 0; i < count; i++)
    successes += rng_unit(rng) < share;
  return successes;
}

// The coverage of one share oscillates with the count, so that shares are drawn too, uniformly. Then it is exactly the
// sum over k of (pbeta(high, k+1, n-k+1) - pbeta(low, k+1, n-k+1)) / (n+1), computed with scipy from scipy's intervals.
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
      covered += covers(statistics_wilson(draw_successes(&rng, CASES[i].count, share), CASES[i].count), share);
    }
    assert_coverage("Wilson", covered, SHARES, CASES[i].coverage, CASES[i].coverage);
  }
}

// Log-normal numbers of median 1: skewed, as recovery times are. The coverage is the same for any distribution, since
// medians and their intervals are mapped by any rising function (for odd counts exactly). The values are numpy's, by
// numpy.quantile(numpy.median(rng.choice(x, (1000, n)), axis=1), [a, 1-a]) of 1000 samples of normal numbers, a as in
// bootstrap.h: 0.977, 0.959 and, for 101, 0.95.
static void test_bootstrap_covers_the_median(void **state) {
  (void)state;
  static const struct {
    int count;
    double least, most;
  } CASES[] = {{7, 0.965, 0.985}, {20, 0.95, 0.965}, {101, 0.945, 0.955}};
  Rng rng = rng_make(1, "medians");
  double values[MAX_COUNT];
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    Sampler *sampler = sampler_create(i, MAX_COUNT);
    assert_non_null(sampler);
    int covered = 0;
    for (int k = 0; k < MEDIANS; k++) {
      for (int n = 0; n < CASES[i].count; n++)
        values[n] = exp(rng_normal(&rng));
      covered += covers(sample_take(sampler, values, NULL, CASES[i].count).median, 1);
    }
    assert_coverage("bootstrap", covered, MEDIANS, CASES[i].least, CASES[i].most);
    sampler_destroy(sampler);
  }
}

// Studies of 2 x 3 cells. In each trial x = a + u + e is normal: a of the cell, u of the seed, equal in all cells, with
// a given deviation, and e of the trial alone, with deviation 1. A fall is x > 0, and x is measured. A cell's share is
// therefore Phi(a / sqrt(1 + deviation^2)); that of several cells the mean of theirs. Cells are symmetric about their
// axis' value and about 0, which are the medians there.

typedef struct Plan {
  int repeats;
  double deviation;
  double least, most; // coverage
} Plan;

static const double OFFSETS[SLOW] = {-0.4, 0.4}, STEPS[FAST] = {-0.7, 0, 0.7};

static void draw_study(Rng *rng, const Plan *plan, double x[CELLS][MAX_REPEATS]) {
  for (int repeat = 0; repeat < plan->repeats; repeat++) {
    const double seed = plan->deviation * rng_normal(rng);
    for (int cell = 0; cell < CELLS; cell++)
      x[cell][repeat] = OFFSETS[cell / FAST] + STEPS[cell % FAST] + seed + rng_normal(rng);
  }
}

// Of all cells, or of those of a value of the slow axis.
static double true_share(const Plan *plan, int first, int count) {
  double sum = 0;
  for (int cell = first; cell < first + count; cell++) {
    const double place = OFFSETS[cell / FAST] + STEPS[cell % FAST];
    sum += erfc(-place / sqrt(2 * (1 + plan->deviation * plan->deviation))) / 2;
  }
  return sum / count;
}

enum { CELL = 1, REPEAT, STATUS, FELL, COLUMNS };

static StudyDef *make_study(const Plan *plan) {
  static TableColumn columns[COLUMNS] = {{"trial", "", TABLE_NUMBER},
                                         {"cell", "", TABLE_NUMBER},
                                         {"repeat", "", TABLE_NUMBER},
                                         {"status", "", TABLE_TEXT},
                                         {"fell", "bool", TABLE_NUMBER}};
  StudyDef *study = calloc(1, sizeof *study);
  assert_non_null(study);
  study->run.seed = 1;
  study->run.repeats = plan->repeats;
  study->axis_count = 2;
  study->axes[0].count = SLOW;
  study->axes[1].count = FAST;
  study->cell_count = CELLS;
  study->trial_count = CELLS * plan->repeats;
  study->columns = columns;
  study->column_count = COLUMNS;
  return study;
}

static Summary *summarise(const StudyDef *study, double x[CELLS][MAX_REPEATS]) {
  static double numbers[CELLS * MAX_REPEATS * COLUMNS];
  static char *texts[CELLS * MAX_REPEATS * COLUMNS], complete[] = "complete";
  const Table table = {COLUMNS, study->columns, study->trial_count, numbers, texts, NULL};
  for (long trial = 0; trial < study->trial_count; trial++) {
    const long cell = trial / study->run.repeats, repeat = trial % study->run.repeats;
    double *row = &numbers[trial * COLUMNS];
    row[0] = (double)trial, row[CELL] = (double)cell, row[REPEAT] = (double)repeat;
    row[FELL] = x[cell][repeat] > 0;
    texts[trial * COLUMNS + STATUS] = complete;
  }
  Error error = {0};
  Summary *summary = summary_create(study, &table, &error);
  assert_non_null(summary);
  return summary;
}

static const SummaryRow *find_fell(const Summary *summary, SummaryScope scope) {
  for (int i = 0; i < summary->count; i++)
    if (summary->rows[i].scope == scope && summary->rows[i].column == FELL)
      return &summary->rows[i];
  fail_msg("no row");
  return NULL;
}

// The share of the first cell, of the first value of the slow axis, and of the whole.
static void test_shares_of_studies_are_covered(void **state) {
  (void)state;
  // Where trials are independent the cells still differ, so that the whole varies less than equal trials would.
  static const Plan PLANS[] = {{8, 1, 0.94, 0.97}, {20, 0, 0.95, 0.985}, {20, 0.5, 0.945, 0.97}, {30, 2, 0.945, 0.965}};
  static const int counts[] = {CELLS, FAST, 1}; // by scope
  double x[CELLS][MAX_REPEATS];
  for (size_t p = 0; p < sizeof PLANS / sizeof PLANS[0]; p++) {
    const Plan *plan = &PLANS[p];
    StudyDef *study = make_study(plan);
    Rng rng = rng_make(p, "studies");
    int covered[3] = {0}, plain = 0;
    for (int k = 0; k < STUDIES; k++) {
      draw_study(&rng, plan, x);
      Summary *summary = summarise(study, x);
      for (int scope = SUMMARY_ALL; scope <= SUMMARY_CELL; scope++)
        covered[scope] +=
            covers(find_fell(summary, (SummaryScope)scope)->share_interval, true_share(plan, 0, counts[scope]));
      const SummaryRow *all = find_fell(summary, SUMMARY_ALL);
      plain +=
          covers(statistics_wilson(lround(all->share * (double)all->count), all->count), true_share(plan, 0, CELLS));
      summary_destroy(summary);
    }
    assert_coverage("the whole", covered[SUMMARY_ALL], STUDIES, plan->least, plan->most);
    assert_coverage("an axis' value", covered[SUMMARY_AXIS], STUDIES, plan->least, plan->most);
    assert_coverage("a cell", covered[SUMMARY_CELL], STUDIES, 0.93, 0.985); // one share: its coverage oscillates
    if (plan->deviation >= 1)
      assert_true(plain < 0.85 * STUDIES); // as if trials with the same seed were independent
    free(study);
  }
}

static Interval median_of(Sampler *sampler, const Plan *plan, double x[CELLS][MAX_REPEATS], int cells, bool clustered) {
  double values[CELLS * MAX_REPEATS];
  long repeats[CELLS * MAX_REPEATS], count = 0;
  for (int cell = 0; cell < cells; cell++)
    for (int repeat = 0; repeat < plan->repeats; repeat++) {
      values[count] = exp(x[cell][repeat]);
      repeats[count++] = repeat;
    }
  return sample_take(sampler, values, clustered ? repeats : NULL, count).median;
}

static void test_medians_of_studies_are_covered(void **state) {
  (void)state;
  static const Plan PLANS[] = {{8, 1, 0.92, 0.96}, {20, 0.5, 0.93, 0.97}, {30, 2, 0.94, 0.97}};
  double x[CELLS][MAX_REPEATS];
  for (size_t p = 0; p < sizeof PLANS / sizeof PLANS[0]; p++) {
    const Plan *plan = &PLANS[p];
    Sampler *sampler = sampler_create(p, CELLS * MAX_REPEATS);
    assert_non_null(sampler);
    Rng rng = rng_make(p, "median studies");
    int all = 0, axis = 0, plain = 0;
    for (int k = 0; k < MEDIAN_STUDIES; k++) {
      draw_study(&rng, plan, x);
      all += covers(median_of(sampler, plan, x, CELLS, true), 1);
      axis += covers(median_of(sampler, plan, x, FAST, true), exp(OFFSETS[0]));
      plain += covers(median_of(sampler, plan, x, CELLS, false), 1);
    }
    assert_coverage("the whole", all, MEDIAN_STUDIES, plan->least, plan->most);
    assert_coverage("an axis' value", axis, MEDIAN_STUDIES, plan->least, plan->most);
    if (plan->deviation >= 1)
      assert_true(plain < 0.85 * MEDIAN_STUDIES);
    sampler_destroy(sampler);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wilson_covers_the_share),
      cmocka_unit_test(test_bootstrap_covers_the_median),
      cmocka_unit_test(test_shares_of_studies_are_covered),
      cmocka_unit_test(test_medians_of_studies_are_covered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
