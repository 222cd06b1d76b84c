// Learning curves: well-formed SVG with every label, points at exact places, gaps where a value is missing.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/train/learning_curve.h"

enum { MOST_DEPTH = 16 };

static size_t name_length(const char *name) {
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '-')
    length++;
  return length;
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

// One element around all, each one closed in its turn, quotes in pairs, an entity after each &.
static void assert_well_formed(const char *text) {
  char open[MOST_DEPTH][16] = {{0}};
  int depth = 0, roots = 0;
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '&')
      assert_true(strchr(at, ';') && strchr(at, ';') - at <= 5);
    if (*at != '<')
      continue;
    const char *end = strchr(at, '>');
    assert_non_null(end);
    int quotes = 0;
    for (const char *c = at + 1; c < end; c++) {
      assert_true(*c != '<');
      quotes += *c == '"';
    }
    assert_int_equal(quotes % 2, 0);
    if (at[1] == '/') {
      assert_true(depth > 0);
      const size_t length = strlen(open[--depth]);
      assert_true(name_length(at + 2) == length && strncmp(at + 2, open[depth], length) == 0);
    } else if (end[-1] != '/') {
      assert_true(depth < MOST_DEPTH);
      roots += depth == 0;
      snprintf(open[depth++], sizeof open[0], "%.*s", (int)name_length(at + 1), at + 1);
    }
    at = end;
  }
  assert_int_equal(depth, 0);
  assert_int_equal(roots, 1);
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "inf"));
}

// The picture, which the caller frees.
static char *draw(const LearningCurve *curve) {
  char *svg = learning_curve_svg(curve);
  assert_non_null(svg);
  assert_well_formed(svg);
  return svg;
}

static void test_every_label(void **state) {
  (void)state;
  static const char *const terms[] = {"pose", "feet & hands", "rates", "root", "velocity", "power", "contacts", "pace"};
  static const LearningStage stages[] = {{"flat", 0}, {"pushes < 80 N s", 3e6}, {"not yet", 9e6}};
  static LearningRow rows[40];
  for (int i = 0; i < 40; i++) {
    rows[i] = (LearningRow){.samples = 1.25e5 * (i + 1), .minutes = i + 1, .time_to_failure = 1 + i, .reward = 0.5};
    for (int k = 0; k < LEARNING_MOST_TERMS; k++)
      rows[i].terms[k] = 0.01 * k * i;
  }
  char *svg = draw(&(LearningCurve){"Run <human>", rows, 40, terms, 8, stages, 3});
  static const char *const labels[] = {">Run &lt;human&gt;</text>",
                                       ">Mean time to a failure, s (logarithmic)<",
                                       ">time to a failure<",
                                       ">40.0 s<",
                                       ">Mean reward of a decision and its terms<",
                                       ">reward<",
                                       ">0.500<",
                                       ">million samples<",
                                       ">minutes of computing<",
                                       ">pose<",
                                       ">feet &amp; hands<",
                                       ">rates<",
                                       ">root<",
                                       ">velocity<",
                                       ">power<",
                                       ">contacts<",
                                       ">pace<",
                                       ">2.730<",
                                       ">flat<",
                                       ">pushes &lt; 80 N s<"};
  for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
    if (!strstr(svg, labels[i]))
      fail_msg("no label %s", labels[i]);
  assert_null(strstr(svg, "not yet")); // begins after the end
  assert_int_equal(count_of(svg, "class=\"stage\""), 4);
  assert_int_equal(count_of(svg, "<circle"), 10); // a line for the time, the reward and each term
  assert_int_equal(count_of(svg, "xmlns="), 1);
  assert_int_equal(count_of(svg, "http"), 1); // it needs nothing beside it
  free(svg);
}

// The panels are 616 px wide from 60, 180 px high from 122 and 200 px high from 344.
static void test_points_stand_at_their_values(void **state) {
  (void)state;
  static const char *const terms[] = {"pose"};
  const LearningRow rows[] = {{.samples = 1000, .minutes = 10, .time_to_failure = 1, .reward = 0.5, .terms = {-0.5}},
                              {.samples = 2000, .minutes = 40, .time_to_failure = 10, .reward = 1, .terms = {0}}};
  char *svg = draw(&(LearningCurve){"run", rows, 2, terms, 1, NULL, 0});
  // From 0.5 s to 20 s: 1 s is a share of log 2 / log 40, 10 s of log 20 / log 40.
  assert_non_null(strstr(svg, "d=\"M368.0 268.2L676.0 155.8\""));
  assert_non_null(strstr(svg, ">0.5</text>"));
  assert_non_null(strstr(svg, ">20</text>"));
  // From -0.5 to 1.
  assert_non_null(strstr(svg, "d=\"M368.0 410.7L676.0 344.0\""));
  assert_non_null(strstr(svg, "d=\"M368.0 544.0L676.0 477.3\""));
  // Minutes run from 0 to 10 in the first half and to 40 in the second.
  assert_non_null(strstr(svg, ">thousand samples<"));
  assert_non_null(strstr(svg, "x=\"214.0\" y=\"579.0\" text-anchor=\"middle\">5<"));
  assert_non_null(strstr(svg, "x=\"522.0\" y=\"579.0\" text-anchor=\"middle\">25<"));
  free(svg);
}

// A time that spans many decades has ticks at powers of ten alone.
static void test_decades(void **state) {
  (void)state;
  const LearningRow rows[] = {{.samples = 1, .time_to_failure = 0.03}, {.samples = 2, .time_to_failure = 3000}};
  char *svg = draw(&(LearningCurve){"run", rows, 2, NULL, 0, NULL, 0});
  static const char *const ticks[] = {"0.1", "1", "10", "100", "1000"};
  for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
    char text[32];
    snprintf(text, sizeof text, "text-anchor=\"end\">%s<", ticks[i]);
    assert_non_null(strstr(svg, text));
  }
  assert_null(strstr(svg, "text-anchor=\"end\">200<"));
  assert_non_null(strstr(svg, ">samples<"));
  free(svg);
}

static bool has_tick(const char *svg, int seconds) {
  char text[40];
  snprintf(text, sizeof text, "text-anchor=\"end\">%d<", seconds);
  return strstr(svg, text) != NULL;
}

// The axis of times ends at the nearest of 1, 2, 5, 10 ... that are not within 2 % of the values.
static void test_ends_of_the_time_axis(void **state) {
  (void)state;
  static const int ladder[] = {2, 5, 10, 20, 50, 100, 200, 500};
  static const double least[] = {2.5, 3.3, 4.9, 5.05, 6, 8, 9.5, 12, 21}, shares[] = {1, 1.3, 2, 3, 4.4, 7};
  for (int i = 0; i < 9; i++)
    for (int k = 0; k < 6; k++) {
      const double ends[2] = {least[i], least[i] * shares[k]};
      const LearningRow rows[] = {{.samples = 1, .time_to_failure = (float)ends[0], .reward = NAN},
                                  {.samples = 2, .time_to_failure = (float)ends[1], .reward = NAN}};
      char *svg = draw(&(LearningCurve){"run", rows, 2, NULL, 0, NULL, 0});
      int low = 0, high = 0;
      while (ladder[low + 1] < ends[0] * pow(10, -0.01))
        low++;
      while (ladder[high] < ends[1] * pow(10, 0.01))
        high++;
      for (int j = 0; j < 8; j++)
        if (has_tick(svg, ladder[j]) != (j >= low && j <= high))
          fail_msg("%g s to %g s: a tick at %d s is %s", ends[0], ends[1], ladder[j],
                   has_tick(svg, ladder[j]) ? "there" : "missing");
      free(svg);
    }
}

static void test_gaps(void **state) {
  (void)state;
  LearningRow rows[] = {{.samples = 1, .time_to_failure = 2, .reward = NAN},
                        {.samples = 2, .time_to_failure = INFINITY, .reward = NAN},
                        {.samples = 3, .time_to_failure = 2, .reward = NAN},
                        {.samples = 4, .time_to_failure = 0, .reward = NAN}};
  char *svg = draw(&(LearningCurve){"run", rows, 4, NULL, 0, NULL, 0});
  const char *path = strstr(svg, "d=\"M214.0 ");
  assert_non_null(path);
  assert_int_equal(strncmp(strchr(path + 4, 'M'), "M522.0 ", 7), 0); // from the first to the third without a line
  assert_int_equal(count_of(svg, "<circle"), 1);                     // no value of the reward at all
  free(svg);
  for (int i = 0; i < 4; i++)
    rows[i].time_to_failure = INFINITY;
  svg = draw(&(LearningCurve){"run", rows, 4, NULL, 0, NULL, 0});
  assert_non_null(strstr(svg, ">no failure<"));
  free(svg);
}

// A training that has just begun: no row, one row, and one of no samples.
static void test_beginning(void **state) {
  (void)state;
  const LearningRow row = {.samples = 500, .minutes = 0.2, .time_to_failure = 0.3, .reward = 0.1}, none = {0};
  char *svg = draw(&(LearningCurve){"run", NULL, 0, NULL, 0, NULL, 0});
  assert_int_equal(count_of(svg, "<circle"), 0);
  free(svg);
  svg = draw(&(LearningCurve){"run", &row, 1, NULL, 0, NULL, 0});
  assert_int_equal(count_of(svg, "<circle"), 2);
  free(svg);
  svg = draw(&(LearningCurve){"run", &none, 1, NULL, 0, NULL, 0});
  assert_int_equal(count_of(svg, "<circle"), 1);
  free(svg);
}

// Names of stages that begin close to each other stand in two lines, others in one.
static void test_close_stages(void **state) {
  (void)state;
  const LearningRow row = {.samples = 1000, .time_to_failure = 1};
  const LearningStage stages[] = {{"a long name of a stage", 0}, {"close", 100}, {"far", 500}};
  char *svg = draw(&(LearningCurve){"run", &row, 1, NULL, 0, stages, 3});
  assert_non_null(strstr(svg, "y=\"114.0\" text-anchor=\"start\">a long name of a stage<"));
  assert_non_null(strstr(svg, "y=\"101.0\" text-anchor=\"start\">close<"));
  assert_non_null(strstr(svg, "y=\"114.0\" text-anchor=\"start\">far<"));
  assert_int_equal(count_of(svg, "class=\"stage\" x1=\"121.6\""), 2); // in both panels
  free(svg);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_label),  cmocka_unit_test(test_points_stand_at_their_values),
      cmocka_unit_test(test_decades),      cmocka_unit_test(test_ends_of_the_time_axis),
      cmocka_unit_test(test_gaps),         cmocka_unit_test(test_beginning),
      cmocka_unit_test(test_close_stages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
