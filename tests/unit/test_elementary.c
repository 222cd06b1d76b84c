// Elementary functions: their error against those of long doubles, values that are exact, special values, and that
// program and ODE use the same.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "sim/base/rng.h"

// Of a value in units in the last place of the nearest double.
static double error_of(double value, long double exact) {
  double near = fabs((double)exact);
  return (double)fabsl((long double)value - exact) / (nextafter(near, INFINITY) - near);
}

#define LARGEST(result, value, exact) result = fmax(result, error_of(value, exact))

static void test_errors(void **state) {
  (void)state;
  Rng rng = rng_make(1, "errors");
  double wide = 0, narrow = 0; // of functions with an error of at most 3.5 and 1
  for (int i = 0; i < 20000; i++) {
    double scale = pow(10, rng_range(&rng, -6, 4)), x = rng_range(&rng, -scale, scale);
    double y = rng_range(&rng, -4, 4), unit = rng_range(&rng, -1, 1), size = fabs(x) + 1e-9, s, c;
    long double lx = x, ly = y;
    sincos(x, &s, &c);
    LARGEST(wide, sin(x), sinl(lx));
    LARGEST(wide, cos(x), cosl(lx));
    LARGEST(wide, s, sinl(lx));
    LARGEST(wide, c, cosl(lx));
    LARGEST(wide, tan(x), tanl(lx));
    LARGEST(wide, asin(unit), asinl((long double)unit));
    LARGEST(wide, acos(unit), acosl((long double)unit));
    LARGEST(wide, atan(x), atanl(lx));
    LARGEST(wide, atan2(x, y), atan2l(lx, ly));
    LARGEST(wide, sinh(y), sinhl(ly));
    LARGEST(wide, cosh(y), coshl(ly));
    LARGEST(wide, log(size), logl((long double)size));
    LARGEST(wide, hypot(x, y), hypotl(lx, ly));
    LARGEST(narrow, exp(y), expl(ly));
    LARGEST(narrow, expm1(y), expm1l(ly));
    LARGEST(narrow, log10(size), log10l((long double)size));
    LARGEST(narrow, pow(size, y), powl((long double)size, ly));
  }
  assert_true(wide > 0.5 && wide <= 3.5);
  assert_true(narrow > 0.5 && narrow <= 1);
}

static void test_exact_values(void **state) {
  (void)state;
  assert_true(sin(0.0) == 0 && cos(0.0) == 1 && tan(0.0) == 0 && asin(0.0) == 0 && acos(1.0) == 0 && atan(0.0) == 0);
  assert_true(exp(0.0) == 1 && expm1(0.0) == 0 && log(1.0) == 0 && log10(1000.0) == 3);
  assert_true(pow(2, 10) == 1024 && pow(10, 3) == 1000 && pow(2, -3) == 0.125 && pow(0, 0) == 1 && pow(-2, 3) == -8);
  assert_true(hypot(3, 4) == 5 && atan2(0.0, 1) == 0 && signbit(atan2(-0.0, 1)) && atan2(0.0, -1) == M_PI);
  assert_true(atan2(1, 0) == M_PI_2 && atan2(-1, 0) == -M_PI_2 && acos(-1.0) == M_PI);
}

static void test_special_values(void **state) {
  (void)state;
  // Volatile reads, so that neither compiler nor linter reports these as errors.
  double nought = strtod("0", NULL), two = strtod("2", NULL), eight = strtod("8", NULL);
  assert_true(isnan(sin(1 / nought)) && isnan(cos(NAN)) && isnan(acos(two)) && isnan(asin(-two)) && isnan(log(-two)));
  assert_true(exp(500 * two) == INFINITY && exp(-500 * two) == 0 && log(nought) == -INFINITY &&
              pow(eight, 400) == INFINITY);
  assert_true(isnan(pow(-eight, 1.0 / 3)) && isnan(atan2(NAN, 1)) && atan(INFINITY) == M_PI_2 && isnan(hypot(NAN, 1)));
}

// Beside a NaN the other number; of zeros the second.
static void test_larger_and_smaller(void **state) {
  (void)state;
  volatile double one = 1, two = 2, none = NAN;
  assert_true(fmax(one, two) == 2 && fmax(two, one) == 2 && fmin(one, two) == 1 && fmin(two, one) == 1);
  assert_true(fmax(none, one) == 1 && fmax(one, none) == 1 && fmin(none, one) == 1 && fmin(one, none) == 1);
  assert_true(isnan(fmax(none, none)) && isnan(fmin(none, none)));
  assert_true(signbit(fmax(0.0, -0.0)) && !signbit(fmax(-0.0, 0.0)) && signbit(fmin(0.0, -0.0)));
  volatile float small = 1, large = 2, no = NAN;
  assert_true(fmaxf(small, large) == 2 && fmaxf(no, small) == 1 && fmaxf(small, no) == 1);
  assert_true(fminf(large, small) == 1 && fminf(no, small) == 1 && fminf(small, no) == 1);
}

// (sin)(x) is the C library's, (atan2)(y, x) this project's: it replaces the one that ODE calls.
static void test_ode_has_the_same(void **state) {
  (void)state;
  Rng rng = rng_make(2, "ode");
  for (int i = 0; i < 2000; i++) {
    double x = rng_range(&rng, -1, 1), y = rng_range(&rng, -1, 1), s, c, own_s, own_c;
    (sincos)(x, &s, &c);
    sincos(x, &own_s, &own_c);
    assert_true((atan2)(y, x) == atan2(y, x) && (acos)(x) == acos(x) && (asin)(x) == asin(x));
    assert_true(s == own_s && c == own_c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),           cmocka_unit_test(test_exact_values),
      cmocka_unit_test(test_special_values),   cmocka_unit_test(test_larger_and_smaller),
      cmocka_unit_test(test_ode_has_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
