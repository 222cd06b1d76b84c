// Writes the sections on a study: its figures, the tables of its cells, its trials and their traces.
#include "scenes/report/page_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/page_run.h"
#include "scenes/run/outcome.h"

enum { MOST_TRIALS = 50 };

static const char NONE[] = "\xe2\x80\x93";

// The most important columns.

static const char *metric_of(const char *column) {
  const char *dot = strrchr(column, '.');
  return dot ? dot + 1 : "";
}

const char *page_study_column(const ReportFolder *folder, const char *column) {
  return folder->study->scene->character_count == 1 && metric_of(column)[0] != '\0' ? metric_of(column) : column;
}

static bool is_bool(const TableColumn *column) { return strcmp(column->unit, "bool") == 0; }

static void add_measure(Measures *measures, int column) {
  for (int i = 0; i < measures->count; i++)
    if (measures->columns[i] == column)
      return;
  if (measures->count < PAGE_MOST_MEASURES)
    measures->columns[measures->count++] = column;
}

Measures page_study_measures(const ReportFolder *folder) {
  static const char *const favourites[] = {"fell",           "recovery_time",         "peak_pose_error",
                                           "rms_pose_error", "peak_com_displacement", "mean_assist_force",
                                           "assist_impulse", "support_margin_min"};
  const StudyDef *study = folder->study;
  Measures measures = {.count = 0};
  for (size_t k = 0; k < sizeof favourites / sizeof favourites[0]; k++)
    for (int i = 0; i < study->column_count; i++)
      if (strcmp(metric_of(study->columns[i].name), favourites[k]) == 0)
        add_measure(&measures, i);
  // A study without these: its first metrics, else `ok`.
  for (int i = 0; i < study->column_count && measures.count < PAGE_MOST_MEASURES; i++)
    if (study->columns[i].kind == TABLE_NUMBER && metric_of(study->columns[i].name)[0] != '\0')
      add_measure(&measures, i);
  if (measures.count == 0)
    add_measure(&measures, table_find(folder->table, "ok"));
  return measures;
}

// Values as people read them.

static const MetricRow *row_of(const char *column) {
  for (int i = 0; i < metric_row_count; i++)
    if (strcmp(metric_rows[i].name, metric_of(column)) == 0)
      return &metric_rows[i];
  return NULL;
}

static void value_text(const TableColumn *column, double value, char *text, size_t size, const char **unit) {
  const MetricRow *row = row_of(column->name);
  const char *ignored;
  if (!isfinite(value)) {
    snprintf(text, size, "%s", NONE);
    *unit = "";
  } else if (row && !is_bool(column)) {
    outcome_metric_text(row, value, text, size, unit ? unit : &ignored);
  } else {
    snprintf(text, size, "%.4g", value);
    *unit = is_bool(column) ? "" : column->unit;
  }
}

static void share_text(double share, char *text, size_t size) {
  if (isfinite(share))
    snprintf(text, size, "%.1f %%", 100 * share);
  else
    snprintf(text, size, "%s", NONE);
}

// "0.35" and "0.31 to 0.40", or of a share "12.5 %" and "4.3 to 31.1 %". Too few values have no interval: "".
static void estimate_text(const TableColumn *column, const SummaryRow *row, char *value, size_t size, char *interval,
                          size_t interval_size) {
  const char *unit;
  interval[0] = '\0';
  if (isfinite(row->share)) {
    share_text(row->share, value, size);
    snprintf(interval, interval_size, "%.1f to %.1f %%", 100 * row->share_interval.low, 100 * row->share_interval.high);
    return;
  }
  char low[64], high[64];
  value_text(column, row->sample.quartile[1], value, size, &unit);
  if (!isfinite(row->sample.median.low) || !isfinite(row->sample.median.high))
    return;
  value_text(column, row->sample.median.low, low, sizeof low, &unit);
  value_text(column, row->sample.median.high, high, sizeof high, &unit);
  snprintf(interval, interval_size, "%s to %s", low, high);
}

static const char *shown_unit(const TableColumn *column) {
  const char *unit;
  char text[64];
  value_text(column, 1, text, sizeof text, &unit);
  return unit;
}

// Header and key figures.

static long incomplete(const ReportFolder *folder) {
  const SummaryRow *good = report_folder_whole(folder, "status", "complete");
  return folder->table->row_count - (good ? lround(good->share * (double)good->count) : 0);
}

void page_study_badges(Html *html, const ReportFolder *folder) {
  char text[128];
  const long done = folder->table->row_count, all = folder->study->trial_count;
  const bool complete = report_folder_is_complete(folder);
  snprintf(text, sizeof text, complete ? "complete: %ld trials" : "%ld of %ld trials so far", done, all);
  page_badge(html, complete ? "good" : "warn", text);
  const long bad = incomplete(folder);
  if (bad > 0) {
    snprintf(text, sizeof text, "%ld trial%s not complete", bad, bad == 1 ? " is" : "s are");
    page_badge(html, "bad", text);
  }
  const SummaryRow *held = report_folder_whole(folder, "ok", "");
  if (held && isfinite(held->share) && folder->study->scene->expect_count > 0) {
    snprintf(text, sizeof text, "expectations hold in %.1f %%", 100 * held->share);
    page_badge(html, held->share >= 1 ? "good" : "warn", text);
  }
}

static void measure_card(Html *html, const ReportFolder *folder, int column) {
  const TableColumn *shown = &folder->study->columns[column];
  const SummaryRow *row = report_folder_whole(folder, shown->name, "");
  if (!row || row->count == 0)
    return;
  char name[2 * TABLE_NAME_SIZE], value[64], interval[160], below[320];
  snprintf(name, sizeof name, "%s%s", page_study_column(folder, shown->name), is_bool(shown) ? "" : ", median");
  estimate_text(shown, row, value, sizeof value, interval, sizeof interval);
  if (is_bool(shown))
    snprintf(below, sizeof below, "%s; %ld of %ld trials", interval, lround(row->share * (double)row->count),
             row->count);
  else
    snprintf(below, sizeof below, "%s%sof %ld trials", interval, interval[0] != '\0' ? "; " : "", row->count);
  page_card(html, name, value, isfinite(row->share) ? "" : shown_unit(shown), below);
}

void page_study_figures(Html *html, const ReportFolder *folder, const Measures *measures) {
  char value[64], below[160];
  const StudyDef *study = folder->study;
  html_add(html, "<dl class=\"cards\">\n");
  snprintf(value, sizeof value, "%ld", folder->table->row_count);
  snprintf(below, sizeof below, "of %ld: %ld cell%s, %d repeat%s", study->trial_count, study->cell_count,
           study->cell_count == 1 ? "" : "s", study->run.repeats, study->run.repeats == 1 ? "" : "s");
  page_card(html, "trials", value, "", below);
  for (int i = 0; i < measures->count; i++)
    measure_card(html, folder, measures->columns[i]);
  html_add(html,
           "</dl>\n<p class=\"note\">Below each value its interval for 95 %: Wilson's of shares, by the bootstrap "
           "of medians, both with repeats as clusters, since a repeat has the same seed in all cells. Medians of "
           "fewer than 6 repeats have none.");
  if (incomplete(folder) > 0)
    html_add(html, " Trials that are not complete count in status and ok alone.");
  if (summary_repeats_alike(folder->table))
    html_add(html, " <strong>All repeats of a cell came to the same: nothing in the scene seems to depend on the seed, "
                   "and intervals mean nothing.</strong>");
  html_add(html, "</p>\n");
}

// Tables.

static void cell(Html *html, const char *text) { html_element(html, "td", "number", text); }

static void number(Html *html, const TableColumn *column, double value) {
  char text[64];
  const char *unit;
  value_text(column, value, text, sizeof text, &unit);
  cell(html, text);
}

static void whole_row(Html *html, const TableColumn *column, const SummaryRow *row) {
  char value[64], interval[160];
  estimate_text(column, row, value, sizeof value, interval, sizeof interval);
  html_add(html, "<tr title=\"");
  html_text(html, report_column_doc(column->name));
  html_add(html, "\"><th scope=\"row\">");
  html_text(html, column->name);
  if (row->label[0] != '\0') {
    html_add(html, ": ");
    html_text(html, row->label);
  }
  html_add(html, "</th>");
  html_element(html, "td", "unit", isfinite(row->share) ? "share" : shown_unit(column));
  text_print(html, "<td class=\"number\">%ld</td>", row->count);
  cell(html, value);
  cell(html, interval[0] != '\0' ? interval : NONE);
  const bool is_sample = !isfinite(row->share);
  const double values[] = {row->sample.mean,        row->sample.deviation,   row->sample.min,
                           row->sample.quartile[0], row->sample.quartile[2], row->sample.max};
  for (int i = 0; i < 6; i++)
    if (is_sample)
      number(html, column, values[i]);
    else
      html_add(html, "<td></td>");
  html_add(html, "</tr>\n");
}

static void whole_table(Html *html, const ReportFolder *folder) {
  static const char *const heads[] = {"n",     "share or median", "interval",   "mean", "deviation",
                                      "least", "quartile 1",      "quartile 3", "most"};
  html_add(html, "<div class=\"scroll\"><table class=\"summary\"><caption>All trials (n: those of which a figure "
                 "is)</caption><thead><tr>"
                 "<th scope=\"col\">metric</th><th scope=\"col\">unit</th>");
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    text_print(html, "<th scope=\"col\" class=\"number\">%s</th>", heads[i]);
  html_add(html, "</tr></thead><tbody>\n");
  for (int i = 0; i < folder->summary->count && folder->summary->rows[i].scope == SUMMARY_ALL; i++) {
    const SummaryRow *row = &folder->summary->rows[i];
    if (row->count > 0)
      whole_row(html, &folder->study->columns[row->column], row);
  }
  html_add(html, "</tbody></table></div>\n");
}

static const SummaryRow *axis_row(const Summary *summary, int axis, int value, int column) {
  for (int i = 0; i < summary->count && summary->rows[i].scope != SUMMARY_CELL; i++) {
    const SummaryRow *row = &summary->rows[i];
    if (row->scope == SUMMARY_AXIS && row->axis == axis && row->value == value && row->column == column &&
        row->label[0] == '\0')
      return row;
  }
  return NULL;
}

static long axis_trials(const Summary *summary, int axis, int value) {
  for (int i = 0; i < summary->count; i++)
    if (summary->rows[i].scope == SUMMARY_AXIS && summary->rows[i].axis == axis && summary->rows[i].value == value)
      return summary->rows[i].trials;
  return 0;
}

static void axis_head(Html *html, const ReportFolder *folder, const StudyAxis *axis, const Measures *measures) {
  html_add(html, "<thead><tr><th scope=\"col\" class=\"number\">");
  html_text(html, axis->name);
  html_add(html, " ");
  html_element(html, "span", "unit", axis->unit);
  html_add(html, "</th><th scope=\"col\" class=\"number\">trials</th>");
  for (int k = 0; k < measures->count; k++) {
    const TableColumn *column = &folder->study->columns[measures->columns[k]];
    html_add(html, "<th scope=\"col\" class=\"number\" title=\"");
    html_text(html, report_column_doc(column->name));
    html_add(html, "\">");
    html_text(html, page_study_column(folder, column->name));
    html_add(html, " ");
    html_element(html, "span", "unit", is_bool(column) ? "share" : shown_unit(column));
    html_add(html, "</th>");
  }
  html_add(html, "</tr></thead>\n");
}

// A value, its interval, and of how many trials it is where that is not all of them.
static void axis_cell(Html *html, const TableColumn *column, const SummaryRow *row) {
  char value[64] = "", interval[160] = "", count[32] = "";
  if (row)
    estimate_text(column, row, value, sizeof value, interval, sizeof interval);
  if (row && row->count > 0 && row->count < row->trials)
    snprintf(count, sizeof count, "n = %ld", row->count);
  html_add(html, "<td class=\"number\">");
  html_text(html, row ? value : NONE);
  html_element(html, "small", NULL, interval);
  if (count[0] != '\0')
    html_element(html, "small", NULL, count);
  html_add(html, "</td>");
}

static void axis_table(Html *html, const ReportFolder *folder, int axis, const Measures *measures) {
  const StudyAxis *shown = &folder->study->axes[axis];
  html_add(html, "<div class=\"scroll\"><table class=\"summary\"><caption>Over ");
  html_text(html, shown->name);
  html_add(html, "</caption>");
  axis_head(html, folder, shown, measures);
  html_add(html, "<tbody>\n");
  for (int v = 0; v < shown->count; v++) {
    html_add(html, "<tr><th scope=\"row\" class=\"number\">");
    html_text(html, shown->values[v]);
    html_add(html, "</th>");
    text_print(html, "<td class=\"number\">%ld</td>", axis_trials(folder->summary, axis, v));
    for (int k = 0; k < measures->count; k++)
      axis_cell(html, &folder->study->columns[measures->columns[k]],
                axis_row(folder->summary, axis, v, measures->columns[k]));
    html_add(html, "</tr>\n");
  }
  html_add(html, "</tbody></table></div>\n");
}

void page_study_tables(Html *html, const ReportFolder *folder, const Measures *measures) {
  whole_table(html, folder);
  for (int i = 0; i < folder->study->axis_count; i++)
    if (folder->study->axes[i].count > 1 && folder->study->axes[i].count <= 200)
      axis_table(html, folder, i, measures);
}

// Trials.

static void trial_row(Html *html, const ReportFolder *folder, long row, const int *columns, int count) {
  html_add(html, "<tr>");
  for (int i = 0; i < count; i++) {
    const TableColumn *column = &folder->study->columns[columns[i]];
    const double value = table_number(folder->table, row, columns[i]);
    if (column->kind == TABLE_TEXT)
      html_element(html, "td", NULL, table_text(folder->table, row, columns[i]));
    else if (is_bool(column))
      cell(html, !isfinite(value) ? NONE : value != 0 ? "yes" : "no");
    else
      number(html, column, value);
  }
  html_add(html, "</tr>\n");
}

void page_study_trials(Html *html, const ReportFolder *folder, const Measures *measures) {
  const StudyDef *study = folder->study;
  int columns[STUDY_MAX_AXES + PAGE_MOST_MEASURES + 4], count = 0;
  static const char *const first[] = {"trial", "seed"}, *const last[] = {"status", "ok"};
  for (int i = 0; i < 2; i++)
    columns[count++] = table_find(folder->table, first[i]);
  for (int i = 0; i < study->axis_count; i++)
    columns[count++] = table_find(folder->table, study->axes[i].name);
  for (int i = 0; i < 2; i++)
    columns[count++] = table_find(folder->table, last[i]);
  for (int i = 0; i < measures->count; i++)
    columns[count++] = measures->columns[i];
  html_add(html, "<div class=\"static\"><div class=\"scroll\"><table class=\"trials\"><thead><tr>");
  for (int i = 0; i < count; i++) {
    const TableColumn *column = &study->columns[columns[i]];
    text_print(html, "<th scope=\"col\"%s>", column->kind == TABLE_TEXT ? "" : " class=\"number\"");
    html_text(html, page_study_column(folder, column->name));
    html_add(html, " ");
    html_element(html, "span", "unit", shown_unit(column));
    html_add(html, "</th>");
  }
  html_add(html, "</tr></thead><tbody>\n");
  for (long row = 0; row < folder->table->row_count && row < MOST_TRIALS; row++)
    trial_row(html, folder, row, columns, count);
  html_add(html, "</tbody></table></div>\n");
  if (folder->table->row_count > MOST_TRIALS)
    text_print(html, "<p class=\"note\">The first %d of %ld trials. All of them are in trials.csv.</p>\n", MOST_TRIALS,
               folder->table->row_count);
  html_add(html, "</div>\n");
}

// Traces that were kept.

static void trace_title(Html *html, const ReportFolder *folder, const ReportRun *run) {
  text_print(html, "<summary>Trial %ld", run->trial);
  for (int i = 0; i < folder->study->axis_count && run->trial < folder->study->trial_count; i++) {
    char value[PARAM_TEXT_SIZE];
    study_value(folder->study, i, run->trial, value);
    html_add(html, i == 0 ? ": " : ", ");
    html_text(html, folder->study->axes[i].name);
    html_add(html, " ");
    html_text(html, value);
    html_add(html, folder->study->axes[i].unit[0] != '\0' ? " " : "");
    html_text(html, folder->study->axes[i].unit);
  }
  text_print(html, ", seed %d ", run->def->run.seed);
  page_run_badges(html, run);
  html_add(html, "</summary>\n");
}

void page_study_traces(Html *html, const ReportFolder *folder, Html *notes) {
  if (folder->trace_count < folder->kept_count)
    text_print(html, "<p class=\"note\">%d of the %d traces that were kept.</p>\n", folder->trace_count,
               folder->kept_count);
  for (int i = 0; i < folder->trace_count; i++) {
    const ReportRun *run = folder->traces[i].run;
    text_print(html, "<details%s>", i == 0 ? " open" : "");
    trace_title(html, folder, run);
    page_run_strip(html, run, NULL, 0, notes);
    page_run_hits(html, run, "trial-hits");
    html_add(html, "</details>\n");
  }
}
