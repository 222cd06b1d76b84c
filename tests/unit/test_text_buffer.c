// Growing text: what is added stands there to the byte, at whatever length; numbers have the fewest digits that read
// back the same bits; without memory nothing more is added, which is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"

// Past the borders at which the memory grows: 4096 bytes, and twice as many each time.
static void text_grows(void **state) {
  (void)state;
  for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
    TextBuffer text = {0};
    char *whole = malloc(40000), *filled = malloc(piece + 1);
    size_t size = 0;
    for (int n = 0; size + piece < 39000; n++) {
      memset(filled, 'a' + n % 26, piece);
      filled[piece] = '\0';
      memcpy(whole + size, filled, piece + 1);
      size += piece;
      if (n % 2 == 0)
        text_append(&text, filled, piece);
      else
        text_print(&text, "%s", filled);
      assert_int_equal(text.size, size);
      assert_true(text.capacity > text.size && text.bytes[text.size] == '\0');
    }
    assert_string_equal(text.bytes, whole);
    assert_false(text.failed);
    free(whole);
    free(filled);
    text_free(&text);
    assert_true(!text.bytes && text.size == 0 && text.capacity == 0);
  }
}

static void room_is_made_once(void **state) {
  (void)state;
  TextBuffer text = {0};
  assert_true(text_reserve(&text, 4095)); // and the end
  assert_int_equal(text.capacity, 4096);
  assert_true(text_reserve(&text, 4096));
  assert_int_equal(text.capacity, 8192);
  const char *bytes = text.bytes;
  text_append(&text, "", 0);
  text_append(&text, NULL, 0);
  assert_true(text.bytes == bytes && text.size == 0 && text.bytes[0] == '\0');
  text_free(&text);
}

// More than there can be is refused, and from then on everything.
static void failure_lasts(void **state) {
  (void)state;
  TextBuffer text = {0};
  text_append(&text, "abc", 3);
  assert_false(text_reserve(&text, SIZE_MAX / 2));
  assert_true(text.failed);
  text_append(&text, "d", 1);
  text_print(&text, "%d", 5);
  assert_string_equal(text.bytes, "abc");
  assert_int_equal(text.size, 3);
  assert_false(text_reserve(&text, 1));
  text_free(&text);
  assert_false(text.failed);
}

static void numbers_have_their_digits(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *as_float, *as_double;
  } cases[] = {{0, "0", "0"},
               {-0.0, "-0", "-0"},
               {0.1, "0.1", "0.1"},
               {1.0 / 3, "0.333333343", "0.3333333333333333"},
               {16777217, "16777216", "16777217"},
               {1e300, "inf", "1e+300"},
               {0.1 + 0.2, "0.3", "0.30000000000000004"},
               {(double)INFINITY, "inf", "inf"},
               {-(double)INFINITY, "-inf", "-inf"},
               {(double)NAN, "nan", "nan"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    TextBuffer text = {0};
    text_float32(&text, (float)cases[i].value);
    assert_string_equal(text.bytes, cases[i].as_float);
    text.size = 0;
    text_float64(&text, cases[i].value);
    assert_string_equal(text.bytes, cases[i].as_double);
    text_free(&text);
  }
}

static void numbers_read_back(void **state) {
  (void)state;
  Rng rng = rng_make(1, "numbers");
  for (int i = 0; i < 2000; i++) {
    const double value = rng_range(&rng, -1, 1) * pow(10, rng_range(&rng, -30, 30));
    const float single = (float)value;
    TextBuffer text = {0};
    text_float32(&text, single);
    assert_true(text_same_float32(strtof(text.bytes, NULL), single) && text.size <= 15);
    text.size = 0;
    text_float64(&text, value);
    assert_true(text_same_float64(strtod(text.bytes, NULL), value));
    char digits[32];
    assert_int_equal(text_shortest_double(digits, sizeof digits, value), text.size);
    assert_string_equal(digits, text.bytes);
    text_free(&text);
  }
  assert_false(text_same_float32(0.0f, -0.0f));
  assert_false(text_same_float64(0.0, -0.0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_grows),        cmocka_unit_test(room_is_made_once),
      cmocka_unit_test(failure_lasts),     cmocka_unit_test(numbers_have_their_digits),
      cmocka_unit_test(numbers_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
