// Draws plots as SVG: axes with round ticks, lines, bands, dots with intervals, heat maps and polar plots.
#include "scenes/report/svg_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double WIDTH = 760, HEIGHT = 190; // px of a plot over time
static const SvgBox PLOT = {52, 28, 696, 134};

// Axes.

static double nice_step(double range, int most) {
  const double raw = range / most, power = pow(10, floor(log10(raw)));
  const double choices[] = {1, 2, 5, 10};
  for (int i = 0; i < 3; i++)
    if (raw <= choices[i] * power * (1 + 1e-9))
      return choices[i] * power;
  return 10 * power;
}

SvgAxis svg_axis(double low, double high, int most, bool rounded) {
  if (!isfinite(low) || !isfinite(high) || !isfinite(high - low))
    return svg_axis(0, 1, most, rounded);
  if (high - low <= 1e-9 * fmax(fabs(low), fabs(high)) || high <= low) { // a constant
    const double room = low != 0 ? 0.1 * fabs(low) : 1;
    low -= room;
    high += room;
  }
  SvgAxis axis = {low, high, nice_step(high - low, most)};
  if (rounded) {
    axis.low = axis.step * floor(low / axis.step + 1e-9);
    axis.high = axis.step * ceil(high / axis.step - 1e-9);
  }
  return axis;
}

double svg_place(const SvgAxis *axis, double value) { return (value - axis->low) / (axis->high - axis->low); }

static double place_x(const SvgBox *box, const SvgAxis *axis, double value) {
  return box->left + box->width * svg_place(axis, value);
}

static double place_y(const SvgBox *box, const SvgAxis *axis, double value) {
  return box->top + box->height * (1 - svg_place(axis, value));
}

static long first_tick(const SvgAxis *axis) { return (long)ceil(axis->low / axis->step - 1e-6); }
static long last_tick(const SvgAxis *axis) { return (long)floor(axis->high / axis->step + 1e-6); }

// factor: 100 for per cent.
static void add_tick_text(Html *html, double x, double y, const char *anchor, double value, double step,
                          double factor) {
  text_print(html, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  html_number(html, factor * value, factor * step);
  html_add(html, "</text>");
}

static void add_y_axis(Html *html, const SvgBox *box, const SvgAxis *axis, double factor) {
  for (long i = first_tick(axis); i <= last_tick(axis); i++) {
    const double value = (double)i * axis->step, y = place_y(box, axis, value);
    text_print(html, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", i == 0 ? "axis" : "grid",
               box->left, y, box->left + box->width, y);
    add_tick_text(html, box->left - 6, y + 4, "end", value, axis->step, factor);
  }
}

static void add_x_line(Html *html, const SvgBox *box) {
  text_print(html, "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", box->left,
             box->top + box->height, box->left + box->width, box->top + box->height);
}

static void add_x_tick(Html *html, const SvgBox *box, const SvgAxis *axis, double value, double step) {
  const double x = place_x(box, axis, value), bottom = box->top + box->height;
  text_print(html, "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x, bottom, x, bottom + 4);
  add_tick_text(html, x, bottom + 17, "middle", value, step, 1);
}

static void add_x_axis(Html *html, const SvgBox *box, const SvgAxis *axis) {
  add_x_line(html, box);
  for (long i = first_tick(axis); i <= last_tick(axis); i++)
    add_x_tick(html, box, axis, (double)i * axis->step, axis->step);
}

// A picture with its title, for readers of screens too. Small pictures are not blown up.
static void begin_picture(Html *html, const char *kind, double width, double height, const char *title,
                          const char *unit) {
  text_print(html, "<svg class=\"plot %s\" viewBox=\"0 0 %g %g\"", kind, width, height);
  if (strcmp(kind, "lines") != 0)
    text_print(html, " style=\"max-width:%gpx\"", width);
  html_add(html, " role=\"img\">");
  html_element(html, "title", NULL, title);
  html_add(html, "<text class=\"plot-title\" x=\"4\" y=\"16\">");
  html_text(html, title);
  if (unit[0] != '\0') {
    html_add(html, " <tspan class=\"unit\">");
    html_text(html, unit);
    html_add(html, "</tspan>");
  }
  html_add(html, "</text>");
}

static void add_text(Html *html, const char *kind, double x, double y, const char *anchor, const char *text) {
  text_print(html, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", kind, x, y, anchor);
  html_text(html, text);
  html_add(html, "</text>");
}

// Lines over time.

static void add_point(Html *html, bool *drawing, double x, double y) {
  text_print(html, "%c%.1f %.1f", *drawing ? 'L' : 'M', x, y);
  *drawing = true;
}

void svg_line_path(Html *html, const SvgBox *box, const SvgAxis *x_axis, const SvgAxis *y_axis, const double *x,
                   const float *y, long count) {
  const long bins = count > SVG_MOST_POINTS ? SVG_MOST_POINTS / 2 : count;
  bool drawing = false;
  for (long bin = 0; bin < bins; bin++) {
    const long begin = bin * count / bins, end = (bin + 1) * count / bins;
    long low = -1, high = -1;
    for (long i = begin; i < end; i++) {
      if (!isfinite(y[i]))
        continue;
      low = low < 0 || y[i] < y[low] ? i : low;
      high = high < 0 || y[i] > y[high] ? i : high;
    }
    if (low < 0) {
      drawing = false;
      continue;
    }
    const long first = low < high ? low : high, last = low < high ? high : low;
    add_point(html, &drawing, place_x(box, x_axis, x[first]), place_y(box, y_axis, (double)y[first]));
    if (last > first)
      add_point(html, &drawing, place_x(box, x_axis, x[last]), place_y(box, y_axis, (double)y[last]));
  }
}

static void find_range(const SvgLines *lines, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int s = 0; s < lines->series_count; s++)
    for (long i = 0; i < lines->count; i++)
      if (isfinite(lines->series[s].values[i])) {
        *low = fmin(*low, (double)lines->series[s].values[i]);
        *high = fmax(*high, (double)lines->series[s].values[i]);
      }
  if (*low > 0 && *low < 0.5 * *high) // sizes are seen from zero
    *low = 0;
  if (*high < 0 && *high > 0.5 * *low)
    *high = 0;
}

static void add_legend(Html *html, const SvgLines *lines) {
  if (lines->series_count < 2)
    return;
  text_print(html, "<text class=\"legend\" x=\"%.1f\" y=\"16\" text-anchor=\"end\">", PLOT.left + PLOT.width);
  for (int s = 0; s < lines->series_count; s++) {
    text_print(html, "<tspan class=\"s%d\">%s", s, s > 0 ? "&#160;&#160; \xe2\x80\x94 " : "\xe2\x80\x94 ");
    html_text(html, lines->series[s].name);
    html_add(html, "</tspan>");
  }
  html_add(html, "</text>");
}

void svg_lines(Html *html, const SvgLines *lines) {
  double low, high;
  find_range(lines, &low, &high);
  const SvgAxis y_axis = svg_axis(low, high, 4, true);
  const SvgAxis x_axis =
      lines->count > 0 ? svg_axis(lines->x[0], lines->x[lines->count - 1], 10, false) : svg_axis(0, 1, 10, false);
  begin_picture(html, "lines", WIDTH, HEIGHT, lines->title, lines->unit);
  add_legend(html, lines);
  add_y_axis(html, &PLOT, &y_axis, 1);
  add_x_axis(html, &PLOT, &x_axis);
  add_text(html, "tick", 4, PLOT.top + PLOT.height + 17, "start", "s");
  for (int i = 0; i < lines->mark_count; i++) {
    const double x = place_x(&PLOT, &x_axis, lines->marks[i].x);
    text_print(html, "<line class=\"mark\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\">", x, PLOT.top, x,
               PLOT.top + PLOT.height);
    html_element(html, "title", NULL, lines->marks[i].text);
    html_add(html, "</line>");
  }
  for (int s = 0; s < lines->series_count; s++) {
    text_print(html, "<path class=\"line s%d\" d=\"", s);
    svg_line_path(html, &PLOT, &x_axis, &y_axis, lines->x, lines->series[s].values, lines->count);
    html_add(html, "\"/>");
  }
  html_add(html, "</svg>\n");
}

// Curves on bands, over a cycle.

static const double CURVES_WIDTH = 380, CURVES_HEIGHT = 250;
static const SvgBox CURVES = {40, 28, 328, 168};

static SvgAxis curves_axis(const SvgCurves *curves) {
  double low = INFINITY, high = -INFINITY;
  for (int c = 0; c < curves->curve_count; c++)
    for (int i = 0; i < curves->count; i++) {
      const SvgCurve *curve = &curves->curves[c];
      low = fmin(low, (curve->low ? curve->low : curve->values)[i]); // fmin leaves NAN out
      high = fmax(high, curve->values[i]);
    }
  return svg_axis(low, high, 6, true);
}

// Goes forward along the upper border, back along the lower one.
static void add_band(Html *html, const SvgCurve *band, int count, const SvgAxis *x_axis, const SvgAxis *y_axis) {
  bool drawing = false;
  text_print(html, "<path class=\"%s\" d=\"", band->kind);
  for (int i = 0; i < 2 * count; i++) {
    const int at = i < count ? i : 2 * count - 1 - i;
    const double value = (i < count ? band->values : band->low)[at];
    add_point(html, &drawing, place_x(&CURVES, x_axis, 100.0 * at / (count - 1)), place_y(&CURVES, y_axis, value));
  }
  html_add(html, "Z\"/>");
}

static void add_curve(Html *html, const SvgCurve *curve, int count, const SvgAxis *x_axis, const SvgAxis *y_axis) {
  bool drawing = false;
  text_print(html, "<path class=\"line %s\" d=\"", curve->kind);
  for (int i = 0; i < count; i++)
    if (isfinite(curve->values[i]))
      add_point(html, &drawing, place_x(&CURVES, x_axis, 100.0 * i / (count - 1)),
                place_y(&CURVES, y_axis, curve->values[i]));
    else
      drawing = false;
  html_add(html, "\"/>");
}

static void add_tick(Html *html, const SvgTick *tick, const SvgAxis *x_axis) {
  const double from = place_x(&CURVES, x_axis, tick->from), to = place_x(&CURVES, x_axis, tick->to);
  const double bottom = CURVES.top + CURVES.height;
  if (to > from)
    text_print(html, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"6\">", tick->kind, from,
               bottom - 6, to - from);
  else
    text_print(html, "<path class=\"line %s\" d=\"M%.1f %.1fV%.1f\">", tick->kind, from, bottom, bottom - 14);
  html_element(html, "title", NULL, tick->text);
  html_add(html, to > from ? "</rect>" : "</path>");
}

void svg_curves(Html *html, const SvgCurves *curves) {
  const SvgAxis x_axis = {0, 100, 20}, y_axis = curves_axis(curves);
  begin_picture(html, "curves", CURVES_WIDTH, CURVES_HEIGHT, curves->title, curves->unit);
  for (int c = 0; c < curves->curve_count; c++)
    if (curves->curves[c].low)
      add_band(html, &curves->curves[c], curves->count, &x_axis, &y_axis);
  add_y_axis(html, &CURVES, &y_axis, 1);
  add_x_axis(html, &CURVES, &x_axis);
  add_text(html, "axis-name", CURVES.left + CURVES.width / 2, CURVES.top + CURVES.height + 36, "middle", curves->axis);
  for (int i = 0; i < curves->tick_count; i++)
    add_tick(html, &curves->ticks[i], &x_axis);
  for (int c = 0; c < curves->curve_count; c++)
    if (!curves->curves[c].low)
      add_curve(html, &curves->curves[c], curves->count, &x_axis, &y_axis);
  html_add(html, "</svg>\n");
}

// Values with intervals.

static const double DOTS_WIDTH = 380, DOTS_HEIGHT = 240;
static const SvgBox DOTS = {52, 30, 316, 158};

static SvgAxis value_axis(const SvgDots *dots) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < dots->count; i++) {
    const SvgDot *dot = &dots->dots[i];
    low = fmin(low, fmin(dot->value, dot->low)); // fmin leaves NAN out
    high = fmax(high, fmax(dot->value, dot->high));
  }
  if (dots->is_share)
    return (SvgAxis){0, 1, 0.25};
  if (low > 0 && low < 0.5 * high)
    low = 0;
  return svg_axis(low, high, 5, true);
}

// Whether ticks at the plot's step fit the axis: a part of a study may have values between two of them only.
static bool has_steps(const SvgDots *dots, const SvgAxis *axis) {
  const SvgAxis stepped = {axis->low, axis->high, dots->step};
  return dots->step > 0 && last_tick(&stepped) > first_tick(&stepped);
}

static SvgAxis place_axis(const SvgDots *dots) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < dots->count; i++) {
    low = fmin(low, dots->dots[i].x);
    high = fmax(high, dots->dots[i].x);
  }
  if (dots->names)
    return (SvgAxis){low - 0.5, high + 0.5, 1};
  const double room = 0.04 * (high - low);
  SvgAxis axis = svg_axis(low - room, high + room, 6, false);
  axis.step = has_steps(dots, &axis) ? dots->step : axis.step;
  return axis;
}

static void add_place_axis(Html *html, const SvgDots *dots, const SvgAxis *axis) {
  enum { MOST_VALUES = 9, MOST_LETTERS = 44 };
  const double bottom = DOTS.top + DOTS.height;
  size_t letters = 0;
  for (int i = 0; i < dots->count; i++)
    letters += dots->names ? strlen(dots->names[i]) : 0;
  if (!dots->names && (has_steps(dots, axis) || dots->count > MOST_VALUES)) {
    add_x_axis(html, &DOTS, axis);
    return;
  }
  add_x_line(html, &DOTS);
  for (int i = 0; i < dots->count; i++)
    if (!dots->names)
      add_x_tick(html, &DOTS, axis, dots->dots[i].x, 0);
    else if (letters <= MOST_LETTERS || i % 2 == 0) // long names take turns in two lines
      add_text(html, "tick", place_x(&DOTS, axis, dots->dots[i].x), bottom + 15, "middle", dots->names[i]);
    else
      add_text(html, "tick", place_x(&DOTS, axis, dots->dots[i].x), bottom + 27, "middle", dots->names[i]);
}

static void add_dot(Html *html, const SvgDot *dot, double x, double y, double y_low, double y_high) {
  html_add(html, "<g class=\"dot s0\">");
  html_element(html, "title", NULL, dot->text);
  if (isfinite(y_low) && isfinite(y_high))
    text_print(html, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x, y_low, x, y_high);
  text_print(html, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/></g>", x, y);
}

void svg_dots(Html *html, const SvgDots *dots) {
  const SvgAxis y_axis = value_axis(dots), x_axis = place_axis(dots);
  begin_picture(html, "dots", DOTS_WIDTH, DOTS_HEIGHT, dots->title, dots->is_share ? "%" : dots->unit);
  add_y_axis(html, &DOTS, &y_axis, dots->is_share ? 100 : 1);
  add_place_axis(html, dots, &x_axis);
  add_text(html, "axis-name", DOTS.left + DOTS.width / 2, DOTS.top + DOTS.height + 38, "middle", dots->axis);
  for (int i = 0; i < dots->count; i++) {
    const SvgDot *dot = &dots->dots[i];
    if (isfinite(dot->value))
      add_dot(html, dot, place_x(&DOTS, &x_axis, dot->x), place_y(&DOTS, &y_axis, dot->value),
              place_y(&DOTS, &y_axis, dot->low), place_y(&DOTS, &y_axis, dot->high));
  }
  html_add(html, "</svg>\n");
}

// Directions.

static const double POLAR_SIZE = 320, POLAR_RADIUS = 112, POLAR_X = 160, POLAR_Y = 172;

static void polar_point(const SvgAxis *axis, double degrees, double value, double *x, double *y) {
  const double radius = POLAR_RADIUS * fmax(0, svg_place(axis, value)), angle = degrees * (M_PI / 180);
  *x = POLAR_X - radius * sin(angle);
  *y = POLAR_Y - radius * cos(angle);
}

static void add_rings(Html *html, const SvgAxis *axis, double factor) {
  static const char *const ways[] = {"0 forward", "90 left", "180 back", "270 right"};
  for (int i = 0; i < 8; i++) {
    double x, y;
    polar_point(axis, 45 * i, axis->high, &x, &y);
    text_print(html, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", POLAR_X, POLAR_Y, x, y);
  }
  for (long i = first_tick(axis); i <= last_tick(axis); i++) {
    const double value = (double)i * axis->step;
    text_print(html, "<circle class=\"grid\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", POLAR_X, POLAR_Y,
               POLAR_RADIUS * svg_place(axis, value));
    add_tick_text(html, POLAR_X + 3, POLAR_Y - POLAR_RADIUS * svg_place(axis, value) - 2, "start", value, axis->step,
                  factor);
  }
  add_text(html, "tick", POLAR_X, POLAR_Y - POLAR_RADIUS - 16, "middle", ways[0]);
  add_text(html, "tick", POLAR_X - POLAR_RADIUS - 6, POLAR_Y + 4, "end", ways[1]);
  add_text(html, "tick", POLAR_X, POLAR_Y + POLAR_RADIUS + 18, "middle", ways[2]);
  add_text(html, "tick", POLAR_X + POLAR_RADIUS + 6, POLAR_Y + 4, "start", ways[3]);
}

void svg_polar(Html *html, const SvgDots *dots) {
  SvgAxis axis = value_axis(dots);
  if (axis.low > 0)
    axis = svg_axis(0, axis.high, 5, true);
  begin_picture(html, "polar", POLAR_SIZE, POLAR_SIZE, dots->title, dots->is_share ? "%" : dots->unit);
  add_rings(html, &axis, dots->is_share ? 100 : 1);
  html_add(html, "<path class=\"line s0\" d=\"");
  bool drawing = false;
  for (int i = 0; i < dots->count; i++) {
    double x, y;
    polar_point(&axis, dots->dots[i].x, dots->dots[i].value, &x, &y);
    if (isfinite(dots->dots[i].value))
      add_point(html, &drawing, x, y);
  }
  html_add(html, drawing ? "Z\"/>" : "M0 0\"/>");
  for (int i = 0; i < dots->count; i++) {
    const SvgDot *dot = &dots->dots[i];
    if (!isfinite(dot->value))
      continue;
    double x, y, ends[2][2];
    polar_point(&axis, dot->x, dot->value, &x, &y);
    polar_point(&axis, dot->x, dot->low, &ends[0][0], &ends[0][1]);
    polar_point(&axis, dot->x, dot->high, &ends[1][0], &ends[1][1]);
    html_add(html, "<g class=\"dot s0\">");
    html_element(html, "title", NULL, dot->text);
    if (isfinite(dot->low) && isfinite(dot->high))
      text_print(html, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", ends[0][0], ends[0][1], ends[1][0],
                 ends[1][1]);
    text_print(html, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/></g>", x, y);
  }
  html_add(html, "</svg>\n");
}

// Two axes.

static void add_heat_value(Html *html, double value, double step, bool is_share) {
  html_number(html, is_share ? 100 * value : value, is_share ? 1 : step);
}

void svg_heat(Html *html, const SvgHeat *heat) {
  const double left = 96, top = 34, cell_height = 24, width = 760, right = 8;
  const double cell_width = fmin(64, (width - left - right) / heat->columns);
  const double bottom = top + cell_height * heat->rows;
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < heat->rows * heat->columns; i++) {
    low = fmin(low, heat->values[i]);
    high = fmax(high, heat->values[i]);
  }
  const SvgAxis range = heat->is_share ? (SvgAxis){0, 1, 0.01} : svg_axis(low, high, 100, false);
  begin_picture(html, "heat", fmax(380, left + cell_width * heat->columns + right), bottom + 46, heat->title,
                heat->is_share ? "%" : heat->unit);
  for (int r = 0; r < heat->rows; r++) {
    const double y = bottom - cell_height * (r + 1); // the first row below: the axis points up
    add_text(html, "tick", left - 6, y + 16, "end", heat->row_names[r]);
    for (int c = 0; c < heat->columns; c++) {
      const double value = heat->values[r * heat->columns + c], x = left + cell_width * c;
      if (!isfinite(value))
        continue;
      const double shade = svg_place(&range, value);
      text_print(html,
                 "<rect class=\"heat\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill-opacity=\"%.3f\"/>",
                 x + 0.5, y + 0.5, cell_width - 1, cell_height - 1, 0.04 + 0.96 * shade);
      if (cell_width < 26)
        continue;
      text_print(html, "<text class=\"cell%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                 shade > 0.55 ? " on" : "", x + cell_width / 2, y + 16);
      add_heat_value(html, value, range.step, heat->is_share);
      html_add(html, "</text>");
    }
  }
  const int every = cell_width < 30 ? (int)ceil(30 / cell_width) : 1;
  for (int c = 0; c < heat->columns; c += every)
    add_text(html, "tick", left + cell_width * (c + 0.5), bottom + 16, "middle", heat->column_names[c]);
  add_text(html, "axis-name", left + cell_width * heat->columns / 2, bottom + 36, "middle", heat->column_axis);
  add_text(html, "axis-name", 4, top - 4, "start", heat->row_axis);
  html_add(html, "</svg>\n");
}
