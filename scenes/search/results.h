// The table of a search's results: built row by row, written as CSV and JSON, and printed for people.
#ifndef STAGGER_SCENES_SEARCH_RESULTS_H
#define STAGGER_SCENES_SEARCH_RESULTS_H

#include <stdio.h>

#include "scenes/sweep/sweep_folder.h"
#include "sim/base/text_buffer.h"

enum { RESULTS_MAX_COLUMNS = STUDY_MAX_AXES + 32 };

// Zero-initialise. Columns first, then the cells of each row in their order; the first column has no empty cells.
typedef struct Results {
  TableColumn columns[RESULTS_MAX_COLUMNS];
  int column_count;
  char line[1 << 14]; // the row so far
  int cells;          // in it
  TextBuffer csv;
} Results;

void results_column(Results *results, const char *name, const char *unit, TableKind kind);

// A column for each crossed axis of the study except one (-1: none), and the cells of these in a cell of the study.
void results_axis_columns(Results *results, const StudyDef *study, int except);
void results_axis_cells(Results *results, const StudyDef *study, int except, long cell);

void results_number(Results *results, double value); // NAN: empty cell
void results_text(Results *results, const char *text);

// Writes NAME.csv and NAME.json, a list of objects with the columns as keys and null for empty cells, into the folder,
// and prints the table to `out` with 4 digits (NULL: not). Frees the results, also on error.
bool results_finish(Results *results, const SweepFolder *folder, const char *name, FILE *out, Error *error);

#endif
