// The results of a study: for every cell, for every value of every crossed axis over all others, and for the whole,
// shares of booleans with Wilson intervals, and medians of numbers with bootstrap intervals.
//
// Shares and medians are those of the trials to which a metric applies (`count`): the recovery time of characters that
// recovered, the time of the fall of those that fell. Trials that are not complete count in `status` and `ok` only,
// since their metrics end early.
//
// A repeat has the same seed in all cells, so its trials are not independent, while different repeats are: the
// intervals for the whole and for axes' values use repeats as clusters (see statistics.h and bootstrap.h). In a cell
// every trial is a cluster of its own. The cells are taken as planned, not as a sample of possible cells.
#ifndef STAGGER_SCENES_SWEEP_SUMMARY_H
#define STAGGER_SCENES_SWEEP_SUMMARY_H

#include <stdio.h>

#include "scenes/sweep/sample.h"
#include "scenes/sweep/study.h"

// Axes, or cells, that would need more rows than this are left out: they would have little more than single trials.
enum { SUMMARY_MAX_ROWS = 500000 };

typedef enum SummaryScope { SUMMARY_ALL, SUMMARY_AXIS, SUMMARY_CELL, SUMMARY_GROUP } SummaryScope;

typedef struct SummaryRow {
  SummaryScope scope;
  int axis, value;             // SUMMARY_AXIS: indices of the axis and of its value; otherwise 0
  long cell;                   // SUMMARY_CELL; SUMMARY_GROUP: the group; otherwise 0
  int column;                  // of the table
  char label[TABLE_NAME_SIZE]; // in a text column: the text whose share is given, e.g. "step"; otherwise ""
  long trials;                 // number of trials of the scope that have a row
  long count;                  // number of these with a value, from which share and sample are computed
  long repeats;                // number of different repeats among these: the clusters
  double share;                // of booleans and labels, 0..1; otherwise, or without any value, NAN like its interval
  Interval share_interval;
  double effective; // number of independent trials that would have that interval; NAN without a share
  Sample sample;    // of numbers; otherwise all NAN
} SummaryRow;

typedef struct Summary {
  SummaryRow *rows; // the whole, then axis by axis, then the cells; in each the columns in order
  int count;
  long rows_per_group; // every value, cell and group has as many rows, of the same columns and labels
} Summary;

// Of columns of booleans and of texts a summary has shares, of others medians.
bool summary_is_share(const TableColumn *column);

// Summarises all columns from `status` on (the status as text with labels up to the ':'). A column of texts has a row
// for every label that occurs anywhere in the table, in alphabetical order. Random numbers depend only on the study's
// seed, so a summary is always the same, and the same trials have the same interval in every scope. The table must have
// the study's columns; its rows may be in any order. NULL: no memory.
Summary *summary_create(const StudyDef *study, const Table *table, Error *error);
void summary_destroy(Summary *summary);

// Groups of trials other than these, such as those with the same values of two axes.
typedef struct SummaryGroups {
  long count;
  const long *of_row; // the group of each row of the table; -1: of none
  bool shares_only;   // columns of numbers are left out: their intervals take long
} SummaryGroups;

// The same rows for groups of the caller's, group by group.
Summary *summary_of_groups(const StudyDef *study, const Table *table, const SummaryGroups *groups, Error *error);

// Tidy CSV, one line for each row: scope (all, axis, cell), a column for each crossed axis (its value if it is fixed,
// otherwise empty), metric, label, unit, trials, count, repeats, share, share_low, share_high, effective, mean,
// deviation, min, quartile_1, median, quartile_3, max, median_low, median_high; cells that do not apply are empty. The
// caller frees it; NULL: no memory.
char *summary_csv(const StudyDef *study, const Summary *summary, size_t *size);

// Whether the CSV has a column with that name besides the axes; no axis may have it.
bool summary_has_column(const char *name);

// Whether the repeats of every cell have equal values in all columns after `seed`, with some number that has a fraction
// among them: the scene then has no random values, and intervals are meaningless. Compares neighbouring rows of the
// table.
bool summary_repeats_alike(const Table *table);

// Prints for people, 100 characters wide: the whole, then a table for each crossed axis, with the most important
// metrics (falls, recovery time, errors, assist).
void summary_print(FILE *out, const StudyDef *study, const Table *table, const Summary *summary);

#endif
