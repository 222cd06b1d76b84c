// OpenSim's text files of time series, .mot and .sto: a header, a line of labels, and a tab-separated line for each
// row, whose first value is the time.
#ifndef STAGGER_SCENES_EXPORT_OPENSIM_FILE_H
#define STAGGER_SCENES_EXPORT_OPENSIM_FILE_H

#include "sim/base/error.h"
#include "sim/base/text_buffer.h"

enum { OPENSIM_LABEL_SIZE = 96 };

typedef struct OpensimTable {
  char (*labels)[OPENSIM_LABEL_SIZE]; // [columns], the first is "time"
  double *values;                     // [rows * columns]
  int rows, columns;
  int capacity; // allocated labels
} OpensimTable;

// Adds a column and returns its index; -1: out of memory. A number is appended to a label that is taken: NAME_2. To be
// called before opensim_allocate.
int opensim_add_column(OpensimTable *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Allocates the values, all zero. False when there is not enough memory.
bool opensim_allocate(OpensimTable *table, int rows);
void opensim_free(OpensimTable *table);

// Copies a text without characters that would end a line of a header, cut to the buffer's size.
void opensim_copy_line(char *line, size_t size, const char *text);

// A name for a file's content, such as "hit_run_runner_output". scene: the name of a file, of which the ending is left
// out.
void opensim_title(const char *scene, const char *character, const char *pose, char *title, size_t size);

// comments: lines that begin with "# " and contain no "=", which would make them lines of the header.
void opensim_write(TextBuffer *text, const char *name, bool in_degrees, const char *comments,
                   const OpensimTable *table);

// Reading: first the header, then row by row. Accepts files written by opensim_write and others of the same form.
typedef struct OpensimReader {
  const char *cursor;
  int rows, columns; // from the header
  bool in_degrees;
} OpensimReader;

// Reads the header. The number of labels is compared with nColumns. Error: the file has another form.
bool opensim_read_header(OpensimReader *reader, const char *bytes, Error *error);
bool opensim_read_label(OpensimReader *reader, char label[OPENSIM_LABEL_SIZE]); // the next label; false after the last
bool opensim_read_row(OpensimReader *reader, double *values); // [columns]; false: another number of values

#endif
