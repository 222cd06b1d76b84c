// CMA-ES on functions whose minimum is known, within the evaluations that it is known to need.
#include "tests/fixture.h"

#include "scenes/search/cma_es.h"

typedef double (*Function)(const double *x, int n);

static double sphere(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += (x[i] - 1) * (x[i] - 1);
  return sum;
}

// Axes from 1 to 1000: a condition of 1e6.
static double ellipsoid(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += pow(1e6, (double)i / (n - 1)) * x[i] * x[i];
  return sum;
}

// The ellipsoid turned by 45 deg in each plane of two neighbouring numbers: it needs covariances.
static double turned(const double *x, int n) {
  double y[CMA_MOST_NUMBERS];
  memcpy(y, x, (size_t)n * sizeof *y);
  for (int i = 0; i + 1 < n; i++) {
    const double a = y[i], b = y[i + 1];
    y[i] = (a - b) * sqrt(0.5);
    y[i + 1] = (a + b) * sqrt(0.5);
  }
  return ellipsoid(y, n);
}

static double rosenbrock(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++)
    sum += 100 * pow(x[i + 1] - x[i] * x[i], 2) + pow(1 - x[i], 2);
  return sum;
}

static double order_of_sphere(const double *x, int n) { return log(sphere(x, n)) - 3; }

// Evaluations until a point costs less than `target`; `most` if none does. found: the best point.
static long minimize(Function function, int n, double start, uint64_t seed, double target, long most, double *found) {
  static CmaEs cma;
  static CmaVector points[CMA_MOST_POINTS];
  double costs[64], first[CMA_MOST_NUMBERS], best = INFINITY;
  for (int i = 0; i < n; i++)
    first[i] = start;
  cma_init(&cma, n, first, 0.5, cma_default_points(n), seed);
  long evaluations = 0;
  while (evaluations < most && best > target) {
    cma_ask(&cma, points);
    for (int k = 0; k < cma.points; k++) {
      costs[k] = function(points[k], n);
      if (costs[k] < best) {
        best = costs[k];
        memcpy(found, points[k], (size_t)n * sizeof *found);
      }
    }
    evaluations += cma.points;
    cma_tell(&cma, (const CmaVector *)points, costs);
  }
  return evaluations;
}

// Of 10 seeds all reach 1e-9 within the bound, and the optimum is where it is known to be.
static void assert_minimum(Function function, int n, double start, double optimum, double tolerance, long bound) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    double found[CMA_MOST_NUMBERS] = {0};
    const long evaluations = minimize(function, n, start, seed, 1e-9, 10 * bound, found);
    if (evaluations > bound)
      fail_msg("seed %d: %ld evaluations, not %ld", (int)seed, evaluations, bound);
    for (int i = 0; i < n; i++)
      if (!(fabs(found[i] - optimum) < tolerance))
        fail_msg("seed %d: number %d is %.9g, not %g", (int)seed, i, found[i], optimum);
  }
}

static void test_sphere(void **state) {
  (void)state;
  assert_minimum(sphere, 1, 3, 1, 1e-4, 250);
  assert_minimum(sphere, 2, 3, 1, 1e-4, 500);
  assert_minimum(sphere, 10, 3, 1, 1e-4, 2200);
}

static void test_ellipsoids(void **state) {
  (void)state;
  assert_minimum(ellipsoid, 5, 1, 0, 1e-4, 2400);
  assert_minimum(turned, 5, 1, 0, 1e-4, 2400);
}

static void test_rosenbrock(void **state) {
  (void)state;
  assert_minimum(rosenbrock, 2, -1, 1, 1e-3, 1000);
}

// The weights sum to 1 and, of the negative ones, to no more than keeps the covariance positive; rates are those of the
// tutorial's table for 10 numbers and 10 points: mu 5, mu_eff 3.167.
static void test_parameters_are_those_of_the_tutorial(void **state) {
  (void)state;
  static CmaEs cma;
  const double start[10] = {0};
  cma_init(&cma, 10, start, 1, 10, 1);
  double good = 0;
  for (int i = 0; i < cma.parents; i++)
    good += cma.weights[i];
  assert_int_equal(cma_default_points(10), 10);
  assert_int_equal(cma.parents, 5);
  assert_true(fabs(good - 1) < 1e-12);
  assert_true(fabs(cma.parents_effective - 3.1673) < 1e-3);
  assert_true(fabs(cma.rate_step - 5.1673 / 18.1673) < 1e-4);
  assert_true(fabs(cma.rate_one - 2 / (11.3 * 11.3 + 3.1673)) < 1e-6);
  assert_true(cma.weights[9] < 0);
}

// Only the order of costs matters, and NAN is the worst of them.
static void test_order_and_repeat(void **state) {
  (void)state;
  double a[CMA_MOST_NUMBERS] = {0}, b[CMA_MOST_NUMBERS] = {0};
  minimize(sphere, 4, 3, 7, 0, 400, a);
  minimize(order_of_sphere, 4, 3, 7, -INFINITY, 400, b);
  assert_memory_equal(a, b, 4 * sizeof *a);
  minimize(sphere, 4, 3, 8, 0, 400, b);
  assert_memory_not_equal(a, b, 4 * sizeof *a);

  static CmaEs cma, other;
  static CmaVector points[CMA_MOST_POINTS];
  const double start[2] = {0}, costs[] = {3, NAN, 1, NAN, 2, 0}, finite[] = {3, 8, 1, 9, 2, 0};
  cma_init(&cma, 2, start, 1, 6, 1);
  cma_ask(&cma, points);
  other = cma;
  cma_tell(&cma, (const CmaVector *)points, costs);
  cma_tell(&other, (const CmaVector *)points, finite);
  assert_memory_equal(cma.mean, other.mean, sizeof cma.mean);
  assert_memory_equal(cma.covariance, other.covariance, sizeof cma.covariance);
  assert_false(cma_is_degenerate(&cma));
}

static void assert_close(double a, double b, double tolerance) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("%.15g is not %.15g", a, b);
}

// A generation of two numbers whose points lie about (distance, 0).
static void tell_points_at(CmaEs *cma, double distance, CmaVector points[6]) {
  static const double about[6][2] = {{0.1, 0.2}, {-0.1, 0.3}, {0, -0.5}, {0.4, 0.1}, {-0.6, 0.2}, {0.2, -0.7}};
  const double start[2] = {0}, costs[6] = {1, 2, 3, 4, 5, 6};
  cma_init(cma, 2, start, 1, 6, 1);
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 2; i++)
      points[k][i] = about[k][i] + (i == 0 ? distance : 0);
  cma_tell(cma, (const CmaVector *)points, costs);
}

// The first generation's paths, covariance and step, by equations 24, 43 to 47 of the tutorial; the mean was 0, the
// covariance 1.
static void assert_first_generation(double distance, bool slow) {
  static CmaEs cma;
  static CmaVector points[6];
  tell_points_at(&cma, distance, points);
  double mean[2] = {0}, weights = 0;
  for (int k = 0; k < 6; k++) {
    weights += cma.weights[k];
    for (int i = 0; i < 2; i++)
      mean[i] += k < 3 ? cma.weights[k] * points[k][i] : 0;
  }
  const double c = cma.rate_step, cc = cma.rate_path, one = cma.rate_one, mu = cma.rate_parents;
  const double gain = sqrt(c * (2 - c) * cma.parents_effective), length = hypot(mean[0], mean[1]);
  const double path_gain = slow ? sqrt(cc * (2 - cc) * cma.parents_effective) : 0;
  const double kept = 1 + one * (slow ? 0 : cc * (2 - cc)) - one - mu * weights;
  for (int i = 0; i < 2; i++) {
    assert_close(cma.mean[i], mean[i], 1e-12);
    assert_close(cma.path_step[i], gain * mean[i], 1e-12);
    assert_close(cma.path_covariance[i], path_gain * mean[i], 1e-12);
    for (int j = 0; j < 2; j++) {
      double element = (i == j ? kept : 0) + one * path_gain * path_gain * mean[i] * mean[j];
      for (int k = 0; k < 6; k++) {
        const double square = points[k][0] * points[k][0] + points[k][1] * points[k][1];
        element += mu * cma.weights[k] * (k < 3 ? 1 : 2 / square) * points[k][i] * points[k][j];
      }
      assert_close(cma.covariance[i][j], element, 1e-11);
    }
  }
  assert_close(cma.step, exp(c / cma.damping * (gain * length / cma.normal_length - 1)), 1e-11);
}

// The covariance learns from the path unless that is longer than 1.4 + 2 / 3 of its usual length.
static void test_a_generation_is_that_of_the_tutorial(void **state) {
  (void)state;
  static CmaEs cma;
  static CmaVector points[6];
  tell_points_at(&cma, 0, points);
  const double usual = cma.normal_length / sqrt(cma.parents_effective), about = cma.mean[0];
  assert_true(fabs(cma.mean[1]) < 0.2);
  const double along = sqrt(pow((1.4 + 2.0 / 3) * usual, 2) - cma.mean[1] * cma.mean[1]);
  assert_first_generation(0, true);
  assert_first_generation(along - about - 1e-6, true);
  assert_first_generation(along - about + 1e-6, false);
  assert_first_generation(10, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sphere),           cmocka_unit_test(test_ellipsoids),
      cmocka_unit_test(test_rosenbrock),       cmocka_unit_test(test_parameters_are_those_of_the_tutorial),
      cmocka_unit_test(test_order_and_repeat), cmocka_unit_test(test_a_generation_is_that_of_the_tutorial),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
