// Tables of trials: one row a trial, columns of numbers or texts. On disk: CSV as in RFC 4180, its first line the
// columns' names, numbers with 17 digits so that they read back to the same bits, empty cells where a metric does not
// apply; and the same as HDF5, one dataset a column.
#ifndef STAGGER_SCENES_SWEEP_TRIAL_TABLE_H
#define STAGGER_SCENES_SWEEP_TRIAL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

enum { TABLE_NAME_SIZE = 96, TABLE_UNIT_SIZE = 32 };

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
  double *numbers; // [row_count * column_count]; NAN: empty, and in columns of texts
  char **texts;    // [row_count * column_count]; NULL in columns of numbers, "" when empty
  void *memory;    // of the texts
} Table;

int table_find(const Table *table, const char *column); // -1: none
double table_number(const Table *table, long row, int column);
const char *table_text(const Table *table, long row, int column);

// Cells of a CSV line, for whoever makes lines: appends one cell and the comma before it (unless the line is empty or
// just begun). False when it does not fit; the line is then as before.
bool table_add_number(char *line, size_t size, double value); // NAN: empty
bool table_add_text(char *line, size_t size, const char *text);

// The header line of columns, without a line's end. The caller frees it.
char *table_header(const TableColumn *columns, int count);

// Reads CSV text with exactly these columns (kinds and units are not in the file). A last line without an end is left
// out, since a kill cut it short. NULL and an error with line and column: other columns, a wrong number of cells, not a
// number.
Table *table_parse(const char *name, const char *text, size_t size, const TableColumn *columns, int count,
                   Error *error);
void table_free(Table *table);

// Rows in ascending order of the first column; of rows with the same number there the first one stays.
bool table_sort(Table *table, Error *error);

char *table_csv(const Table *table, size_t *size);                         // the caller frees it; NULL: no memory
bool table_write_hdf5(const Table *table, const char *path, Error *error); // through a temporary file

#endif
