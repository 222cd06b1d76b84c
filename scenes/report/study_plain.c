// Draws the results of a study without script: roses, a plot over each axis, heat maps over two axes, and tables.
#include "scenes/report/study_plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/report_data.h"
#include "scenes/report/svg_plot.h"
#include "scenes/report/svg_rose.h"

enum { MOST_DOTS = 200, MOST_HEAT = 60, MOST_SLICES = 16, TEXT_SIZE = 256 };

static const char NONE[] = "\xe2\x80\x93";

static const StudyAxis *axis_of(const StudyResults *results, int axis) { return &results->folder->study->axes[axis]; }

// "friction 0.5", "speed 3 m/s"
static void value_name(const StudyAxis *axis, int value, char *text) {
  snprintf(text, TEXT_SIZE, "%s %s%s%s", axis->name, axis->values[value], axis->unit[0] != '\0' ? " " : "", axis->unit);
}

static void axis_name(const StudyAxis *axis, char *text) {
  snprintf(text, TEXT_SIZE, "%s%s%s", axis->name, axis->unit[0] != '\0' ? ", " : "", axis->unit);
}

// Directions.

void study_plain_directions(Html *html, const StudyResults *results) {
  const int count = results->direction_count - 1;
  char names[RESULTS_MOST_SLICES][TEXT_SIZE];
  const char *texts[RESULTS_MOST_SLICES];
  svg_rose(html, results->directions[0], results->success, false);
  html_add(html, "<p class=\"note\">Seen from above: forward is up. A cell is one direction and one ring, over all "
                 "other axes; pointing at it tells its trials.</p>\n");
  for (int i = 0; i < count; i++) {
    value_name(axis_of(results, direction_axes(results->folder->study).other), i, names[i]);
    texts[i] = names[i];
  }
  if (count > 0)
    svg_roses(html, (const DirectionTable *const *)&results->directions[1], texts, count);
}

// Plots.

// A value of an axis, or the bin that stands for it, with its share or median.
static SvgDot make_dot(const StudyAxis *axis, const ResultGrid *grid, int value, const SummaryRow *row, bool is_share,
                       char *text) {
  const ResultValue shown = study_results_value(row);
  const ResultBin *bin = axis->count == 0 ? &grid->bins[value] : NULL;
  char name[TEXT_SIZE];
  if (bin)
    snprintf(name, sizeof name, "%s %.4g to %.4g %s", axis->name, bin->low, bin->high, axis->unit);
  else
    value_name(axis, value, name);
  if (is_share)
    snprintf(text, TEXT_SIZE, "%.160s: %ld of %ld", name,
             isfinite(row->share) ? lround(row->share * (double)row->count) : 0, row->count);
  else
    snprintf(text, TEXT_SIZE, "%.160s: median %.4g of %ld trials", name, shown.value, row->count);
  return (SvgDot){.x = bin               ? bin->middle
                       : axis->is_number ? strtod(axis->values[value], NULL)
                                         : value,
                  .value = shown.value,
                  .low = shown.interval.low,
                  .high = shown.interval.high,
                  .text = text};
}

static void plot_axis(Html *html, const StudyResults *results, const ResultGrid *grid, int measure) {
  static SvgDot dots[MOST_DOTS];
  static char texts[MOST_DOTS][TEXT_SIZE];
  const StudyAxis *axis = axis_of(results, grid->axes[0]);
  const TableColumn *column = study_results_column(results, measure);
  bool some = false;
  for (int i = 0; i < grid->sizes[0]; i++) {
    const SummaryRow *row = study_results_row(results, grid, i, measure);
    dots[i] = make_dot(axis, grid, i, row, summary_is_share(column), texts[i]);
    some = some || isfinite(dots[i].value);
  }
  char title[TEXT_SIZE], name[TEXT_SIZE];
  snprintf(title, sizeof title, "over %s", axis->name);
  axis_name(axis, name);
  if (some)
    svg_dots(html, &(SvgDots){.title = title,
                              .unit = column->unit,
                              .axis = name,
                              .names = axis->is_number ? NULL : (const char *const *)axis->values, // NULL if drawn
                              .step = direction_is_turn(axis) ? 90 : 0,
                              .dots = dots,
                              .count = grid->sizes[0],
                              .is_share = summary_is_share(column)});
}

// A picture over two axes of a grid; of a third one, `slice`, one value. The axis with more values goes across.
static void draw_map(Html *html, const StudyResults *results, const ResultGrid *grid, int measure, int slice,
                     int value) {
  static double values[MOST_HEAT * MOST_HEAT];
  const int rest[] = {slice == 0 ? 1 : 0, slice == 0 || slice == 1 ? 2 : 1};
  const bool first_across = grid->sizes[rest[0]] >= grid->sizes[rest[1]];
  const int across = rest[first_across ? 0 : 1], up = rest[first_across ? 1 : 0];
  const TableColumn *column = study_results_column(results, measure);
  bool some = false;
  for (long group = 0; group < grid->group_count; group++) {
    int at[RESULTS_MOST_AXES];
    long left = group;
    for (int i = grid->axis_count - 1; i >= 0; left /= grid->sizes[i--])
      at[i] = (int)(left % grid->sizes[i]);
    if (slice >= 0 && at[slice] != value)
      continue;
    const double shown = study_results_value(study_results_row(results, grid, group, measure)).value;
    values[at[up] * grid->sizes[across] + at[across]] = shown;
    some = some || isfinite(shown);
  }
  if (!some)
    return;
  const StudyAxis *x = axis_of(results, grid->axes[across]), *y = axis_of(results, grid->axes[up]);
  char title[2 * TEXT_SIZE], names[2][TEXT_SIZE];
  axis_name(x, names[0]);
  axis_name(y, names[1]);
  if (slice >= 0)
    value_name(axis_of(results, grid->axes[slice]), value, title);
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

// Of three axes the slices are of one of names, else of the one with the fewest values.
static int slice_of(const StudyResults *results, const ResultGrid *grid) {
  int slice = 0;
  for (int i = 1; i < grid->axis_count; i++) {
    const StudyAxis *best = axis_of(results, grid->axes[slice]), *axis = axis_of(results, grid->axes[i]);
    if (best->is_number != axis->is_number ? !axis->is_number : axis->count < best->count)
      slice = i;
  }
  return slice;
}

static bool is_small(const ResultGrid *grid) {
  for (int i = 0; i < grid->axis_count; i++)
    if (grid->sizes[i] > MOST_HEAT)
      return false;
  return true;
}

// The finest grid of two or three axes, which is of the cells.
static void plot_cells(Html *html, const StudyResults *results, int measure) {
  const ResultGrid *finest = &results->grids[0];
  for (int i = 0; i < results->grid_count; i++)
    if (results->grids[i].axis_count > 1 && !results->grids[i].own)
      finest = &results->grids[i];
  if (finest->axis_count < 2 || !is_small(finest))
    return;
  const int slice = finest->axis_count == 3 ? slice_of(results, finest) : -1;
  for (int i = 0; i < (slice < 0 ? 1 : finest->sizes[slice]) && i < MOST_SLICES; i++)
    draw_map(html, results, finest, measure, slice, i);
}

void study_plain_plots(Html *html, const StudyResults *results) {
  for (int k = 0; k < results->main_count; k++) {
    const int measure = results->main[k];
    const TableColumn *column = study_results_column(results, measure);
    html_add(html, summary_is_share(column) ? "<h3>Share of trials with " : "<h3>Median of ");
    html_text(html, study_results_name(results->folder->study, column));
    html_add(html, "</h3>\n<p class=\"note\">");
    html_text(html, report_column_doc(column->name));
    html_add(html, "</p>\n<div class=\"small-plots\">\n");
    for (int i = 0; i < results->grid_count; i++)
      if (results->grids[i].axis_count == 1 && results->grids[i].sizes[0] <= MOST_DOTS)
        plot_axis(html, results, &results->grids[i], measure);
    html_add(html, "</div>\n");
    plot_cells(html, results, measure);
  }
}

// Tables.

static void number(Html *html, double value, bool is_share) {
  if (!isfinite(value))
    html_add(html, NONE);
  else if (is_share)
    text_print(html, "%.1f", 100 * value);
  else
    text_print(html, "%.4g", value);
}

// A share or a median, and below it its interval and of how many trials it is where that is not all of them.
static void estimate(Html *html, const SummaryRow *row, bool is_share) {
  const ResultValue shown = study_results_value(row);
  const char *unit = is_share && isfinite(shown.value) ? " %" : "";
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
  if (row->count > 0 && row->count < row->trials)
    text_print(html, "<small>n = %ld</small>", row->count);
  html_add(html, "</td>");
}

static void measure_name(Html *html, const StudyResults *results, int measure, const char *kind) {
  const TableColumn *column = study_results_column(results, measure);
  text_print(html, "<th %s title=\"", kind);
  html_text(html, report_column_doc(column->name));
  html_add(html, "\">");
  html_text(html, study_results_name(results->folder->study, column));
  html_add(html, study_results_label(results, measure)[0] != '\0' ? ": " : "");
  html_text(html, study_results_label(results, measure));
  html_add(html, " ");
  html_element(html, "span", "unit", summary_is_share(column) ? "share" : column->unit);
  html_add(html, "</th>");
}

static void whole_table(Html *html, const StudyResults *results) {
  static const char *const heads[] = {"share or median", "mean",       "deviation", "least",
                                      "quartile 1",      "quartile 3", "most"};
  html_add(html, "<div class=\"scroll\"><table class=\"summary\"><caption>All trials (n: those of which a figure "
                 "is, where that is not all)</caption><thead><tr><th scope=\"col\">metric</th>");
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    text_print(html, "<th scope=\"col\" class=\"number\">%s</th>", heads[i]);
  html_add(html, "</tr></thead><tbody>\n");
  for (int m = 0; m < results->measure_count; m++) {
    const SummaryRow *row = study_results_row(results, study_results_grid(results, NULL, 0), 0, m);
    const double values[] = {row->sample.mean,        row->sample.deviation,   row->sample.min,
                             row->sample.quartile[0], row->sample.quartile[2], row->sample.max};
    const bool is_share = summary_is_share(study_results_column(results, m));
    if (row->count == 0)
      continue;
    html_add(html, "<tr>");
    measure_name(html, results, m, "scope=\"row\"");
    estimate(html, row, is_share);
    for (int i = 0; i < 6 && !is_share; i++) {
      html_add(html, "<td class=\"number\">");
      number(html, values[i], false);
      html_add(html, "</td>");
    }
    html_add(html, is_share ? "<td colspan=\"6\"></td></tr>\n" : "</tr>\n");
  }
  html_add(html, "</tbody></table></div>\n");
}

static void axis_table(Html *html, const StudyResults *results, const ResultGrid *grid) {
  const StudyAxis *axis = axis_of(results, grid->axes[0]);
  html_add(html, "<div class=\"scroll\"><table class=\"summary\"><caption>Over ");
  html_text(html, axis->name);
  html_add(html, "</caption><thead><tr><th scope=\"col\" class=\"number\">");
  html_text(html, axis->name);
  html_add(html, " ");
  html_element(html, "span", "unit", axis->unit);
  html_add(html, "</th><th scope=\"col\" class=\"number\">trials</th>");
  for (int k = 0; k < results->main_count; k++)
    measure_name(html, results, results->main[k], "scope=\"col\" class=\"number\"");
  html_add(html, "</tr></thead><tbody>\n");
  for (int v = 0; v < grid->sizes[0]; v++) {
    html_add(html, "<tr>");
    html_element(html, "td", "number", axis->values[v]);
    text_print(html, "<td class=\"number\">%ld</td>", study_results_row(results, grid, v, 0)->trials);
    for (int k = 0; k < results->main_count; k++)
      estimate(html, study_results_row(results, grid, v, results->main[k]),
               summary_is_share(study_results_column(results, results->main[k])));
    html_add(html, "</tr>\n");
  }
  html_add(html, "</tbody></table></div>\n");
}

void study_plain_tables(Html *html, const StudyResults *results) {
  whole_table(html, results);
  for (int i = 0; i < results->grid_count; i++)
    if (results->grids[i].axis_count == 1 && axis_of(results, results->grids[i].axes[0])->count > 0 &&
        results->grids[i].sizes[0] <= MOST_DOTS)
      axis_table(html, results, &results->grids[i]);
}
