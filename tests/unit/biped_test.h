// What the tests of the biped share: the man, read once for all of them, and comparisons that print both values.
#ifndef STAGGER_TESTS_BIPED_TEST_H
#define STAGGER_TESTS_BIPED_TEST_H

// cmocka wants these first.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/biped_fixture.h"

#define assert_near(a, b, tolerance) check_near(a, b, tolerance, __LINE__)

static inline void check_near(double a, double b, double tolerance, int line) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("line %d: %.9g is not %.9g +- %g", line, a, b, tolerance);
}

static BodyDef *man;

static inline int load(void **state) {
  (void)state;
  man = read_man();
  return 0;
}

static inline int unload(void **state) {
  (void)state;
  body_free(man);
  return 0;
}

#endif
