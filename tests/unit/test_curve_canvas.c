// What the mouse does to the keys of a curve in a rectangle of 500 by 100 points.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "viewer/panels/curve_canvas.h"

static const GuiRect RECT = {10, 20, 500, 100};
static const CurveRow SHARE = {.name = "share", .x_max = 5, .y_max = 1};
static const CurveRow ENDLESS = {.name = "endless", .x_max = INFINITY, .y_max = 1};
static const CurveRow ARCH = {.name = "arch", .x_max = 1, .y_max = 100, .arch = true};

static Curve two_keys(void) { return (Curve){.count = 2, .x = {0, 2}, .y = {0, 1}}; }

static void assert_key(const Curve *curve, int key, double x, double y) {
  assert_true(fabs(curve->x[key] - x) < 1e-12);
  assert_true(fabs(curve->y[key] - y) < 1e-12);
}

// A range that is neither endless nor wide is shown whole, others as far as keys are, with room beyond.
static void test_what_is_shown(void **state) {
  (void)state;
  const Curve now = two_keys(), opened = {.count = 1, .x = {4}, .y = {0.5}};
  CurveCanvas canvas = curve_canvas(RECT, &SHARE, &now, &opened);
  assert_true(canvas.x_from == 0 && canvas.x_to == 5 && canvas.y_from == 0 && canvas.y_to == 1);
  canvas = curve_canvas(RECT, &ENDLESS, &now, &opened);
  assert_true(canvas.x_from == 0 && canvas.x_to == 5); // 1.25 * 4
  canvas = curve_canvas(RECT, &ARCH, &now, &opened);
  assert_true(canvas.y_from == 0 && canvas.y_to == 1.25);
}

static void test_hits(void **state) {
  (void)state;
  const Curve curve = two_keys();
  const CurveCanvas canvas = curve_canvas(RECT, &SHARE, &curve, &curve);
  assert_int_equal(curve_canvas_hit(&canvas, &curve, 10, 120, 5), 0); // [0, 0] is at the bottom left
  assert_int_equal(curve_canvas_hit(&canvas, &curve, 213, 24, 5), 1);
  assert_int_equal(curve_canvas_hit(&canvas, &curve, 214, 24, 5), -1);
  assert_int_equal(curve_canvas_hit(&canvas, &curve, 110, 70, 5), -1);
}

static void test_moves_within_what_is_allowed(void **state) {
  (void)state;
  Curve curve = {.count = 3, .x = {0, 2, 4}, .y = {0, 1, 1}};
  const CurveCanvas canvas = curve_canvas(RECT, &SHARE, &curve, &curve);
  curve_canvas_move(&canvas, &SHARE, &curve, 1, 310, 70);
  assert_key(&curve, 1, 3, 0.5);
  curve_canvas_move(&canvas, &SHARE, &curve, 1, 900, -50); // beyond its neighbour and above the range
  assert_key(&curve, 1, 3.99, 1);
  curve_canvas_move(&canvas, &SHARE, &curve, 1, -900, 900);
  assert_key(&curve, 1, 0.01, 0);
  curve_canvas_move(&canvas, &SHARE, &curve, 2, 900, 20);
  assert_key(&curve, 2, 5, 1);
  curve_canvas_move(&canvas, &SHARE, &curve, 0, -5, 20);
  assert_key(&curve, 0, 0, 1);
  curve.x[1] = 0.005; // no room before the third key's place is reached, nor behind the first
  curve.x[2] = 0.01;
  curve_canvas_move(&canvas, &SHARE, &curve, 1, 400, 20);
  assert_key(&curve, 1, 0.005, 1);
}

static void test_adds_and_removes(void **state) {
  (void)state;
  Curve curve = two_keys();
  const CurveCanvas canvas = curve_canvas(RECT, &SHARE, &curve, &curve);
  assert_int_equal(curve_canvas_add(&canvas, &SHARE, &curve, 110, 95), 1);
  assert_int_equal(curve.count, 3);
  assert_key(&curve, 1, 1, 0.25);
  assert_key(&curve, 2, 2, 1);
  assert_int_equal(curve_canvas_add(&canvas, &SHARE, &curve, 110, 40), -1); // there is one at that x
  for (int i = 0; curve.count < CURVE_MAX_KEYS; i++)
    assert_true(curve_canvas_add(&canvas, &SHARE, &curve, 230 + 10 * (float)i, 40) > 2);
  assert_int_equal(curve_canvas_add(&canvas, &SHARE, &curve, 480, 40), -1);
  while (curve.count > 2)
    assert_true(curve_canvas_remove(&SHARE, &curve, 1));
  assert_true(curve_canvas_remove(&SHARE, &curve, 0));
  assert_false(curve_canvas_remove(&SHARE, &curve, 0));
}

static void test_ends_of_an_arch_stay(void **state) {
  (void)state;
  Curve curve = {.count = 3, .x = {0, 0.5, 1}, .y = {0, 1, 0}};
  const CurveCanvas canvas = curve_canvas(RECT, &ARCH, &curve, &curve);
  curve_canvas_move(&canvas, &ARCH, &curve, 0, 300, 20);
  curve_canvas_move(&canvas, &ARCH, &curve, 2, 300, 20);
  assert_key(&curve, 0, 0, 0);
  assert_key(&curve, 2, 1, 0);
  assert_false(curve_canvas_remove(&ARCH, &curve, 0) || curve_canvas_remove(&ARCH, &curve, 2));
  assert_int_equal(curve_canvas_add(&canvas, &ARCH, &curve, 10, 20), -1);
  assert_true(curve_canvas_remove(&ARCH, &curve, 1));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_shown),
      cmocka_unit_test(test_hits),
      cmocka_unit_test(test_moves_within_what_is_allowed),
      cmocka_unit_test(test_adds_and_removes),
      cmocka_unit_test(test_ends_of_an_arch_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
