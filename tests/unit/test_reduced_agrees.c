// The reduced solver decides as ODE's exact one does: which pushes are withstood without a step, and how a man walks.
#include "tests/fixture.h"

// Whether a man who only holds his pose withstands a push at the pelvis over 0.1 s, N s.
static bool stands(int solver, double impulse, double direction) {
  Fixture f;
  fixture_init(&f);
  f.world_def.solver = solver;
  fixture_start(&f);
  int pelvis = f.character->ragdoll->body[0];
  bool standing = true;
  for (int i = 0; i < 6 * 240 && standing; i++) {
    if (i >= 48 && i < 72) {
      Impulse push = {.body = pelvis, .source = IMPULSE_PUSH, .event = 1};
      push.impulse[0] = impulse / 24 * sin(direction);
      push.impulse[2] = impulse / 24 * cos(direction);
      memcpy(push.point, dBodyGetPosition(f.character->ragdoll->ode[0]), sizeof push.point);
      assert_true(world_apply_impulse(f.world, &push));
    }
    assert_true(fixture_step(&f));
    standing = f.character->sensed.com[1] > 0.7;
  }
  fixture_end(&f);
  return standing;
}

static void push_limits_agree_within_1_newton_second(void **state) {
  (void)state;
  static const double directions[] = {0, M_PI / 2, M_PI};
  for (int i = 0; i < 3; i++) {
    double low = 8, high = 56;
    while (high - low > 0.5) {
      double middle = (low + high) / 2;
      *(stands(SOLVER_REDUCED, middle, directions[i]) ? &low : &high) = middle;
    }
    print_message("direction %.0f deg: %.1f N s\n", directions[i] * 180 / M_PI, low);
    assert_true(low > 8 && high < 56);
    assert_true(stands(SOLVER_STEP, low - 0.5, directions[i]));
    assert_false(stands(SOLVER_STEP, low + 1, directions[i]));
  }
}

// Metres in 6 s of free walking, and the feet's steps.
static double walk(int solver, int *steps) {
  Fixture f;
  fixture_init(&f);
  f.world_def.solver = solver;
  f.character_def.balance.enabled = true;
  fixture_start(&f);
  f.character->intent.speed = 1;
  double from = f.character->sensed.com[2];
  for (int i = 0; i < 6 * 240; i++)
    assert_true(fixture_step(&f));
  assert_false(f.character->sensed.fallen);
  *steps = f.character->balance.steps;
  double distance = f.character->sensed.com[2] - from;
  fixture_end(&f);
  return distance;
}

static void walks_the_same_way(void **state) {
  (void)state;
  int exact_steps, reduced_steps;
  double exact = walk(SOLVER_STEP, &exact_steps), reduced = walk(SOLVER_REDUCED, &reduced_steps);
  print_message("walks %.3f m in %d steps, ODE %.3f m in %d\n", reduced, reduced_steps, exact, exact_steps);
  assert_true(fabs(reduced / exact - 1) < 0.02);
  assert_int_equal(reduced_steps, exact_steps);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(push_limits_agree_within_1_newton_second),
      cmocka_unit_test(walks_the_same_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
