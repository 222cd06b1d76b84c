// Plots as SVG, which need no script: lines over time, curves over a cycle, and values over two axes. Colours come from
// the page's style by classes: s0 .. s7 for series, axis, grid, mark, heat.
#ifndef STAGGER_SCENES_REPORT_SVG_PLOT_H
#define STAGGER_SCENES_REPORT_SVG_PLOT_H

#include "scenes/report/html.h"

enum { SVG_MOST_SERIES = 8, SVG_MOST_POINTS = 800 }; // points of a line: lowest and highest of 400 bins

// Lengths in px of the picture; x to the right, y down.
typedef struct SvgBox {
  double left, top, width, height;
} SvgBox;

// What an axis shows: from low to high, a tick at every multiple of step.
typedef struct SvgAxis {
  double low, high, step;
} SvgAxis;

// The axis of values from low to high, at most `most` steps of 1, 2 or 5 times a power of ten. Rounded: it begins and
// ends at ticks. Something is shown also when low == high or one is not finite (then 0 to 1).
SvgAxis svg_axis(double low, double high, int most, bool rounded);

double svg_place(const SvgAxis *axis, double value); // 0 at low, 1 at high

typedef struct SvgPoint {
  double x;
  float y; // NAN: a gap
} SvgPoint;

// What is drawn of a line through any number of values: all of them, or of more than SVG_MOST_POINTS the lowest and the
// highest of each bin. It is made while the values are read, so that these need not be kept.
typedef struct SvgLine {
  long value_count, taken; // values of the whole line, and those that have been added
  long bin_count, bin;
  SvgPoint low, high;   // of the values of the bin so far
  long low_at, high_at; // which values these are; -1: the bin has none that is finite
  SvgPoint points[SVG_MOST_POINTS];
  int count; // points
} SvgLine;

// Begins a line of `value_count` values.
void svg_line_begin(SvgLine *line, long value_count);

// Adds the next value. x: ascending. y: what is not finite is a gap.
void svg_line_add(SvgLine *line, double x, float y);

typedef struct SvgSeries {
  const char *name;
  const SvgLine *line;
} SvgSeries;

typedef struct SvgMark {
  double x;
  const char *text; // shown when pointed at
} SvgMark;

typedef struct SvgLines {
  const char *title, *unit; // unit of the values, "" for none
  double from, to;          // s, of the axis
  const SvgSeries *series;
  int series_count; // at most SVG_MOST_SERIES
  const SvgMark *marks;
  int mark_count;
} SvgLines;

void svg_lines(Html *html, const SvgLines *lines);

// The line as path data, one part for each run of points without a gap.
void svg_line_path(Html *html, const SvgBox *box, const SvgAxis *x_axis, const SvgAxis *y_axis, const SvgLine *line);

// Curves over an axis from 0 to 100 % of something, on bands. kind: classes.
typedef struct SvgCurve {
  const char *kind;
  const double *low, *values; // [count]; a band reaches from low to values; low NULL: a line
} SvgCurve;

// Short lines at the foot of the picture.
typedef struct SvgTick {
  const char *kind, *text; // text: shown when pointed at
  double from, to;         // on the axis; equal: one place
} SvgTick;

typedef struct SvgCurves {
  const char *title, *unit; // of the values
  const char *axis;         // its name
  int count;                // points of each curve, evenly over the axis
  const SvgCurve *curves;   // the first at the back
  int curve_count;
  const SvgTick *ticks;
  int tick_count;
} SvgCurves;

void svg_curves(Html *html, const SvgCurves *curves);

// One cell for each pair of values of two axes; values[row * columns + column], NAN: none.
typedef struct SvgHeat {
  const char *title, *unit;
  const char *column_axis, *row_axis;
  const char *const *column_names, *const *row_names;
  int columns, rows;
  const double *values;
  bool is_share;
} SvgHeat;

void svg_heat(Html *html, const SvgHeat *heat);

#endif
