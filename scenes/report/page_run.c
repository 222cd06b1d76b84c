// Writes the sections on a run: badges, figures, the strip of pictures, hits, curves, metrics, expectations.
#include "scenes/report/page_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/figure_strip.h"
#include "scenes/report/svg_plot.h"
#include "scenes/run/outcome.h"
#include "sim/base/support.h"

enum { MOST_MARKS = 400, MOST_HITS = 1000, MOST_CARD_CHARACTERS = 8 };

void page_badge(Html *html, const char *kind, const char *text) {
  text_print(html, "<span class=\"badge %s\">", kind);
  html_text(html, text);
  html_add(html, "</span> ");
}

void page_card(Html *html, const char *name, const char *value, const char *unit, const char *below) {
  html_add(html, "<div class=\"card\"><dt>");
  html_text(html, name);
  html_add(html, "</dt><dd>");
  html_element(html, "b", NULL, value);
  if (unit[0] != '\0') {
    html_add(html, " ");
    html_element(html, "span", "unit", unit);
  }
  if (below[0] != '\0')
    html_element(html, "small", NULL, below);
  html_add(html, "</dd></div>\n");
}

// Header.

void page_run_badges(Html *html, const ReportRun *run) {
  char text[96];
  const bool complete = report_run_is_complete(run);
  page_badge(html, complete ? "good" : strncmp(run->status, "stopped", 7) == 0 ? "bad" : "warn", run->status);
  int known = 0;
  for (int i = 0; i < run->expect_count; i++)
    known += run->expects[i].known;
  const int failures = report_run_failures(run);
  if (known > 0 && failures == 0) {
    snprintf(text, sizeof text, known == 1 ? "its expectation holds" : "all %d expectations hold", known);
    page_badge(html, "good", text);
  } else if (known > 0) {
    snprintf(text, sizeof text, "%d of %d expectations %s not hold", failures, known, failures == 1 ? "does" : "do");
    page_badge(html, "bad", text);
  }
}

// Key figures.

static const MetricRow *find_row(const char *name, int *index) {
  for (*index = 0; *index < metric_row_count; ++*index)
    if (strcmp(metric_rows[*index].name, name) == 0)
      return &metric_rows[*index];
  return NULL;
}

// A card of a metric that applies; `below` may be "".
static void metric_card(Html *html, const ReportCharacter *character, const char *title, const char *name,
                        const char *below) {
  int index;
  const MetricRow *row = find_row(name, &index);
  if (!row || isnan(character->metrics[index]))
    return;
  char text[64];
  const char *unit;
  outcome_metric_text(row, character->metrics[index], text, sizeof text, &unit);
  page_card(html, title, text, unit, below);
}

static void cards_of_falls(Html *html, const ReportCharacter *character) {
  char below[96] = "";
  const double fell = report_run_metric(character, "fell"), time = report_run_metric(character, "time_of_fall");
  if (fell > 0 && isfinite(time))
    snprintf(below, sizeof below, "at %.2f s%s", time,
             report_run_metric(character, "got_up") > 0 ? ", got up again" : "");
  metric_card(html, character, "fell", "fell", below);
}

static void cards_of_hits(Html *html, const ReportCharacter *character) {
  char below[96] = "";
  const double share = report_run_metric(character, "recovered_share");
  const double longest = report_run_metric(character, "recovery_time_max");
  if (report_run_metric(character, "hits") > 0 && isfinite(share))
    snprintf(below, sizeof below, "recovered from %.0f %%", 100 * share);
  metric_card(html, character, "hits", "hits", below);
  below[0] = '\0';
  if (isfinite(longest))
    snprintf(below, sizeof below, "mean; longest %.2f s", longest);
  metric_card(html, character, "recovery time", "recovery_time", below);
}

static void cards_of_assist(Html *html, const ReportCharacter *character) {
  char below[96] = "";
  const double mean = report_run_metric(character, "mean_assist_force");
  const double peak = report_run_metric(character, "peak_assist_force");
  const double weight = character->def->body->mass * STANDARD_GRAVITY;
  if (mean > 0)
    snprintf(below, sizeof below, "%.0f %% of its weight; most %.0f N", 100 * mean / weight, peak);
  metric_card(html, character, "assist, mean force", "mean_assist_force", mean > 0 ? below : "stands without help");
}

static void character_cards(Html *html, const ReportCharacter *character) {
  char below[96] = "";
  html_add(html, "<dl class=\"cards\">\n");
  cards_of_falls(html, character);
  const double speed = report_run_metric(character, "speed_mean");
  if (isfinite(speed))
    snprintf(below, sizeof below, "%.2f m/s on average", speed);
  metric_card(html, character, "distance", "distance", below);
  cards_of_hits(html, character);
  const double between = report_run_metric(character, "rms_pose_error_between_hits");
  below[0] = '\0';
  if (isfinite(between))
    snprintf(below, sizeof below, "%.2f deg RMS %s", between,
             report_run_metric(character, "hits") > 0 ? "between hits" : "over the run");
  metric_card(html, character, "peak pose error, RMS over joints", "peak_pose_error", below);
  cards_of_assist(html, character);
  metric_card(html, character, "peak drive torque", "peak_torque", "");
  metric_card(html, character, "foot slip, worst stance", "foot_slip_max", "");
  html_add(html, "</dl>\n");
}

static bool has_metrics(const ReportCharacter *character) {
  for (int i = 0; i < metric_row_count; i++)
    if (!isnan(character->metrics[i]))
      return true;
  return false;
}

void page_run_figures(Html *html, const ReportRun *run) {
  for (int i = 0; i < run->character_count && i < MOST_CARD_CHARACTERS; i++) {
    if (run->character_count > 1)
      html_element(html, "h3", NULL, run->characters[i].def->name);
    if (has_metrics(&run->characters[i]))
      character_cards(html, &run->characters[i]);
    else
      html_add(html, "<p class=\"note\">The run did not end properly, so its metrics were not recorded.</p>\n");
  }
  if (run->character_count > MOST_CARD_CHARACTERS)
    text_print(html, "<p class=\"note\">And %d more characters, see the metrics.</p>\n",
               run->character_count - MOST_CARD_CHARACTERS);
}

// Film strip.

static void strip_caption(Html *html, const ReportRun *run, const StripPlan *plan, bool has_figures) {
  if (!plan->hit) {
    html_add(html, "Moments of the run, evenly over its time.");
  } else {
    text_print(html, "Around the hit of %.1f N s on ", plan->hit->hit.impulse);
    html_text(html, plan->hit->hit.part[0] != '\0' ? plan->hit->hit.part : plan->hit->character);
    text_print(html, " at %.3f s%s.", plan->hit->hit.time, run->hit_count > 1 ? ", the one that did most" : "");
  }
  if (has_figures) {
    html_add(html, " Figures: as shown, seen from the right; dashed: what the drives aim at");
    html_add(html, plan->hit ? "; red: the part that was hit." : ".");
  }
}

void page_run_strip(Html *html, const ReportRun *run, const char *png, size_t png_size, Html *notes) {
  const StripPlan plan = strip_plan(run);
  Error error = {0};
  html_add(html, "<figure class=\"strip\">\n");
  if (png) {
    html_add(html, "<img alt=\"Eight moments of the run\" src=\"data:image/png;base64,");
    html_base64(html, png, png_size);
    html_add(html, "\">\n");
  }
  const bool has_figures = figure_strip(html, run, &plan, &error);
  html_add(html, "<figcaption>");
  if (has_figures || png)
    strip_caption(html, run, &plan, has_figures);
  else
    html_add(html, "The motion of this run cannot be drawn.");
  html_add(html, "</figcaption></figure>\n");
  if (!has_figures) {
    html_add(notes, "no figures: ");
    html_add(notes, error.text);
    html_add(notes, "\n");
  }
}

// Hits.

static void number_cell(Html *html, double value, int digits) {
  if (isfinite(value))
    text_print(html, "<td class=\"number\">%.*f</td>", digits, value);
  else
    html_add(html, "<td class=\"number none\">\xe2\x80\x93</td>");
}

// Of a column of numbers when it has a unit; "-" for numbers without one.
static void head_cell(Html *html, const char *name, const char *unit, const char *doc) {
  text_print(html, "<th scope=\"col\"%s title=\"", unit[0] != '\0' ? " class=\"number\"" : "");
  html_text(html, doc);
  html_add(html, "\">");
  html_text(html, name);
  html_add(html, " ");
  html_element(html, "span", "unit", strcmp(unit, "-") == 0 ? "" : unit);
  html_add(html, "</th>");
}

static void hit_head(Html *html, bool judged, bool with_names) {
  html_add(html, "<thead><tr>");
  if (with_names)
    head_cell(html, "character", "", "Who was hit.");
  head_cell(html, "time", "s", "When it struck.");
  head_cell(html, "part", "", "What was hit hardest.");
  head_cell(html, "impulse", "N s", "Its size.");
  if (judged) {
    head_cell(html, "strategy", "", "How it was taken: ankle, hip, step, steps or fall.");
    for (int i = METRIC_HIT_FIRST_EFFECT; i < METRIC_HIT_ROWS; i++)
      head_cell(html, metric_hit_rows[i].heading, metric_hit_rows[i].shown_unit, metric_hit_rows[i].doc);
  }
  html_add(html, "</tr></thead>\n");
}

static void hit_row(Html *html, const HitRecord *record, bool judged, bool with_names) {
  const MetricsHit *hit = &record->hit;
  const bool fall = strcmp(hit->strategy, "fall") == 0;
  text_print(html, "<tr%s>", fall ? " class=\"bad\"" : "");
  if (with_names)
    html_element(html, "td", NULL, record->character);
  number_cell(html, hit->time, 3);
  html_element(html, "td", NULL, hit->part);
  number_cell(html, hit->impulse, 2);
  if (judged) {
    html_element(html, "td", NULL, hit->strategy);
    for (int i = METRIC_HIT_FIRST_EFFECT; i < METRIC_HIT_ROWS; i++)
      number_cell(html, metric_hit_figure(hit, i), metric_hit_rows[i].digits);
  }
  html_add(html, "</tr>\n");
}

void page_run_hits(Html *html, const ReportRun *run, const char *kind) {
  if (run->hit_count == 0) {
    html_add(html, "<p class=\"note\">Nobody was hit.</p>\n");
    return;
  }
  if (!run->hits_are_judged)
    html_add(html, "<p class=\"note\">What the hits did is not in the trace: the run did not end, or an older version "
                   "recorded it.</p>\n");
  text_print(html, "<div class=\"scroll\"><table class=\"%s\">\n", kind);
  hit_head(html, run->hits_are_judged, run->character_count > 1);
  html_add(html, "<tbody>\n");
  for (int i = 0; i < run->hit_count && i < MOST_HITS; i++)
    hit_row(html, &run->hits[i], run->hits_are_judged, run->character_count > 1);
  html_add(html, "</tbody></table></div>\n");
  if (run->hit_count > MOST_HITS)
    text_print(html, "<p class=\"note\">And %d more.</p>\n", run->hit_count - MOST_HITS);
}

// Plots.

static bool is_zero(const ReportPlot *plot) {
  for (int s = 0; s < plot->series_count; s++) {
    const SvgLine *line = plot->series[s].line;
    for (int i = 0; i < line->count; i++)
      if (!isnan(line->points[i].y) && line->points[i].y != 0)
        return false;
  }
  return true;
}

// Lines where the character was hit. Their texts lie in `texts`.
static int find_marks(const ReportRun *run, const ReportCharacter *character, SvgMark marks[MOST_MARKS],
                      char (*texts)[96]) {
  int count = 0;
  for (int i = 0; i < run->hit_count && count < MOST_MARKS; i++) {
    const HitRecord *record = &run->hits[i];
    if (strcmp(record->character, character->def->name) != 0)
      continue;
    snprintf(texts[count], sizeof texts[count], "%.1f N s on %s at %.3f s", record->hit.impulse, record->hit.part,
             record->hit.time);
    marks[count] = (SvgMark){record->hit.time, texts[count]};
    count++;
  }
  return count;
}

static void character_plots(Html *html, const ReportRun *run, const ReportCharacter *character) {
  static SvgMark marks[MOST_MARKS];
  static char texts[MOST_MARKS][96];
  const int mark_count = find_marks(run, character, marks, texts);
  Html zeros = {0};
  for (int i = 0; i < character->plot_count; i++) {
    const ReportPlot *plot = &character->plots[i];
    if (!plot->is_summary)
      continue;
    if (is_zero(plot)) {
      html_add(&zeros, zeros.size > 0 ? ", " : "");
      html_text(&zeros, plot->label);
      continue;
    }
    SvgSeries series[SVG_MOST_SERIES];
    const int count = plot->series_count < SVG_MOST_SERIES ? plot->series_count : SVG_MOST_SERIES;
    for (int s = 0; s < count; s++)
      series[s] = (SvgSeries){plot->series[s].name, plot->series[s].line};
    svg_lines(html, &(SvgLines){.title = plot->label,
                                .unit = strcmp(plot->unit, "-") == 0 ? "" : plot->unit,
                                .from = run->time[0],
                                .to = run->time[run->frame_count - 1],
                                .series = series,
                                .series_count = count,
                                .marks = marks,
                                .mark_count = mark_count});
  }
  if (zeros.size > 0)
    text_print(html, "<p class=\"note\">Zero throughout: %s.</p>\n", zeros.bytes);
  html->failed = html->failed || zeros.failed;
  text_free(&zeros);
}

void page_run_plots_note(Html *html, const ReportRun *run) {
  text_print(
      html,
      "<p class=\"note\">Curves are of the recorded frames, %.4g a second: forces of the assist and of the ground "
      "are means over the time since the frame before, all else is as it was in the frame. Metrics and hits are "
      "of the physics steps, %.4g a second, so their peaks may be higher.</p>\n",
      run->frame_rate, 1 / run->def->world.dt);
}

void page_run_plots(Html *html, const ReportRun *run) {
  html_add(html, "<div class=\"static\">\n");
  for (int i = 0; i < run->character_count && i < PAGE_MOST_CHARACTERS; i++) {
    if (run->character_count > 1)
      html_element(html, "h3", NULL, run->characters[i].def->name);
    html_add(html, "<div class=\"plots\">\n");
    character_plots(html, run, &run->characters[i]);
    html_add(html, "</div>\n");
  }
  if (run->character_count > PAGE_MOST_CHARACTERS)
    text_print(html, "<p class=\"note\">Without the curves of %d more characters.</p>\n",
               run->character_count - PAGE_MOST_CHARACTERS);
  html_add(html, "</div>\n");
}

// Metrics.

static void metric_line(Html *html, const MetricRow *row, double value) {
  char text[64];
  const char *unit;
  outcome_metric_text(row, value, text, sizeof text, &unit);
  html_add(html, "<tr title=\"");
  html_text(html, row->doc);
  html_add(html, "\">");
  html_add(html, "<th scope=\"row\">");
  html_text(html, row->name);
  html_add(html, "</th>");
  html_element(html, "td", "number", text);
  html_element(html, "td", "unit", unit);
  html_add(html, "</tr>\n");
}

static void character_metrics(Html *html, const ReportCharacter *character) {
  const char *group = "";
  html_add(html, "<div class=\"groups\">\n");
  for (int i = 0; i < metric_row_count; i++) {
    const MetricRow *row = &metric_rows[i];
    if (isnan(character->metrics[i]))
      continue;
    if (strcmp(group, row->group) != 0) {
      html_add(html, group[0] != '\0' ? "</tbody></table>\n" : "");
      html_add(html, "<table class=\"metrics\">");
      html_element(html, "caption", NULL, row->group);
      html_add(html, "<tbody>\n");
      group = row->group;
    }
    metric_line(html, row, character->metrics[i]);
    if (strcmp(row->name, "hits") == 0 && character->strategy[0] != '\0') {
      html_add(html, "<tr title=\"How the worst hit was taken: ankle, hip, step, steps or fall.\">"
                     "<th scope=\"row\">recovery_strategy</th>");
      html_element(html, "td", "number", character->strategy);
      html_add(html, "<td></td></tr>\n");
    }
  }
  html_add(html, group[0] != '\0' ? "</tbody></table>\n" : "<p class=\"note\">None were recorded.</p>\n");
  html_add(html, "</div>\n");
}

void page_run_metrics(Html *html, const ReportRun *run) {
  for (int i = 0; i < run->character_count; i++) {
    if (run->character_count > 1)
      html_element(html, "h3", NULL, run->characters[i].def->name);
    character_metrics(html, &run->characters[i]);
  }
}

// Expectations.

void page_run_expects(Html *html, const ReportRun *run) {
  if (run->expect_count == 0) {
    html_add(html, "<p class=\"note\">The scene expects nothing.</p>\n");
    return;
  }
  html_add(html, "<table class=\"expects\"><thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">expected</th>"
                 "<th scope=\"col\">measured</th></tr></thead><tbody>\n");
  for (int i = 0; i < run->expect_count; i++) {
    const ReportExpect *expect = &run->expects[i];
    html_add(html, "<tr><td>");
    page_badge(html,
               !expect->known  ? "warn"
               : expect->holds ? "good"
                               : "bad",
               !expect->known  ? "unknown"
               : expect->holds ? "PASS"
                               : "FAIL");
    html_add(html, "</td>");
    html_element(html, "td", "code", expect->text);
    if (isfinite(expect->value))
      text_print(html, "<td class=\"number\">%.6g</td></tr>\n", expect->value);
    else
      text_print(html, "<td class=\"note\">%s</td></tr>\n",
                 !expect->known                ? "is not in traces"
                 : report_run_is_complete(run) ? "does not apply to this run"
                                               : "not reached");
  }
  html_add(html, "</tbody></table>\n");
}
