// Tables of trials in memory and as CSV: columns of numbers and texts, which are found by name.
#include "scenes/sweep/trial_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/output/output_file.h"

enum { TABLE_FORMAT_VERSION = 1 };

int table_find(const Table *table, const char *column) {
  for (int i = 0; i < table->column_count; i++)
    if (strcmp(table->columns[i].name, column) == 0)
      return i;
  return -1;
}

static size_t cell_index(const Table *table, long row, int column) {
  return (size_t)row * (size_t)table->column_count + (size_t)column;
}

double table_number(const Table *table, long row, int column) { return table->numbers[cell_index(table, row, column)]; }

const char *table_text(const Table *table, long row, int column) {
  return table->texts[cell_index(table, row, column)];
}

long table_row_from(const Table *table, double first) {
  long low = 0, high = table->row_count;
  while (low < high) {
    long middle = low + (high - low) / 2;
    if (table_number(table, middle, 0) < first)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

long table_row_of(const Table *table, long trial) {
  const long row = table_row_from(table, (double)trial);
  return row < table->row_count && table_number(table, row, 0) == (double)trial ? row : -1;
}

void table_free(Table *table) {
  if (!table)
    return;
  free(table->columns);
  free(table->numbers);
  free(table->texts);
  free(table->memory);
  free(table);
}

// ---- Writing ----

void table_number_text(double value, char text[TABLE_CELL_SIZE]) {
  text[0] = '\0';
  if (isnan(value))
    return;
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, TABLE_CELL_SIZE, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      return;
  }
}

static bool needs_quotes(const char *text) { return text[strcspn(text, ",\"")] != '\0'; }

// Length of a text's cell in bytes, without a zero byte.
static size_t text_cell_length(const char *text) {
  size_t length = strlen(text);
  if (!needs_quotes(text))
    return length;
  for (const char *c = text; *c != '\0'; c++)
    length += *c == '"';
  return length + 2;
}

// Writes text_cell_length bytes. Returns the place after them.
static char *write_text_cell(char *cell, const char *text) {
  bool quoted = needs_quotes(text);
  if (quoted)
    *cell++ = '"';
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"')
      *cell++ = '"';
    *cell++ = (char)((unsigned char)*c < ' ' || *c == 0x7f ? ' ' : *c);
  }
  if (quoted)
    *cell++ = '"';
  return cell;
}

bool table_add_text(char *line, size_t size, const char *text) {
  size_t length = strlen(line), comma = length > 0;
  if (length + comma + text_cell_length(text) >= size)
    return false;
  if (comma)
    line[length++] = ',';
  *write_text_cell(line + length, text) = '\0';
  return true;
}

bool table_add_number(char *line, size_t size, double value) {
  char text[TABLE_CELL_SIZE];
  table_number_text(value, text);
  return table_add_text(line, size, text);
}

static size_t header_size(const TableColumn *columns, int count) {
  size_t size = 1;
  for (int i = 0; i < count; i++)
    size += text_cell_length(columns[i].name) + 1;
  return size;
}

char *table_header(const TableColumn *columns, int count) {
  size_t size = header_size(columns, count);
  char *header = calloc(size, 1);
  for (int i = 0; i < count && header; i++)
    table_add_text(header, size, columns[i].name);
  return header;
}

// Size of a row's line, with its end and a zero byte.
static size_t line_size(const Table *table, long row) {
  size_t size = 2;
  for (int i = 0; i < table->column_count; i++)
    size += 1 + (table->columns[i].kind == TABLE_TEXT ? text_cell_length(table_text(table, row, i)) : TABLE_CELL_SIZE);
  return size;
}

// Writes the line of a row with its end. Returns the place after them.
static char *write_line(const Table *table, long row, char *end) {
  for (int i = 0; i < table->column_count; i++) {
    if (i > 0)
      *end++ = ',';
    if (table->columns[i].kind == TABLE_TEXT) {
      end = write_text_cell(end, table_text(table, row, i));
    } else {
      table_number_text(table_number(table, row, i), end);
      end += strlen(end);
    }
  }
  *end++ = '\n';
  return end;
}

char *table_csv(const Table *table, size_t *size) {
  size_t capacity = header_size(table->columns, table->column_count) + 2;
  char *text = table_header(table->columns, table->column_count);
  if (!text)
    return NULL;
  size_t length = strlen(text);
  text[length++] = '\n';
  for (long row = 0; row < table->row_count; row++) {
    size_t needed = length + line_size(table, row);
    if (needed > capacity) {
      capacity = 2 * needed;
      char *grown = realloc(text, capacity);
      if (!grown) {
        free(text);
        return NULL;
      }
      text = grown;
    }
    length = (size_t)(write_line(table, row, text + length) - text);
  }
  text[length] = '\0';
  *size = length;
  return text;
}

bool table_write_hdf5(const Table *table, const HdfBlock *block, const char *path, Error *error) {
  HdfColumn *columns = calloc((size_t)table->column_count + 1, sizeof *columns);
  char *temporary = columns ? output_temporary(path, error) : NULL;
  bool good = temporary != NULL;
  for (int i = 0; i < table->column_count && good; i++) {
    bool is_text = table->columns[i].kind == TABLE_TEXT;
    columns[i] = (HdfColumn){.name = table->columns[i].name,
                             .unit = table->columns[i].unit,
                             .numbers = is_text ? NULL : table->numbers + i,
                             .texts = is_text ? (const char *const *)table->texts + i : NULL};
  }
  int cause;
  if (good && !columns_write_hdf5(temporary, TABLE_FORMAT, TABLE_FORMAT_VERSION, columns, table->column_count,
                                  table->row_count, table->column_count, block, &cause)) {
    remove(temporary);
    good = error_set(error, "%s: cannot be written: %s", path, strerror(cause));
  }
  good = good && output_replace(temporary, path, error);
  free(temporary);
  free(columns);
  return good || error_set(error, "%s: out of memory", path); // an earlier error takes precedence
}

// ---- Sorting rows ----

typedef struct RowKey {
  double key;
  long row;
} RowKey;

static int compare_rows(const void *a, const void *b) {
  const RowKey *x = a, *y = b;
  if (isnan(x->key) != isnan(y->key))
    return isnan(x->key) ? 1 : -1;
  if (x->key < y->key || x->key > y->key) // false for two NANs
    return x->key < y->key ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

static bool is_sorted(const Table *table) {
  for (long row = 1; row < table->row_count; row++)
    if (!(table_number(table, row - 1, 0) < table_number(table, row, 0)))
      return false;
  return true;
}

bool table_sort(Table *table, Error *error) {
  if (table->column_count == 0 || table->columns[0].kind != TABLE_NUMBER || is_sorted(table))
    return true;
  size_t rows = (size_t)table->row_count, columns = (size_t)table->column_count;
  RowKey *keys = calloc(rows, sizeof *keys);
  double *numbers = calloc(rows * columns, sizeof *numbers);
  char **texts = calloc(rows * columns, sizeof *texts);
  if (!keys || !numbers || !texts) {
    free(keys);
    free(numbers);
    free(texts);
    return error_set(error, "no memory to sort %ld rows", table->row_count);
  }
  for (long row = 0; row < table->row_count; row++)
    keys[row] = (RowKey){table_number(table, row, 0), row};
  qsort(keys, rows, sizeof *keys, compare_rows);
  size_t kept = 0;
  for (size_t i = 0; i < rows; i++) {
    if (i > 0 && keys[i].key == keys[i - 1].key)
      continue;
    memcpy(numbers + kept * columns, table->numbers + (size_t)keys[i].row * columns, columns * sizeof *numbers);
    memcpy(texts + kept * columns, table->texts + (size_t)keys[i].row * columns, columns * sizeof *texts);
    kept++;
  }
  free(keys);
  free(table->numbers);
  free(table->texts);
  table->numbers = numbers;
  table->texts = texts;
  table->row_count = (long)kept;
  return true;
}
