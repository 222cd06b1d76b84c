// Draws plots as SVG: axes with round ticks, lines, bands, and heat maps.
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

static void add_tick_text(Html *html, double x, double y, const char *anchor, double value, double step) {
  text_print(html, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  html_number(html, value, step);
  html_add(html, "</text>");
}

static void add_y_axis(Html *html, const SvgBox *box, const SvgAxis *axis) {
  for (long i = first_tick(axis); i <= last_tick(axis); i++) {
    const double value = (double)i * axis->step, y = place_y(box, axis, value);
    text_print(html, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", i == 0 ? "axis" : "grid",
               box->left, y, box->left + box->width, y);
    add_tick_text(html, box->left - 6, y + 4, "end", value, axis->step);
  }
}

static void add_x_axis(Html *html, const SvgBox *box, const SvgAxis *axis) {
  const double bottom = box->top + box->height;
  text_print(html, "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", box->left, bottom,
             box->left + box->width, bottom);
  for (long i = first_tick(axis); i <= last_tick(axis); i++) {
    const double value = (double)i * axis->step, x = place_x(box, axis, value);
    text_print(html, "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x, bottom, x,
               bottom + 4);
    add_tick_text(html, x, bottom + 17, "middle", value, axis->step);
  }
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

void svg_line_begin(SvgLine *line, long value_count) {
  const long bins = value_count > SVG_MOST_POINTS ? SVG_MOST_POINTS / 2 : value_count;
  *line = (SvgLine){.value_count = value_count, .bin_count = bins, .low_at = -1, .high_at = -1};
}

static void end_bin(SvgLine *line, double x) {
  const bool rises = line->low_at < line->high_at;
  if (line->low_at < 0) {
    line->points[line->count++] = (SvgPoint){x, NAN};
  } else {
    line->points[line->count++] = rises ? line->low : line->high;
    if (line->low_at != line->high_at)
      line->points[line->count++] = rises ? line->high : line->low;
  }
  line->low_at = line->high_at = -1;
  line->bin++;
}

void svg_line_add(SvgLine *line, double x, float y) {
  const long at = line->taken++;
  if (isfinite(y) && (line->low_at < 0 || y < line->low.y)) {
    line->low = (SvgPoint){x, y};
    line->low_at = at;
  }
  if (isfinite(y) && (line->high_at < 0 || y > line->high.y)) {
    line->high = (SvgPoint){x, y};
    line->high_at = at;
  }
  if (line->taken == (line->bin + 1) * line->value_count / line->bin_count)
    end_bin(line, x);
}

void svg_line_path(Html *html, const SvgBox *box, const SvgAxis *x_axis, const SvgAxis *y_axis, const SvgLine *line) {
  bool drawing = false;
  for (int i = 0; i < line->count; i++) {
    const SvgPoint *point = &line->points[i];
    if (isnan(point->y))
      drawing = false;
    else
      add_point(html, &drawing, place_x(box, x_axis, point->x), place_y(box, y_axis, (double)point->y));
  }
}

static void find_range(const SvgLines *lines, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int s = 0; s < lines->series_count; s++)
    for (int i = 0; i < lines->series[s].line->count; i++) {
      *low = fmin(*low, (double)lines->series[s].line->points[i].y); // fmin leaves NAN out
      *high = fmax(*high, (double)lines->series[s].line->points[i].y);
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
  const SvgAxis x_axis = svg_axis(lines->from, lines->to, 10, false);
  begin_picture(html, "lines", WIDTH, HEIGHT, lines->title, lines->unit);
  add_legend(html, lines);
  add_y_axis(html, &PLOT, &y_axis);
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
    svg_line_path(html, &PLOT, &x_axis, &y_axis, lines->series[s].line);
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
  add_y_axis(html, &CURVES, &y_axis);
  add_x_axis(html, &CURVES, &x_axis);
  add_text(html, "axis-name", CURVES.left + CURVES.width / 2, CURVES.top + CURVES.height + 36, "middle", curves->axis);
  for (int i = 0; i < curves->tick_count; i++)
    add_tick(html, &curves->ticks[i], &x_axis);
  for (int c = 0; c < curves->curve_count; c++)
    if (!curves->curves[c].low)
      add_curve(html, &curves->curves[c], curves->count, &x_axis, &y_axis);
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
