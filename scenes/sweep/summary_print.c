// Prints the summary of a study as tables for people.
#include "scenes/sweep/summary.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 100, MOST_METRICS = 12, MOST_COLUMNS = 8, MOST_VALUES = 24, CELL_SIZE = 128, NUMBER_SIZE = 32 };

static const double ROUNDING = 1e-12; // smaller numbers are rounding errors of 0

// The most important metrics, in order; other metrics of the study follow.
static const char *const PREFERRED[] = {"fell",
                                        "recovery_time",
                                        "peak_pose_error",
                                        "peak_com_displacement",
                                        "peak_assist_force",
                                        "support_margin_min",
                                        "steps_taken",
                                        "time_of_fall",
                                        "assist_impulse"};
enum { PREFERRED_COUNT = sizeof PREFERRED / sizeof PREFERRED[0] };

typedef struct Printer {
  FILE *out;
  const StudyDef *study;
  const Table *table;
  const Summary *summary;
  size_t prefix;                  // length of "man." when all metrics belong to one character, otherwise 0
  int metrics[STUDY_MAX_METRICS]; // columns of booleans and numbers that apply to at least one trial, in order of
                                  // importance
  int metric_count;
  int empty; // number of metrics that apply to no trial
} Printer;

static bool is_bool(const TableColumn *column) { return strcmp(column->unit, "bool") == 0; }
static const TableColumn *column_of(const Printer *printer, int column) { return &printer->table->columns[column]; }
static const char *short_name(const Printer *printer, int column) {
  return column_of(printer, column)->name + printer->prefix;
}

static int first_metric(const Printer *printer) { return table_find(printer->table, "time") + 1; }

static void find_prefix(Printer *printer) {
  const int first = first_metric(printer), count = printer->table->column_count;
  if (first >= count)
    return;
  const char *name = column_of(printer, first)->name, *dot = strchr(name, '.');
  printer->prefix = dot ? (size_t)(dot - name) + 1 : 0;
  for (int i = first; i < count; i++)
    if (strncmp(column_of(printer, i)->name, name, printer->prefix) != 0)
      printer->prefix = 0;
}

// Rank of a column; PREFERRED_COUNT: not a preferred one.
static int preference(const TableColumn *column) {
  const char *dot = strrchr(column->name, '.'), *metric = dot ? dot + 1 : column->name;
  for (int i = 0; i < PREFERRED_COUNT; i++)
    if (strcmp(metric, PREFERRED[i]) == 0)
      return i;
  return PREFERRED_COUNT;
}

// The first row of a column in a scope; further labels follow it. NULL: none.
static const SummaryRow *find_row(const Printer *printer, SummaryScope scope, int axis, int value, int column) {
  for (int i = 0; i < printer->summary->count; i++) {
    const SummaryRow *row = &printer->summary->rows[i];
    if (row->scope == scope && row->axis == axis && row->value == value && row->column == column)
      return row;
  }
  return NULL;
}

static void rank_metrics(Printer *printer) {
  for (int rank = 0; rank <= PREFERRED_COUNT; rank++) {
    for (int i = first_metric(printer); i < printer->table->column_count; i++) {
      const TableColumn *column = column_of(printer, i);
      const SummaryRow *row = find_row(printer, SUMMARY_ALL, 0, 0, i);
      if (column->kind != TABLE_NUMBER || preference(column) != rank || !row)
        continue;
      if (row->count == 0)
        printer->empty++;
      else if (printer->metric_count < STUDY_MAX_METRICS)
        printer->metrics[printer->metric_count++] = i;
    }
  }
}

// Lengths below 0.1 m are printed in mm.
static double scale_of(const Printer *printer, int column) {
  const SummaryRow *row = find_row(printer, SUMMARY_ALL, 0, 0, column);
  const bool is_length = strcmp(column_of(printer, column)->unit, "m") == 0;
  return is_length && row && fmax(fabs(row->sample.min), fabs(row->sample.max)) < 0.1 ? 1000 : 1;
}

static const char *unit_of(const Printer *printer, int column) {
  return scale_of(printer, column) > 1         ? "mm"
         : is_bool(column_of(printer, column)) ? ""
                                               : column_of(printer, column)->unit;
}

// Small numbers with three digits, large ones as integers. "-": does not apply.
static void number_text(double value, char text[NUMBER_SIZE]) {
  const double size = fabs(value);
  if (!isfinite(value))
    snprintf(text, NUMBER_SIZE, "-");
  else if (size >= 1000)
    snprintf(text, NUMBER_SIZE, "%.0f", value);
  else
    snprintf(text, NUMBER_SIZE, "%.*g", size < 0.001 ? 1 : 3, size < ROUNDING ? 0 : value);
}

static void interval_text(double value, Interval interval, double scale, char text[CELL_SIZE]) {
  char middle[NUMBER_SIZE], low[NUMBER_SIZE], high[NUMBER_SIZE];
  number_text(value * scale, middle);
  number_text(interval.low * scale, low);
  number_text(interval.high * scale, high);
  if (isnan(value))
    snprintf(text, CELL_SIZE, "-");
  else if (isnan(interval.low))
    snprintf(text, CELL_SIZE, "%s [-]", middle);
  else
    snprintf(text, CELL_SIZE, "%s [%s, %s]", middle, low, high);
}

static void range_text(double low, double high, double scale, char text[CELL_SIZE]) {
  char ends[2][NUMBER_SIZE];
  number_text(low * scale, ends[0]);
  number_text(high * scale, ends[1]);
  snprintf(text, CELL_SIZE, "%s .. %s", ends[0], ends[1]);
}

static void share_text(const SummaryRow *row, char text[CELL_SIZE]) {
  if (isnan(row->share))
    snprintf(text, CELL_SIZE, "-");
  else
    snprintf(text, CELL_SIZE, "%.1f %% [%.1f, %.1f]", 100 * row->share, 100 * row->share_interval.low,
             100 * row->share_interval.high);
}

static void estimate_text(const Printer *printer, const SummaryRow *row, char text[CELL_SIZE]) {
  text[0] = '\0';
  if (row && is_bool(column_of(printer, row->column)))
    share_text(row, text);
  else if (row)
    interval_text(row->sample.quartile[1], row->sample.median, scale_of(printer, row->column), text);
}

// Appends " n=17" if an estimate is not from all trials of its scope.
static void add_count(const SummaryRow *row, char text[CELL_SIZE]) {
  const size_t length = strlen(text);
  if (row && row->count > 0 && row->count < row->trials)
    snprintf(text + length, CELL_SIZE - length, " n=%ld", row->count);
}

// ---- The whole ----

static void print_title(const Printer *printer) {
  const StudyDef *study = printer->study;
  fprintf(printer->out, "%s: ", study->name);
  if (printer->table->row_count < study->trial_count)
    fprintf(printer->out, "%ld of ", printer->table->row_count);
  fprintf(printer->out, "%ld trials, %ld %s with %d %s each\n", study->trial_count, study->cell_count,
          study->cell_count == 1 ? "cell" : "cells", study->run.repeats, study->run.repeats == 1 ? "trial" : "trials");
  fprintf(printer->out, "  [95 %% intervals, -: too few trials], n: number of trials with a value, if not all\n");
}

static void print_incomplete(const Printer *printer) {
  const int status = table_find(printer->table, "status");
  long count = 0;
  for (long row = 0; status >= 0 && row < printer->table->row_count; row++)
    count += strcmp(table_text(printer->table, row, status), "complete") != 0;
  if (count > 0)
    fprintf(printer->out, "  %ld %s not complete: %s in status and ok alone\n", count,
            count == 1 ? "trial is" : "trials are", count == 1 ? "it counts" : "they count");
}

static void print_alike(const Printer *printer) {
  if (summary_repeats_alike(printer->table))
    fprintf(printer->out,
            "  all repeats of a cell gave the same results: nothing in the scene seems to depend on the seed, so\n  "
            "intervals mean nothing. Only ranges depend on it, e.g. time: [1, 1.4] of an event\n");
}

// Prints "man.recovery_strategy   ankle 31.2 % [29.0, 33.5], hip ... of 1600" in as many lines as necessary.
static void print_labels(const Printer *printer, int column) {
  const SummaryRow *row = find_row(printer, SUMMARY_ALL, 0, 0, column);
  const SummaryRow *end = printer->summary->rows + printer->summary->count;
  int used = fprintf(printer->out, "  %-23s ", column_of(printer, column)->name);
  const long count = row->count;
  for (bool first = true; row < end && row->scope == SUMMARY_ALL && row->column == column; row++) {
    char share[CELL_SIZE], text[CELL_SIZE + TABLE_NAME_SIZE];
    share_text(row, share);
    const int length = snprintf(text, sizeof text, "%s %s", row->label, share);
    if (!first && used + 3 + length > WIDTH)
      used = fprintf(printer->out, ",\n  %24s", "") - 2;
    else if (!first)
      used += fprintf(printer->out, ", ");
    used += fprintf(printer->out, "%s", text);
    first = false;
  }
  char text[NUMBER_SIZE];
  const int length = snprintf(text, sizeof text, " of %ld", count);
  if (used + length > WIDTH)
    fprintf(printer->out, "\n  %24s", "");
  fprintf(printer->out, "%s\n", text + (used + length > WIDTH));
}

static void print_shares(const Printer *printer) {
  for (int i = table_find(printer->table, "status"); i >= 0 && i < printer->table->column_count; i++) {
    const SummaryRow *row = find_row(printer, SUMMARY_ALL, 0, 0, i);
    char share[CELL_SIZE];
    if (row && column_of(printer, i)->kind == TABLE_TEXT)
      print_labels(printer, i);
    else if (row && row->count > 0 && is_bool(column_of(printer, i))) {
      share_text(row, share);
      fprintf(printer->out, "  %-23s %s of %ld\n", column_of(printer, i)->name, share, row->count);
    }
  }
}

// ---- Tables: columns are as wide as their texts, and there are as many as fit ----

typedef struct TextTable {
  int rows, columns;
  const char *align;                                    // a letter for each column: l(eft), r(ight)
  char cells[MOST_VALUES + 1][MOST_COLUMNS][CELL_SIZE]; // row 0: headings
} TextTable;

static int column_width(const TextTable *table, int column) {
  size_t width = 0;
  for (int i = 0; i < table->rows; i++)
    width = strlen(table->cells[i][column]) > width ? strlen(table->cells[i][column]) : width;
  return (int)width;
}

static void print_table(const Printer *printer, const TextTable *table) {
  int widths[MOST_COLUMNS], columns = 0;
  for (int used = 0; columns < table->columns; columns++) {
    widths[columns] = column_width(table, columns);
    used += 2 + widths[columns];
    if (used > WIDTH && columns > 2)
      break;
  }
  fprintf(printer->out, "\n");
  for (int row = 0; row < table->rows; row++) {
    for (int i = 0; i < columns; i++) {
      const int width = table->align[i] == 'r' ? widths[i] : i + 1 < columns ? -widths[i] : 0;
      fprintf(printer->out, "  %*s", width, table->cells[row][i]);
    }
    fprintf(printer->out, "\n");
  }
}

static void fill_number(const Printer *printer, const SummaryRow *row, char cells[][CELL_SIZE]) {
  const Sample *sample = &row->sample;
  const double scale = scale_of(printer, row->column);
  snprintf(cells[0], CELL_SIZE, "%s", short_name(printer, row->column));
  snprintf(cells[1], CELL_SIZE, "%s", unit_of(printer, row->column));
  snprintf(cells[2], CELL_SIZE, "%ld", row->count);
  estimate_text(printer, row, cells[3]);
  range_text(sample->quartile[0], sample->quartile[2], scale, cells[4]);
  range_text(sample->min, sample->max, scale, cells[5]);
}

static void print_numbers(const Printer *printer) {
  TextTable table = {.rows = 1, .columns = 6, .align = "llrlll"};
  static const char *const HEADS[] = {"", "unit", "n", "median", "quartiles", "range"};
  int left = 0;
  for (int i = 0; i < table.columns; i++)
    snprintf(table.cells[0][i], CELL_SIZE, "%s", HEADS[i]);
  for (int i = 0; i < printer->metric_count; i++) {
    const SummaryRow *row = find_row(printer, SUMMARY_ALL, 0, 0, printer->metrics[i]);
    if (is_bool(column_of(printer, row->column)))
      continue;
    if (table.rows > MOST_METRICS)
      left++;
    else
      fill_number(printer, row, table.cells[table.rows++]);
  }
  if (table.rows > 1)
    print_table(printer, &table);
  if (left > 0)
    fprintf(printer->out, "  ... and %d more in summary.csv\n", left);
  if (printer->empty > 0)
    fprintf(printer->out, "  %d metric%s to no trial\n", printer->empty, printer->empty == 1 ? " applies" : "s apply");
}

static void fill_heads(const Printer *printer, int axis, TextTable *table) {
  const StudyAxis *def = &printer->study->axes[axis];
  snprintf(table->cells[0][0], CELL_SIZE, "%s%s%s", def->name, def->unit[0] != '\0' ? " " : "", def->unit);
  snprintf(table->cells[0][1], CELL_SIZE, "trials");
  for (int i = 2; i < table->columns; i++) {
    const int metric = printer->metrics[i - 2];
    const char *unit = unit_of(printer, metric);
    snprintf(table->cells[0][i], CELL_SIZE, "%s%s%s", short_name(printer, metric), unit[0] != '\0' ? " " : "", unit);
  }
}

static void fill_value(const Printer *printer, int axis, int value, TextTable *table) {
  char(*cells)[CELL_SIZE] = table->cells[table->rows++];
  snprintf(cells[0], CELL_SIZE, "%s", printer->study->axes[axis].values[value]);
  for (int i = 2; i < table->columns; i++) {
    const SummaryRow *row = find_row(printer, SUMMARY_AXIS, axis, value, printer->metrics[i - 2]);
    estimate_text(printer, row, cells[i]);
    add_count(row, cells[i]);
    snprintf(cells[1], CELL_SIZE, "%ld", row ? row->trials : 0);
  }
}

static void print_axis(const Printer *printer, int axis) {
  const int count = printer->study->axes[axis].count, room = MOST_COLUMNS - 2;
  TextTable table = {.rows = 1, .align = "rrllllll"};
  table.columns = 2 + (printer->metric_count < room ? printer->metric_count : room);
  if (printer->metric_count == 0 || !find_row(printer, SUMMARY_AXIS, axis, 0, printer->metrics[0]))
    return;
  fill_heads(printer, axis, &table);
  for (int value = 0; value < count && value < MOST_VALUES; value++)
    fill_value(printer, axis, value, &table);
  print_table(printer, &table);
  if (count > MOST_VALUES)
    fprintf(printer->out, "  ... and %d more values in summary.csv\n", count - MOST_VALUES);
}

void summary_print(FILE *out, const StudyDef *study, const Table *table, const Summary *summary) {
  Printer printer = {.out = out, .study = study, .table = table, .summary = summary};
  find_prefix(&printer);
  rank_metrics(&printer);
  print_title(&printer);
  print_incomplete(&printer);
  print_alike(&printer);
  print_shares(&printer);
  print_numbers(&printer);
  for (int axis = 0; axis < study->axis_count; axis++)
    if (study->axes[axis].count > 0)
      print_axis(&printer, axis);
}
