// What a table of doses is made from. Only for dose*.c.
#ifndef STAGGER_SCENES_SWEEP_DOSE_INTERNAL_H
#define STAGGER_SCENES_SWEEP_DOSE_INTERNAL_H

#include "scenes/sweep/dose.h"

typedef struct DoseWork {
  DoseTable *dose;
  const StudyDef *study;
  const Table *table;
  ResponseFile *responses;
  int part, size, direction;       // axes; direction -1: none
  int size_order[DOSE_MOST_SIZES]; // index of the axis' value, by ascending size
  int status;                      // column
  long *row_of;                    // [trial_count] the table's row of a trial; -1: none
  Sampler *sampler;
  double *values; // [trial_count], and their clusters: memory for samples
  long *clusters;
} DoseWork;

extern const DoseFigure dose_unknown;

// The value of an axis in a trial; the trial that differs only in it.
int dose_axis_value(const StudyDef *study, long trial, int axis);
long dose_with_value(const StudyDef *study, long trial, int axis, int value);

// Whether a trial has the size with that place in ascending order; whether it is from the front.
bool dose_has_size(const DoseWork *work, long trial, int size);
bool dose_is_front(const DoseWork *work, long trial);

// The row of a trial that has been run to its end; -1: none.
long dose_row(const DoseWork *work, long trial);

// The response of such a trial, as response_file_read. Its size, deg; NAN: it has none.
bool dose_response(const DoseWork *work, long trial, int slot, ResponseFrames *frames);
double dose_response_size(const DoseWork *work, long trial);

// Fill the fields of the table that are named so. False: no memory.
bool dose_compare_parts(const DoseWork *work); // distance, front, around
bool dose_compare_sizes(const DoseWork *work); // rising*

#endif
