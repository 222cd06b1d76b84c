// Errors: the text, the place, the first one is kept, and nothing is written past the end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/error.h"

static void test_error_has_text_and_place(void **state) {
  (void)state;
  Error error = {0};
  assert_false(error_at(&error, "scene.yaml", 4, 11, "dt is %g", 1.5));
  assert_string_equal(error.text, "scene.yaml:4:11: dt is 1.5");
}

static void test_first_error_is_kept(void **state) {
  (void)state;
  Error error = {0};
  assert_false(error_set(&error, "the cause"));
  assert_false(error_set(&error, "what followed"));
  assert_false(error_at(&error, "a", 1, 1, "what followed"));
  assert_string_equal(error.text, "the cause");
}

static void test_null_is_allowed(void **state) {
  (void)state;
  assert_false(error_set(NULL, "nobody listens"));
  assert_false(error_at(NULL, "a", 1, 1, "nobody listens"));
}

static void test_long_text_is_cut(void **state) {
  (void)state;
  char text[3 * ERROR_TEXT_SIZE];
  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  Error error = {0};
  error_set(&error, "%s", text);
  assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
  error = (Error){0};
  error_at(&error, "file", 1, 2, "%s", text);
  assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 1);
  assert_memory_equal(error.text, "file:1:2: xxx", 13);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_has_text_and_place),
      cmocka_unit_test(test_first_error_is_kept),
      cmocka_unit_test(test_null_is_allowed),
      cmocka_unit_test(test_long_text_is_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
