// Draws tables of doses as SVG: small panels of curves over a logarithmic axis, a matrix of distances.
#include "scenes/report/svg_dose.h"

#include <math.h>
#include <stdio.h>

#include "scenes/report/svg_plot.h"

enum { MOST_COLUMNS = 4 };

static const double WIDTH = 880, LEFT = 44, GAP = 14, PANEL_HEIGHT = 112, ROW_HEIGHT = 166, HEAD = 30; // px
static const double CELL = 44, CELL_HEIGHT = 22;

// Variables of the page's style, with the colours for files of their own after the commas.
static const char STYLE[] =
    "<style>.dose text{font:11px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;"
    "fill:var(--soft,#5c6773)}"
    ".dose .dose-title{font-size:14px;font-weight:600;fill:var(--ink,#1b2128)}"
    ".dose .dose-name{font-size:12px;font-weight:600;fill:var(--ink,#1b2128)}"
    ".dose .dose-paper{fill:var(--paper,#fff)}"
    ".dose .dose-grid{stroke:var(--line,#d9dee3);stroke-width:1}"
    ".dose .dose-other{stroke:var(--soft,#5c6773);stroke-opacity:.3;stroke-width:1;fill:none}"
    ".dose .dose-band{fill:#1b5a9a;fill-opacity:.22}"
    ".dose .dose-line{stroke:#1b5a9a;stroke-width:2;fill:none}"
    ".dose .dose-dot{fill:#1b5a9a}"
    ".dose .dose-second .dose-band{fill:#c2571a}.dose .dose-second .dose-line{stroke:#c2571a}"
    ".dose .dose-second .dose-dot{fill:#c2571a}.dose text.dose-second{fill:#c2571a}.dose text.dose-first{fill:#1b5a9a}"
    ".dose .dose-cell{fill:#1b5a9a}.dose .dose-on{fill:#fff}.dose .dose-off{fill:#1b2128}</style>";

static void begin_picture(Html *html, double height, const char *title, bool alone) {
  text_print(html, "<svg%s class=\"dose\" viewBox=\"0 0 %g %g\" style=\"max-width:%gpx\" role=\"img\">",
             alone ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", WIDTH, height, WIDTH);
  html_element(html, "title", NULL, title);
  html_add(html, STYLE);
  text_print(html, "<rect class=\"dose-paper\" width=\"%g\" height=\"%g\"/>", WIDTH, height);
}

static void add_text(Html *html, const char *kind, double x, double y, const char *anchor, const char *text) {
  text_print(html, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", kind, x, y, anchor);
  html_text(html, text);
  html_add(html, "</text>");
}

// ---- Curves over the size ----

// A place for curves: sizes from left to right by factors, values up.
typedef struct Frame {
  const DoseTable *dose;
  SvgBox box;
  SvgAxis axis;
  const char *unit;
} Frame;

static double place_x(const Frame *frame, int size) {
  const double *sizes = frame->dose->sizes, first = sizes[0], last = sizes[frame->dose->size_count - 1];
  const double share = first > 0 ? log(sizes[size] / first) / log(last / first)
                                 : (sizes[size] - first) / (last - first); // a size of 0 has no logarithm
  return frame->box.left + frame->box.width * (0.04 + 0.92 * share);
}

static double place_y(const Frame *frame, double value) {
  return frame->box.top + frame->box.height * (1 - svg_place(&frame->axis, value));
}

static void add_axes(Html *html, const Frame *frame, bool labels) {
  const SvgBox *box = &frame->box;
  const long ticks = lround((frame->axis.high - frame->axis.low) / frame->axis.step);
  for (long i = 0; i <= ticks; i++) {
    const double value = frame->axis.low + (double)i * frame->axis.step, y = place_y(frame, value);
    text_print(html, "<line class=\"dose-grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", box->left, y,
               box->left + box->width, y);
    if (!labels)
      continue;
    text_print(html, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">", box->left - 5, y + 4);
    html_number(html, value, frame->axis.step);
    html_add(html, "</text>");
  }
  for (int s = 0; s < frame->dose->size_count; s++) {
    text_print(html, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", place_x(frame, s),
               box->top + box->height + 14);
    html_number(html, frame->dose->sizes[s], 0);
    html_add(html, "</text>");
  }
}

static void add_line(Html *html, const Frame *frame, const char *kind, const DoseFigure *figures) {
  bool drawing = false;
  text_print(html, "<path class=\"%s\" d=\"", kind);
  for (int s = 0; s < frame->dose->size_count; s++) {
    if (isfinite(figures[s].value))
      text_print(html, "%c%.1f %.1f", drawing ? 'L' : 'M', place_x(frame, s), place_y(frame, figures[s].value));
    drawing = isfinite(figures[s].value);
  }
  html_add(html, "\"/>");
}

// Between two neighbouring sizes that have intervals.
static void add_bands(Html *html, const Frame *frame, const DoseFigure *figures) {
  for (int s = 0; s + 1 < frame->dose->size_count; s++) {
    const DoseFigure *a = &figures[s], *b = &figures[s + 1];
    if (!isfinite(a->low) || !isfinite(a->high) || !isfinite(b->low) || !isfinite(b->high))
      continue;
    const double x[] = {place_x(frame, s), place_x(frame, s + 1)};
    text_print(html, "<path class=\"dose-band\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", x[0],
               place_y(frame, a->low), x[1], place_y(frame, b->low), x[1], place_y(frame, b->high), x[0],
               place_y(frame, a->high));
  }
}

static void add_dots(Html *html, const Frame *frame, const char *name, const DoseFigure *figures) {
  for (int s = 0; s < frame->dose->size_count; s++) {
    const DoseFigure *figure = &figures[s];
    if (!isfinite(figure->value))
      continue;
    text_print(html, "<circle class=\"dose-dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"><title>", place_x(frame, s),
               place_y(frame, figure->value));
    html_text(html, name);
    text_print(html, ", %g ", frame->dose->sizes[s]);
    html_text(html, frame->dose->size_axis->unit);
    text_print(html, ": %.3g ", figure->value);
    html_text(html, frame->unit);
    if (isfinite(figure->low))
      text_print(html, ", 95 %% interval %.3g to %.3g", figure->low, figure->high);
    text_print(html, "; of %ld</title></circle>", figure->count);
  }
}

static SvgAxis common_axis(const DoseTable *dose, DoseMeasure measure) {
  double high = 0;
  for (int p = 0; p < dose->part_count; p++)
    for (int s = 0; s < dose->size_count; s++)
      high = fmax(high, fmax(dose->measures[measure][p][s].value, dose->measures[measure][p][s].high));
  SvgAxis axis = svg_axis(0, high, 4, true);
  axis.low = 0;
  return axis;
}

static int column_count(const DoseTable *dose) {
  return dose->part_count < MOST_COLUMNS ? dose->part_count : MOST_COLUMNS;
}

static int row_count(const DoseTable *dose) { return (dose->part_count + MOST_COLUMNS - 1) / MOST_COLUMNS; }

static void draw_curves(Html *html, const DoseTable *dose, DoseMeasure measure, double top) {
  const DoseMeasureRow *row = &dose_measures[measure];
  const int columns = column_count(dose);
  const double width = (WIDTH - LEFT - 8 - GAP * (columns - 1)) / columns;
  char title[160];
  snprintf(title, sizeof title, "%s, %s, over the size of the push, %s", row->title, row->unit, dose->size_axis->unit);
  add_text(html, "dose-title", 8, top + 18, "start", title);
  for (int p = 0; p < dose->part_count; p++) {
    const int column = p % columns, row_of_panels = p / columns;
    const Frame frame = {
        dose,
        {LEFT + column * (width + GAP), top + HEAD + 22 + row_of_panels * ROW_HEIGHT, width, PANEL_HEIGHT},
        common_axis(dose, measure),
        row->unit};
    add_text(html, "dose-name", frame.box.left, frame.box.top - 6, "start", dose->parts[p]);
    add_axes(html, &frame, column == 0);
    for (int k = 0; k < dose->part_count; k++)
      if (k != p)
        add_line(html, &frame, "dose-other", dose->measures[measure][k]);
    add_bands(html, &frame, dose->measures[measure][p]);
    add_line(html, &frame, "dose-line", dose->measures[measure][p]);
    add_dots(html, &frame, dose->parts[p], dose->measures[measure][p]);
  }
}

void svg_dose_curves(Html *html, const DoseTable *dose, DoseMeasure measure) {
  begin_picture(html, HEAD + ROW_HEIGHT * row_count(dose), dose_measures[measure].title, false);
  draw_curves(html, dose, measure, 0);
  html_add(html, "</svg>\n");
}

// ---- Parts ----

static void add_dependence(Html *html, const Frame *frame, const char *name, const char *kind,
                           const DoseFigure *figures) {
  text_print(html, "<g class=\"%s\">", kind);
  add_bands(html, frame, figures);
  add_line(html, frame, "dose-line", figures);
  add_dots(html, frame, name, figures);
  html_add(html, "</g>");
}

static void draw_dependence(Html *html, const DoseTable *dose, double left, double top) {
  double high = 1;
  for (int s = 0; s < dose->size_count; s++)
    high = fmax(
        high, fmax(fmax(dose->front[s].value, dose->front[s].high), fmax(dose->around[s].value, dose->around[s].high)));
  SvgAxis axis = svg_axis(0, high, 5, true);
  axis.low = 0;
  const Frame frame = {dose, {left + 36, top + 62, 300, 150}, axis, ""};
  add_text(html, "dose-title", left, top + 18, "start", "Part-dependence: distance over size");
  add_text(html, "dose-first", left + 36, top + 36, "start",
           dose->has_front ? "\xe2\x80\x94 from the front" : "\xe2\x80\x94 all directions");
  if (dose->has_front)
    add_text(html, "dose-second", left + 150, top + 36, "start", "\xe2\x80\x94 all directions");
  add_axes(html, &frame, true);
  if (dose->has_front)
    add_dependence(html, &frame, "all directions", "dose-second", dose->around);
  add_dependence(html, &frame, dose->has_front ? "from the front" : "all directions", "dose-first", dose->front);
  add_text(html, "", frame.box.left + 150, frame.box.top + 180, "middle", dose->size_axis->unit);
}

void svg_dose_dependence(Html *html, const DoseTable *dose) {
  begin_picture(html, 260, "Part-dependence", false);
  draw_dependence(html, dose, 8, 0);
  html_add(html, "</svg>\n");
}

static void draw_matrix(Html *html, const DoseTable *dose, double left, double top) {
  const int s = dose->shown_size;
  double high = 0;
  for (int a = 0; a < dose->part_count; a++)
    for (int b = 0; b < dose->part_count; b++)
      high = fmax(high, dose->distance[s][a][b]);
  char title[160];
  snprintf(title, sizeof title, "Distance of responses at %g %s%s, deg", dose->sizes[s], dose->size_axis->unit,
           dose->has_front ? " from the front" : "");
  add_text(html, "dose-title", left, top + 18, "start", title);
  for (int a = 0; a < dose->part_count; a++) {
    const double y = top + 34 + a * CELL_HEIGHT;
    add_text(html, "", left + 74, y + 15, "end", dose->parts[a]);
    for (int b = 0; b < dose->part_count; b++) {
      const double value = dose->distance[s][a][b], x = left + 80 + b * CELL, shade = high > 0 ? value / high : 0;
      if (!isfinite(value))
        continue;
      text_print(html,
                 "<rect class=\"dose-cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                 "fill-opacity=\"%.3f\"/>",
                 x + 0.5, y + 0.5, CELL - 1, CELL_HEIGHT - 1, 0.04 + 0.96 * shade);
      text_print(html, "<text class=\"dose-%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.1f</text>",
                 shade > 0.55 ? "on" : "off", x + CELL / 2, y + 15, value);
    }
  }
  for (int b = 0; b < dose->part_count; b++) // long names take turns in two lines
    add_text(html, "", left + 80 + (b + 0.5) * CELL, top + 48 + dose->part_count * CELL_HEIGHT + b % 2 * 13, "middle",
             dose->parts[b]);
}

void svg_dose(Html *html, const DoseTable *dose) {
  const double curves = HEAD + ROW_HEIGHT * row_count(dose);
  const double below = fmax(260, 70 + CELL_HEIGHT * dose->part_count);
  begin_picture(html, curves + below, "Responses to pushes", true);
  draw_curves(html, dose, DOSE_SIZE, 0);
  draw_matrix(html, dose, 8, curves);
  draw_dependence(html, dose, fmax(500, 100 + CELL * dose->part_count), curves);
  html_add(html, "</svg>\n");
}
