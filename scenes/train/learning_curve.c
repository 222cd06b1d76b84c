// Draws learning curves as SVG: two panels over a common axis of samples.
#include "scenes/train/learning_curve.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenes/report/svg_plot.h"

// px
static const double WIDTH = 900, HEIGHT = 604, LEGEND = 692, LEGEND_LINE = 19;
static const SvgBox TIME_BOX = {60, 122, 616, 180}, REWARD_BOX = {60, 344, 616, 200};
enum { STAGE_LINES = 2, STAGE_LINE = 13, STAGE_CHARACTER = 6 };

// The colours of reports, see report.css.
static const char STYLE[] =
    "<style>.learning{--ink:#1b2128;--soft:#5c6773;--faint:#8a94a0;--paper:#fff;--rule:#dfe4e9;--c0:#1f77b4;"
    "--c1:#d9690e;--c2:#2a9134;--c3:#8e44ad;--c4:#c0392b;--c5:#0f8b8d;--c6:#7f6a00;--c7:#555f6b}"
    "@media (prefers-color-scheme:dark){.learning{--ink:#e4e8ec;--soft:#a3adb8;--faint:#7c8793;--paper:#14181c;"
    "--rule:#323a42;--c0:#6ab0e6;--c1:#f2a15a;--c2:#7bcf84;--c3:#c79be0;--c4:#f08377;--c5:#5fcbcd;--c6:#d6c04a;"
    "--c7:#aab3bd}}"
    ".paper{fill:var(--paper)}"
    "text{font:11.5px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;fill:var(--soft)}"
    ".title{font-size:16px;font-weight:600;fill:var(--ink)}.panel{font-size:13px;font-weight:600;fill:var(--ink)}"
    ".name{font-size:12px;fill:var(--ink)}.stage-name{stroke:var(--paper);stroke-width:4px;paint-order:stroke}"
    ".grid{stroke:var(--rule)}.axis{stroke:var(--faint)}.stage{stroke:var(--faint);stroke-dasharray:4 3}"
    ".line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke:var(--color)}.dot{fill:var(--color)}"
    ".whole{--color:var(--ink)}.whole .line{stroke-width:2.4}"
    ".s0{--color:var(--c0)}.s1{--color:var(--c1)}.s2{--color:var(--c2)}.s3{--color:var(--c3)}.s4{--color:var(--c4)}"
    ".s5{--color:var(--c5)}.s6{--color:var(--c6)}.s7{--color:var(--c7)}</style>";

// One line of a panel, its values in units of the panel's axis.
typedef struct Line {
  const char *kind, *name;
  float *values; // [row_count]
} Line;

typedef struct Picture {
  Html html;
  const LearningCurve *curve;
  SvgAxis x_axis; // samples
  double *x;      // [row_count] samples
  Line reward_lines[1 + LEARNING_MOST_TERMS], time_line;
  float *values; // of all lines
} Picture;

static double place_x(const Picture *picture, double samples) {
  return TIME_BOX.left + TIME_BOX.width * svg_place(&picture->x_axis, samples);
}

static double place_y(const SvgBox *box, const SvgAxis *axis, double value) {
  return box->top + box->height * (1 - svg_place(axis, value));
}

static void add_text(Html *html, const char *kind, double x, double y, const char *anchor, const char *text) {
  text_print(html, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", kind, x, y, anchor);
  html_text(html, text);
  html_add(html, "</text>");
}

static void add_number(Html *html, double x, double y, const char *anchor, double value, double step) {
  text_print(html, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  html_number(html, value, step);
  html_add(html, "</text>");
}

static void add_rule(Html *html, const char *kind, double x1, double y1, double x2, double y2) {
  text_print(html, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", kind, x1, y1, x2, y2);
}

// ---- Axes ----

// Minutes of computing at a number of samples, straight between the rows, from 0.
static double minutes_at(const LearningCurve *curve, double samples) {
  double from_samples = 0, from_minutes = 0;
  for (int i = 0; i < curve->row_count; i++) {
    const LearningRow *row = &curve->rows[i];
    if (samples < row->samples)
      return from_minutes + (row->minutes - from_minutes) * (samples - from_samples) / (row->samples - from_samples);
    from_samples = row->samples;
    from_minutes = row->minutes;
  }
  return from_minutes;
}

static void add_x_axis(Picture *picture) {
  Html *html = &picture->html;
  const SvgAxis *axis = &picture->x_axis;
  const double unit = axis->high >= 1e6 ? 1e6 : axis->high >= 1e3 ? 1e3 : 1;
  const double end = minutes_at(picture->curve, axis->high), bottom = REWARD_BOX.top + REWARD_BOX.height;
  for (int i = 0; i * axis->step <= axis->high * (1 + 1e-9); i++) {
    const double samples = i * axis->step, x = place_x(picture, samples);
    add_rule(html, "axis", x, bottom, x, bottom + 4);
    add_rule(html, "axis", x, TIME_BOX.top + TIME_BOX.height, x, TIME_BOX.top + TIME_BOX.height + 4);
    add_number(html, x, bottom + 18, "middle", samples / unit, axis->step / unit);
    add_number(html, x, bottom + 35, "middle", minutes_at(picture->curve, samples), end < 30 ? 0.1 : 1);
  }
  add_text(html, "name", LEGEND, bottom + 18, "start",
           unit == 1e6   ? "million samples"
           : unit == 1e3 ? "thousand samples"
                         : "samples");
  add_text(html, "name", LEGEND, bottom + 35, "start", "minutes of computing");
}

static void add_value_axis(Html *html, const SvgBox *box, const SvgAxis *axis) {
  for (long i = lround(axis->low / axis->step); i <= lround(axis->high / axis->step); i++) {
    const double value = (double)i * axis->step, y = place_y(box, axis, value);
    add_rule(html, i == 0 ? "axis" : "grid", box->left, y, box->left + box->width, y);
    add_number(html, box->left - 7, y + 4, "end", value, axis->step);
  }
}

// 1, 2 and 5 times the powers of ten, counted from 1.
static double ladder(int rung) {
  const int power = (rung + 300) / 3 - 100;
  return (double[]){1, 2, 5}[(rung + 300) % 3] * pow(10, power);
}

// Ticks at the rungs of the ladder from the lowest to the highest time; at powers of ten only when these are many.
static void add_time_axis(Html *html, const SvgAxis *axis, int low, int high) {
  for (int rung = low; rung <= high; rung++) {
    const double value = ladder(rung), y = place_y(&TIME_BOX, axis, log10(value));
    if (high - low > 9 && rung % 3 != 0)
      continue;
    add_rule(html, "grid", TIME_BOX.left, y, TIME_BOX.left + TIME_BOX.width, y);
    add_number(html, TIME_BOX.left - 7, y + 4, "end", value, value < 1 ? value : 1);
  }
  const double bottom = TIME_BOX.top + TIME_BOX.height;
  add_rule(html, "axis", TIME_BOX.left, bottom, TIME_BOX.left + TIME_BOX.width, bottom);
}

// ---- Lines ----

static const float *last_finite(const float *values, int count) {
  for (int i = count - 1; i >= 0; i--)
    if (isfinite(values[i]))
      return &values[i];
  return NULL;
}

// The line ends in a dot, so that a single row is seen, too.
static void add_line(Picture *picture, const SvgBox *box, const SvgAxis *axis, const Line *line) {
  Html *html = &picture->html;
  const float *last = last_finite(line->values, picture->curve->row_count);
  if (!last)
    return;
  text_print(html, "<g class=\"%s\"><title>", line->kind);
  html_text(html, line->name);
  html_add(html, "</title><path class=\"line\" d=\"");
  SvgLine drawn;
  svg_line_begin(&drawn, picture->curve->row_count);
  for (int i = 0; i < picture->curve->row_count; i++)
    svg_line_add(&drawn, picture->x[i], line->values[i]);
  svg_line_path(html, box, &picture->x_axis, axis, &drawn);
  text_print(html, "\"/><circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.8\"/></g>",
             place_x(picture, picture->x[last - line->values]), place_y(box, axis, (double)*last));
}

// A line of the legend, with the last value.
static void add_key(Html *html, double y, const Line *line, const char *value) {
  text_print(html, "<g class=\"%s\"><path class=\"line\" d=\"M%.1f %.1fh18\"/></g>", line->kind, LEGEND, y - 4);
  text_print(html, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">", LEGEND + 24, y);
  html_text(html, line->name);
  text_print(html, "</text><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", WIDTH - 12, y, value);
}

static bool is_shown(const Picture *picture, const LearningStage *stage) {
  return stage->samples >= 0 && stage->samples <= picture->x_axis.high;
}

static void add_stage_lines(Picture *picture) {
  for (int i = 0; i < picture->curve->stage_count; i++) {
    const LearningStage *stage = &picture->curve->stages[i];
    if (!is_shown(picture, stage))
      continue;
    const double x = place_x(picture, stage->samples);
    add_rule(&picture->html, "stage", x, TIME_BOX.top - 24, x, TIME_BOX.top + TIME_BOX.height);
    add_rule(&picture->html, "stage", x, REWARD_BOX.top, x, REWARD_BOX.top + REWARD_BOX.height);
  }
}

// Names that would meet take turns in two lines, above all dashed ones.
static void add_stage_names(Picture *picture) {
  double ends[STAGE_LINES] = {0};
  for (int i = 0; i < picture->curve->stage_count; i++) {
    const LearningStage *stage = &picture->curve->stages[i];
    if (!is_shown(picture, stage))
      continue;
    const double x = place_x(picture, stage->samples) + 3;
    int line = 0;
    for (int k = 1; k < STAGE_LINES && ends[line] > x; k++)
      line = ends[k] < ends[line] ? k : line;
    ends[line] = x + STAGE_CHARACTER * (double)strlen(stage->name) + 8;
    add_text(&picture->html, "stage-name", x, TIME_BOX.top - 8 - STAGE_LINE * line, "start", stage->name);
  }
}

// ---- Panels ----

static void find_range(const Line *lines, int line_count, int row_count, double *low, double *high) {
  for (int k = 0; k < line_count; k++)
    for (int i = 0; i < row_count; i++)
      if (isfinite(lines[k].values[i])) {
        *low = fmin(*low, (double)lines[k].values[i]);
        *high = fmax(*high, (double)lines[k].values[i]);
      }
}

static void add_time_panel(Picture *picture) {
  Html *html = &picture->html;
  double least = INFINITY, most = -INFINITY;
  find_range(&picture->time_line, 1, picture->curve->row_count, &least, &most);
  if (least > most)
    least = most = 0; // no failure yet: about 1 s
  int low = (int)floor(3 * least) + 1, high = (int)ceil(3 * most) - 1;
  while (log10(ladder(low)) > least - 0.01)
    low--;
  while (log10(ladder(high)) < most + 0.01)
    high++;
  const SvgAxis axis = {log10(ladder(low)), log10(ladder(high)), 1};
  add_text(html, "panel", TIME_BOX.left, TIME_BOX.top - 42, "start", "Mean time to a failure, s (logarithmic)");
  add_time_axis(html, &axis, low, high);
  add_line(picture, &TIME_BOX, &axis, &picture->time_line);
  const float *last = last_finite(picture->time_line.values, picture->curve->row_count);
  const double seconds = last ? pow(10, (double)*last) : 0;
  TextBuffer value = {0};
  if (last) {
    html_number(&value, seconds, seconds < 10 ? 0.01 : seconds < 100 ? 0.1 : 1);
    html_add(&value, " s");
  } else {
    html_add(&value, "no failure");
  }
  add_key(html, TIME_BOX.top + 12, &picture->time_line, value.bytes ? value.bytes : "");
  text_free(&value);
}

static void add_reward_panel(Picture *picture) {
  Html *html = &picture->html;
  const int count = 1 + picture->curve->term_count;
  double low = 0, high = 0;
  find_range(picture->reward_lines, count, picture->curve->row_count, &low, &high);
  const SvgAxis axis = svg_axis(low, high, 5, true);
  add_text(html, "panel", REWARD_BOX.left, REWARD_BOX.top - 12, "start", "Mean reward of a decision and its terms");
  add_value_axis(html, &REWARD_BOX, &axis);
  for (int k = count - 1; k >= 0; k--) // the whole on top
    add_line(picture, &REWARD_BOX, &axis, &picture->reward_lines[k]);
  for (int k = 0; k < count; k++) {
    const float *last = last_finite(picture->reward_lines[k].values, picture->curve->row_count);
    TextBuffer value = {0};
    if (last)
      html_number(&value, (double)*last, 0.001);
    add_key(html, REWARD_BOX.top + 12 + LEGEND_LINE * k, &picture->reward_lines[k], value.bytes ? value.bytes : "");
    text_free(&value);
  }
}

// ---- The picture ----

// Whether the axis has room for it.
static bool is_time(double seconds) { return seconds >= 1e-9 && seconds <= 1e9; }

static bool prepare(Picture *picture) {
  static const char *const kinds[LEARNING_MOST_TERMS] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
  const LearningCurve *curve = picture->curve;
  const size_t rows = curve->row_count > 0 ? (size_t)curve->row_count : 1;
  picture->x = malloc(rows * sizeof *picture->x);
  picture->values = malloc((2 + LEARNING_MOST_TERMS) * rows * sizeof *picture->values);
  if (!picture->x || !picture->values)
    return false;
  picture->time_line = (Line){"s0", "time to a failure", picture->values};
  picture->reward_lines[0] = (Line){"whole", "reward", picture->values + rows};
  for (int k = 0; k < curve->term_count; k++)
    picture->reward_lines[1 + k] = (Line){kinds[k], curve->term_names[k], picture->values + (2 + (size_t)k) * rows};
  for (int i = 0; i < curve->row_count; i++) {
    const LearningRow *row = &curve->rows[i];
    picture->x[i] = row->samples;
    picture->time_line.values[i] = is_time(row->time_to_failure) ? (float)log10(row->time_to_failure) : NAN;
    picture->reward_lines[0].values[i] = (float)row->reward;
    for (int k = 0; k < curve->term_count; k++)
      picture->reward_lines[1 + k].values[i] = (float)row->terms[k];
  }
  picture->x_axis = svg_axis(0, curve->row_count > 0 ? picture->x[curve->row_count - 1] : 1, 8, false);
  picture->x_axis.low = 0; // also when there is only a row of no samples
  return true;
}

static void draw(Picture *picture) {
  Html *html = &picture->html;
  text_print(html,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"learning\" width=\"%g\" height=\"%g\" "
             "viewBox=\"0 0 %g %g\" role=\"img\">",
             WIDTH, HEIGHT, WIDTH, HEIGHT);
  html_element(html, "title", NULL, picture->curve->title);
  html_add(html, STYLE);
  text_print(html, "<rect class=\"paper\" width=\"%g\" height=\"%g\"/>", WIDTH, HEIGHT);
  add_text(html, "title", TIME_BOX.left, 34, "start", picture->curve->title);
  add_stage_lines(picture);
  add_time_panel(picture);
  add_reward_panel(picture);
  add_x_axis(picture);
  add_stage_names(picture);
  html_add(html, "</svg>\n");
}

char *learning_curve_svg(const LearningCurve *curve) {
  assert(curve->term_count <= LEARNING_MOST_TERMS);
  Picture picture = {.curve = curve};
  if (prepare(&picture))
    draw(&picture);
  free(picture.x);
  free(picture.values);
  if (picture.html.failed) {
    text_free(&picture.html);
    return NULL;
  }
  return picture.html.bytes;
}
