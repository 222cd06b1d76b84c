// What the panels compute by themselves: steps of scales, searches, names, and metrics as text.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "scenes/run/outcome.h"
#include "viewer/panels/panels.h"

static void test_round_steps(void **state) {
  (void)state;
  assert_true(fabs(panels_round_step(10, 10) - 1) < 1e-12);
  assert_true(fabs(panels_round_step(10, 5) - 2) < 1e-12);
  assert_true(fabs(panels_round_step(10, 4) - 5) < 1e-12);
  assert_true(fabs(panels_round_step(10, 1) - 10) < 1e-12);
  assert_true(fabs(panels_round_step(0.03, 6) - 0.005) < 1e-12);
  for (double range = 1e-6; range < 1e6; range *= 1.37)
    for (int most = 1; most < 20; most++) {
      double step = panels_round_step(range, most);
      assert_true(step * most >= range * (1 - 1e-9));  // no more than the limit
      assert_true(step * most <= range * 2.5 * 1.001); // and not much fewer
    }
  // Inputs with which a loop over the steps must still end.
  assert_true(panels_round_step(0, 5) > 0);
  assert_true(panels_round_step(NAN, 5) > 0);
  assert_true(panels_round_step(INFINITY, 5) > 0);
  assert_true(panels_round_step(1, 0) > 0);
}

static void test_searches(void **state) {
  (void)state;
  assert_true(panels_contains("damping_ratio", "DAMP"));
  assert_true(panels_contains("damping_ratio", "ratio"));
  assert_true(panels_contains("", ""));
  assert_true(panels_contains("force", ""));
  assert_false(panels_contains("", "a"));
  assert_false(panels_contains("forc", "force"));
  assert_string_equal(panels_file_name("scenes/hit_run.yaml"), "hit_run.yaml");
  assert_string_equal(panels_file_name("hit_run.yaml"), "hit_run.yaml");
}

static void test_colors(void **state) {
  (void)state;
  assert_int_equal(panels_color((vec4s){{1, 0, 0.5f, 1}}), 0xFF0080FF);
  assert_int_equal(panels_color((vec4s){{2, -1, 0, 0}}), 0xFF000000);
  assert_int_equal(panels_mix(0x204060FF, 0xFFFFFFFF, 0), 0x204060FF);
  assert_int_equal(panels_mix(0x204060FF, 0xFFFFFF80, 1), 0xFFFFFF80);
}

static void test_metrics_as_text(void **state) {
  (void)state;
  static const struct {
    MetricRow row;
    double value;
    const char *text, *unit;
  } cases[] = {
      {{"Run", "distance", "m", ""}, 70.0136, "70.014", "m"},
      {{"Feet", "foot_slip_max", "m", ""}, 0.00125, "1.2", "mm"},
      {{"Output", "output_jump_max_distance", "m", ""}, 0.002, "2.0", "mm"},
      {{"Run", "fell", "bool", ""}, 1, "yes", ""},
      {{"Run", "fell", "bool", ""}, 0, "no", ""},
      {{"Hits", "hits", "-", ""}, 12, "12", ""},
      {{"Hits", "recovered_share", "-", ""}, 0.875, "0.88", ""},
      {{"Hits", "recovery_time", "s", ""}, NAN, "-", "s"},
      {{"Run", "fell", "bool", ""}, NAN, "-", ""},
      {{"Output", "knee_pop_max", "deg/s^2", ""}, 52219.4, "52219", "deg/s^2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[64];
    const char *unit = NULL;
    outcome_metric_text(&cases[i].row, cases[i].value, text, sizeof text, &unit);
    assert_string_equal(text, cases[i].text);
    assert_string_equal(unit, cases[i].unit);
    outcome_metric_text(&cases[i].row, cases[i].value, text, sizeof text, NULL);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_steps),
      cmocka_unit_test(test_searches),
      cmocka_unit_test(test_colors),
      cmocka_unit_test(test_metrics_as_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
