// Two controllers, or any two values of an axis, on the same blows: the difference of a metric in pairs of trials that
// differ in that axis alone, with the same seed. It ends as soon as it is decided.
//
// A repeat's difference is the mean of its pairs, of all combinations of the other axes, second value minus first;
// pairs of which a trial was not complete, or to which the metric does not apply, are left out. The difference is the
// mean over the repeats, its 95 % interval a bootstrap of them. After every `block` of repeats it is looked at. It is
// decided when the interval, stretched about the difference by COMPARE_CAUTION, leaves out 0 (or the margin), and
// undecided looks go on; at the last repeat the interval itself decides. The stretch is that from 95 % to 99.9 % of a
// normal distribution, so that looks in between hardly add wrong decisions (Haybittle 1971, Brit. J. Radiol. 44; Peto
// et al. 1976, Brit. J. Cancer 34).
#ifndef STAGGER_SCENES_SEARCH_COMPARE_H
#define STAGGER_SCENES_SEARCH_COMPARE_H

#include "scenes/sweep/bootstrap.h"
#include "scenes/sweep/method.h"

#define COMPARE_CAUTION (3.2905 / 1.9600)

extern const SweepMethod compare_method;

typedef enum CompareResult { COMPARE_OPEN, COMPARE_LOWER, COMPARE_HIGHER, COMPARE_ALIKE } CompareResult;

typedef struct Comparison {
  int repeats; // that were looked at
  long pairs;
  double first, second; // means of the pairs' trials
  double difference;    // NAN: there is no pair
  Interval interval;
  CompareResult result; // of the second value, beside the first
} Comparison;

// The comparison of a column by the first `repeats` repeats of the sorted table. is_last: no more can follow.
Comparison compare_look(const StudyDef *study, const Table *table, int column, int repeats, bool is_last,
                        Bootstrap *bootstrap);

// The first look that decides, or the last one; of the looks whose repeats are all in the table. missing: whether the
// next look needs more rows, up to its `repeats`.
Comparison compare_decide(const StudyDef *study, const Table *table, Bootstrap *bootstrap, int *missing);

// Writes compare.csv and .json: a row for each column of numbers, by the repeats of the look that decided.
bool compare_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error);

#endif
