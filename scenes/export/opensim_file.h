// OpenSim's text files of time series, .mot and .sto: a header, a line of labels, one tab-separated line a row, of
// which the first value is the time.
#ifndef STAGGER_SCENES_EXPORT_OPENSIM_FILE_H
#define STAGGER_SCENES_EXPORT_OPENSIM_FILE_H

#include "sim/base/error.h"
#include "sim/base/text_buffer.h"

enum { OPENSIM_LABEL_SIZE = 96 };

typedef struct OpensimTable {
  char (*labels)[OPENSIM_LABEL_SIZE]; // [columns], the first is "time"
  double *values;                     // [rows * columns]
  int rows, columns;
  int capacity; // of labels
} OpensimTable;

// Adds a column; returns its index. -1: out of memory. A label that is taken gets a number: NAME_2. Before
// opensim_allocate.
int opensim_add_column(OpensimTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Room for the values, all zero. False when there is not enough memory.
bool opensim_allocate(OpensimTable *table, int rows);
void opensim_free(OpensimTable *table);

// comments: lines that start with "# ", without "=", which the header's own lines have.
void opensim_write(TextBuffer *text, const char *name, bool in_degrees, const char *comments,
                   const OpensimTable *table);

// Reading: the header first, then row by row. Knows what opensim_write writes, and other files of the same form.
typedef struct OpensimReader {
  const char *cursor;
  int rows, columns; // of the header
  bool in_degrees;
} OpensimReader;

// labels: how many columns the line of labels has is compared with nColumns. Errors: no such file.
bool opensim_read_header(OpensimReader *reader, const char *bytes, Error *error);
bool opensim_read_label(OpensimReader *reader, char label[OPENSIM_LABEL_SIZE]); // the next one; false after the last
bool opensim_read_row(OpensimReader *reader, double *values);                   // [columns]; false: not that many

#endif
