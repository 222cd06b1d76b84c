// What a study comes to: for every cell, for every value of every crossed axis over all others, and for the whole, the
// shares of what is yes or no with Wilson intervals, and medians with bootstrap intervals of all else.
//
// Shares and medians are of the trials to which a metric applies (`count`): the recovery time of those who recovered,
// the time of the fall of those who fell.
//
// Intervals take the trials of a scope for independent draws. In a cell they are. Over cells they are a mixture that
// the plan of the study fixes, and the same seeds come again in every cell: there the intervals are a guide, no more.
#ifndef STAGGER_SCENES_SWEEP_SUMMARY_H
#define STAGGER_SCENES_SWEEP_SUMMARY_H

#include <stdio.h>

#include "scenes/sweep/statistics.h"
#include "scenes/sweep/study.h"

// Axes, or cells, that would need more rows than this are left out: they hold next to nothing but single trials.
enum { SUMMARY_MAX_ROWS = 500000 };

typedef enum SummaryScope { SUMMARY_ALL, SUMMARY_AXIS, SUMMARY_CELL } SummaryScope;

typedef struct SummaryRow {
  SummaryScope scope;
  int axis, value;             // SUMMARY_AXIS: of the study's axes, and which of its values; else 0
  long cell;                   // SUMMARY_CELL; else 0
  int column;                  // of the table
  char label[TABLE_NAME_SIZE]; // of a text column: which text the share is of, e.g. "step"; else ""
  long trials;                 // of the scope that have a row
  long count;                  // of them with a value
  double share;                // bools and labels, 0..1; else, or without any value, NAN as its interval
  Interval share_interval;
  Sample sample; // numbers; else all NAN
} SummaryRow;

typedef struct Summary {
  SummaryRow *rows; // the whole, the axes one after the other, the cells; in each the columns in order
  int count;
} Summary;

// Of all columns from `status` on (as text with labels up to the ':'). A column of texts has a row for every label that
// occurs anywhere in the table, in alphabetical order. Random numbers from the study's seed and the row, so that a
// summary is the same whenever it is made. The table has the study's columns, and rows in any order. NULL: no memory.
Summary *summary_make(const StudyDef *study, const Table *table, Error *error);
void summary_free(Summary *summary);

// Tidy CSV, one line a row: scope (all, axis, cell), a column for each crossed axis (its value where it is fixed, else
// empty), metric, label, unit, trials, count, share, share_low, share_high, mean, deviation, min, quartile_1, median,
// quartile_3, max, median_low, median_high; empty where it does not apply. The caller frees it; NULL: no memory.
char *summary_csv(const StudyDef *study, const Summary *summary, size_t *size);

// Whether it has a column of that name beside the axes: no axis may be called so.
bool summary_has_column(const char *name);

// For people, 100 characters wide: the whole, then one table a crossed axis, of the metrics that matter most (falls,
// recovery time, errors, assist).
void summary_print(FILE *out, const StudyDef *study, const Table *table, const Summary *summary);

#endif
