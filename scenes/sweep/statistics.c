#include "scenes/sweep/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "sim/rng.h"

static const double NORMAL_QUANTILE = 1.9599639845400545; // of 0.975
static const double LOW_SHARE = 0.025, HIGH_SHARE = 0.975;

Interval statistics_wilson(long successes, long count) {
  if (count <= 0)
    return (Interval){0, 1};
  const double n = (double)count, share = (double)successes / n, z2 = NORMAL_QUANTILE * NORMAL_QUANTILE;
  const double middle = share + z2 / (2 * n);
  const double reach = NORMAL_QUANTILE * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  // Of none and of all the ends are exact; rounding would miss them.
  return (Interval){.low = successes == 0 ? 0 : (middle - reach) / (1 + z2 / n),
                    .high = successes == count ? 1 : (middle + reach) / (1 + z2 / n)};
}

double statistics_quantile(const double *sorted, long count, double share) {
  if (count <= 0)
    return NAN;
  const double place = (double)(count - 1) * share;
  const long below = (long)place;
  if (below >= count - 1)
    return sorted[count - 1];
  // From the nearer end, so that quantiles of rising shares never fall by rounding.
  const double part = place - (double)below, gap = sorted[below + 1] - sorted[below];
  return part < 0.5 ? sorted[below] + gap * part : sorted[below + 1] - gap * (1 - part);
}

// Gamma distributed with a shape of at least 1, by rejection.
static double draw_gamma(Rng *rng, double shape) {
  const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
  for (;;) {
    const double x = rng_normal(rng), root = 1 + c * x;
    if (root <= 0)
      continue;
    const double v = root * root * root;
    if (log(1 - rng_unit(rng)) < 0.5 * x * x + d - d * v + d * log(v))
      return d * v;
  }
}

// The `rank`-th smallest (from 1) of `count` uniform numbers: beta distributed.
static double draw_order_statistic(Rng *rng, long rank, long count) {
  const double below = draw_gamma(rng, (double)rank), above = draw_gamma(rng, (double)(count - rank + 1));
  return below / (below + above);
}

// A uniform number picks a value, each with the same chance. A larger number never picks a smaller value, so that the
// order statistics of uniform numbers pick those of a resample.
static double pick(const double *sorted, long count, double unit) {
  const long i = (long)(unit * (double)count);
  return sorted[i < count ? i : count - 1];
}

static double draw_median(Rng *rng, const double *sorted, long count) {
  const double upper = draw_order_statistic(rng, count / 2 + 1, count);
  if (count % 2 == 1)
    return pick(sorted, count, upper);
  // The one below it is the largest of count / 2 numbers that are uniform under it.
  const double lower = upper * pow(1 - rng_unit(rng), 2.0 / (double)count);
  return (pick(sorted, count, lower) + pick(sorted, count, upper)) / 2;
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void sort_numbers(double *numbers, long count) {
  qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
}

Interval statistics_median_interval(const double *sorted, long count, uint64_t seed, double *work) {
  if (count <= 0)
    return (Interval){NAN, NAN};
  if (sorted[0] == sorted[count - 1])
    return (Interval){sorted[0], sorted[0]};
  Rng rng = rng_make(seed, "median");
  for (int i = 0; i < STATISTICS_RESAMPLES; i++)
    work[i] = draw_median(&rng, sorted, count);
  sort_numbers(work, STATISTICS_RESAMPLES);
  return (Interval){.low = statistics_quantile(work, STATISTICS_RESAMPLES, LOW_SHARE),
                    .high = statistics_quantile(work, STATISTICS_RESAMPLES, HIGH_SHARE)};
}

static double mean_of(const double *values, long count) {
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += values[i];
  return sum / (double)count;
}

static double deviation_of(const double *values, long count, double mean) {
  if (count < 2)
    return NAN;
  double sum = 0;
  for (long i = 0; i < count; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return sqrt(sum / (double)(count - 1));
}

Sample statistics_sample(const double *values, long count, uint64_t seed, double *work) {
  double *sorted = work;
  Sample sample = {0};
  for (long i = 0; i < count; i++)
    if (isfinite(values[i]))
      sorted[sample.count++] = values[i];
  if (sample.count == 0)
    return (Sample){
        .mean = NAN, .deviation = NAN, .min = NAN, .max = NAN, .quartile = {NAN, NAN, NAN}, .median = {NAN, NAN}};
  sort_numbers(sorted, sample.count);
  sample.mean = mean_of(sorted, sample.count);
  sample.deviation = deviation_of(sorted, sample.count, sample.mean);
  sample.min = sorted[0];
  sample.max = sorted[sample.count - 1];
  for (int i = 0; i < 3; i++)
    sample.quartile[i] = statistics_quantile(sorted, sample.count, 0.25 * (i + 1));
  sample.median = statistics_median_interval(sorted, sample.count, seed, sorted + sample.count);
  return sample;
}
