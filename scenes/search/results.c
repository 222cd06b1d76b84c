// Builds, writes and prints the table of a search's results.
#include "scenes/search/results.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/sweep/sweep_info.h"

// ---- Building ----

void results_column(Results *results, const char *name, const char *unit, TableKind kind) {
  TableColumn *column = &results->columns[results->column_count++];
  *column = (TableColumn){.kind = kind};
  snprintf(column->name, sizeof column->name, "%s", name);
  snprintf(column->unit, sizeof column->unit, "%s", unit);
}

static bool has_column(const StudyDef *study, int axis, int except) {
  return axis != except && study->axes[axis].count > 0;
}

void results_axis_columns(Results *results, const StudyDef *study, int except) {
  for (int i = 0; i < study->axis_count; i++) {
    const StudyAxis *axis = &study->axes[i];
    if (has_column(study, i, except))
      results_column(results, axis->name, axis->unit, axis->is_number ? TABLE_NUMBER : TABLE_TEXT);
  }
}

void results_axis_cells(Results *results, const StudyDef *study, int except, long cell) {
  for (int i = 0; i < study->axis_count; i++)
    if (has_column(study, i, except))
      results_text(results, study->axes[i].values[study_cell_value(study, i, cell)]);
}

// The row is complete with the cell of the last column.
static void count_cell(Results *results, bool fits) {
  results->csv.failed = results->csv.failed || !fits;
  if (++results->cells < results->column_count)
    return;
  text_append(&results->csv, results->line, strlen(results->line));
  text_append(&results->csv, "\n", 1);
  results->line[0] = '\0';
  results->cells = 0;
}

void results_number(Results *results, double value) {
  count_cell(results, table_add_number(results->line, sizeof results->line, value));
}

void results_text(Results *results, const char *text) {
  count_cell(results, table_add_text(results->line, sizeof results->line, text));
}

// The rows below the line of the columns' names. NULL and an error: no memory.
static Table *results_table(const Results *results, const char *name, Error *error) {
  char *header = table_header(results->columns, results->column_count);
  TextBuffer text = {0};
  if (header)
    text_append(&text, header, strlen(header));
  text_append(&text, "\n", 1);
  if (results->csv.size > 0)
    text_append(&text, results->csv.bytes, results->csv.size);
  Table *table = NULL;
  if (header && !text.failed && !results->csv.failed)
    table = table_parse(name, text.bytes, text.size, results->columns, results->column_count, error);
  else
    error_set(error, "%s: out of memory", name);
  free(header);
  text_free(&text);
  return table;
}

// ---- Writing ----

static cJSON *json_cell(const Table *table, long row, int column) {
  if (table->columns[column].kind == TABLE_TEXT)
    return cJSON_CreateString(table_text(table, row, column));
  const double number = table_number(table, row, column);
  return isfinite(number) ? cJSON_CreateNumber(number) : cJSON_CreateNull();
}

// NULL: no memory.
static char *json_text(const Table *table) {
  cJSON *rows = cJSON_CreateArray();
  for (long row = 0; row < table->row_count; row++) {
    cJSON *object = cJSON_CreateObject();
    for (int column = 0; column < table->column_count; column++)
      cJSON_AddItemToObject(object, table->columns[column].name, json_cell(table, row, column));
    cJSON_AddItemToArray(rows, object);
  }
  char *text = sweep_info_text(rows);
  cJSON_Delete(rows);
  return text;
}

static bool write_files(const Table *table, const SweepFolder *folder, const char *name, Error *error) {
  char file[96];
  size_t size = 0;
  char *csv = table_csv(table, &size);
  snprintf(file, sizeof file, "%s.csv", name);
  if (!sweep_folder_take(folder, file, csv, size, error))
    return false;
  char *json = json_text(table);
  snprintf(file, sizeof file, "%s.json", name);
  return sweep_folder_take(folder, file, json, json ? strlen(json) : 0, error);
}

// ---- Printing ----

enum { PRINTED_SIZE = 64, MOST_ROWS = 60 };

static void printed_cell(const Table *table, long row, int column, char text[PRINTED_SIZE]) {
  if (table->columns[column].kind == TABLE_TEXT)
    snprintf(text, PRINTED_SIZE, "%s", table_text(table, row, column));
  else if (isnan(table_number(table, row, column)))
    snprintf(text, PRINTED_SIZE, "-");
  else
    snprintf(text, PRINTED_SIZE, "%.4g", table_number(table, row, column));
}

// The name of a column with its unit; yes-or-no columns have none.
static void printed_name(const TableColumn *column, char text[2 * TABLE_NAME_SIZE]) {
  const bool has_unit = column->unit[0] != '\0' && strcmp(column->unit, "bool") != 0;
  snprintf(text, (size_t)2 * TABLE_NAME_SIZE, has_unit ? "%s (%s)" : "%s", column->name, column->unit);
}

static int column_width(const Table *table, int column, long rows) {
  char name[2 * TABLE_NAME_SIZE], text[PRINTED_SIZE];
  printed_name(&table->columns[column], name);
  size_t width = strlen(name);
  for (long row = 0; row < rows; row++) {
    printed_cell(table, row, column, text);
    width = strlen(text) > width ? strlen(text) : width;
  }
  return (int)width;
}

static void print_table(FILE *out, const Table *table) {
  const long rows = table->row_count < MOST_ROWS ? table->row_count : MOST_ROWS;
  int widths[RESULTS_MAX_COLUMNS];
  for (int column = 0; column < table->column_count; column++) {
    char name[2 * TABLE_NAME_SIZE];
    widths[column] = column_width(table, column, rows);
    printed_name(&table->columns[column], name);
    fprintf(out, "  %*s", widths[column], name);
  }
  fputc('\n', out);
  for (long row = 0; row < rows; row++) {
    for (int column = 0; column < table->column_count; column++) {
      char text[PRINTED_SIZE];
      printed_cell(table, row, column, text);
      fprintf(out, "  %*s", widths[column], text);
    }
    fputc('\n', out);
  }
  if (rows < table->row_count)
    fprintf(out, "  ... and %ld more rows in the file\n", table->row_count - rows);
}

bool results_finish(Results *results, const SweepFolder *folder, const char *name, FILE *out, Error *error) {
  Table *table = results_table(results, name, error);
  const bool good = table && write_files(table, folder, name, error);
  if (table && out)
    print_table(out, table);
  table_free(table);
  text_free(&results->csv);
  return good;
}
