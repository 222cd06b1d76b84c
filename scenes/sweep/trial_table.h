// Tables of trials: one row for each trial, columns of numbers or texts. On disk: CSV as in RFC 4180, but with lines
// that end in LF only; the first line has the columns' names; numbers have 15 to 17 digits, enough to read back the
// same bits; cells are empty if a metric does not apply. Also as HDF5, one dataset for each column.
#ifndef STAGGER_SCENES_SWEEP_TRIAL_TABLE_H
#define STAGGER_SCENES_SWEEP_TRIAL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/base/error.h"
#include "sim/trace/columns_hdf5.h"

enum { TABLE_NAME_SIZE = 96, TABLE_UNIT_SIZE = 32, TABLE_CELL_SIZE = 32 };

// Identifies the format of the HDF5 file.
#define TABLE_FORMAT "stagger-trials"

typedef enum TableKind { TABLE_NUMBER, TABLE_TEXT } TableKind;

typedef struct TableColumn {
  char name[TABLE_NAME_SIZE];
  char unit[TABLE_UNIT_SIZE]; // "bool", "deg" ..., "" for none or unknown
  TableKind kind;
} TableColumn;

typedef struct Table {
  int column_count;
  TableColumn *columns;
  long row_count;
  double *numbers; // [row_count * column_count]; NAN: empty cell, or column of texts
  char **texts;    // [row_count * column_count]; NULL in columns of numbers, "" for an empty cell
  void *memory;    // holds the texts
} Table;

int table_find(const Table *table, const char *column); // -1: none
double table_number(const Table *table, long row, int column);
const char *table_text(const Table *table, long row, int column);

// A number as in a cell: with the fewest of 15 to 17 digits that read back the same bits; "inf"; "" for NAN.
void table_number_text(double value, char text[TABLE_CELL_SIZE]);

// Cells of a CSV line: appends one cell, with a comma before it unless the line is empty (so the first cell must not be
// empty). Control characters in texts become spaces, so that the line is not broken. False when it does not fit; the
// line is then unchanged.
bool table_add_number(char *line, size_t size, double value); // NAN: empty cell
bool table_add_text(char *line, size_t size, const char *text);

// The header line of columns, without a line's end. The caller frees it; NULL: no memory.
char *table_header(const TableColumn *columns, int count);

// Reads CSV text with exactly these columns (kinds and units are not in the file). An unfinished last line is ignored,
// since it comes from a killed process. Lines may end in CR LF, too. NULL and an error with line and column: other
// columns, a wrong number of cells, not a number.
Table *table_parse(const char *name, const char *text, size_t size, const TableColumn *columns, int count,
                   Error *error);
void table_free(Table *table);

// Sorts rows in ascending order of the first column, rows without a number there last; of rows with the same number the
// first one is kept.
bool table_sort(Table *table, Error *error);

// The first row of a sorted table whose first column is at least that; row_count: none.
long table_row_from(const Table *table, double first);

// The row of a sorted table with that number in its first column; -1: there is none.
long table_row_of(const Table *table, long trial);

// The caller frees the text; NULL: no memory. A zero byte follows, which `size` does not count.
char *table_csv(const Table *table, size_t *size);

// Writes by way of a temporary file, so that an older one remains until the new one is complete. block: more values of
// each row, or NULL. See sim/trace/columns_hdf5.h.
bool table_write_hdf5(const Table *table, const HdfBlock *block, const char *path, Error *error);

#endif
