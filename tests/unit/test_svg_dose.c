// Pictures of a table of doses: where the values, intervals and distances of a table made here are drawn.
#include "tests/unit/study_fixture.h"

#include "scenes/report/svg_dose.h"

enum { PARTS = 5, SIZES = 3 };

static DoseTable dose; // large
static StudyAxis size_axis;
static char *text;

static int begin(void **state) {
  (void)state;
  static const char *const names[PARTS] = {"head", "chest", "pelvis", "thigh_l", "hand_l"};
  const double sizes[SIZES] = {5, 10, 20};
  snprintf(size_axis.unit, sizeof size_axis.unit, "N s");
  dose = (DoseTable){
      .size_axis = &size_axis, .part_count = PARTS, .size_count = SIZES, .shown_size = 1, .has_front = true};
  for (int m = 0; m < DOSE_MEASURES; m++)
    for (int p = 0; p < PARTS; p++)
      for (int s = 0; s < SIZES; s++)
        dose.measures[m][p][s] = (DoseFigure){NAN, NAN, NAN, 0};
  for (int p = 0; p < PARTS; p++)
    dose.parts[p] = names[p];
  for (int s = 0; s < SIZES; s++) {
    dose.sizes[s] = sizes[s];
    for (int p = 0; p < PARTS; p++)
      dose.measures[DOSE_SIZE][p][s] = (DoseFigure){1 + p + 3 * s, p + 3 * s, 2 + p + 3 * s, 7 + s};
    dose.front[s] = (DoseFigure){0.2 + 0.2 * s, 0.1 + 0.2 * s, 0.3 + 0.2 * s, 4};
    dose.around[s] = (DoseFigure){0.5, NAN, NAN, 4};
    for (int a = 0; a < PARTS; a++)
      for (int b = 0; b < PARTS; b++)
        dose.distance[s][a][b] = abs(a - b) * (s + 1);
  }
  return 0;
}

static void has(const char *part) {
  if (!strstr(text, part))
    fail_msg("no '%s' in '%s'", part, text);
}

__attribute__((format(printf, 1, 2))) static void draws(const char *format, ...) {
  char part[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(part, sizeof part, format, arguments);
  va_end(arguments);
  has(part);
}

// px: panels of four in a row, 200 wide; sizes by their logarithm, from 0.04 to 0.96 of a panel; values from 0 to 12.
static double panel_x(int p) { return 44 + p % 4 * ((880 - 44 - 8 - 14 * 3) / 4.0 + 14); }
static double x_of(int p, int s) { return panel_x(p) + (880 - 44 - 8 - 14 * 3) / 4.0 * (0.04 + 0.92 * s / 2.0); }
static double y_of(int p, double value, double high) {
  const int row = p / 4;
  return 30 + 22 + row * 166 + 112 * (1 - value / high);
}

static void curves_are_where_the_values_are(void **state) {
  (void)state;
  Html html = {0};
  svg_dose_curves(&html, &dose, DOSE_SIZE);
  text = html.bytes;
  const double high = 15; // the highest interval ends at 12: four steps at most, of 5
  has("viewBox=\"0 0 880 362\"");
  draws("%s, %s, over the size of the push, N s", dose_measures[DOSE_SIZE].title, dose_measures[DOSE_SIZE].unit);
  for (int p = 0; p < PARTS; p++) {
    draws("<text class=\"dose-name\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"start\">%s</text>", panel_x(p),
          y_of(p, high, high) - 6, dose.parts[p]);
    const DoseFigure *figures = dose.measures[DOSE_SIZE][p];
    for (int s = 0; s < SIZES; s++) {
      draws("cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"><title>%s, %g N s: %.3g ", x_of(p, s), y_of(p, figures[s].value, high),
            dose.parts[p], dose.sizes[s], figures[s].value);
      draws(", 95 %% interval %.3g to %.3g; of %ld</title>", figures[s].low, figures[s].high, figures[s].count);
      draws("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>", x_of(p, s), y_of(p, 0, high) + 14,
            dose.sizes[s]);
    }
    draws("<path class=\"dose-line\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>", x_of(p, 0),
          y_of(p, figures[0].value, high), x_of(p, 1), y_of(p, figures[1].value, high), x_of(p, 2),
          y_of(p, figures[2].value, high));
    draws("<path class=\"dose-band\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>", x_of(p, 1),
          y_of(p, figures[1].low, high), x_of(p, 2), y_of(p, figures[2].low, high), x_of(p, 2),
          y_of(p, figures[2].high, high), x_of(p, 1), y_of(p, figures[1].high, high));
    const int other = p == 0 ? 1 : 0; // in grey
    draws("<path class=\"dose-other\" d=\"M%.1f %.1f", x_of(p, 0),
          y_of(p, dose.measures[DOSE_SIZE][other][0].value, high));
    for (int tick = 0; tick <= 3; tick++)
      draws("<line class=\"dose-grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", panel_x(p),
            y_of(p, 5 * tick, high), panel_x(p) + 196.5, y_of(p, 5 * tick, high));
  }
  draws("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">10</text>", 44.0 - 5, y_of(0, 10, high) + 4);
  int labels = 0;
  for (const char *at = strstr(text, "\"end\">"); at; at = strstr(at + 1, "\"end\">"))
    labels++;
  assert_int_equal(labels, 8); // of the first panel of each row
  free(html.bytes);
}

// What is not known is a gap: no dot, no band, and a new line behind it.
static void gaps_are_left_open(void **state) {
  (void)state;
  const DoseFigure known = dose.measures[DOSE_SIZE][0][1];
  dose.measures[DOSE_SIZE][0][1] = (DoseFigure){NAN, NAN, NAN, 0};
  Html html = {0};
  svg_dose_curves(&html, &dose, DOSE_SIZE);
  text = html.bytes;
  const double high = 15;
  draws("<path class=\"dose-line\" d=\"M%.1f %.1fM%.1f %.1f\"/>", x_of(0, 0), y_of(0, 1, high), x_of(0, 2),
        y_of(0, 7, high));
  assert_null(strstr(text, "head, 10 N s"));
  dose.measures[DOSE_SIZE][0][1] = known;
  free(html.bytes);
}

// A size of 0 has no logarithm: sizes are then from left to right as they are.
static void sizes_from_zero_are_linear(void **state) {
  (void)state;
  dose.sizes[0] = 0;
  dose.sizes[1] = 8;
  Html html = {0};
  svg_dose_curves(&html, &dose, DOSE_SIZE);
  text = html.bytes;
  for (int s = 0; s < SIZES; s++)
    draws("cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"", 44 + 196.5 * (0.04 + 0.92 * dose.sizes[s] / 20), y_of(0, 1 + 3 * s, 15));
  dose.sizes[0] = 5;
  dose.sizes[1] = 10;
  free(html.bytes);
}

// Part-dependence: a frame of 300 by 150 px from 0 to 1.
static void dependence_has_both_curves(void **state) {
  (void)state;
  Html html = {0};
  svg_dose_dependence(&html, &dose);
  text = html.bytes;
  for (int s = 0; s < SIZES; s++) {
    const double x = 44 + 300 * (0.04 + 0.92 * s / 2.0);
    draws("cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"><title>from the front, %g N s", x, 62 + 150 * (1 - dose.front[s].value),
          dose.sizes[s]);
    draws("cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\"><title>all directions, %g N s", x, 62 + 150 * 0.5, dose.sizes[s]);
  }
  has(">N s</text>");
  free(html.bytes);
  DoseFigure *const figures[] = {&dose.front[2], &dose.around[2]};
  for (int i = 0; i < 4; i++) { // the axis ends at 2 if any value or end of an interval is above 1.6
    const DoseFigure before = *figures[i / 2];
    *(i % 2 ? &figures[i / 2]->high : &figures[i / 2]->value) = 1.7;
    html = (Html){0};
    svg_dose_dependence(&html, &dose);
    text = html.bytes;
    draws("cy=\"%.1f\" r=\"2.6\"><title>from the front, 5 N s", 62 + 150 * (1 - dose.front[0].value / 2));
    *figures[i / 2] = before;
    free(html.bytes);
  }
  dose.has_front = false;
  html = (Html){0};
  svg_dose_dependence(&html, &dose);
  text = html.bytes;
  assert_null(strstr(text, "from the front"));
  draws("cy=\"%.1f\" r=\"2.6\"><title>all directions, 5 N s", 62 + 150 * (1 - dose.front[0].value));
  dose.has_front = true;
  free(html.bytes);
}

// Distances at the middle size: cells of 44 by 22 px, the darker the larger.
static void matrix_has_the_distances(void **state) {
  (void)state;
  Html html = {0};
  svg_dose(&html, &dose);
  text = html.bytes;
  const double top = 30 + 166 * 2 + 34, left = 8 + 80;
  has("viewBox=\"0 0 880 622\"");
  has("Distance of responses at 10 N s from the front, deg");
  for (int a = 0; a < PARTS; a++) {
    draws("x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", left - 6, top + 22 * a + 15, dose.parts[a]);
    draws("x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", left + (a + 0.5) * 44,
          top - 34 + 48 + PARTS * 22 + (a % 2) * 13, dose.parts[a]);
    for (int b = 0; b < PARTS; b++) {
      const double shade = abs(a - b) / 4.0;
      draws("x=\"%.1f\" y=\"%.1f\" width=\"43.0\" height=\"21.0\" fill-opacity=\"%.3f\"/>", left + 44 * b + 0.5,
            top + 22 * a + 0.5, 0.04 + 0.96 * shade);
      draws("<text class=\"dose-%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.1f</text>",
            shade > 0.55 ? "on" : "off", left + 44 * b + 22, top + 22 * a + 15, 2.0 * abs(a - b));
    }
  }
  draws("cx=\"%.1f\"", 500 + 36 + 300 * 0.04); // part-dependence beside it
  free(html.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(curves_are_where_the_values_are), cmocka_unit_test(gaps_are_left_open),
      cmocka_unit_test(sizes_from_zero_are_linear),      cmocka_unit_test(dependence_has_both_curves),
      cmocka_unit_test(matrix_has_the_distances),
  };
  return cmocka_run_group_tests(tests, begin, NULL);
}
