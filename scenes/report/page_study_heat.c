// Writes heat maps over two axes of a study, one for each value of a third.
#include "scenes/report/page_study_heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/svg_plot.h"

enum { MOST_AXIS = 60, MOST_PICTURES = 16 };

// From mildest to worst, as the metrics have them.
static const char *const RUNGS[] = {"ankle", "hip", "step", "steps", "fall"};
enum { RUNG_COUNT = sizeof RUNGS / sizeof RUNGS[0] };

// Axes with several values: one that the pictures are of, one across, one up.
typedef struct Cube {
  int slice, across, up;
} Cube;

// An axis of names is the slices, else the axis with the fewest values. Of the other two, the one with more values goes
// across.
static bool find_cube(const StudyDef *study, Cube *cube) {
  int axes[3], count = 0, slice = 0;
  for (int i = 0; i < study->axis_count; i++)
    if (study->axes[i].count > 1) {
      if (count == 3 || study->axes[i].count > MOST_AXIS)
        return false;
      axes[count++] = i;
    }
  if (count != 3)
    return false;
  for (int i = 1; i < 3; i++) {
    const StudyAxis *best = &study->axes[axes[slice]], *axis = &study->axes[axes[i]];
    if (best->is_number != axis->is_number ? !axis->is_number : axis->count < best->count)
      slice = i;
  }
  const int a = axes[(slice + 1) % 3], b = axes[(slice + 2) % 3];
  const bool a_across = study->axes[a].count >= study->axes[b].count;
  *cube = (Cube){axes[slice], a_across ? a : b, a_across ? b : a};
  return study->axes[cube->slice].count <= MOST_PICTURES;
}

// Which value of an axis a cell has: the last axis changes fastest.
static int value_in_cell(const StudyDef *study, long cell, int axis) {
  for (int i = study->axis_count - 1; i > axis; i--)
    cell /= study->axes[i].count > 1 ? study->axes[i].count : 1;
  return (int)(cell % study->axes[axis].count);
}

void page_study_axis(const StudyAxis *axis, char *name, size_t size) {
  snprintf(name, size, "%s%s%s", axis->name, axis->unit[0] != '\0' ? ", " : "", axis->unit);
}

void page_study_map(Html *html, const char *title, const StudyAxis *across, const StudyAxis *up, const double *values,
                    const char *unit, bool is_share) {
  char names[2][160];
  page_study_axis(across, names[0], sizeof names[0]);
  page_study_axis(up, names[1], sizeof names[1]);
  svg_heat(html, &(SvgHeat){.title = title,
                            .unit = unit,
                            .column_axis = names[0],
                            .row_axis = names[1],
                            .column_names = (const char *const *)across->values,
                            .row_names = (const char *const *)up->values,
                            .columns = across->count,
                            .rows = up->count,
                            .values = values,
                            .is_share = is_share});
}

static void draw_slice(Html *html, const StudyDef *study, const Cube *cube, int slice, const double *values,
                       const char *unit, bool is_share) {
  const StudyAxis *across = &study->axes[cube->across], *up = &study->axes[cube->up], *of = &study->axes[cube->slice];
  char title[256];
  snprintf(title, sizeof title, "%s %s %s", of->name, of->values[slice], of->unit);
  page_study_map(html, title, across, up, values, unit, is_share);
}

// The value that a row of the summary adds to its cell; NAN: none.
typedef double (*RowValue)(const SummaryRow *row);

static double value_of(const SummaryRow *row) {
  if (row->label[0] != '\0')
    return NAN;
  return isfinite(row->share) ? row->share : row->sample.quartile[1];
}

static double rung_of(const SummaryRow *row) {
  for (int i = 0; i < RUNG_COUNT; i++)
    if (strcmp(row->label, RUNGS[i]) == 0)
      return i * row->share;
  return NAN;
}

static void draw_cube(Html *html, const ReportFolder *folder, int column, RowValue value, const char *unit,
                      bool is_share) {
  const StudyDef *study = folder->study;
  Cube cube;
  if (!find_cube(study, &cube))
    return;
  static double values[MOST_AXIS * MOST_AXIS];
  const int columns = study->axes[cube.across].count, rows = study->axes[cube.up].count;
  for (int slice = 0; slice < study->axes[cube.slice].count; slice++) {
    bool some = false;
    for (int i = 0; i < columns * rows; i++)
      values[i] = NAN;
    for (int i = 0; i < folder->summary->count; i++) {
      const SummaryRow *row = &folder->summary->rows[i];
      if (row->scope != SUMMARY_CELL || row->column != column || value_in_cell(study, row->cell, cube.slice) != slice)
        continue;
      double *place =
          &values[value_in_cell(study, row->cell, cube.up) * columns + value_in_cell(study, row->cell, cube.across)];
      const double more = value(row);
      if (isfinite(more))
        *place = (isfinite(*place) ? *place : 0) + more;
      some = some || isfinite(*place);
    }
    if (some)
      draw_slice(html, study, &cube, slice, values, unit, is_share);
  }
}

void page_study_heat(Html *html, const ReportFolder *folder, int column) {
  const TableColumn *measure = &folder->study->columns[column];
  draw_cube(html, folder, column, value_of, measure->unit, strcmp(measure->unit, "bool") == 0);
}

void page_study_heat_strategy(Html *html, const ReportFolder *folder) {
  Cube cube;
  for (int i = 0; i < folder->study->column_count && find_cube(folder->study, &cube); i++) {
    const TableColumn *column = &folder->study->columns[i];
    const char *dot = strrchr(column->name, '.');
    if (!dot || strcmp(dot, ".recovery_strategy") != 0)
      continue;
    html_add(html, "<h3>");
    html_text(html, column->name);
    html_add(html, "</h3>\n<p class=\"note\">Mean rung: 0 ankle, 1 hip, 2 one step, 3 several steps, 4 fall.</p>\n");
    draw_cube(html, folder, i, rung_of, "", false);
  }
}
