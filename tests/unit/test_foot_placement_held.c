// A swinging foot in front of which something appears: it goes as far as it is clear, and no farther before it has
// risen.
#include "tests/unit/foot_placement_fixture.h"

static const double DT = 1.0 / 240, SPEED = 1.3; // s, m/s

static Stroll stroll;
static Stage stage;

static int load(void **state) {
  (void)state;
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
  return 0;
}

static int unload(void **state) {
  (void)state;
  stroll_free(&stroll);
  return 0;
}

static double toe(int k) {
  const Leg *leg = &stroll.body->skeleton.legs[0];
  double point[3];
  sole_point(&stroll.shown, leg, leg->toe_l, point);
  return point[k];
}

// In the middle of the left foot's swing a step of 0.3 m appears 4 mm before its toes, and on it a ridge: only 6 mm
// wide, so that the path over the step does not know of it.
static void walk_to_step(double ridge) {
  stage = (Stage){0};
  stroll.speed = SPEED;
  stroll_start(&stroll, 0, 0, 0, 0);
  for (int k = 0; k < 1000 && !(!stroll.plans[0].standing && stroll.plans[0].progress > 0.5); k++)
    stroll_on(&stroll, DT);
  stage.step_at = toe(2) + 0.004;
  stage.step_rise = 0.3;
  stage.ridge_from = stage.step_at + ridge;
  stage.ridge_to = stage.ridge_from + 0.006;
  stage.ridge_rise = 0.1;
}

// The foot rises in front of the step and then catches up at its highest speed, 23 mm in a time step; where that would
// end in the ridge it goes on until it is in front of it, to a 64th of its way.
static void stops_in_front_of_a_ridge(void **state) {
  (void)state;
  static const double RIDGES[] = {0.045, 0.048, 0.069, 0.09, 0.093}; // m from the edge
  for (int i = 0; i < 5; i++) {
    walk_to_step(RIDGES[i]);
    int stops = 0;
    for (int k = 0; k < 20; k++) {
      double before = toe(2);
      stroll_on(&stroll, DT);
      const double gap = stage.ridge_from - toe(2), moved = toe(2) - before;
      stops += moved > 0.015 && moved < 0.022 && gap >= 0 && gap < 0.023 / 64;
      if (toe(2) > stage.ridge_from && toe(2) < stage.ridge_to)
        assert_true(toe(1) > stage.step_rise + stage.ridge_rise - 0.005);
    }
    if (stops != 1)
      fail_msg("%d stops in front of a ridge at %g m", stops, RIDGES[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stops_in_front_of_a_ridge)};
  return cmocka_run_group_tests(tests, load, unload);
}
