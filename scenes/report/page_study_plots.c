// Plots of a study that need no script: every measure over every crossed axis, and over two axes at once.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/direction_table.h"
#include "scenes/report/page_study.h"
#include "scenes/report/page_study_heat.h"
#include "scenes/report/svg_plot.h"

enum { MOST_DOTS = 200, MOST_HEAT = 2000 };

// An axis' value as a number: itself, or its place where it is a name.
static double axis_number(const StudyAxis *axis, int value) {
  return axis->is_number ? strtod(axis->values[value], NULL) : value;
}

static bool is_share(const TableColumn *column) { return strcmp(column->unit, "bool") == 0; }

// Where a share or a median stands in a row.
static SvgDot make_dot(const StudyAxis *axis, int value, const SummaryRow *row, bool share, char *text, size_t size) {
  SvgDot dot = {.x = axis_number(axis, value), .value = NAN, .low = NAN, .high = NAN, .text = text};
  if (share) {
    dot.value = row->share;
    dot.low = row->share_interval.low;
    dot.high = row->share_interval.high;
    snprintf(text, size, "%s %s %s: %ld of %ld", axis->name, axis->values[value], axis->unit,
             isfinite(row->share) ? lround(row->share * (double)row->count) : 0, row->count);
  } else {
    dot.value = row->sample.quartile[1];
    dot.low = row->sample.median.low;
    dot.high = row->sample.median.high;
    snprintf(text, size, "%s %s %s: median %.4g of %ld trials", axis->name, axis->values[value], axis->unit, dot.value,
             row->count);
  }
  return dot;
}

static void plot_axis(Html *html, const ReportFolder *folder, int axis, int column) {
  const StudyAxis *shown = &folder->study->axes[axis];
  const TableColumn *measure = &folder->study->columns[column];
  static SvgDot dots[MOST_DOTS];
  static char texts[MOST_DOTS][256];
  const char *names[MOST_DOTS];
  int count = 0;
  bool some = false;
  for (int i = 0; i < folder->summary->count && count < MOST_DOTS; i++) {
    const SummaryRow *row = &folder->summary->rows[i];
    if (row->scope != SUMMARY_AXIS || row->axis != axis || row->column != column || row->label[0] != '\0')
      continue;
    dots[count] = make_dot(shown, row->value, row, is_share(measure), texts[count], sizeof texts[count]);
    names[count] = shown->values[row->value];
    some = some || isfinite(dots[count].value);
    count++;
  }
  if (!some)
    return;
  char title[160], name[160];
  snprintf(title, sizeof title, "over %s", shown->name);
  page_study_axis(shown, name, sizeof name);
  const bool is_turn = direction_is_turn(shown);
  const SvgDots plot = {.title = title,
                        .unit = measure->unit,
                        .axis = name,
                        .names = shown->is_number ? NULL : names,
                        .step = is_turn ? 90 : 0,
                        .dots = dots,
                        .count = count,
                        .is_share = is_share(measure)};
  if (is_turn)
    svg_polar(html, &plot);
  svg_dots(html, &plot);
}

// Two crossed axes that have several values, all others one; false when that is not so.
static bool find_pair(const StudyDef *study, int pair[2]) {
  int count = 0;
  for (int i = 0; i < study->axis_count; i++)
    if (study->axes[i].count > 1) {
      if (count < 2)
        pair[count] = i;
      count++;
    }
  return count == 2 && (long)study->axes[pair[0]].count * study->axes[pair[1]].count <= MOST_HEAT &&
         study->axes[pair[0]].count <= 60 && study->axes[pair[1]].count <= 60;
}

// The axis with more values goes across.
static void plot_pair(Html *html, const ReportFolder *folder, const int pair[2], int column) {
  const StudyAxis *slow = &folder->study->axes[pair[0]], *fast = &folder->study->axes[pair[1]];
  const bool slow_across = slow->count >= fast->count;
  const StudyAxis *across = slow_across ? slow : fast, *up = slow_across ? fast : slow;
  const TableColumn *measure = &folder->study->columns[column];
  static double values[MOST_HEAT];
  bool some = false;
  for (int i = 0; i < across->count * up->count; i++)
    values[i] = NAN;
  for (int i = 0; i < folder->summary->count; i++) {
    const SummaryRow *row = &folder->summary->rows[i];
    if (row->scope != SUMMARY_CELL || row->column != column || row->label[0] != '\0')
      continue;
    const int at_slow = (int)(row->cell / fast->count) % slow->count, at_fast = (int)(row->cell % fast->count);
    const int place = slow_across ? at_fast * slow->count + at_slow : at_slow * fast->count + at_fast;
    values[place] = is_share(measure) ? row->share : row->sample.quartile[1];
    some = some || isfinite(values[place]);
  }
  if (!some)
    return;
  char title[256];
  snprintf(title, sizeof title, "over %s and %s", slow->name, fast->name);
  page_study_map(html, title, across, up, values, measure->unit, is_share(measure));
}

void page_study_plots(Html *html, const ReportFolder *folder, const Measures *measures) {
  const StudyDef *study = folder->study;
  int pair[2], crossed = 0;
  html_add(html, "<div class=\"static\">\n");
  for (int k = 0; k < measures->count; k++) {
    const TableColumn *column = &study->columns[measures->columns[k]];
    html_add(html, "<h3>");
    html_add(html, is_share(column) ? "Share of trials with " : "Median of ");
    html_text(html, page_study_column(folder, column->name));
    html_add(html, "</h3>\n<p class=\"note\">");
    html_text(html, report_column_doc(column->name));
    html_add(html, "</p>\n");
    html_add(html, "<div class=\"small-plots\">\n");
    for (int i = 0; i < study->axis_count; i++)
      if (study->axes[i].count > 1 && study->axes[i].count <= MOST_DOTS) {
        plot_axis(html, folder, i, measures->columns[k]);
        crossed++;
      }
    html_add(html, "</div>\n");
    if (find_pair(study, pair))
      plot_pair(html, folder, pair, measures->columns[k]);
    page_study_heat(html, folder, measures->columns[k]);
  }
  page_study_heat_strategy(html, folder);
  if (crossed == 0)
    html_add(html, "<p class=\"note\">No axis has several values: see the tables.</p>\n");
  html_add(html, "</div>\n");
}
