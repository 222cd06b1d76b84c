// Takes the trials of a study by direction and one more axis: shares of successes with intervals, and counts of
// strategies, as the summary of a study has them.
#include "scenes/report/direction_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const direction_strategies[DIRECTION_STRATEGIES] = {"ankle", "hip", "step", "steps", "fall"};

static double axis_number(const StudyAxis *axis, int value) { return strtod(axis->values[value], NULL); }

bool direction_is_turn(const StudyAxis *axis) {
  if (!axis->is_number || axis->count < 4 || strcmp(axis->unit, "deg") != 0)
    return false;
  const double step = axis_number(axis, 1) - axis_number(axis, 0);
  for (int i = 2; i < axis->count; i++)
    if (fabs(axis_number(axis, i) - axis_number(axis, i - 1) - step) > 1e-6)
      return false;
  const double turn = fabs(step) * axis->count;
  return fabs(turn - 360) < 1e-6 || fabs(turn - fabs(step) - 360) < 1e-6;
}

DirectionAxes direction_axes(const StudyDef *study) {
  DirectionAxes found = {-1, -1, -1};
  for (int i = 0; i < study->axis_count && found.turn < 0; i++)
    if (direction_is_turn(&study->axes[i]))
      found.turn = i;
  for (int i = 0; i < study->axis_count; i++) {
    const StudyAxis *axis = &study->axes[i];
    if (i == found.turn || axis->count < 2 || !axis->is_number)
      continue;
    if (found.outward < 0 || (strcmp(axis->unit, "N s") == 0 && strcmp(study->axes[found.outward].unit, "N s") != 0))
      found.outward = i;
  }
  int others = 0;
  for (int i = 0; i < study->axis_count; i++)
    if (i != found.turn && i != found.outward && study->axes[i].count > 1) {
      found.other = i;
      others++;
    }
  if (others != 1)
    found.other = -1;
  return found;
}

// Columns that tell of success and of strategies.
typedef struct Source {
  int success; // column
  bool falls;  // it tells falls
  int strategy;
} Source;

static bool ends_with(const char *name, const char *end) {
  const size_t length = strlen(name), wanted = strlen(end);
  return length >= wanted && strcmp(name + length - wanted, end) == 0;
}

static int find_column(const StudyDef *study, const char *end) {
  for (int i = 0; i < study->column_count; i++)
    if (ends_with(study->columns[i].name, end))
      return i;
  return -1;
}

static Source find_source(const StudyDef *study, const Table *table) {
  const int fell = find_column(study, ".fell");
  const bool falls = study->scene->expect_count == 0 && fell >= 0;
  return (Source){.success = falls ? fell : table_find(table, "ok"),
                  .falls = falls,
                  .strategy = find_column(study, ".recovery_strategy")};
}

// The directions, each once: 360 deg is 0 deg.
static int list_directions(const StudyAxis *turn, double directions[]) {
  const double span = fabs(axis_number(turn, turn->count - 1) - axis_number(turn, 0));
  const int count = turn->count - (fabs(span - 360) < 1e-6);
  for (int i = 0; i < count && i < DIRECTION_MOST_SECTORS; i++)
    directions[i] = axis_number(turn, i);
  return count;
}

// The cell of the picture in which each row of the table is; -1: in none.
static void place_rows(const DirectionTable *made, const StudyDef *study, const Table *table, DirectionAxes axes,
                       int other, long *of_row) {
  const int column = table_find(table, "cell");
  for (long row = 0; row < table->row_count; row++) {
    const double cell = table_number(table, row, column);
    of_row[row] = -1;
    if (!(cell >= 0 && cell < (double)study->cell_count) ||
        (other >= 0 && axes.other >= 0 && study_cell_value(study, axes.other, (long)cell) != other))
      continue;
    const int ring = axes.outward >= 0 ? study_cell_value(study, axes.outward, (long)cell) : 0;
    of_row[row] = ring * made->sector_count + study_cell_value(study, axes.turn, (long)cell) % made->sector_count;
  }
}

static void take_strategy(DirectionCell *cell, const SummaryRow *row) {
  for (int i = 0; i < DIRECTION_STRATEGIES; i++)
    if (strcmp(row->label, direction_strategies[i]) == 0 && row->count > 0) {
      cell->strategies[i] = lround(row->share * (double)row->count);
      cell->told += cell->strategies[i];
    }
}

static void take_success(DirectionCell *cell, const SummaryRow *row, bool falls) {
  const long yes = row->count > 0 ? lround(row->share * (double)row->count) : 0;
  const Interval interval = row->share_interval;
  cell->count = row->count;
  cell->successes = falls ? row->count - yes : yes;
  cell->interval = falls ? (Interval){1 - interval.high, 1 - interval.low} : interval;
}

static void take_cells(DirectionTable *made, const Source *source, const Summary *summary) {
  for (int i = 0; i < summary->count; i++) {
    const SummaryRow *row = &summary->rows[i];
    if (row->column == source->success)
      take_success(&made->cells[row->cell], row, source->falls);
    else if (row->column == source->strategy)
      take_strategy(&made->cells[row->cell], row);
  }
}

static bool fill_cells(DirectionTable *made, const StudyDef *study, const Table *table, DirectionAxes axes, int other) {
  const Source source = find_source(study, table);
  long *of_row = calloc((size_t)table->row_count + 1, sizeof *of_row);
  if (!of_row)
    return false;
  place_rows(made, study, table, axes, other, of_row);
  const SummaryGroups groups = {
      .count = (long)made->ring_count * made->sector_count, .of_row = of_row, .shares_only = true};
  Summary *summary = summary_of_groups(study, table, &groups, NULL);
  if (summary)
    take_cells(made, &source, summary);
  made->has_strategies = source.strategy >= 0;
  free(of_row);
  summary_destroy(summary);
  return summary != NULL;
}

bool direction_table_fits(const StudyDef *study) {
  const DirectionAxes axes = direction_axes(study);
  return axes.turn >= 0 && study->axes[axes.turn].count <= DIRECTION_MOST_SECTORS &&
         (axes.outward < 0 || study->axes[axes.outward].count <= DIRECTION_MOST_RINGS);
}

DirectionTable *direction_table_create(const StudyDef *study, const Table *table, int other) {
  const DirectionAxes axes = direction_axes(study);
  DirectionTable *made = direction_table_fits(study) ? calloc(1, sizeof *made) : NULL;
  if (!made)
    return NULL;
  made->turn = &study->axes[axes.turn];
  made->outward = axes.outward >= 0 ? &study->axes[axes.outward] : NULL;
  made->sector_count = list_directions(made->turn, made->directions);
  made->ring_count = made->outward ? made->outward->count : 1;
  if (fill_cells(made, study, table, axes, other))
    return made;
  free(made);
  return NULL;
}

void direction_table_destroy(DirectionTable *table) { free(table); }
