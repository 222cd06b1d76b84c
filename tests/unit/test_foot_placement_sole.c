// Foot placement: soles on what lies between heel and toe.
#include "tests/unit/foot_placement_fixture.h"

static const double DT = 1.0 / 60;

enum { POINTS = 40 };

// A sole on the stage, m: its largest depth in the ground, and its smallest height over it.
typedef struct Lie {
  double depth, lift;
} Lie;

static Lie lie_of(const ModelPose *shown, const Leg *leg, const Stage *stage) {
  Lie lie = {.lift = HUGE_VAL};
  for (int i = 0; i <= POINTS; i++) {
    double point[3], height;
    sole_point(shown, leg, glms_vec3_lerp(leg->heel_l, leg->toe_l, (float)i / POINTS), point);
    if (!stage_height(stage, point[0], point[2], GROUND_HIGHEST, &height, NULL))
      continue;
    lie.depth = fmax(lie.depth, height - point[1]);
    lie.lift = fmin(lie.lift, point[1] - height);
  }
  return lie;
}

static void check_lies(const Stand *stand, const char *what, double at) {
  for (int l = 0; l < 2; l++) {
    Lie lie = lie_of(&stand->shown, &stand->body->skeleton.legs[l], &stand->stage);
    if (!(lie.depth < 0.005) || !(lie.lift < 0.001))
      fail_msg("%s at %.2f m, leg %d: %.1f mm deep, %.1f mm over it", what, at, l, 1e3 * lie.depth, 1e3 * lie.lift);
  }
}

// Lower than an edge that rays would detect, and between a foot's five rays. A foot without a plan stays at its place
// and lies on top; one with a plan begins beside it.
static void test_ridge_under_the_arch(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  for (int planned = 0; planned < 2; planned++)
    for (int i = 0; i < 7; i++) {
      double at = 0.03 + 0.015 * i;
      stand.step.plans = planned ? stand.plans : NULL;
      stand.stage = (Stage){.ridge_from = at, .ridge_to = at + 0.04, .ridge_rise = 0.012};
      stand_still(&stand);
      check_lies(&stand, planned ? "planned, ridge" : "ridge", at);
      bool moved = length_2d(stand.placement.feet[0].shift) > 0.01;
      assert_true(planned || !moved);
    }
  tear_down(&stand);
}

// Walking soles come down beside a low ridge, or on top of it.
static void test_walk_over_a_ridge(void **state) {
  (void)state;
  static Stroll stroll;
  stroll_load(&stroll, "clips/walk.yaml");
  stroll.speed = 1.2;
  for (int i = 0; i < 12; i++) {
    Stage stage = {.ridge_from = 2 + 0.1 * i, .ridge_to = 2.06 + 0.1 * i, .ridge_rise = 0.014};
    stroll.ground = (Ground){.context = &stage, .ray = stage_ray, .height = stage_height};
    stroll_start(&stroll, 0, 0, 0, 0);
    for (int k = 0; k < 300; k++) {
      stroll_on(&stroll, DT);
      for (int l = 0; l < STROLL_LEGS; l++) {
        double depth = lie_of(&stroll.shown, &stroll.body->skeleton.legs[l], &stage).depth;
        if (stroll.plans[l].standing && !(depth < 0.005))
          fail_msg("ridge at %.1f m, leg %d at %.2f s: %.1f mm deep", stage.ridge_from, l, k * DT, 1e3 * depth);
      }
    }
  }
  stroll_free(&stroll);
}

// What a sole lies on is examined once.
static void test_stance_sends_no_more_rays(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.step.plans = stand.plans;
  stand.stage = (Stage){.wave = 0.002};
  stand_still(&stand);
  long before = stand.stage.rays;
  for (int i = 0; i < 10; i++)
    apply(&stand, DT);
  assert_int_equal(stand.stage.rays - before, 10 * (2 * FOOT_RAYS + 1)); // and one ahead of the root
  tear_down(&stand);
}

// A body whose heels start in a riser, or whose toes start far over an edge, stands beside it from the first step on.
static void test_begins_off_edges(void **state) {
  (void)state;
  Stand stand;
  set_up(&stand);
  stand.step.plans = stand.plans;
  stand.crouch = 0.1;
  for (int i = 0; i < 12; i++) {
    double at = -0.08 + 0.02 * i;
    stand.stage = (Stage){.step_at = at, .step_rise = -0.12};
    begin(&stand);
    for (int k = 0; k < 30; k++) {
      apply(&stand, DT);
      check_lies(&stand, "edge", at);
      for (int l = 0; l < 2; l++)
        assert_true(stand.placement.feet[l].ground.support_span[1] >= 0.5);
    }
  }
  tear_down(&stand);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ridge_under_the_arch),
      cmocka_unit_test(test_walk_over_a_ridge),
      cmocka_unit_test(test_stance_sends_no_more_rays),
      cmocka_unit_test(test_begins_off_edges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
