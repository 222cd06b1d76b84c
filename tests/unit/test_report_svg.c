// Plots: axes with round ticks, lines at exact places, peaks that stay when points are left out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/report/svg_plot.h"

static const SvgBox BOX = {10, 20, 100, 50};

static void assert_axis(double low, double high, int most, bool rounded, SvgAxis wanted) {
  const SvgAxis axis = svg_axis(low, high, most, rounded);
  assert_true(fabs(axis.low - wanted.low) < 1e-9 * (1 + fabs(wanted.low)));
  assert_true(fabs(axis.high - wanted.high) < 1e-9 * (1 + fabs(wanted.high)));
  assert_true(fabs(axis.step - wanted.step) < 1e-9 * wanted.step);
}

static void test_axes(void **state) {
  (void)state;
  assert_axis(0, 10, 5, true, (SvgAxis){0, 10, 2});
  assert_axis(-0.3, 9.1, 4, true, (SvgAxis){-5, 10, 5});
  assert_axis(0, 0.04, 4, true, (SvgAxis){0, 0.04, 0.01});
  assert_axis(0, 20, 10, false, (SvgAxis){0, 20, 2});
  assert_axis(3.2, 7.7, 5, false, (SvgAxis){3.2, 7.7, 1});
  assert_axis(5, 5, 4, true, (SvgAxis){4.5, 5.5, 0.5}); // a constant has room
  assert_axis((double)NAN, 1, 4, true, (SvgAxis){0, 1, 0.5});
  assert_axis(1, (double)INFINITY, 4, true, (SvgAxis){0, 1, 0.5});
  const SvgAxis axis = {2, 4, 1};
  assert_true(svg_place(&axis, 2) == 0 && svg_place(&axis, 4) == 1 && svg_place(&axis, 3) == 0.5);
}

static SvgLine line_of(const double *x, const float *y, long count) {
  SvgLine line;
  svg_line_begin(&line, count);
  for (long i = 0; i < count; i++)
    svg_line_add(&line, x[i], y[i]);
  return line;
}

static void draw_path(Html *html, const SvgBox *box, const SvgAxis *x_axis, const SvgAxis *y_axis, const double *x,
                      const float *y, long count) {
  const SvgLine line = line_of(x, y, count);
  svg_line_path(html, box, x_axis, y_axis, &line);
}

static void test_path_is_exact(void **state) {
  (void)state;
  const SvgAxis x_axis = {0, 4, 1}, y_axis = {-1, 1, 1};
  const double x[] = {0, 1, 2, 3, 4};
  const float y[] = {0, 1, NAN, -1, 0.5f};
  Html html = {0};
  draw_path(&html, &BOX, &x_axis, &y_axis, x, y, 5);
  assert_string_equal(html.bytes, "M10.0 45.0L35.0 20.0M85.0 70.0L110.0 32.5");
  text_free(&html);
  draw_path(&html, &BOX, &x_axis, &y_axis, x, y, 0);
  assert_null(html.bytes);
}

// Of many points the lowest and the highest of each bin are kept, in their order.
static void test_peaks_stay(void **state) {
  (void)state;
  enum { COUNT = 40000 };
  double *x = calloc(COUNT, sizeof *x);
  float *y = calloc(COUNT, sizeof *y);
  for (int i = 0; i < COUNT; i++) {
    x[i] = i;
    y[i] = (float)(i % 2) * 0.25f;
  }
  y[12345] = 1;  // a single point that stands out
  y[31000] = -1; // and one downward
  const SvgAxis x_axis = {0, COUNT, 1}, y_axis = {-1, 1, 1};
  Html html = {0};
  draw_path(&html, &BOX, &x_axis, &y_axis, x, y, COUNT);
  int points = 0;
  for (const char *c = html.bytes; *c != '\0'; c++)
    points += *c == 'L' || *c == 'M';
  assert_true(points > SVG_MOST_POINTS / 2 && points <= SVG_MOST_POINTS);
  char place[32];
  snprintf(place, sizeof place, "%.1f %.1f", 10 + 100 * 12345.0 / COUNT, 20.0);
  assert_non_null(strstr(html.bytes, place));
  snprintf(place, sizeof place, "%.1f %.1f", 10 + 100 * 31000.0 / COUNT, 70.0);
  assert_non_null(strstr(html.bytes, place));
  text_free(&html);
  free(x);
  free(y);
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static void test_lines_have_all_that_a_reader_needs(void **state) {
  (void)state;
  const double x[] = {0, 1, 2};
  const SvgLine left = line_of(x, (float[]){0, 1, 4}, 3), right = line_of(x, (float[]){3, 2, NAN}, 3);
  const SvgSeries series[] = {{"left", &left}, {"<right>", &right}};
  const SvgMark marks[] = {{1, "a hit of 3 N s"}};
  Html html = {0};
  svg_lines(&html, &(SvgLines){"force & torque", "N", 0, 2, series, 2, marks, 1});
  assert_int_equal(strncmp(html.bytes, "<svg ", 5), 0);
  assert_non_null(strstr(html.bytes, "<title>force &amp; torque</title>"));
  assert_non_null(strstr(html.bytes, "&lt;right&gt;"));
  assert_non_null(strstr(html.bytes, "<title>a hit of 3 N s</title>"));
  assert_int_equal(count_of(html.bytes, "class=\"line s"), 2);
  assert_int_equal(count_of(html.bytes, "class=\"mark\""), 1);
  assert_true(count_of(html.bytes, "class=\"tick\"") >= 6);
  assert_null(strstr(html.bytes, "nan"));
  text_free(&html);
}

// The axis reaches from the lowest to the highest value of all curves, wherever in them these are.
static void test_axes_hold_all_values(void **state) {
  (void)state;
  const double x[] = {0, 1, 2, 3};
  const SvgLine early = line_of(x, (float[]){-4, 6, 1, 2}, 4), late = line_of(x, (float[]){0, 1, -1, 2}, 4);
  const SvgSeries orders[2][2] = {{{"early", &early}, {"late", &late}}, {{"late", &late}, {"early", &early}}};
  for (int i = 0; i < 2; i++) {
    Html html = {0};
    svg_lines(&html, &(SvgLines){"force", "N", 0, 3, orders[i], 2, NULL, 0});
    assert_non_null(strstr(html.bytes, ">-5<"));
    assert_null(strstr(html.bytes, ">-10<"));
    assert_non_null(strstr(html.bytes, ">10<"));
    text_free(&html);
  }
}

static void test_heat(void **state) {
  (void)state;
  static const char *const columns[] = {"0", "90", "180"}, *const rows[] = {"5", "10"};
  const double values[] = {0, 0.5, 1, (double)NAN, 0.25, 0.75};
  Html html = {0};
  svg_heat(&html, &(SvgHeat){"fell", "", "direction", "impulse", columns, rows, 3, 2, values, true});
  assert_int_equal(count_of(html.bytes, "class=\"heat\""), 5);
  assert_non_null(strstr(html.bytes, "fill-opacity=\"1.000\""));
  assert_non_null(strstr(html.bytes, ">75</text>"));
  assert_null(strstr(html.bytes, "nan"));
  text_free(&html);
}

// Bands reach from their lower to their upper border, lines end at gaps, ticks stand at their values.
static void test_curves_on_bands(void **state) {
  (void)state;
  const double low[3] = {0, 10, 0}, high[3] = {10, 20, 10}, line[3] = {5, NAN, 15};
  const SvgCurve curves[] = {{"band", low, high}, {"mine", NULL, line}};
  const SvgTick ticks[] = {{"range", "from a quarter on", 25, 50}, {"tick", "half", 50, 50}};
  Html html = {0};
  svg_curves(&html, &(SvgCurves){"angle", "deg", "% of the cycle", 3, curves, 2, ticks, 2});
  // The picture's box is 328 x 168 px at 40, 28; its values are from 0 to 20.
  assert_non_null(strstr(html.bytes, "<path class=\"band\" d=\"M40.0 112.0L204.0 28.0L368.0 112.0"
                                     "L368.0 196.0L204.0 112.0L40.0 196.0Z\"/>"));
  assert_non_null(strstr(html.bytes, "<path class=\"line mine\" d=\"M40.0 154.0M368.0 70.0\"/>"));
  assert_non_null(strstr(html.bytes, "<rect class=\"range\" x=\"122.0\" y=\"190.0\" width=\"82.0\" height=\"6\">"));
  assert_non_null(strstr(html.bytes, "<path class=\"line tick\" d=\"M204.0 196.0V182.0\"><title>half</title></path>"));
  assert_int_equal(count_of(html.bytes, "nan"), 0);
  text_free(&html);
}

// Of each bin the lowest and the highest point are drawn, in their order: also at its ends, rising and falling.
static void test_each_bin_keeps_both_extremes(void **state) {
  (void)state;
  enum { COUNT = 4007, BINS = SVG_MOST_POINTS / 2 };
  static double x[COUNT];
  static float y[COUNT];
  unsigned noise = 1;
  for (int i = 0; i < COUNT; i++) {
    x[i] = i;
    noise = noise * 1664525u + 1013904223u;
    int third = i / (COUNT / 3); // rises, falls, is noise
    y[i] = (float)(third == 0 ? i : third == 1 ? COUNT - i : (int)(noise >> 16) % COUNT);
  }
  const SvgBox box = {0, 0, COUNT, COUNT}; // a pixel for each point and each value
  const SvgAxis axis = {0, COUNT, 1};
  Html html = {0};
  draw_path(&html, &box, &axis, &axis, x, y, COUNT);
  const char *at = html.bytes;
  for (long bin = 0; bin < BINS; bin++) {
    long from = bin * COUNT / BINS, to = (bin + 1) * COUNT / BINS, lowest = from, highest = from;
    for (long i = from; i < to; i++) {
      lowest = y[i] < y[lowest] ? i : lowest;
      highest = y[i] > y[highest] ? i : highest;
    }
    long wanted[2] = {lowest < highest ? lowest : highest, lowest < highest ? highest : lowest};
    for (int k = 0; k < 2; k++) {
      char *end;
      assert_true(*at == (bin == 0 && k == 0 ? 'M' : 'L'));
      double place = strtod(at + 1, &end), value = COUNT - strtod(end, &end);
      assert_true(fabs(place - (double)wanted[k]) < 0.06);
      assert_true(fabs(value - (double)y[wanted[k]]) < 0.06);
      at = end;
    }
  }
  assert_true(*at == '\0');
  text_free(&html);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_axes),
      cmocka_unit_test(test_path_is_exact),
      cmocka_unit_test(test_peaks_stay),
      cmocka_unit_test(test_lines_have_all_that_a_reader_needs),
      cmocka_unit_test(test_heat),
      cmocka_unit_test(test_axes_hold_all_values),
      cmocka_unit_test(test_curves_on_bands),
      cmocka_unit_test(test_each_bin_keeps_both_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
