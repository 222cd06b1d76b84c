// Intervals of shares and means: Wilson's and Student's, and effective counts of clustered samples.
#include "scenes/sweep/statistics.h"

#include <math.h>

static const double NORMAL_QUANTILE = 1.9599639845400545; // quantile of 0.975

// Student's quantiles for 1, 2 .. 10 degrees of freedom, from R's qt(0.975, 1:10).
static const double STUDENT[] = {12.706204736174694, 4.3026527297494619, 3.1824463052837078, 2.7764451051977934,
                                 2.5705818356363137, 2.4469118511449688, 2.3646242515927844, 2.3060041352041658,
                                 2.2621571627982049, 2.2281388519862739};
enum { STUDENT_COUNT = sizeof STUDENT / sizeof STUDENT[0] };

// For more degrees of freedom a series about the normal quantile x in powers of 1 / freedom.
double statistics_student(long freedom) {
  if (freedom <= STUDENT_COUNT)
    return STUDENT[freedom > 1 ? freedom - 1 : 0];
  const double n = (double)freedom, x = NORMAL_QUANTILE, x2 = x * x;
  const double first = x * (x2 + 1) / 4;
  const double second = x * ((5 * x2 + 16) * x2 + 3) / 96;
  const double third = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384;
  const double fourth = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160;
  return x + (first + (second + (third + fourth / n) / n) / n) / n;
}

static Interval score_interval(double share, double n) {
  const double z2 = NORMAL_QUANTILE * NORMAL_QUANTILE;
  const double middle = share + z2 / (2 * n);
  const double reach = NORMAL_QUANTILE * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  // The ends for no and for all successes are exact; rounding would miss them.
  return (Interval){.low = share <= 0 ? 0 : (middle - reach) / (1 + z2 / n),
                    .high = share >= 1 ? 1 : (middle + reach) / (1 + z2 / n)};
}

Interval statistics_wilson(long successes, long count) {
  if (count <= 0)
    return (Interval){0, 1};
  return score_interval((double)successes / (double)count, (double)count);
}

void statistics_tally(ShareTally *tally, long successes, long count) {
  if (count <= 0)
    return;
  const double y = (double)successes, n = (double)count;
  tally->clusters++;
  tally->successes += successes;
  tally->count += count;
  tally->success_square += y * y;
  tally->count_square += n * n;
  tally->product += y * n;
}

double statistics_effective_count(const ShareTally *tally) {
  const double m = (double)tally->clusters, n = (double)tally->count;
  if (tally->clusters == tally->count)
    return n;
  if (tally->clusters < 2 || tally->successes == 0 || tally->successes == tally->count)
    return m;
  const double share = (double)tally->successes / n;
  const double spread = tally->success_square - 2 * share * tally->product + share * share * tally->count_square;
  const double variance = m / (m - 1) * spread / (n * n), independent = share * (1 - share) / (n - 1);
  const double widening = statistics_student(tally->count - 1) / statistics_student(tally->clusters - 1);
  const double effective = n * independent / variance * widening * widening;
  // Equal clusters have no variance except for rounding.
  return variance > 0 && effective < n ? effective : n;
}

Interval statistics_share_interval(const ShareTally *tally) {
  if (tally->count <= 0)
    return (Interval){0, 1};
  return score_interval((double)tally->successes / (double)tally->count, statistics_effective_count(tally));
}

double statistics_quantile(const double *sorted, long count, double share) {
  if (count <= 0)
    return NAN;
  const double place = (double)(count - 1) * share;
  const long below = (long)place;
  if (below >= count - 1)
    return sorted[count - 1];
  // Interpolated from the nearer end, so that rounding never makes quantiles of increasing shares decrease.
  const double part = place - (double)below, gap = sorted[below + 1] - sorted[below];
  return part < 0.5 ? sorted[below] + gap * part : sorted[below + 1] - gap * (1 - part);
}
