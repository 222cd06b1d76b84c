// The formulas of the linear inverted pendulum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ragdoll/balance/lipm.h"
#include "sim/base/rng.h"

static double between(Rng *rng, double low, double high) { return rng_range(rng, low, high); }

static void near(Plane2 a, Plane2 b) {
  if (!(plane2_length(plane2_sub(a, b)) < 1e-12))
    fail_msg("(%.15g, %.15g) is not (%.15g, %.15g)", a.z, a.x, b.z, b.x);
}

// The pendulum itself, integrated in small steps: c'' = w^2 (c - r), xi = c + c' / w.
static void xi_goes_as_the_pendulum_does(void **state) {
  (void)state;
  double omega = 3.2, c = 0.03, v = 0.2, r = 0.05, h = 1e-5;
  Plane2 start = {.x = 0, .z = c + v / omega}, at = {.x = 0, .z = r};
  for (int i = 0; i < 40000; i++) { // midpoint rule
    double half = v + h / 2 * omega * omega * (c - r);
    v += h * omega * omega * (c + h / 2 * v - r);
    c += h * half;
  }
  Plane2 end = lipm_predict(start, at, omega, 0.4);
  assert_true(fabs(end.z - (c + v / omega)) < 1e-6);
  assert_true(end.x == 0);
}

// The same pendulum gives the centre of mass, which is carried along by xi.
static void center_goes_as_the_pendulum_does(void **state) {
  (void)state;
  double omega = 3.2, c = 0.03, v = 0.2, h = 1e-5;
  Plane2 center = {.x = 0.1, .z = c}, xi = {.x = 0.1, .z = c + v / omega}, at = {.x = 0.1, .z = 0.05};
  Plane2 end = lipm_center(center, xi, at, omega, 0.4);
  for (int i = 0; i < 40000; i++) {
    double half = v + h / 2 * omega * omega * (c - at.z);
    v += h * omega * omega * (c + h / 2 * v - at.z);
    c += h * half;
  }
  assert_true(fabs(end.z - c) < 1e-6);
  assert_true(fabs(end.x - 0.1) < 1e-12);
  near(lipm_center(center, xi, at, omega, 0), center);
}

static void xi_over_the_pressure_stays(void **state) {
  (void)state;
  Plane2 xi = {.x = -0.2, .z = 0.3};
  near(lipm_predict(xi, xi, 3, 0.7), xi);
  near(lipm_predict(xi, (Plane2){.x = 0, .z = 0}, 3, 0), xi);
}

// Steps planned with the offset repeat themselves, at the wanted speed and width.
static void offset_makes_a_steady_gait(void **state) {
  (void)state;

  Rng rng = rng_make(5, "gait");
  for (int i = 0; i < 200; i++) {
    double omega = between(&rng, 2, 4), duration = between(&rng, 0.2, 0.8), width = between(&rng, 0.05, 0.4);
    Plane2 velocity = {.x = between(&rng, -0.3, 0.3), .z = between(&rng, -1, 2)};
    double side = i % 2 ? 1 : -1; // foot that takes over: right, left
    Plane2 begin = lipm_offset(velocity, width, side, omega, duration);
    Plane2 end = lipm_predict(begin, (Plane2){.x = 0, .z = 0}, omega, duration);
    Plane2 step = plane2_sub(end, lipm_offset(velocity, width, -side, omega, duration));
    near(step, (Plane2){.x = velocity.x * duration + side * width, .z = velocity.z * duration});
  }
}

// 1 - (1 - 1 / e) for w t = 1; about w t / 2 for a short time, and all of the way for a long one.
static void handover_has_its_closed_form(void **state) {
  (void)state;
  assert_true(lipm_handover(3, 0) == 0);
  assert_true(fabs(lipm_handover(4, 0.25) - 0.36787944117144233) < 1e-15);
  assert_true(fabs(lipm_handover(2, 1e-6) - 1e-6) < 1e-11);
  assert_true(fabs(lipm_handover(2, 1e6) - 1) < 1e-6);
  for (int i = 0; i < 100; i++)
    assert_true(lipm_handover(3, 0.01 * (i + 1)) > lipm_handover(3, 0.01 * i));
}

// While the pressure moves evenly between two places, xi comes to where it would have come if it had been ahead by the
// share of the way, over resting pressure.
static void xi_in_double_support_goes_as_the_pendulum_does(void **state) {
  (void)state;
  const double omega = 3.2, time = 0.125, rear = -0.4, front = 0.2;
  enum { STEPS = 1 << 17 };
  const double h = time / STEPS;
  double xi = 0.05;
  for (int i = 0; i < STEPS; i++) { // midpoint rule
    double half = xi + h / 2 * omega * (xi - (rear + (front - rear) * i / STEPS));
    xi += h * omega * (half - (rear + (front - rear) * (i + 0.5) / STEPS));
  }
  Plane2 counts = {.x = 0, .z = 0.05 + lipm_handover(omega, time) * (front - rear)};
  Plane2 end = lipm_predict(counts, (Plane2){.x = 0, .z = front}, omega, time);
  assert_true(fabs(end.z - xi) < 1e-9);
}

static const Plane2 ORIGIN = {.x = 0, .z = 0};

// Steps with double support repeat themselves, too, at the wanted speed and width, wherever the pressure has rolled to.
// Without it they are the bits of those without.
static void shared_offset_makes_a_steady_gait(void **state) {
  (void)state;
  Rng rng = rng_make(5, "shared gait");
  for (int i = 0; i < 200; i++) {
    double omega = between(&rng, 2, 4), duration = between(&rng, 0.3, 0.8), width = between(&rng, 0.05, 0.4);
    Plane2 velocity = {.x = between(&rng, -0.3, 0.3), .z = between(&rng, -1, 2)};
    double both = i % 4 ? between(&rng, 0, 0.3) : 0, side = i % 2 ? 1 : -1;
    HandOver over = {.handover = lipm_handover(omega, both), .roll = {.x = 0, .z = between(&rng, 0, 0.15)}};
    Plane2 plain[2], offset[2];
    for (int foot = 0; foot < 2; foot++) {
      plain[foot] = lipm_offset(velocity, width, foot ? -side : side, omega, duration);
      offset[foot] = lipm_shared_offset(plain[foot], omega, duration, &over);
    }
    Plane2 end = lipm_predict(offset[0], ORIGIN, omega, duration), step = lipm_shared_step(end, offset[1], &over);
    near(step, (Plane2){.x = velocity.x * duration + side * width, .z = velocity.z * duration});
    // At touch-down xi counts as ahead by the share of the pressure's way.
    Plane2 way = plane2_sub(step, over.roll);
    near(plane2_sub(plane2_add(end, plane2_scale(way, over.handover)), step), offset[1]);
    if (both > 0)
      continue;
    Plane2 plain_step = plane2_sub(end, plain[1]);
    assert_true(offset[0].x == plain[0].x && offset[0].z == plain[0].z);
    assert_true(step.x == plain_step.x && step.z == plain_step.z);
  }
}

static void limits_hold_and_report_what_they_cut(void **state) {
  (void)state;
  StepLimits limits = {.ahead = 0.75, .side = 0.7, .length = 0.8, .apart = 0.16};
  Plane2 step = {.x = 0.2, .z = 0.3};
  assert_true(lipm_limit_step(&step, 1, &limits) == 0);
  near(step, (Plane2){.x = 0.2, .z = 0.3});
  step = (Plane2){.x = -0.04, .z = 0}; // across the stance leg
  assert_true(fabs(lipm_limit_step(&step, 1, &limits) - 0.4) < 1e-12);
  near(step, (Plane2){.x = 0.16, .z = 0});
  limits.tolerated = 0.3;
  step = (Plane2){.x = -0.04, .z = 0};
  assert_true(lipm_limit_step(&step, 1, &limits) == 0);
  near(step, (Plane2){.x = 0.16, .z = 0});
  step = (Plane2){.x = 0.2, .z = 1};
  assert_true(lipm_limit_step(&step, 1, &limits) > 0.25 - 1e-12);
  assert_true(step.z <= 0.75);
}

static void mirrored_step_is_limited_as_its_mirror(void **state) {
  (void)state;

  Rng rng = rng_make(5, "limits");
  StepLimits limits = {.ahead = 0.75, .side = 0.7, .length = 0.8, .apart = 0.16, .tolerated = 0.05};
  for (int i = 0; i < 1000; i++) {
    Plane2 step = {.x = between(&rng, -1.5, 1.5), .z = between(&rng, -1.5, 1.5)},
           mirrored = {.x = -step.x, .z = step.z};
    double beyond = lipm_limit_step(&step, 1, &limits);
    assert_true(lipm_limit_step(&mirrored, -1, &limits) == beyond);
    assert_true(mirrored.z == step.z && mirrored.x == -step.x);
    assert_true(plane2_length(step) <= 0.8 + 1e-12 && step.x > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(xi_goes_as_the_pendulum_does),
      cmocka_unit_test(center_goes_as_the_pendulum_does),
      cmocka_unit_test(handover_has_its_closed_form),
      cmocka_unit_test(xi_in_double_support_goes_as_the_pendulum_does),
      cmocka_unit_test(shared_offset_makes_a_steady_gait),
      cmocka_unit_test(xi_over_the_pressure_stays),
      cmocka_unit_test(offset_makes_a_steady_gait),
      cmocka_unit_test(limits_hold_and_report_what_they_cut),
      cmocka_unit_test(mirrored_step_is_limited_as_its_mirror),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
