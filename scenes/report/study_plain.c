// Draws the results of a study without script: tables of the whole and of each axis, roses, and heat maps of the cells.
#include "scenes/report/study_plain.h"

#include <math.h>
#include <stdio.h>

#include "scenes/report/svg_plot.h"
#include "scenes/report/svg_rose.h"

enum { MOST_COLUMNS = 200, MOST_HEAT = 60, MOST_SLICES = 16, TEXT_SIZE = 256 };

static const StudyAxis *axis_of(const StudyResults *results, int axis) { return &results->folder->study->axes[axis]; }

// "speed, m/s"
static void axis_name(const StudyAxis *axis, char *text) {
  snprintf(text, TEXT_SIZE, "%s%s%s", axis->name, axis->unit[0] != '\0' ? ", " : "", axis->unit);
}

// "speed 3 m/s"
static void value_name(const StudyAxis *axis, int value, char *text) {
  snprintf(text, TEXT_SIZE, "%s %s%s%s", axis->name, axis->values[value], axis->unit[0] != '\0' ? " " : "", axis->unit);
}

static void measure_name(Html *html, const StudyResults *results, int measure) {
  html_text(html, study_results_name(results->folder->study, study_results_column(results, measure)));
  html_add(html, study_results_label(results, measure)[0] != '\0' ? ": " : "");
  html_text(html, study_results_label(results, measure));
}

// Tables: a row for each measure, a column for each value of the axis.

static void number(Html *html, double value, bool is_share) {
  text_print(html, is_share ? "%.1f" : "%.4g", is_share ? 100 * value : value);
}

// A share or a median, and below it its interval and of how many trials it is where that is not all of them.
static void estimate(Html *html, const SummaryRow *row, bool is_share) {
  const ResultValue shown = study_results_value(row);
  const char *unit = is_share ? " %" : "";
  if (!isfinite(shown.value)) {
    html_add(html, "<td class=\"number none\">\xe2\x80\x93</td>");
    return;
  }
  html_add(html, "<td class=\"number\">");
  number(html, shown.value, is_share);
  html_add(html, unit);
  if (isfinite(shown.interval.low) && isfinite(shown.interval.high)) {
    html_add(html, "<small>");
    number(html, shown.interval.low, is_share);
    html_add(html, " to ");
    number(html, shown.interval.high, is_share);
    text_print(html, "%s</small>", unit);
  }
  if (row->count < row->trials)
    text_print(html, "<small>n = %ld</small>", row->count);
  html_add(html, "</td>");
}

// The value of the axis, or the bin that stands for it.
static void group_name(const StudyResults *results, const ResultGrid *grid, long group, char *text) {
  const StudyAxis *axis = grid->axis_count > 0 ? axis_of(results, grid->axes[0]) : NULL;
  if (axis && axis->count == 0)
    snprintf(text, TEXT_SIZE, "%.4g to %.4g", grid->bins[group].low, grid->bins[group].high);
  else
    snprintf(text, TEXT_SIZE, "%s", axis ? axis->values[group] : "");
}

static void head(Html *html, const StudyResults *results, const ResultGrid *grid) {
  char name[TEXT_SIZE] = "All trials";
  if (grid->axis_count > 0)
    axis_name(axis_of(results, grid->axes[0]), name);
  html_add(html, "<div class=\"scroll\"><table class=\"summary\">");
  html_element(html, "caption", NULL, name);
  html_add(html, "<thead><tr><th scope=\"col\">share or median</th>");
  for (long g = 0; g < grid->group_count; g++) {
    group_name(results, grid, g, name);
    html_add(html, "<th scope=\"col\" class=\"number\">");
    html_text(html, name);
    text_print(html, "<span class=\"unit\">%ld trials</span></th>", study_results_row(results, grid, g, 0)->trials);
  }
  html_add(html, "</tr></thead><tbody>\n");
}

static void table(Html *html, const StudyResults *results, const ResultGrid *grid) {
  head(html, results, grid);
  for (int m = 0; m < results->measure_count; m++) {
    const TableColumn *column = study_results_column(results, m);
    if (study_results_row(results, &results->grids[0], 0, m)->count == 0)
      continue;
    html_add(html, "<tr><th scope=\"row\" title=\"");
    html_text(html, study_results_doc(column));
    html_add(html, "\">");
    measure_name(html, results, m);
    html_add(html, " ");
    html_element(html, "span", "unit", summary_is_share(column) ? "" : column->unit);
    html_add(html, "</th>");
    for (long g = 0; g < grid->group_count; g++)
      estimate(html, study_results_row(results, grid, g, m), summary_is_share(column));
    html_add(html, "</tr>\n");
  }
  html_add(html, "</tbody></table></div>\n");
}

void study_plain_tables(Html *html, const StudyResults *results) {
  for (int i = 0; i < results->grid_count; i++)
    if (results->grids[i].axis_count < 2 && results->grids[i].group_count <= MOST_COLUMNS)
      table(html, results, &results->grids[i]);
}

// Directions.

void study_plain_directions(Html *html, const StudyResults *results) {
  const int count = results->direction_count - 1, other = direction_axes(results->folder->study).other;
  char names[RESULTS_MOST_SLICES][TEXT_SIZE];
  const char *texts[RESULTS_MOST_SLICES];
  svg_rose(html, results->directions[0], results->success, false);
  html_add(html, "<p class=\"note\">Seen from above: forward is up. A cell is one direction and one ring, over all "
                 "other axes; pointing at it tells its trials.</p>\n");
  for (int i = 0; i < count; i++) {
    value_name(axis_of(results, other), i, names[i]);
    texts[i] = names[i];
  }
  if (count > 0)
    svg_roses(html, (const DirectionTable *const *)&results->directions[1], texts, count);
}

// Heat maps over two axes, of a third one one for each value.

// Places in a grid: the axes across and up, and the third one, -1 where there is none.
typedef struct Map {
  int across, up, slice;
} Map;

// The slices are of an axis of names, else of the one with the fewest values. The axis with more values goes across.
static Map map_of(const StudyResults *results, const ResultGrid *grid) {
  int slice = grid->axis_count == 3 ? 0 : -1;
  for (int i = 1; i < grid->axis_count && slice >= 0; i++) {
    const StudyAxis *best = axis_of(results, grid->axes[slice]), *axis = axis_of(results, grid->axes[i]);
    if (best->is_number != axis->is_number ? !axis->is_number : axis->count < best->count)
      slice = i;
  }
  const int a = slice == 0 ? 1 : 0, b = slice == 0 || slice == 1 ? 2 : 1;
  return grid->sizes[a] >= grid->sizes[b] ? (Map){a, b, slice} : (Map){b, a, slice};
}

static bool is_small(const ResultGrid *grid) {
  for (int i = 0; i < grid->axis_count; i++)
    if (grid->sizes[i] > MOST_HEAT)
      return false;
  return true;
}

static int place_in(const ResultGrid *grid, long group, int axis) {
  for (int i = grid->axis_count - 1; i > axis; i--)
    group /= grid->sizes[i];
  return (int)(group % grid->sizes[axis]);
}

static void draw_map(Html *html, const StudyResults *results, const ResultGrid *grid, int measure, Map map, int slice) {
  static double values[MOST_HEAT * MOST_HEAT];
  const TableColumn *column = study_results_column(results, measure);
  const StudyAxis *x = axis_of(results, grid->axes[map.across]), *y = axis_of(results, grid->axes[map.up]);
  char title[TEXT_SIZE], names[2][TEXT_SIZE];
  for (long group = 0; group < grid->group_count; group++)
    if (map.slice < 0 || place_in(grid, group, map.slice) == slice)
      values[place_in(grid, group, map.up) * x->count + place_in(grid, group, map.across)] =
          study_results_value(study_results_row(results, grid, group, measure)).value;
  axis_name(x, names[0]);
  axis_name(y, names[1]);
  if (map.slice >= 0)
    value_name(axis_of(results, grid->axes[map.slice]), slice, title);
  else
    snprintf(title, sizeof title, "over %s and %s", axis_of(results, grid->axes[0])->name,
             axis_of(results, grid->axes[1])->name);
  svg_heat(html, &(SvgHeat){.title = title,
                            .unit = column->unit,
                            .column_axis = names[0],
                            .row_axis = names[1],
                            .column_names = (const char *const *)x->values,
                            .row_names = (const char *const *)y->values,
                            .columns = x->count,
                            .rows = y->count,
                            .values = values,
                            .is_share = summary_is_share(column)});
}

void study_plain_plots(Html *html, const StudyResults *results) {
  const ResultGrid *grid = study_results_cells(results);
  if (!grid || !is_small(grid)) {
    html_add(html, "<p class=\"note\">Pictures are of two or three axes with few values: see the tables.</p>\n");
    return;
  }
  const Map map = map_of(results, grid);
  const int slices = map.slice < 0 ? 1 : grid->sizes[map.slice];
  for (int k = 0; k < results->main_count; k++) {
    html_add(html, "<h3>");
    measure_name(html, results, results->main[k]);
    html_add(html, "</h3>\n");
    html_element(html, "p", "note", study_results_doc(study_results_column(results, results->main[k])));
    for (int i = 0; i < slices && i < MOST_SLICES; i++)
      draw_map(html, results, grid, results->main[k], map, i);
  }
}
