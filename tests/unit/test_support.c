// Extrapolated centre of mass, base of support and the border nearest to a point.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include <cmocka.h>

#include "sim/base/support.h"

static const double TINY = 1e-12;

static void assert_point(const double at[3], double x, double y, double z) {
  assert_true(fabs(at[0] - x) < TINY && fabs(at[1] - y) < TINY && fabs(at[2] - z) < TINY);
}

// A height of g / 4 above the ground gives 1 / omega0 = 0.5 s, whatever the ground's height.
static void test_extrapolated_com(void **state) {
  (void)state;
  const double com[3] = {1, 7 + STANDARD_GRAVITY / 4, 2}, velocity[3] = {0.2, 5, -0.4};
  double xcom[3];
  support_extrapolated_com(com, velocity, 7, xcom);
  assert_point(xcom, 1.1, 7, 1.8);
  support_extrapolated_com(com, velocity, 100, xcom); // buried: no room to fall
  assert_point(xcom, 1, 100, 2);
}

// A square with points inside, on its edges and twice on a corner: its four corners, in order.
static void test_hull_of_a_square(void **state) {
  (void)state;
  static const double points[][3] = {{0.5, 0, 0.5}, {1, 3, 1}, {0, 1, 0}, {0.5, 0, 0}, {1, 0, 0},
                                     {0.2, 0, 0.7}, {0, 0, 1}, {1, 5, 1}, {0, 0, 0.3}};
  int corners[9];
  assert_int_equal(support_hull(points, 9, corners), 4);
  double area2 = 0; // by the shoelace formula: the corners go once around
  for (int i = 0; i < 4; i++) {
    const double *a = points[corners[i]], *b = points[corners[(i + 1) % 4]];
    assert_true((a[0] == 0 || a[0] == 1) && (a[2] == 0 || a[2] == 1));
    area2 += a[0] * b[2] - b[0] * a[2];
  }
  assert_true(fabs(area2) == 2);
}

static void test_hull_of_few_points(void **state) {
  (void)state;
  static const double line[][3] = {{1, 0, 1}, {0, 0, 0}, {3, 0, 3}, {2, 0, 2}}, place[][3] = {{1, 0, 1}, {1, 5, 1}};
  int corners[4];
  assert_int_equal(support_hull(NULL, 0, corners), 0);
  assert_int_equal(support_hull(line, 1, corners), 1);
  assert_int_equal(corners[0], 0);
  assert_int_equal(support_hull(place, 2, corners), 1);
  assert_int_equal(support_hull(line, 4, corners), 2);
  assert_int_equal(corners[0], 1);
  assert_int_equal(corners[1], 2);
}

static void test_nearest_point_of_the_border(void **state) {
  (void)state;
  static const double square[][3] = {{0, 0, 0}, {0, 0, 2}, {2, 1, 2}, {2, 1, 0}};
  const double inside[3] = {1, 9, 0.25}, beyond[3] = {5, 0, 6};
  double nearest[3] = {-1, -2, -3};
  assert_true(isnan(support_distance(inside, NULL, 0, nearest)));
  assert_point(nearest, -1, -2, -3);
  assert_true(fabs(support_distance(inside, square, 4, nearest) - 0.25) < TINY);
  assert_point(nearest, 1, 0.5, 0); // half-way up the sloping edge
  assert_true(fabs(support_distance(beyond, square, 4, nearest) + 5) < TINY);
  assert_point(nearest, 2, 1, 2);
  assert_true(support_distance(beyond, square, 4, NULL) == support_distance(beyond, square, 4, nearest));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_extrapolated_com),
      cmocka_unit_test(test_hull_of_a_square),
      cmocka_unit_test(test_hull_of_few_points),
      cmocka_unit_test(test_nearest_point_of_the_border),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
