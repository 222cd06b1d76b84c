// Small mathematics that all folders use: angles of cosines and sines that rounding has put beyond their range.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/base/numbers.h"

static void angles_of_cosines_and_sines(void **state) {
  (void)state;
  for (int i = -1000; i <= 1000; i++) {
    const double x = i / 1000.0;
    assert_true(angle_of_cosine(x) == acos(x) && angle_of_sine(x) == asin(x)); // to the bit
    assert_true(fabs(cos(angle_of_cosine(x)) - x) < 1e-15 && fabs(sin(angle_of_sine(x)) - x) < 1e-15);
  }
  static const double beyond[] = {1, 1 + 1e-16, 1 + 1e-9, 1.5, 1e300, (double)INFINITY};
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
    assert_true(angle_of_cosine(beyond[i]) == 0 && angle_of_cosine(-beyond[i]) == M_PI);
    assert_true(angle_of_sine(beyond[i]) == M_PI / 2 && angle_of_sine(-beyond[i]) == -M_PI / 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(angles_of_cosines_and_sines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
