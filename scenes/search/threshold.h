// The largest value of an axis that is withstood, for each combination of a study's other axes (a case): a search that
// runs only the trials it needs of the plan that stagger sweep would run in full.
//
// A value wins if the share of its repeats that withstood it is at least `share`; trials that crashed, failed or were
// stopped have not withstood it. The threshold of a case is the largest value that won below the smallest that lost:
// single values that win above a loss, islands, do not count. The search goes up by the indices 0, 1, 3, 7, ... until a
// value loses, then bisects until the threshold and the loss are neighbours, then tries values below the threshold
// until there are no more than `spacing` steps between two tried ones. If one of these loses, it goes on below it.
#ifndef STAGGER_SCENES_SEARCH_THRESHOLD_H
#define STAGGER_SCENES_SEARCH_THRESHOLD_H

#include "scenes/sweep/bootstrap.h"
#include "scenes/sweep/method.h"

extern const SweepMethod threshold_method;

// Writes threshold.csv and .json, a row for each case, and threshold_values.csv and .json, a row for each tried value.
bool threshold_finish(const SweepFolder *folder, const Table *table, bool quiet, Error *error);

// What is known of a value of the axis in a case.
typedef struct ThresholdValue {
  int trials, withstood; // rows; a value counts as tried when all of its repeats have a row
} ThresholdValue;

typedef enum ThresholdOutcome { THRESHOLD_UNTRIED, THRESHOLD_WON, THRESHOLD_LOST } ThresholdOutcome;

ThresholdOutcome threshold_outcome(const StudyDef *study, const ThresholdValue *value);

// The values of a case from the sorted table; `withstood` (may be NULL): [value * repeats + repeat], 1 or 0.
// case_number: 0 to threshold_cases - 1, in the order of the cells.
void threshold_read(const StudyDef *study, const Table *table, long case_number, ThresholdValue *values,
                    unsigned char *withstood);
long threshold_cases(const StudyDef *study);
long threshold_cell(const StudyDef *study, long case_number, int value);

// The index of the largest value that won while all smaller tried ones won; -1: none.
int threshold_index(const StudyDef *study, const ThresholdValue *values);

// The index of the value to try next; -1: the search of this case has ended.
int threshold_next(const StudyDef *study, const ThresholdValue *values);

// 95 % bounds by a bootstrap of the repeats: of its resamples at most a tail's share has a threshold below the value
// with index `low`, or at least the one with index `high`. low -1: the smallest value may lose as well; high = number
// of values: the largest one may win. False: fewer than 6 repeats.
bool threshold_interval(const StudyDef *study, const ThresholdValue *values, const unsigned char *withstood,
                        Bootstrap *bootstrap, int *low, int *high);

#endif
