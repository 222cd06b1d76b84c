// Parameter tables: defaults, every type read, refused with its name and limits, and written so that it reads back.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/param.h"

#define SAMPLE_PARAMS(ROW, T)                                                                                          \
  ROW(T, BOOL, enabled, "true", 0, 0, "", "A switch.")                                                                 \
  ROW(T, INT, iterations, "20", 5, 500, "-", "A count.")                                                               \
  ROW(T, REAL, dt, "1/240", 0.0001, 0.02, "s", "A time.")                                                              \
  ROW(T, REAL, friction, "0.9", 0, 10, "-", "A number without a unit.")                                                \
  ROW(T, RANGE, every, "[1, 2]", 0, 60, "s", "A range.")                                                               \
  ROW(T, VECTOR, gravity, "[0, -9.81, 0]", -100, 100, "m/s^2", "A vector.")                                            \
  ROW(T, CHOICE, solver, "step", 0, 0, "step|iterative|none", "A choice.")                                             \
  ROW(T, TEXT, image, "\"\"", 0, 0, "", "A text.")

typedef struct Sample {
  int before; // not in the table
  SAMPLE_PARAMS(PARAM_FIELD, Sample)
  int after; // not in the table
} Sample;

PARAM_TABLE(sample_params, Sample, SAMPLE_PARAMS, "world", "A table to test with.")

static Sample sample_default(void) {
  Sample sample = {.before = 11, .after = 22};
  param_defaults(&sample_params, &sample);
  return sample;
}

// Reads the text as the section `world`.
static bool read_section(const char *text, Sample *sample, Error *error) {
  static const char *const OTHER_KEYS[] = {"bodies", NULL};
  char yaml[1024];
  snprintf(yaml, sizeof yaml, "world:\n%s\n", text);
  Document document;
  bool ok = document_parse(&document, "scene.yaml", yaml, error) &&
            param_read(&sample_params, sample, node_find(document.root, "world"), OTHER_KEYS, error);
  document_free(&document);
  return ok;
}

static void assert_refused(const char *text, const char *message) {
  Sample sample = sample_default(), untouched = sample;
  Error error = {0};
  assert_false(read_section(text, &sample, &error));
  assert_string_equal(error.text, message);
  assert_memory_equal(&sample, &untouched, sizeof sample);
}

static void test_defaults_fill_the_table_only(void **state) {
  (void)state;
  Sample sample = sample_default();
  assert_true(sample.enabled);
  assert_int_equal(sample.iterations, 20);
  assert_true(sample.dt == 1.0 / 240);
  assert_true(sample.every[0] == 1 && sample.every[1] == 2);
  assert_true(sample.gravity[0] == 0 && sample.gravity[1] == -9.81 && sample.gravity[2] == 0);
  assert_int_equal(sample.solver, 0);
  assert_string_equal(sample.image, "");
  assert_int_equal(sample.before, 11);
  assert_int_equal(sample.after, 22);
}

static void test_every_type_is_read(void **state) {
  (void)state;
  Sample sample = sample_default();
  Error error = {0};
  assert_true(read_section("  enabled: false\n  iterations: 500\n  dt: 1/480\n  every: [0.8, 2]\n  gravity: [1, 2, 3]\n"
                           "  solver: iterative\n  image: hills.png\n  bodies: anything\n",
                           &sample, &error));
  assert_string_equal(error.text, "");
  assert_false(sample.enabled);
  assert_int_equal(sample.iterations, 500);
  assert_true(sample.dt == 1.0 / 480);
  assert_true(sample.every[0] == 0.8 && sample.every[1] == 2);
  assert_true(sample.gravity[0] == 1 && sample.gravity[1] == 2 && sample.gravity[2] == 3);
  assert_int_equal(sample.solver, 1);
  assert_string_equal(sample.image, "hills.png");
  assert_true(sample.friction == 0.9); // absent: kept
  assert_int_equal(sample.before, 11);
  assert_int_equal(sample.after, 22);
}

static void test_limits_are_inclusive(void **state) {
  (void)state;
  Sample sample = sample_default();
  assert_true(
      read_section("  dt: 0.0001\n  iterations: 5\n  every: [0, 60]\n  gravity: [-100, 100, 0]", &sample, NULL));
  assert_true(read_section("  dt: 0.02\n  iterations: 500\n", &sample, NULL));
  assert_false(read_section("  dt: 0.0200001\n", &sample, NULL));
  assert_false(read_section("  iterations: 501\n", &sample, NULL));
}

static void test_one_number_is_a_range(void **state) {
  (void)state;
  Sample sample = sample_default();
  assert_true(read_section("  every: 3", &sample, NULL));
  assert_true(sample.every[0] == 3 && sample.every[1] == 3);
}

static void test_absent_and_empty_sections_are_fine(void **state) {
  (void)state;
  Sample sample = sample_default(), untouched = sample;
  assert_true(param_read(&sample_params, &sample, NULL, NULL, NULL));
  assert_true(read_section("", &sample, NULL));
  assert_true(read_section("  {}", &sample, NULL));
  assert_memory_equal(&sample, &untouched, sizeof sample);
}

static void test_refusals_name_the_value_and_what_is_allowed(void **state) {
  (void)state;
  assert_refused("  dt: 1", "scene.yaml:2:7: world.dt is 1, allowed are 0.0001 to 0.02 s");
  assert_refused("  dt: fast", "scene.yaml:2:7: world.dt is fast, allowed are 0.0001 to 0.02 s");
  assert_refused("  dt: \"0.01\"", "scene.yaml:2:7: world.dt is \"0.01\", allowed are 0.0001 to 0.02 s");
  assert_refused("  dt: nan", "scene.yaml:2:7: world.dt is nan, allowed are 0.0001 to 0.02 s");
  assert_refused("  friction: -1", "scene.yaml:2:13: world.friction is -1, allowed are 0 to 10");
  assert_refused("  iterations: 2.5",
                 "scene.yaml:2:15: world.iterations is 2.5, allowed are whole numbers from 5 to 500");
  assert_refused("  enabled: 1", "scene.yaml:2:12: world.enabled is 1, allowed are true and false");
  assert_refused("  solver: stepp", "scene.yaml:2:11: world.solver is stepp, allowed are step, iterative, none");
  assert_refused("  solver: ste", "scene.yaml:2:11: world.solver is ste, allowed are step, iterative, none");
  assert_refused("  solver: [step]", "scene.yaml:2:11: world.solver is [step], allowed are step, iterative, none");
  assert_refused("  every: [2, 1]", "scene.yaml:2:10: world.every is [2, 1], but low must not be above high");
  assert_refused("  every: [1, 61]",
                 "scene.yaml:2:10: world.every is [1, 61], allowed are a number or [low, high], from 0 to 60 s");
  assert_refused("  every: [1, 2, 3]",
                 "scene.yaml:2:10: world.every is [1, 2, 3], allowed are a number or [low, high], from 0 to 60 s");
  assert_refused("  gravity: 9.81",
                 "scene.yaml:2:12: world.gravity is 9.81, allowed are [x, y, z], each from -100 to 100 m/s^2");
  assert_refused("  gravity: [0, -200, 0]",
                 "scene.yaml:2:12: world.gravity is [0, -200, 0], allowed are [x, y, z], each from -100 to 100 m/s^2");
  assert_refused("  gravity: {y: 1}",
                 "scene.yaml:2:12: world.gravity is a map of 1, allowed are [x, y, z], each from -100 to 100 m/s^2");
  assert_refused("  image: [a, b, c, d, e]",
                 "scene.yaml:2:10: world.image is a list of 5, allowed are texts of at most 127 bytes");
}

static void test_unknown_keys_are_refused(void **state) {
  (void)state;
  assert_refused("  frction: 1", "scene.yaml:2:3: unknown key 'frction' in world, did you mean 'friction'?");
  assert_refused("  bodys: 1", "scene.yaml:2:3: unknown key 'bodys' in world, did you mean 'bodies'?");
  assert_refused("  wind: 1", "scene.yaml:2:3: unknown key 'wind' in world, allowed are enabled, iterations, dt, "
                              "friction, every, gravity, solver, image, bodies");
  assert_refused("  - 1", "scene.yaml:2:3: expected keys and values (key: value), got a list");
}

static void test_long_text_is_refused(void **state) {
  (void)state;
  char yaml[256];
  memset(yaml, 'x', sizeof yaml);
  memcpy(yaml, "  image: ", 9);
  yaml[9 + PARAM_TEXT_SIZE - 1] = '\0';
  Sample sample = sample_default();
  assert_true(read_section(yaml, &sample, NULL));
  assert_int_equal(strlen(sample.image), PARAM_TEXT_SIZE - 1);
  yaml[9 + PARAM_TEXT_SIZE - 1] = 'x';
  yaml[9 + PARAM_TEXT_SIZE] = '\0';
  Error error = {0};
  assert_false(read_section(yaml, &sample, &error));
  assert_non_null(strstr(error.text, "allowed are texts of at most 127 bytes"));
}

static void test_one_row_by_itself(void **state) {
  (void)state;
  Sample sample = sample_default();
  Document document;
  assert_true(document_parse(&document, "sweep.yaml", "good: 2\nbad: 11\n", NULL));
  const Param *row = param_find(&sample_params, "friction");
  assert_non_null(row);
  assert_null(param_find(&sample_params, "fric"));
  Error error = {0};
  assert_true(param_read_row(row, &sample, node_find(document.root, "good"), &error));
  assert_true(sample.friction == 2);
  assert_false(param_read_row(row, &sample, node_find(document.root, "bad"), &error));
  assert_string_equal(error.text, "sweep.yaml:2:6: friction is 11, allowed are 0 to 10");
  assert_true(sample.friction == 2);
  document_free(&document);
}

static void assert_written(const Sample *sample, const char *name, const char *expected) {
  char text[300];
  param_write_row(param_find(&sample_params, name), sample, text, sizeof text);
  assert_string_equal(text, expected);
}

static void test_values_are_written_as_yaml(void **state) {
  (void)state;
  Sample sample = sample_default();
  assert_written(&sample, "enabled", "true");
  assert_written(&sample, "iterations", "20");
  assert_written(&sample, "dt", "0.004166666666666667");
  assert_written(&sample, "friction", "0.9");
  assert_written(&sample, "every", "[1, 2]");
  assert_written(&sample, "gravity", "[0, -9.81, 0]");
  assert_written(&sample, "solver", "step");
  assert_written(&sample, "image", "\"\"");
  sample.solver = 2;
  assert_written(&sample, "solver", "none");
  strcpy(sample.image, "a \"b\" \\ \n\x7f");
  assert_written(&sample, "image", "\"a \\\"b\\\" \\\\ \\x0a\\x7f\"");
  char cut[5];
  param_write_row(param_find(&sample_params, "image"), &sample, cut, sizeof cut);
  assert_string_equal(cut, "\"a \\");
}

static void test_written_values_read_back_the_same(void **state) {
  (void)state;
  Sample sample = sample_default();
  sample.enabled = false;
  sample.dt = 0.01 + 0x1p-55;
  sample.friction = 1.0 / 3;
  sample.every[0] = 1e-300;
  sample.gravity[2] = nextafter(-9.81, 0);
  sample.solver = 1;
  strcpy(sample.image, "#no: \"comment\", {h\xc3\xb6he}\t");
  char yaml[1024] = "";
  for (int i = 0; i < sample_params.count; i++) {
    char text[300];
    param_write_row(&sample_params.rows[i], &sample, text, sizeof text);
    size_t length = strlen(yaml);
    snprintf(yaml + length, sizeof yaml - length, "  %s: %s\n", sample_params.rows[i].name, text);
  }
  Sample again = sample_default();
  Error error = {0};
  if (!read_section(yaml, &again, &error))
    fail_msg("%s", error.text);
  assert_true(again.dt == sample.dt && again.friction == sample.friction && again.enabled == sample.enabled);
  assert_memory_equal(again.every, sample.every, sizeof sample.every);
  assert_memory_equal(again.gravity, sample.gravity, sizeof sample.gravity);
  assert_int_equal(again.solver, sample.solver);
  assert_string_equal(again.image, sample.image);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults_fill_the_table_only),
      cmocka_unit_test(test_every_type_is_read),
      cmocka_unit_test(test_limits_are_inclusive),
      cmocka_unit_test(test_one_number_is_a_range),
      cmocka_unit_test(test_absent_and_empty_sections_are_fine),
      cmocka_unit_test(test_refusals_name_the_value_and_what_is_allowed),
      cmocka_unit_test(test_unknown_keys_are_refused),
      cmocka_unit_test(test_long_text_is_refused),
      cmocka_unit_test(test_one_row_by_itself),
      cmocka_unit_test(test_values_are_written_as_yaml),
      cmocka_unit_test(test_written_values_read_back_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
