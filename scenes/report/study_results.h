// All that a report shows of a study, computed once. The page's script gets it as JSON (report_data.h), the plain page
// and pictures are drawn from it.
#ifndef STAGGER_SCENES_REPORT_STUDY_RESULTS_H
#define STAGGER_SCENES_REPORT_STUDY_RESULTS_H

#include "scenes/report/direction_table.h"
#include "scenes/report/report_folder.h"

// A grid with more rows would show little more than single trials, so it is left out. Pairs of axes have at most as
// many rows in all, because their intervals take long to compute.
enum { RESULTS_MOST_ROWS = 20000 };

enum { RESULTS_MOST_AXES = 3, RESULTS_MOST_MAIN = 6, RESULTS_MOST_BINS = 10, RESULTS_MOST_SLICES = 6 };

// A range of the values that were drawn for every trial.
typedef struct ResultBin {
  double low, middle, high; // middle: the median
} ResultBin;

// Results for all combinations of the values of some axes, over all other axes.
typedef struct ResultGrid {
  int axes[RESULTS_MOST_AXES], sizes[RESULTS_MOST_AXES], axis_count;
  long group_count;                  // combinations; the last axis varies fastest
  const SummaryRow *rows;            // [group_count * measure_count], group by group
  Summary *own;                      // NULL: the rows are those of the folder's summary
  ResultBin bins[RESULTS_MOST_BINS]; // of the one axis, when it has no crossed values
} ResultGrid;

// A measure is a column, or a label of a column of texts: the share or the median that stands in a row of a group.
typedef struct StudyResults {
  const ReportFolder *folder;
  int measure_count;
  int main[RESULTS_MOST_MAIN], main_count; // the most important measures, shares first
  ResultGrid *grids; // the whole, every axis, every two axes; all three where three have several values
  int grid_count;
  DirectionTable *directions[1 + RESULTS_MOST_SLICES]; // of all trials, then of each value of the third axis
  int direction_count;                                 // 0: no axis is of directions
  char success[256];                                   // what counts as success there
  long incomplete;                                     // trials that did not end as planned
  bool repeats_alike;                                  // intervals mean nothing
} StudyResults;

// NULL and an error: no memory. The folder must outlive the results.
StudyResults *study_results_create(const ReportFolder *folder, Error *error);
void study_results_destroy(StudyResults *results); // NULL is fine

const TableColumn *study_results_column(const StudyResults *results, int measure);
const char *study_results_label(const StudyResults *results, int measure); // "" unless the column is one of texts

// The grid of single cells where two or three axes have several values; NULL: there is none.
const ResultGrid *study_results_cells(const StudyResults *results);
const SummaryRow *study_results_row(const StudyResults *results, const ResultGrid *grid, long group, int measure);

// The share or the median of a row with its interval; NAN: there is none.
typedef struct ResultValue {
  double value;
  Interval interval;
} ResultValue;

ResultValue study_results_value(const SummaryRow *row);

// What a success is in the direction tables, e.g. "man.fell == 0, man.recovered_share == 1": as many of the scene's
// expectations as the title of a picture has room for, and then "...".
void study_results_success(const StudyDef *study, char *text, size_t size);

// A column's name as shown: without the character's if the scene has only one.
const char *study_results_name(const StudyDef *study, const TableColumn *column);

const char *study_results_doc(const TableColumn *column); // what it means, "" when unknown

#endif
