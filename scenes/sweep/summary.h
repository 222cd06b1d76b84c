// What a study comes to: for every cell, for every value of every crossed axis over all others, and for the whole, the
// shares of what is yes or no with Wilson intervals, and medians with bootstrap intervals of all else.
#ifndef STAGGER_SCENES_SWEEP_SUMMARY_H
#define STAGGER_SCENES_SWEEP_SUMMARY_H

#include <stdio.h>

#include "scenes/sweep/statistics.h"
#include "scenes/sweep/study.h"

typedef enum SummaryScope { SUMMARY_ALL, SUMMARY_AXIS, SUMMARY_CELL } SummaryScope;

typedef struct SummaryRow {
  SummaryScope scope;
  int axis, value;             // SUMMARY_AXIS: of the study's axes, and which of its values
  long cell;                   // SUMMARY_CELL
  int column;                  // of the table
  char label[TABLE_NAME_SIZE]; // of a text column: which text the share is of, e.g. "step"; else ""
  long trials;                 // of the scope that have a row
  long count;                  // of them with a value
  double share;                // bools and labels; else NAN
  Interval share_interval;
  Sample sample; // numbers; else all NAN
} SummaryRow;

typedef struct Summary {
  SummaryRow *rows;
  int count;
} Summary;

// Of all columns from `ok` on and `status` (as text with labels up to the ':'). Random numbers from the study's seed
// and the row, so that a summary is the same whenever it is made. NULL: no memory.
Summary *summary_make(const StudyDef *study, const Table *table, Error *error);
void summary_free(Summary *summary);

// Tidy CSV, one line a row. The caller frees it; NULL: no memory.
char *summary_csv(const StudyDef *study, const Summary *summary, size_t *size);

// For people: the whole, then one table a crossed axis, of the metrics that matter most (bools, recovery time, errors).
void summary_print(FILE *out, const StudyDef *study, const Table *table, const Summary *summary);

#endif
