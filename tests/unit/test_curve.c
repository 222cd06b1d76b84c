// Curves and the critically damped spring.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "anim/curve.h"
#include "anim/spring.h"
#include "sim/base/rng.h"

static void test_linear_curve(void **state) {
  (void)state;
  // Allowed foot offset by direction: behind, beside, in front.
  Curve curve = {.count = 3, .x = {-1, 0, 1}, .y = {1.5, 1.25, 1}};
  assert_true(curve_value(&curve, -1) == 1.5);
  assert_true(curve_value(&curve, 0) == 1.25);
  assert_true(curve_value(&curve, 1) == 1);
  assert_true(curve_value(&curve, -0.5) == 1.375);
  assert_true(curve_value(&curve, 0.5) == 1.125);
  assert_true(curve_value(&curve, -100) == 1.5); // constant beyond the ends
  assert_true(curve_value(&curve, 100) == 1);
  assert_true(curve_value(&curve, -INFINITY) == 1.5);
  assert_true(curve_value(&curve, INFINITY) == 1);
  assert_true(curve_value(&curve, NAN) == 1.5);
}

static void test_curve_of_one_key_is_constant(void **state) {
  (void)state;
  Curve curve = {.count = 1, .smooth = true, .x = {2}, .y = {7}};
  for (double x = 0; x < 4; x += 0.5)
    assert_true(curve_value(&curve, x) == 7);
}

static void test_smooth_curve_has_zero_slope_at_keys(void **state) {
  (void)state;
  Curve curve = {.count = 3, .smooth = true, .x = {0, 1, 3}, .y = {0, 2, -1}};
  for (int i = 0; i < curve.count; i++) {
    double h = 1e-5, x = curve.x[i];
    assert_true(curve_value(&curve, x) == curve.y[i]);
    assert_true(fabs(curve_value(&curve, x + h) - curve_value(&curve, x - h)) / (2 * h) < 1e-4);
  }
  assert_true(curve_value(&curve, 0.5) == 1);
  assert_true(curve_value(&curve, 0.25) == 2 * 0.15625);
  double last = curve_value(&curve, 0);
  for (double x = 0; x <= 1; x += 1.0 / 64) { // no overshoot between keys
    double y = curve_value(&curve, x);
    assert_true(y >= last && y <= 2);
    last = y;
  }
}

static bool read_curve(const char *text, Curve *curve, Error *error) {
  char yaml[512];
  snprintf(yaml, sizeof yaml, "c: %s\n", text);
  Document document;
  assert_true(document_parse(&document, "scene.yaml", yaml, error));
  bool ok = curve_read(curve, node_find(document.root, "c"), 0, 10, error);
  document_free(&document);
  return ok;
}

static void test_curves_are_read(void **state) {
  (void)state;
  Curve curve;
  Error error = {0};
  assert_true(read_curve("[[-1, 1.5], [0, 1/2], [1, 10]]", &curve, &error));
  assert_int_equal(curve.count, 3);
  assert_false(curve.smooth);
  assert_true(curve.x[0] == -1 && curve.y[0] == 1.5 && curve.y[1] == 0.5 && curve.y[2] == 10);
  assert_true(read_curve("{smooth: true, keys: [[0, 0], [1, 1]]}", &curve, &error));
  assert_int_equal(curve.count, 2);
  assert_true(curve.smooth);
  assert_true(read_curve("{keys: [[0, 3]]}", &curve, &error));
  assert_false(curve.smooth);
  assert_true(curve_value(&curve, 5) == 3);
}

static void assert_refused(const char *text, const char *message) {
  Curve curve = {.count = 1, .y = {4}};
  Error error = {0};
  assert_false(read_curve(text, &curve, &error));
  assert_string_equal(error.text, message);
  assert_true(curve.count == 1 && curve.y[0] == 4); // untouched
}

static void test_bad_curves_are_refused(void **state) {
  (void)state;
  assert_refused("3", "scene.yaml:1:4: expected a curve of 1 to 16 keys: [[x, y], [x, y], ...]");
  assert_refused("[]", "scene.yaml:1:4: expected a curve of 1 to 16 keys: [[x, y], [x, y], ...]");
  assert_refused("[0, 1]", "scene.yaml:1:5: expected a list of 2 numbers, got 0");
  assert_refused("[[0, 1, 2]]", "scene.yaml:1:5: expected a list of 2 numbers, got a list of 3");
  assert_refused("[[0, x]]", "scene.yaml:1:9: expected a number, got x");
  assert_refused("[[0, 1], [0, 2]]", "scene.yaml:1:14: x of the curve must increase from key to key, but 0 follows 0");
  assert_refused("[[0, 1], [1, 11]]", "scene.yaml:1:17: y of the curve is 11, allowed are 0 to 10");
  assert_refused("[[0, -1]]", "scene.yaml:1:9: y of the curve is -1, allowed are 0 to 10");
  assert_refused("{smooth: true}", "scene.yaml:1:4: the curve has no keys, expected keys: [[x, y], [x, y], ...]");
  assert_refused("{smoth: true, keys: [[0, 1]]}", "scene.yaml:1:5: unknown key 'smoth' in c, did you mean 'smooth'?");
  assert_refused(
      "[[0,1],[1,1],[2,1],[3,1],[4,1],[5,1],[6,1],[7,1],[8,1],[9,1],[10,1],[11,1],[12,1],[13,1],[14,1],[15,1],"
      "[16,1]]",
      "scene.yaml:1:4: expected a curve of 1 to 16 keys: [[x, y], [x, y], ...]");
}

// From rest at distance 1: x(t) = 1 - (1 + w t) exp(-w t).
// ---- Tables ----

typedef struct Shapes {
  Curve push, by_size, by_side;
} Shapes;

static const CurveRow SHAPE_ROWS[] = {
    {.name = "push", .offset = offsetof(Shapes, push), .x_max = 1, .y_max = 100, .arch = true},
    {.name = "effect.size", .offset = offsetof(Shapes, by_size), .x_max = 9, .y_max = 1},
    {.name = "effect.side", .offset = offsetof(Shapes, by_side), .x_max = 9, .y_max = 1},
};
static const CurveTable SHAPES = {SHAPE_ROWS, 3};

static bool read_shapes(const char *text, Shapes *shapes, Error *error) {
  Document document;
  if (!document_parse(&document, "shapes", text, error))
    return false;
  *shapes = (Shapes){.push = {.count = 1}, .by_size = {.count = 1, .y = {0.1}}, .by_side = {.count = 1, .y = {0.2}}};
  const bool good = curve_table_read(&SHAPES, shapes, document.root, error);
  document_free(&document);
  return good;
}

static void assert_bad_shapes(const char *text, const char *message) {
  Error error = {0};
  Shapes shapes = {0};
  assert_false(read_shapes(text, &shapes, &error));
  assert_string_equal(error.text, message);
}

static void test_tables_are_read(void **state) {
  (void)state;
  Error error = {0};
  Shapes shapes = {0};
  assert_true(read_shapes("effect: [[0, 0.5]]\nother: 1\n", &shapes, &error)); // the first row in place of the map
  assert_true(shapes.by_size.y[0] == 0.5 && shapes.by_side.y[0] == 0.2);
  assert_true(read_shapes("effect: {smooth: true, keys: [[0, 0.5]]}\n", &shapes, &error));
  assert_true(shapes.by_size.smooth && shapes.by_size.y[0] == 0.5);
  assert_true(read_shapes("effect: {side: [[0, 0.5]]}\npush: [[0, 0], [0.5, 2], [1, 0]]\n", &shapes, &error));
  assert_true(shapes.by_size.y[0] == 0.1 && shapes.by_side.y[0] == 0.5 && shapes.push.y[1] == 2);
  assert_bad_shapes("effect: {side: [[0, 2]]}\n", "shapes:1:21: y of the curve is 2, allowed are 0 to 1");
  assert_bad_shapes("effect: {side: [[0, 1]], sise: [[0, 1]]}\n",
                    "shapes:1:26: unknown key 'sise' in effect, did you mean 'size'?");
  assert_bad_shapes("push: [[0, 0], [1, 1]]\n",
                    "shapes:1:7: the push of a step must begin with [0, 0] and end with [1, 0]");
}

static void test_curves_are_written(void **state) {
  (void)state;
  const Curve curves[] = {{.count = 1, .x = {-1e-300}, .y = {1.0 / 3}},
                          {.count = 2, .smooth = true, .x = {0, 0.1}, .y = {0, 1}}};
  for (int i = 0; i < 2; i++) {
    char text[CURVE_TEXT_SIZE], line[CURVE_TEXT_SIZE + 16];
    Error error = {0};
    Shapes shapes = {0};
    curve_write(&curves[i], text, sizeof text);
    snprintf(line, sizeof line, "effect: %s\n", text);
    assert_true(read_shapes(line, &shapes, &error));
    assert_true(curve_is_equal(&shapes.by_size, &curves[i]));
  }
  char text[CURVE_TEXT_SIZE];
  curve_write(&curves[1], text, sizeof text);
  assert_string_equal(text, "{smooth: true, keys: [[0, 0], [0.1, 1]]}");
}

static void test_spring_follows_the_closed_form(void **state) {
  (void)state;
  double x = 0, velocity = 0;
  spring_step(&x, &velocity, 1, 0.5, 0.25); // w = 4, w t = 1
  assert_true(fabs(x - (1 - 2 * exp(-1))) < 1e-15);
  assert_true(fabs(velocity - 4 * exp(-1)) < 1e-15);
}

static void test_spring_does_not_depend_on_the_step(void **state) {
  (void)state;
  Rng rng = rng_make(1, "spring");
  for (int i = 0; i < 200; i++) {
    double x = rng_range(&rng, -5, 5), velocity = rng_range(&rng, -50, 50), goal = rng_range(&rng, -5, 5);
    double damp_seconds = rng_range(&rng, 0.01, 2), time = rng_range(&rng, 0, 1);
    double split_x = x, split_velocity = velocity, rest = time;
    spring_step(&x, &velocity, goal, damp_seconds, time);
    while (rest > 0) {
      double dt = fmin(rest, rng_range(&rng, 0, 0.2));
      spring_step(&split_x, &split_velocity, goal, damp_seconds, dt);
      rest -= dt;
    }
    assert_true(fabs(split_x - x) < 1e-11);
    assert_true(fabs(split_velocity - velocity) < 1e-9);
  }
}

static void test_spring_from_rest_never_overshoots(void **state) {
  (void)state;
  double x = 0, velocity = 0;
  for (int i = 0; i < 1000; i++) {
    double before = x;
    spring_step(&x, &velocity, 1, 0.3, 0.01);
    assert_true(x >= before && x <= 1 && velocity >= 0);
  }
  assert_true(fabs(x - 1) < 1e-12);
}

static void test_spring_survives_extremes(void **state) {
  (void)state;
  double x = 3, velocity = -2;
  spring_step(&x, &velocity, 1, 0.5, 0); // no time, no change
  assert_true(x == 3 && velocity == -2);
  spring_step(&x, &velocity, 1, 0.5, 1e9); // an infinite time
  assert_true(x == 1 && velocity == 0);
  const double stiff[] = {0, -1, 1e-12, 1e-320};
  for (int i = 0; i < 4; i++) {
    x = 3, velocity = -2;
    spring_step(&x, &velocity, 1, stiff[i], 1.0 / 60);
    assert_true(x == 1 && velocity == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_linear_curve),
      cmocka_unit_test(test_curve_of_one_key_is_constant),
      cmocka_unit_test(test_smooth_curve_has_zero_slope_at_keys),
      cmocka_unit_test(test_curves_are_read),
      cmocka_unit_test(test_bad_curves_are_refused),
      cmocka_unit_test(test_tables_are_read),
      cmocka_unit_test(test_curves_are_written),
      cmocka_unit_test(test_spring_follows_the_closed_form),
      cmocka_unit_test(test_spring_does_not_depend_on_the_step),
      cmocka_unit_test(test_spring_from_rest_never_overshoots),
      cmocka_unit_test(test_spring_survives_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
