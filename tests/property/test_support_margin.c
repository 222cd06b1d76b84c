// The margin of stability against brute force, for random points and for grid points full of ties.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/base/rng.h"
#include "sim/base/support.h"
#include "sim/metrics/metrics.h"

enum { MAX_POINTS = 24, CASES = 5000 };

static const double still[3] = {0, 0, 0};

// How far the hull extends beyond the point in a direction of any length; INFINITY without a direction.
static double hull_reach(const double (*points)[3], int count, const double at[3], double x, double z) {
  const double length = hypot(x, z);
  if (length == 0)
    return INFINITY;
  double reach = -INFINITY;
  for (int i = 0; i < count; ++i)
    reach = fmax(reach, ((points[i][0] - at[0]) * x + (points[i][2] - at[2]) * z) / length);
  return reach;
}

// The signed distance to a convex hull is the minimum of its extent over all directions (its support function about the
// point). The minimum is perpendicular to an edge, so to the line of two points, or straight away from one point.
static double brute_margin(const double (*points)[3], int count, const double at[3]) {
  double margin = INFINITY;
  for (int i = 0; i < count; ++i) {
    margin = fmin(margin, hull_reach(points, count, at, at[0] - points[i][0], at[2] - points[i][2]));
    for (int j = 0; j < count; ++j)
      margin = fmin(margin, hull_reach(points, count, at, points[i][2] - points[j][2], points[j][0] - points[i][0]));
  }
  return isinf(margin) ? 0 : margin; // all points are at the centre of mass
}

static int random_points(Rng *rng, double (*points)[3], bool grid) {
  const int count = 1 + rng_index(rng, MAX_POINTS);
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      points[i][k] = grid ? rng_index(rng, 4) : rng_range(rng, -1, 1);
  return count;
}

static void random_place(Rng *rng, double at[3], bool grid) {
  for (int k = 0; k < 3; ++k)
    at[k] = grid ? 0.5 * rng_index(rng, 9) : rng_range(rng, -1.5, 1.5);
  at[1] = 1;
}

static void test_equals_brute_force(void **state) {
  (void)state;
  Rng rng = rng_make(1, "brute force");
  int inside = 0, outside = 0;
  for (int i = 0; i < CASES; ++i) {
    double points[MAX_POINTS][3], at[3];
    const bool grid = i % 2 == 0;
    const int count = random_points(&rng, points, grid);
    random_place(&rng, at, grid);
    const double margin = support_margin(at, still, 0, (const double(*)[3])points, count);
    const double expected = brute_margin((const double(*)[3])points, count, at);
    if (!(fabs(margin - expected) < 1e-12))
      fail_msg("case %d, %d points: %.15g, brute force %.15g", i, count, margin, expected);
    inside += margin > 0;
    outside += margin < 0;
  }
  assert_true(inside > CASES / 10);
  assert_true(outside > CASES / 10);
}

static void test_more_contacts_never_lessen_it(void **state) {
  (void)state;
  Rng rng = rng_make(2, "more contacts");
  for (int i = 0; i < CASES; ++i) {
    double points[MAX_POINTS][3], at[3];
    const int count = random_points(&rng, points, i % 2 == 0);
    random_place(&rng, at, i % 2 == 0);
    double before = -INFINITY;
    for (int used = 1; used <= count; ++used) {
      const double margin = support_margin(at, still, 0, (const double(*)[3])points, used);
      assert_true(margin >= before - 1e-12);
      before = margin;
    }
  }
}

static void test_velocity_moves_the_point(void **state) {
  (void)state;
  Rng rng = rng_make(3, "velocity");
  for (int i = 0; i < CASES; ++i) {
    double points[MAX_POINTS][3], com[3], velocity[3];
    const int count = random_points(&rng, points, false);
    random_place(&rng, com, false);
    random_place(&rng, velocity, false);
    const double height = rng_range(&rng, 0.1, 2), ground = rng_range(&rng, -5, 5);
    com[1] = ground + height;
    const double time = 1 / sqrt(9.81 / height);
    const double moved[3] = {com[0] + velocity[0] * time, com[1], com[2] + velocity[2] * time};
    const double margin = support_margin(com, velocity, ground, (const double(*)[3])points, count);
    const double expected = support_margin(moved, still, ground, (const double(*)[3])points, count);
    assert_true(fabs(margin - expected) < 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equals_brute_force),
      cmocka_unit_test(test_more_contacts_never_lessen_it),
      cmocka_unit_test(test_velocity_moves_the_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
