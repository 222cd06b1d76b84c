// What a study comes to: for every cell, for every value of every crossed axis over all others, and for the whole, the
// shares of what is yes or no with Wilson intervals, and medians with bootstrap intervals of all else.
//
// Shares and medians are of the trials to which a metric applies (`count`): the recovery time of those who recovered,
// the time of the fall of those who fell. Trials that are not complete count in `status` and `ok` alone: their metrics
// end where they were stopped.
//
// A repeat has the same seed in all cells, so that its trials are not independent, those of different repeats are: the
// intervals of the whole and of axes' values take repeats for clusters (see statistics.h and bootstrap.h). In a cell
// every trial is a cluster of its own. The cells are taken as the plan has them, not as a sample of others.
#ifndef STAGGER_SCENES_SWEEP_SUMMARY_H
#define STAGGER_SCENES_SWEEP_SUMMARY_H

#include <stdio.h>

#include "scenes/sweep/sample.h"
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
  long count;                  // of them with a value, of which share and sample are
  long repeats;                // different ones among these: the clusters
  double share;                // bools and labels, 0..1; else, or without any value, NAN as its interval
  Interval share_interval;
  double effective; // so many independent trials would have that interval; NAN without a share
  Sample sample;    // numbers; else all NAN
} SummaryRow;

typedef struct Summary {
  SummaryRow *rows; // the whole, the axes one after the other, the cells; in each the columns in order
  int count;
} Summary;

// Of all columns from `status` on (as text with labels up to the ':'). A column of texts has a row for every label that
// occurs anywhere in the table, in alphabetical order. Random numbers from the study's seed alone, so that a summary
// is the same whenever it is made, and the same trials have the same interval in every scope. The table has the study's
// columns, and rows in any order. NULL: no memory.
Summary *summary_make(const StudyDef *study, const Table *table, Error *error);
void summary_free(Summary *summary);

// Tidy CSV, one line a row: scope (all, axis, cell), a column for each crossed axis (its value where it is fixed, else
// empty), metric, label, unit, trials, count, repeats, share, share_low, share_high, effective, mean, deviation, min,
// quartile_1, median, quartile_3, max, median_low, median_high; empty where it does not apply. The caller frees it;
// NULL: no memory.
char *summary_csv(const StudyDef *study, const Summary *summary, size_t *size);

// Whether it has a column of that name beside the axes: no axis may be called so.
bool summary_has_column(const char *name);

// Whether the repeats of every cell came to the same in all columns behind `seed`, and some number with a fraction is
// among these: the scene then has nothing random, so that intervals say nothing. Of the table's neighbouring rows.
bool summary_repeats_alike(const Table *table);

// For people, 100 characters wide: the whole, then one table a crossed axis, of the metrics that matter most (falls,
// recovery time, errors, assist).
void summary_print(FILE *out, const StudyDef *study, const Table *table, const Summary *summary);

#endif
