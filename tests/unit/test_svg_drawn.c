// Pictures of drawn figures, to the letter: lines, curves and heat maps, roses, doses, and how hits go through a body;
// and what is printed of the latter two.
#include "scenes/report/page_propagation.h"
#include "scenes/report/svg_dose.h"
#include "scenes/report/svg_plot.h"
#include "scenes/report/svg_rose.h"
#include "sim/base/rng.h"
#include "tests/unit/small_scene.h"
#include "tests/unit/text_digest.h"

static double gap_or(Rng *rng, double low, double high) {
  return rng_index(rng, 8) == 0 ? NAN : rng_range(rng, low, high);
}

// ---- Plots ----

static void draw_lines(Html *html, Rng *rng) {
  static const char *const names[] = {"first & last", "second", "third",   "fourth",
                                      "fifth",        "sixth",  "seventh", "eighth"};
  static const double sizes[] = {1, 1000, 1e-3, 20};
  for (int n = 0; n < 8; n++) {
    enum { VALUES = 1500 };
    static SvgLine lines[SVG_MOST_SERIES];
    SvgSeries series[SVG_MOST_SERIES];
    const int count = 1 + n % SVG_MOST_SERIES;
    const double from = rng_range(rng, 0, 3), to = from + rng_range(rng, 0.5, 30), size = sizes[n % 4];
    const long values = n % 3 == 0 ? VALUES : 7;
    for (int i = 0; i < count; i++) {
      svg_line_begin(&lines[i], values);
      for (long k = 0; k < values; k++)
        svg_line_add(&lines[i], from + (to - from) * (double)k / (double)(values - 1),
                     (float)gap_or(rng, -size * (n % 2), size));
      series[i] = (SvgSeries){names[i], &lines[i]};
    }
    const SvgMark marks[] = {{from + 0.1, "a mark"}, {to - 0.2, "another \"mark\""}, {to + 1, "beyond"}};
    svg_lines(html, &(SvgLines){.title = "lines",
                                .unit = n % 2 ? "m" : "",
                                .from = from,
                                .to = to,
                                .series = series,
                                .series_count = count,
                                .marks = marks,
                                .mark_count = n % 4});
  }
}

static void draw_curves(Html *html, Rng *rng) {
  enum { POINTS = 21, CURVES = 4 };
  for (int n = 0; n < 4; n++) {
    double low[CURVES][POINTS], values[CURVES][POINTS];
    SvgCurve curves[CURVES];
    for (int i = 0; i < CURVES; i++) {
      for (int k = 0; k < POINTS; k++) {
        low[i][k] = rng_range(rng, -10, 0);
        values[i][k] = n == 3 ? gap_or(rng, 0, 30) : rng_range(rng, 0, 30);
      }
      curves[i] = (SvgCurve){i % 2 ? "line" : "band", i % 2 ? NULL : low[i], values[i]};
    }
    const SvgTick ticks[] = {{"tick", "here", 0.4, 0.4}, {"span", "there", 0.55, 0.7}};
    svg_curves(html, &(SvgCurves){.title = "curves",
                                  .unit = "deg",
                                  .axis = "share of a stride",
                                  .count = POINTS,
                                  .curves = curves,
                                  .curve_count = 1 + n,
                                  .ticks = ticks,
                                  .tick_count = n % 3});
  }
}

static void draw_heat(Html *html, Rng *rng) {
  static const char *const names[] = {"0", "45", "a longer name", "135", "180", "225", "270", "315", "360"};
  for (int n = 0; n < 6; n++) {
    double values[81];
    const int columns = 1 + rng_index(rng, 9), rows = 1 + rng_index(rng, 9);
    for (int i = 0; i < columns * rows; i++)
      values[i] = n == 5 ? 3 : gap_or(rng, n % 2 ? 0 : -5, n % 2 ? 1 : 120);
    svg_heat(html, &(SvgHeat){.title = "heat",
                              .unit = n % 2 ? "" : "N",
                              .column_axis = "from",
                              .row_axis = "force",
                              .column_names = names,
                              .row_names = names,
                              .columns = columns,
                              .rows = rows,
                              .values = values,
                              .is_share = n % 2 == 1});
  }
}

// ---- Roses ----

static void draw_roses(Html *html, Rng *rng) {
  static char *values[] = {"1", "2", "4.5", "8"};
  static StudyAxis turn = {.name = "side", .unit = "deg"}, outward = {.name = "push", .unit = "N s", .values = values};
  static DirectionTable tables[3];
  const DirectionTable *all[3];
  for (int t = 0; t < 3; t++) {
    DirectionTable *table = &tables[t];
    *table = (DirectionTable){.turn = &turn,
                              .outward = t == 2 ? NULL : &outward,
                              .sector_count = t == 1 ? 36 : 4 + 3 * t,
                              .ring_count = t == 2 ? 1 : 4,
                              .has_strategies = t != 1};
    outward.count = 4;
    for (int s = 0; s < table->sector_count; s++)
      table->directions[s] = 360.0 * s / table->sector_count - 30;
    for (int i = 0; i < table->sector_count * table->ring_count; i++) {
      DirectionCell *cell = &table->cells[i];
      cell->count = rng_index(rng, 9);
      cell->successes = cell->count > 0 ? rng_index(rng, (int)cell->count + 1) : 0;
      cell->interval = statistics_wilson(cell->successes, cell->count);
      for (int k = 0; k < DIRECTION_STRATEGIES; k++)
        cell->told += cell->strategies[k] = cell->count > 0 && rng_index(rng, 2) ? rng_index(rng, 3) : 0;
    }
    svg_rose(html, table, "withstood", t % 2 == 0);
    all[t] = table;
  }
  static const char *const names[] = {"early", "late", "never & ever"};
  svg_roses(html, all, names, 3);
  for (int i = 0; i <= 50; i++) {
    char color[8];
    svg_rose_color(i / 50.0, color);
    html_add(html, color);
  }
}

// ---- Doses ----

static DoseFigure figure(Rng *rng, double size) {
  const double value = gap_or(rng, 0, size);
  const bool alone = rng_index(rng, 4) == 0;
  return (DoseFigure){value, alone ? NAN : 0.8 * value, alone ? NAN : 1.3 * value, rng_index(rng, 20)};
}

static DoseTable *draw_dose(Rng *rng, int parts, int sizes, bool front) {
  static const char *const names[] = {"head", "chest", "pelvis", "thigh_l", "hand_l", "upper_arm_l", "foot_r"};
  static StudyAxis part_axis = {.name = "part"}, size_axis = {.name = "push", .unit = "N s"},
                   direction_axis = {.name = "from", .unit = "deg"};
  static char *directions[] = {"0", "90", "180", "270"};
  DoseTable *dose = calloc(1, sizeof *dose);
  assert_non_null(dose);
  direction_axis.values = directions;
  direction_axis.count = 4;
  dose->part_axis = &part_axis;
  dose->size_axis = &size_axis;
  dose->direction_axis = front ? &direction_axis : NULL;
  dose->part_count = parts;
  dose->size_count = sizes;
  dose->joint_count = 5;
  dose->direction_count = front ? 4 : 0;
  dose->has_front = front;
  dose->shown_size = sizes - 1;
  dose->rising = figure(rng, 1);
  for (int s = 0; s < sizes; s++) {
    dose->sizes[s] = (s + (front ? 0 : 1)) * 2.5;
    dose->front[s] = figure(rng, 1);
    dose->around[s] = figure(rng, 1);
  }
  for (int i = 0; i < dose->joint_count; i++)
    dose->joints[i] = names[i];
  for (int p = 0; p < parts; p++) {
    dose->parts[p] = names[p];
    dose->chosen[p] = p % 2 == 0;
    dose->rising_of[p] = figure(rng, 1);
    for (int d = 0; d < 4; d++)
      dose->rising_toward[p][d] = figure(rng, 1);
    for (int i = 0; i < dose->joint_count; i++) {
      dose->joint_peak[p][i] = gap_or(rng, 0, 40);
      dose->joint_peak_time[p][i] = gap_or(rng, 0, 1);
    }
    for (int s = 0; s < sizes; s++) {
      dose->rising_from[p][s] = figure(rng, 1);
      for (int m = 0; m < DOSE_MEASURES; m++)
        dose->measures[m][p][s] = figure(rng, 3 + 20 * (m % 3));
      for (int o = 0; o < parts; o++)
        dose->distance[s][p][o] = p == o ? 0 : gap_or(rng, 0, 15);
    }
  }
  return dose;
}

static void draw_doses(Html *html, Rng *rng) {
  static const int sizes[][2] = {{5, 3}, {7, 6}, {1, 2}, {4, 1}};
  for (int n = 0; n < 4; n++) {
    DoseTable *dose = draw_dose(rng, sizes[n][0], sizes[n][1], n % 2 == 0);
    for (int m = 0; m < DOSE_MEASURES; m++)
      svg_dose_curves(html, dose, (DoseMeasure)m);
    svg_dose_dependence(html, dose);
    svg_dose(html, dose);
    size_t size;
    char *text = dose_csv(dose, &size);
    assert_non_null(text);
    html_add(html, text);
    free(text);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    dose_print(out, dose);
    fclose(out);
    html_add(html, text);
    free(text);
    free(dose);
  }
}

// ---- How hits go through a body ----

static void draw_propagations(Html *html, Rng *rng) {
  enum { STEPS = 82, HITS = 3 };
  static float change[HITS][STEPS][BODY_MAX_PARTS][3];
  Error error = {0};
  SceneDef *def = scene_def_read("stand.yaml", NULL, 0, &error);
  if (!def) {
    fail_msg("%s", error.text);
    return;
  }
  PropagationList *list = calloc(1, sizeof *list);
  assert_non_null(list);
  list->count = HITS;
  for (int n = 0; n < HITS; n++) {
    const int parts = def->characters[0].body->part_count;
    for (int p = 0; p < parts; p++) {
      const int begins = rng_index(rng, 60);
      for (int s = begins; s < STEPS; s++)
        for (int k = 0; k < 3; k++)
          change[n][s][p][k] = (float)(rng_range(rng, -1, 1) * (rng_index(rng, 5) ? 0.5 : 0.01));
    }
    list->hits[n] = (Propagation){.time = 0.5 + n,
                                  .impulse = {3, 0, -4},
                                  .struck = &def->characters[0],
                                  .part = 3 + n,
                                  .step_count = STEPS - 20 * n,
                                  .dt = n == 1 ? 1.0 / 60 : 1.0 / 240,
                                  .change = change[n]};
  }
  for (int left = 0; left < 2; left++) {
    list->left_out = left;
    page_propagation(html, list);
  }
  size_t size;
  char *text = propagation_csv(list);
  assert_non_null(text);
  html_add(html, text);
  free(text);
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  propagation_print(out, list);
  fclose(out);
  html_add(html, text);
  free(text);
  free(list);
  scene_def_free(def);
}

static const struct {
  const char *name;
  void (*draw)(Html *html, Rng *rng);
  uint64_t kept;
} PICTURES[] = {{"lines", draw_lines, 0xbfdd87b1bd559217}, {"curves", draw_curves, 0x3919988f7a680451},
                {"heat", draw_heat, 0xaafa05b09ba6f05f},   {"roses", draw_roses, 0x8a8d5e944f5371ab},
                {"doses", draw_doses, 0x0239b6d3e0f7a7fa}, {"hits", draw_propagations, 0xe11e90e539ac2cc4}};

static void pictures_to_the_letter(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof PICTURES / sizeof *PICTURES; i++) {
    Rng rng = rng_make(1, PICTURES[i].name);
    Html html = {0};
    PICTURES[i].draw(&html, &rng);
    assert_true(html.bytes && !html.failed);
    wrong += !text_is_kept(PICTURES[i].name, html.bytes, PICTURES[i].kept);
    text_free(&html);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pictures_to_the_letter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
