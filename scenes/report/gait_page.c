// Writes the section on gait: figures beside normal ranges, and curves over the normal band.
#include "scenes/report/gait_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenes/report/gait_norms.h"
#include "scenes/report/page_run.h"
#include "scenes/report/svg_plot.h"

// In order of their columns.
static const TracePose columns[TRACE_POSE_COUNT] = {TRACE_POSE_OUTPUT, TRACE_POSE_MEASURED, TRACE_POSE_TARGET};

static const char *const joint_names[GAIT_JOINTS] = {"hip", "knee", "ankle", "arm", "elbow"};

// A group of strides with the norm that it is compared with.
typedef struct Sheet {
  const GaitGroup *group;
  const GaitNorm *norm;
  GaitRange ranges[GAIT_FIGURES];
} Sheet;

static Sheet make_sheet(const GaitReport *report, const GaitGroup *group) {
  Sheet sheet = {.group = group, .norm = gait_norm(group->runs, group->speed, report->leg)};
  for (int f = 0; f < GAIT_FIGURES; f++)
    sheet.ranges[f] = gait_norm_range((GaitFigure)f, sheet.norm, group->runs, group->speed);
  return sheet;
}

// -1 below, 0 inside, 1 above, as the digits that are shown say it.
static int side_of(GaitFigure figure, const GaitRange *range, double value) {
  const double half = 0.5 * pow(10, -gait_figures[figure].digits);
  return value < range->low - half ? -1 : value > range->high + half ? 1 : 0;
}

// The pose of a sentence about the group: the first column that has one.
static TracePose main_pose(const GaitGroup *group) {
  int i = 0;
  while (i + 1 < TRACE_POSE_COUNT && group->poses[columns[i]].count == 0)
    i++;
  return columns[i];
}

// Bodies without arms lack their figures and curves.
static bool has_figure(const GaitGroup *group, GaitFigure figure) {
  for (int i = 0; i < TRACE_POSE_COUNT; i++)
    if (group->poses[i].count > 0 && isfinite(group->poses[i].mean[figure]))
      return true;
  return false;
}

static bool has_arms(const GaitGroup *group) { return has_figure(group, GAIT_ARM_SWING); }

static int joint_count(const GaitGroup *group) { return has_arms(group) ? GAIT_JOINTS : GAIT_LEG_JOINTS; }

// Curves.

typedef struct NormCurve {
  double mean[GAIT_POINTS], deviation[GAIT_POINTS], second[GAIT_POINTS];
  double low[2][GAIT_POINTS], high[2][GAIT_POINTS]; // of 1 and 2 SD
} NormCurve;

static void find_norm_curve(const GaitNorm *norm, GaitJoint joint, NormCurve *curve) {
  gait_norm_curve(norm, joint, curve->mean, curve->deviation, curve->second);
  for (int n = 0; n < 2; n++)
    for (int i = 0; i < GAIT_POINTS; i++) {
      curve->low[n][i] = curve->mean[i] - (n + 1) * curve->deviation[i];
      curve->high[n][i] = curve->mean[i] + (n + 1) * curve->deviation[i];
    }
}

// Where the toes leave the ground, normally and in each pose. Texts lie in `texts`, kinds in `kinds`.
static int find_ticks(const Sheet *sheet, SvgTick ticks[1 + TRACE_POSE_COUNT], char texts[1 + TRACE_POSE_COUNT][64],
                      char kinds[TRACE_POSE_COUNT][32]) {
  const GaitRange *range = &sheet->ranges[GAIT_STANCE];
  int count = 0;
  if (range->source) {
    snprintf(texts[0], sizeof texts[0], "normal toe-off: %.0f to %.0f %%", range->low, range->high);
    ticks[count++] = (SvgTick){"gait-range", texts[0], range->low, range->high};
  }
  for (int i = 0; i < TRACE_POSE_COUNT; i++) {
    const GaitMean *mean = &sheet->group->poses[columns[i]];
    if (mean->count == 0)
      continue;
    const double stance = mean->mean[GAIT_STANCE];
    snprintf(texts[count], sizeof texts[count], "toe-off of the %s pose: %.1f %%", trace_pose_names[columns[i]],
             stance);
    snprintf(kinds[i], sizeof kinds[i], "of-%s", trace_pose_names[columns[i]]);
    ticks[count] = (SvgTick){kinds[i], texts[count], stance, stance};
    count++;
  }
  return count;
}

static void joint_plot(Html *html, const Sheet *sheet, GaitJoint joint, const NormCurve *norm) {
  static const char *const titles[GAIT_JOINTS] = {"hip flexion", "knee flexion", "ankle dorsiflexion",
                                                  "upper arm forward of the trunk", "elbow flexion"};
  char kinds[TRACE_POSE_COUNT][32], texts[1 + TRACE_POSE_COUNT][64], tick_kinds[TRACE_POSE_COUNT][32];
  SvgCurve curves[4 + TRACE_POSE_COUNT] = {{"gait-band-2", norm->low[1], norm->high[1]},
                                           {"gait-band-1", norm->low[0], norm->high[0]},
                                           {"gait-mean", NULL, norm->mean},
                                           {"gait-second", NULL, norm->second}};
  int count = !gait_norm_has(sheet->norm, joint) ? 0 : sheet->norm->second ? 4 : 3;
  for (int i = TRACE_POSE_COUNT - 1; i >= 0; i--) { // the first column in front
    const GaitMean *mean = &sheet->group->poses[columns[i]];
    snprintf(kinds[i], sizeof kinds[i], "of-%s", trace_pose_names[columns[i]]);
    if (mean->count > 0)
      curves[count++] = (SvgCurve){kinds[i], NULL, mean->curve.degrees[joint]};
  }
  SvgTick ticks[1 + TRACE_POSE_COUNT];
  const int tick_count = find_ticks(sheet, ticks, texts, tick_kinds);
  svg_curves(html, &(SvgCurves){.title = titles[joint],
                                .unit = "deg",
                                .axis = "% of the gait cycle",
                                .count = GAIT_POINTS,
                                .curves = curves,
                                .curve_count = count,
                                .ticks = ticks,
                                .tick_count = tick_count});
}

static void fit_row(Html *html, const char *name, const char *kind, const GaitFit *fit) {
  text_print(html, "<tr%s%s%s><th scope=\"row\">", kind[0] != '\0' ? " class=\"" : "", kind,
             kind[0] != '\0' ? "\"" : "");
  html_text(html, name);
  html_add(html, "</th>");
  if (isfinite(fit->correlation))
    text_print(html, "<td class=\"number\">%.3f</td>", fit->correlation);
  else
    html_add(html, "<td class=\"number none\">\xe2\x80\x93</td>");
  text_print(html, "<td class=\"number\">%.1f</td><td class=\"number\">%.0f</td><td class=\"number\">%.0f</td></tr>\n",
             fit->rms, 100 * fit->within_1, 100 * fit->within_2);
}

// How well the curves of a joint fit, below its plot.
static void fit_table(Html *html, const Sheet *sheet, GaitJoint joint, const NormCurve *norm) {
  html_add(html, "<table class=\"gait-fit\"><thead><tr><th scope=\"col\"></th>"
                 "<th scope=\"col\" class=\"number\" title=\"Pearson's correlation with the normal mean\">r</th>"
                 "<th scope=\"col\" class=\"number\" title=\"Root mean square difference from the normal mean\">RMS "
                 "<span class=\"unit\">deg</span></th>"
                 "<th scope=\"col\" class=\"number\" title=\"Share of the cycle within 1 SD of the mean\">in 1 SD "
                 "<span class=\"unit\">%</span></th>"
                 "<th scope=\"col\" class=\"number\" title=\"Share of the cycle within 2 SD of the mean\">in 2 SD "
                 "<span class=\"unit\">%</span></th></tr></thead><tbody>\n");
  for (int i = 0; i < TRACE_POSE_COUNT; i++) {
    const GaitMean *mean = &sheet->group->poses[columns[i]];
    char kind[32];
    snprintf(kind, sizeof kind, "of-%s", trace_pose_names[columns[i]]);
    if (mean->count == 0)
      continue;
    const GaitFit fit = gait_compare(mean->curve.degrees[joint], norm->mean, norm->deviation);
    fit_row(html, trace_pose_names[columns[i]], kind, &fit);
  }
  if (sheet->norm->second) {
    const GaitFit fit = gait_compare(norm->second, norm->mean, norm->deviation);
    fit_row(html, sheet->norm->second_name, "", &fit);
  }
  html_add(html, "</tbody></table>\n");
}

static void joint_plots(Html *html, const Sheet *sheet) {
  html_add(html, "<div class=\"gait-plots\">\n");
  for (int joint = 0; joint < joint_count(sheet->group); joint++) {
    NormCurve norm;
    find_norm_curve(sheet->norm, (GaitJoint)joint, &norm);
    text_print(html, "<figure data-joint=\"%s\">\n", joint_names[joint]);
    joint_plot(html, sheet, (GaitJoint)joint, &norm);
    if (gait_norm_has(sheet->norm, (GaitJoint)joint))
      fit_table(html, sheet, (GaitJoint)joint, &norm);
    html_add(html, "</figure>\n");
  }
  html_add(html, "</div>\n");
}

// Figures.

// The normal range in the middle half of a strip, and the poses on it; a pose off the strip is drawn at its end.
static void range_strip(Html *html, const Sheet *sheet, GaitFigure figure) {
  const double width = 150, left = 0.25 * width, right = 0.75 * width, edge = 4;
  const GaitRange *range = &sheet->ranges[figure];
  const double span = range->high - range->low;
  text_print(html, "<svg class=\"gait-strip\" viewBox=\"0 0 %g 16\" aria-hidden=\"true\">", width);
  text_print(html, "<line class=\"grid\" x1=\"0\" y1=\"8\" x2=\"%g\" y2=\"8\"/>", width);
  text_print(html, "<rect class=\"gait-range\" x=\"%.1f\" y=\"3\" width=\"%.1f\" height=\"10\"/>", left, right - left);
  for (int i = TRACE_POSE_COUNT - 1; i >= 0; i--) {
    const GaitMean *mean = &sheet->group->poses[columns[i]];
    if (mean->count == 0 || !isfinite(mean->mean[figure]))
      continue;
    const double x = left + (right - left) * (mean->mean[figure] - range->low) / span;
    text_print(html, "<circle class=\"of-%s\" cx=\"%.1f\" cy=\"8\" r=\"%g\"/>", trace_pose_names[columns[i]],
               fmin(fmax(x, edge), width - edge), edge);
  }
  html_add(html, "</svg>");
}

static void value_cell(Html *html, const Sheet *sheet, GaitFigure figure, TracePose pose) {
  static const char *const kinds[3] = {"out", "in", "out"};
  static const char *const signs[3] = {"\xe2\x86\x93", "\xe2\x9c\x93", "\xe2\x86\x91"};
  static const char *const texts[3] = {"below the normal range", "inside the normal range", "above the normal range"};
  const GaitMean *mean = &sheet->group->poses[pose];
  const GaitRange *range = &sheet->ranges[figure];
  const int digits = gait_figures[figure].digits;
  text_print(html, "<td class=\"number of-%s", trace_pose_names[pose]);
  if (mean->count == 0 || !isfinite(mean->mean[figure])) {
    html_add(html, " none\">\xe2\x80\x93</td>");
    return;
  }
  const int side = side_of(figure, range, mean->mean[figure]);
  if (range->source)
    text_print(html, " gait-%s", kinds[side + 1]);
  text_print(html, "\">%.*f <small>\xc2\xb1 %.*f</small>", digits, mean->mean[figure] + 0.0, digits,
             mean->deviation[figure]);
  if (range->source)
    text_print(html, " <span class=\"gait-verdict\" title=\"%s\">%s</span>", texts[side + 1], signs[side + 1]);
  html_add(html, "</td>");
}

static void figure_row(Html *html, const Sheet *sheet, GaitFigure figure) {
  const GaitFigureInfo *info = &gait_figures[figure];
  const GaitRange *range = &sheet->ranges[figure];
  html_add(html, "<tr><th scope=\"row\" title=\"");
  html_text(html, info->doc);
  html_add(html, "\">");
  html_text(html, info->name);
  html_add(html, " ");
  html_element(html, "span", "unit", info->unit);
  html_add(html, "</th>");
  for (int i = 0; i < TRACE_POSE_COUNT; i++)
    value_cell(html, sheet, figure, columns[i]);
  const bool is_wide = range->low < range->high;
  if (!range->source) {
    html_add(html, "<td></td><td class=\"number none\">\xe2\x80\x93</td><td></td></tr>\n");
    return;
  }
  html_add(html, "<td>");
  if (is_wide)
    range_strip(html, sheet, figure);
  html_add(html, "</td>");
  if (is_wide)
    text_print(html, "<td class=\"number\">%.*f to %.*f</td>", info->digits, range->low, info->digits, range->high);
  else
    text_print(html, "<td class=\"number\">%.*f</td>", info->digits, range->low);
  html_element(html, "td", "note", range->source);
  html_add(html, "</tr>\n");
}

static void figure_table(Html *html, const Sheet *sheet) {
  html_add(html, "<div class=\"scroll\"><table class=\"gait\"><thead><tr><th scope=\"col\">figure</th>");
  for (int i = 0; i < TRACE_POSE_COUNT; i++) {
    const char *name = trace_pose_names[columns[i]];
    const int count = sheet->group->poses[columns[i]].count;
    text_print(html, "<th scope=\"col\" class=\"number of-%s\">%s <span class=\"unit\">%d strides</span></th>", name,
               name, count);
  }
  html_add(html, "<th scope=\"col\">in its range</th><th scope=\"col\" class=\"number\">normal</th>"
                 "<th scope=\"col\">source</th></tr></thead><tbody>\n");
  for (int f = 0; f < GAIT_FIGURES; f++)
    if (has_figure(sheet->group, (GaitFigure)f))
      figure_row(html, sheet, (GaitFigure)f);
  html_add(html, "</tbody></table></div>\n");
}

// Summary in sentences.

static void summary(Html *html, const Sheet *sheet) {
  const TracePose pose = main_pose(sheet->group);
  const GaitMean *mean = &sheet->group->poses[pose];
  int known = 0, inside = 0;
  char text[96];
  for (int f = 0; f < GAIT_FIGURES; f++) {
    const bool counts = sheet->ranges[f].source && isfinite(mean->mean[f]);
    known += counts;
    inside += counts && side_of((GaitFigure)f, &sheet->ranges[f], mean->mean[f]) == 0;
  }
  html_add(html, "<p>");
  snprintf(text, sizeof text, "%d of %d figures inside", inside, known);
  page_badge(html, inside == known ? "good" : "warn", text);
  text_print(html, "of the %s pose, %d strides between %.1f and %.1f s. Its curves and the normal mean correlate by ",
             trace_pose_names[pose], mean->count, sheet->group->begin, sheet->group->end);
  for (int joint = 0; joint < joint_count(sheet->group) && gait_norm_has(sheet->norm, (GaitJoint)joint); joint++) {
    NormCurve norm;
    find_norm_curve(sheet->norm, (GaitJoint)joint, &norm);
    const GaitFit fit = gait_compare(mean->curve.degrees[joint], norm.mean, norm.deviation);
    text_print(html, "%s%.2f (%s)", joint > 0 ? ", " : "", isfinite(fit.correlation) ? fit.correlation : 0,
               joint_names[joint]);
  }
  html_add(html, ".</p>\n");
}

static void norm_note(Html *html, const Sheet *sheet) {
  const GaitNorm *norm = sheet->norm;
  html_add(html, "<p class=\"note\">Bands: ");
  html_text(html, norm->of);
  text_print(html, ", mean (dashed) \xc2\xb1 1 and 2 SD, %s: ", sheet->group->runs ? "running" : norm->name);
  html_text(html, norm->source);
  html_add(html, ".");
  if (norm->second) {
    html_add(html, " Dotted: ");
    html_text(html, norm->second_name);
    html_add(html, ".");
  }
  if (norm->pelvis_tilt > 0)
    text_print(html,
               " %.1f deg are taken off its hip flexion, by which its pelvis is tilted forward upright; the body's "
               "angles are 0 in its bind pose.",
               norm->pelvis_tilt);
  if (sheet->group->runs)
    html_add(html, " They are the spread of one man's strides, not of people: few others fit into them. Normal ranges "
                   "of angles are those of both runners.");
  html_add(html, "</p>\n");
}

static void arm_note(Html *html, const Sheet *sheet) {
  html_add(html,
           "<p class=\"note\">An arm's angle is that of the upper arm to the trunk, in the trunk's sagittal plane; "
           "strides of a foot have the arm of its side. People's arms swing with the leg of the other side: the "
           "arm's angle is compared with that hip's flexion, by their correlation and by how much later it comes.");
  if (!gait_norm_has(sheet->norm, GAIT_ARM))
    html_add(html,
             " For arms of people who walk there are no curves here, and of their figures only the elbow's range at "
             "common speeds: no better source was found.");
  else
    html_add(html, " The lag has no normal range: of two runners' three arms it is -3.9 to 0.8 %.");
  html_add(html, "</p>\n");
}

static void group_section(Html *html, const GaitReport *report, const GaitGroup *group) {
  const Sheet sheet = make_sheet(report, group);
  text_print(html, "<h4>%s at %.2f m/s", group->runs ? "Running" : "Walking", group->speed);
  text_print(html, " <span class=\"unit\">%s %s</span></h4>\n",
             group->runs ? "beside a man at" : "for this length of legs:", sheet.norm->name);
  summary(html, &sheet);
  joint_plots(html, &sheet);
  norm_note(html, &sheet);
  if (has_arms(group))
    arm_note(html, &sheet);
  figure_table(html, &sheet);
}

static void contact_note(Html *html, const GaitReport *report) {
  static const char *const by[] = {"where it carries load", "where it is planned", "where its sole is low and rests"};
  html_add(html, "<p class=\"note\">A foot stands ");
  for (int i = 0; i < TRACE_POSE_COUNT; i++)
    text_print(html, "%s%s (%s)", i > 0 ? ", " : "", by[report->contacts[columns[i]]], trace_pose_names[columns[i]]);
  html_add(html, ". Only steady, straight strides without hits count, of both feet; means \xc2\xb1 SD are over "
                 "strides. The short lines at the foot of the plots are toe-off, on its normal range.</p>\n");
}

static void choices(Html *html) {
  html_add(html, "<p class=\"gait-choices\">");
  for (int i = 0; i < TRACE_POSE_COUNT; i++) {
    const char *name = trace_pose_names[columns[i]];
    text_print(html, "<label class=\"key-%s\"><input type=\"checkbox\" class=\"show-%s\"%s> %s</label> ", name, name,
               columns[i] == TRACE_POSE_TARGET ? "" : " checked", name);
  }
  html_add(html, "</p>\n");
}

static void character_gait(Html *html, const ReportCharacter *character, const GaitReport *report, bool with_name) {
  if (with_name)
    html_element(html, "h3", NULL, character->def->name);
  if (report->group_count == 0) {
    text_print(html,
               "<p class=\"note\">Too few strides: %d of the output pose and %d of the measured one are steady, "
               "straight and undisturbed; at least %d of one gait and speed are needed.</p>\n",
               report->strides[TRACE_POSE_OUTPUT], report->strides[TRACE_POSE_MEASURED], GAIT_LEAST_STRIDES);
    return;
  }
  contact_note(html, report);
  for (int g = 0; g < report->group_count; g++)
    group_section(html, report, &report->groups[g]);
}

bool gait_page_run(Html *html, const ReportRun *run, Error *error) {
  bool has_choices = false;
  Html others = {0};
  for (int i = 0; i < run->character_count && i < PAGE_MOST_CHARACTERS; i++) {
    const ReportCharacter *character = &run->characters[i];
    GaitReport report;
    if (!gait_report_read(run, character, &report, error)) {
      text_free(&others);
      return false;
    }
    if (!has_choices && report.group_count > 0) {
      choices(html);
      has_choices = true;
    }
    if (report.is_human) {
      character_gait(html, character, &report, run->character_count > 1);
    } else {
      html_add(&others, others.size > 0 ? ", " : "");
      html_text(&others, character->def->name);
    }
  }
  if (others.size > 0)
    text_print(html, "<p class=\"note\">Without the two legs of a human, and so not compared: %s.</p>\n", others.bytes);
  if (run->character_count > PAGE_MOST_CHARACTERS)
    text_print(html, "<p class=\"note\">Without the gait of %d more characters.</p>\n",
               run->character_count - PAGE_MOST_CHARACTERS);
  html->failed = html->failed || others.failed;
  text_free(&others);
  return true;
}
