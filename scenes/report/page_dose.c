// Writes curves, matrices and tables of a study of responses.
#include "scenes/report/page_dose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/report/svg_dose.h"
#include "scenes/report/svg_plot.h"

// NULL: the study has no such table, or its responses are missing: then with an error.
static DoseTable *make_table(const ReportFolder *folder, Error *error) {
  if (!dose_applies(folder->study))
    return NULL;
  ResponseFile *responses = response_file_open(folder->path, folder->study, error);
  DoseTable *dose = responses ? dose_create(folder->study, folder->table, responses, error) : NULL;
  response_file_close(responses);
  return dose;
}

// ---- Figures ----

static void add_figure(Html *html, const DoseFigure *figure, double scale, int digits) {
  if (!isfinite(figure->value)) {
    html_add(html, "<td class=\"number none\">\xe2\x80\x93</td>");
    return;
  }
  text_print(html, "<td class=\"number\">%.*f", digits, scale * figure->value);
  if (isfinite(figure->low))
    text_print(html, "<small>%.*f to %.*f</small>", digits, scale * figure->low, digits, scale * figure->high);
  html_add(html, "</td>");
}

static void add_sizes(Html *html, const DoseTable *dose, const char *first, int count, bool between) {
  html_add(html, "<thead><tr><th scope=\"col\">");
  html_text(html, first);
  html_add(html, "</th>");
  for (int s = 0; s < count; s++) {
    text_print(html, "<th scope=\"col\" class=\"number\">%g", dose->sizes[s]);
    if (between)
      text_print(html, " to %g", dose->sizes[s + 1]);
    html_add(html, " <span class=\"unit\">");
    html_text(html, dose->size_axis->unit);
    html_add(html, "</span></th>");
  }
}

static void dependence_row(Html *html, const DoseTable *dose, const char *name, const DoseFigure *figures) {
  html_add(html, "<tr>");
  text_print(html, "<th scope=\"row\">%s</th>", name);
  for (int s = 0; s < dose->size_count; s++)
    add_figure(html, &figures[s], 1, 2);
  html_add(html, "</tr>\n");
}

static void dependence_table(Html *html, const DoseTable *dose) {
  html_add(html, "<div class=\"scroll\"><table class=\"summary\"><caption>Part-dependence</caption>");
  add_sizes(html, dose, "direction", dose->size_count, false);
  html_add(html, "</tr></thead><tbody>\n");
  dependence_row(html, dose, dose->has_front ? "from the front" : "all", dose->front);
  if (dose->has_front)
    dependence_row(html, dose, "all", dose->around);
  html_add(html, "</tbody></table></div>\n");
}

static void rising_table(Html *html, const DoseTable *dose) {
  html_add(html,
           "<div class=\"scroll\"><table class=\"summary\"><caption>Share of neighbouring sizes of which the larger "
           "has the larger response, %</caption>");
  add_sizes(html, dose, "part", dose->size_count - 1, true);
  html_add(html, "<th scope=\"col\" class=\"number\">all</th></tr></thead><tbody>\n");
  for (int p = 0; p < dose->part_count; p++) {
    html_add(html, "<tr>");
    html_element(html, "th", NULL, dose->parts[p]);
    for (int s = 0; s + 1 < dose->size_count; s++)
      add_figure(html, &dose->rising_from[p][s], 100, 0);
    add_figure(html, &dose->rising_of[p], 100, 1);
    html_add(html, "</tr>\n");
  }
  html_add(html, "</tbody></table></div>\n");
}

static void chosen_parts(Html *html, const DoseTable *dose) {
  bool first = true;
  for (int p = 0; p < dose->part_count; p++) {
    if (!dose->chosen[p])
      continue;
    html_add(html, first ? "" : ", ");
    html_text(html, dose->parts[p]);
    first = false;
  }
}

static void add_definition(Html *html, const DoseTable *dose) {
  html_add(html,
           "<p class=\"note\">A response is what the hit changes in the shown pose in the 0.8 s from its beginning, "
           "beside the same run without it. Its size is the mean angle over joints and frames, the distance of two "
           "responses the same between them. Part-dependence is the mean distance of responses to hits on two parts "
           "over their mean size, of ");
  chosen_parts(html, dose);
  html_add(html, "; 0: all respond alike. Curves are medians over all other axes and seeds, with 95 % intervals of "
                 "seeds.</p>\n");
}

static void add_rising(Html *html, const DoseTable *dose) {
  if (dose->rising.count == 0)
    return;
  text_print(html,
             "<p>Of %ld pairs of neighbouring sizes, with all else the same, the larger one has the larger response in "
             "<strong>%.1f %%</strong> (95 %% interval %.1f to %.1f).</p>\n",
             dose->rising.count, 100 * dose->rising.value, 100 * dose->rising.low, 100 * dose->rising.high);
}

// ---- Heat maps ----

static void distance_maps(Html *html, const DoseTable *dose) {
  double values[DOSE_MOST_PARTS * DOSE_MOST_PARTS];
  for (int s = 0; s < dose->size_count; s++) {
    char title[128];
    snprintf(title, sizeof title, "%g %s%s", dose->sizes[s], dose->size_axis->unit,
             dose->has_front ? ", from the front" : "");
    for (int a = 0; a < dose->part_count; a++)
      for (int b = 0; b < dose->part_count; b++)
        values[a * dose->part_count + b] = a == b ? NAN : dose->distance[s][a][b];
    svg_heat(html, &(SvgHeat){.title = title,
                              .unit = "deg",
                              .column_axis = "part",
                              .row_axis = "part",
                              .column_names = dose->parts,
                              .row_names = dose->parts,
                              .columns = dose->part_count,
                              .rows = dose->part_count,
                              .values = values});
  }
}

// The share that rises, by part and direction.
static void rising_map(Html *html, const DoseTable *dose) {
  double values[DOSE_MOST_PARTS * DOSE_MOST_DIRECTIONS];
  if (dose->direction_count < 2)
    return;
  for (int p = 0; p < dose->part_count; p++)
    for (int d = 0; d < dose->direction_count; d++)
      values[(dose->part_count - 1 - p) * dose->direction_count + d] = dose->rising_toward[p][d].value;
  const char *parts[DOSE_MOST_PARTS];
  for (int p = 0; p < dose->part_count; p++)
    parts[dose->part_count - 1 - p] = dose->parts[p]; // rows go up
  svg_heat(html, &(SvgHeat){.title = "Share that rises",
                            .column_axis = "direction, deg",
                            .row_axis = "part",
                            .column_names = (const char *const *)dose->direction_axis->values,
                            .row_names = parts,
                            .columns = dose->direction_count,
                            .rows = dose->part_count,
                            .values = values,
                            .is_share = true});
}

// One row for the root and each joint, the struck parts across.
static void joint_map(Html *html, const DoseTable *dose, const char *what, const char *unit,
                      const double peaks[][BODY_MAX_PARTS]) {
  double values[DOSE_MOST_PARTS * BODY_MAX_PARTS];
  const char *joints[BODY_MAX_PARTS];
  char title[128];
  snprintf(title, sizeof title, "%s at %g %s", what, dose->sizes[dose->shown_size], dose->size_axis->unit);
  for (int j = 0; j < dose->joint_count; j++) {
    const int row = dose->joint_count - 1 - j; // rows go up
    joints[row] = j == 0 ? "the root" : dose->joints[j];
    for (int p = 0; p < dose->part_count; p++)
      values[row * dose->part_count + p] = peaks[p][j];
  }
  svg_heat(html, &(SvgHeat){.title = title,
                            .unit = unit,
                            .column_axis = "struck part",
                            .row_axis = "joint that turns",
                            .column_names = dose->parts,
                            .row_names = joints,
                            .columns = dose->part_count,
                            .rows = dose->joint_count,
                            .values = values});
}

// ---- The section ----

static void add_section(Html *html, const DoseTable *dose) {
  static const DoseMeasure curves[] = {DOSE_SIZE, DOSE_TRUNK_PEAK, DOSE_HEAD_PEAK};
  static const DoseMeasure times[] = {DOSE_PEAK_TIME, DOSE_TRUNK_PEAK_TIME, DOSE_HEAD_PEAK_TIME};
  add_definition(html, dose);
  html_add(html, "<h3>Dose-response curves</h3>\n");
  for (int i = 0; i < 3; i++)
    svg_dose_curves(html, dose, curves[i]);
  add_rising(html, dose);
  rising_table(html, dose);
  rising_map(html, dose);
  html_add(html, "<h3>Which part was struck</h3>\n");
  svg_dose_dependence(html, dose);
  dependence_table(html, dose);
  html_add(html, "<div class=\"small-plots\">\n");
  distance_maps(html, dose);
  html_add(html,
           "</div>\n<h3>Times of peaks</h3>\n<p class=\"note\">From the beginning of the hit, in frames of 1/60 s. A "
           "peak at 0.8 s is the end of the window: the response still grows there, as that of a man who "
           "steps or falls does.</p>\n");
  for (int i = 0; i < 3; i++)
    svg_dose_curves(html, dose, times[i]);
  html_add(html, "<div class=\"small-plots\">\n");
  joint_map(html, dose, "Largest angle of a joint", "deg, median", dose->joint_peak);
  joint_map(html, dose, "Time of that angle", "s, median", dose->joint_peak_time);
  html_add(html, "</div>\n");
}

void page_dose(Page *page, const ReportFolder *folder, Html *notes) {
  Error error = {0};
  DoseTable *dose = make_table(folder, &error);
  if (dose) {
    page_begin_section(page, "dose", "Dose and place");
    add_section(&page->html, dose);
    page_end_section(page);
  } else if (error.text[0] != '\0') {
    html_add(notes, "no doses: ");
    html_add(notes, error.text);
    html_add(notes, "\n");
  }
  dose_destroy(dose);
}

bool page_dose_picture(Html *html, const ReportFolder *folder) {
  Error error = {0};
  DoseTable *dose = make_table(folder, &error);
  if (!dose)
    return false;
  svg_dose(html, dose);
  dose_destroy(dose);
  return true;
}
