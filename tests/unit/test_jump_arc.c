// The arc of a jump: exact flight, continuous place and velocity, landing at the asked place, and what people cannot
// do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdbool.h>
#include <cmocka.h>

#include "anim/jump_arc.h"

static const double GRAVITY = 9.81;

static bool is_near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

// Forward and upward velocity by a central difference.
static void velocity_at(const JumpArc *arc, double time, double velocity[2]) {
  const double h = 1e-6;
  double place[2][2];
  for (int i = 0; i < 2; i++)
    jump_arc_place(arc, time + (2 * i - 1) * h, &place[i][0], &place[i][1]);
  for (int k = 0; k < 2; k++)
    velocity[k] = (place[1][k] - place[0][k]) / (2 * h);
}

// With a rise of h a body leaves the ground at sqrt(2 g h), and lands after it has gone up h and down h and the
// difference of the heights.
static void test_the_flight_is_a_projectiles(void **state) {
  (void)state;
  JumpArc arc;
  assert_int_equal(jump_arc_find(&(JumpGoal){.distance = 1, .rise = 0.2}, 0, GRAVITY, &arc), JUMP_POSSIBLE);
  assert_true(is_near(arc.up, sqrt(2 * GRAVITY * 0.2), 1e-12));
  assert_true(is_near(arc.down, sqrt(2 * GRAVITY * (0.2 + arc.take_off - arc.touch_down)), 1e-12));
  assert_true(is_near(arc.flight, (arc.up + arc.down) / GRAVITY, 1e-12));
  double highest, ahead;
  jump_arc_place(&arc, JUMP_PUSH + arc.up / GRAVITY, &ahead, &highest);
  assert_true(is_near(highest, arc.take_off + 0.2, 1e-12));
  for (double t = 0.01; t < arc.flight; t += 0.01) { // even forward, free fall in height
    double a, y;
    jump_arc_place(&arc, JUMP_PUSH + t, &a, &y);
    assert_true(is_near(a, arc.ahead * (JUMP_LEAD + t), 1e-12));
    assert_true(is_near(y, arc.take_off + arc.up * t - GRAVITY * t * t / 2, 1e-12));
  }
}

// Place and velocity have no jump where a phase ends; it begins in the crouch, going ahead, and ends standing at the
// distance and on the step.
static void test_the_course_is_continuous(void **state) {
  (void)state;
  const double steps[] = {-0.4, 0, 0.3};
  for (int i = 0; i < 3; i++)
    for (double distance = 0; distance <= 1.6; distance += 0.4) {
      JumpArc arc;
      assert_int_equal(jump_arc_find(&(JumpGoal){.distance = distance}, steps[i], GRAVITY, &arc), JUMP_POSSIBLE);
      const double landed = JUMP_PUSH + arc.flight,
                   ends[] = {JUMP_PUSH, landed, landed + arc.absorb, landed + JUMP_BRAKE};
      for (int k = 0; k < 4; k++) {
        double before[2], after[2], velocity[2][2];
        jump_arc_place(&arc, ends[k] - 1e-9, &before[0], &before[1]);
        jump_arc_place(&arc, ends[k] + 1e-9, &after[0], &after[1]);
        velocity_at(&arc, ends[k] - 2e-6, velocity[0]);
        velocity_at(&arc, ends[k] + 2e-6, velocity[1]);
        for (int axis = 0; axis < 2; axis++) {
          assert_true(is_near(before[axis], after[axis], 1e-7));
          assert_true(is_near(velocity[0][axis], velocity[1][axis], 1e-3));
        }
      }
      double ahead, above;
      jump_arc_place(&arc, 0, &ahead, &above);
      assert_true(is_near(ahead, arc.lean, 1e-12) && is_near(above, arc.crouch, 1e-12) && arc.crouch < 0);
      double velocity[2];
      velocity_at(&arc, 1e-6, velocity);
      assert_true(is_near(velocity[0], arc.start, 1e-4) && is_near(velocity[1], 0, 1e-4));
      jump_arc_place(&arc, jump_arc_duration(&arc), &ahead, &above);
      assert_true(is_near(ahead, distance, 1e-12) && is_near(above, steps[i], 1e-12));
    }
}

// People jump far at 39 deg at most; the higher the rise that is asked for, the slower forward.
static void test_the_rise_suits_the_distance(void **state) {
  (void)state;
  JumpArc own, high;
  jump_arc_find(&(JumpGoal){.distance = 1.5}, 0, GRAVITY, &own);
  assert_true(is_near(own.up / own.ahead, 0.8, 1e-9));
  jump_arc_find(&(JumpGoal){.distance = 1.5, .rise = 0.3}, 0, GRAVITY, &high);
  assert_true(high.up > own.up && high.ahead < own.ahead && high.flight > own.flight);
  JumpArc hop; // on the spot: the least rise, 4 cm
  jump_arc_find(&(JumpGoal){.distance = 0}, 0, GRAVITY, &hop);
  assert_true(hop.ahead == 0 && is_near(hop.up, sqrt(2 * GRAVITY * 0.04), 1e-9));
}

// The farthest jump of people is possible on level ground; uphill or higher it is not, nor is one from 2 m down.
static void test_what_people_cannot_do(void **state) {
  (void)state;
  JumpArc arc;
  const JumpGoal far = {.distance = JUMP_FARTHEST}, spot = {.distance = 0.5};
  assert_int_equal(jump_arc_find(&far, 0, GRAVITY, &arc), JUMP_POSSIBLE);
  assert_true(is_near(hypot(arc.ahead, arc.up), 2.9, 0.05)); // m/s
  assert_int_equal(jump_arc_find(&far, 0.4, GRAVITY, &arc), JUMP_TOO_FAST);
  assert_int_equal(jump_arc_find(&(JumpGoal){JUMP_FARTHEST, 0.5}, 0, GRAVITY, &arc), JUMP_TOO_FAST);
  assert_int_equal(jump_arc_find(&(JumpGoal){0.5, 0.2}, 0, 60, &arc), JUMP_TOO_FAST);
  assert_int_equal(jump_arc_find(&spot, -1, GRAVITY, &arc), JUMP_POSSIBLE);
  assert_int_equal(jump_arc_find(&spot, -2, GRAVITY, &arc), JUMP_TOO_HARD);
  assert_int_equal(jump_arc_find(&far, 0, GRAVITY / 6, &arc), JUMP_POSSIBLE); // on the moon
}

// A fall from h m takes sqrt(2 h / g), and sinks after it by no more than 0.34 m.
static void test_a_fall(void **state) {
  (void)state;
  JumpArc arc;
  jump_arc_fall(1.2, 0, 0, -3 + 0.03, GRAVITY, &arc); // legs reach 3 cm less than standing
  assert_true(is_near(arc.flight, sqrt(2 * 3 / GRAVITY), 1e-12));
  assert_true(is_near(arc.touch_down - arc.absorbed, 0.34, 1e-12));
  assert_true(arc.absorb < JUMP_ABSORB);
  assert_true(is_near(arc.distance, 1.2 * (JUMP_LEAD + arc.flight + JUMP_BRAKE / 2), 1e-12));
  double ahead, above;
  jump_arc_place(&arc, JUMP_PUSH, &ahead, &above);
  assert_true(is_near(above, 0, 1e-12));
  jump_arc_fall(1.2, -0.5, -0.02, -0.4, GRAVITY, &arc); // who goes down already
  assert_true(is_near(arc.flight, (arc.down - 0.5) / GRAVITY, 1e-12));
  assert_true(is_near(arc.down * arc.down, 0.25 + 2 * GRAVITY * (0.4 - 0.02 + 0.03), 1e-12));
  jump_arc_fall(1.2, 0, 0, 0.5, GRAVITY, &arc); // ground that is higher already: it lands at once
  assert_true(arc.flight == 0 && isfinite(arc.absorb) && isfinite(arc.absorbed));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_flight_is_a_projectiles),
      cmocka_unit_test(test_the_course_is_continuous),
      cmocka_unit_test(test_the_rise_suits_the_distance),
      cmocka_unit_test(test_what_people_cannot_do),
      cmocka_unit_test(test_a_fall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
