// Balance on ODE's iterative solver (QuickStep) with its default of 50 iterations: less exact, but it stands and walks.
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static void start(Fixture *f) {
  fixture_init(f);
  f->world_def.solver = SOLVER_ITERATIVE;
  f->character_def.balance.enabled = true;
  fixture_start(f);
}

static void run(Fixture *f, double seconds) {
  for (int i = (int)(seconds / f->world_def.dt + 0.5); i > 0; i--) {
    if (!fixture_step(f))
      fail_msg("%s", f->world->stop_reason);
    assert_false(f->character->sensed.fallen);
  }
}

// Its feet creep, by a third of a millimetre a second.
static void stands(void **state) {
  (void)state;
  Fixture f;
  start(&f);
  const Balancer *balance = &f.character->balance;
  run(&f, 1);
  double before[2][3];
  for (int i = 0; i < 2; i++)
    memcpy(before[i], balance->feet[i].sole, sizeof before[i]);
  run(&f, 10);
  for (int i = 0; i < 2; i++)
    assert_true(hypot(balance->feet[i].sole[0] - before[i][0], balance->feet[i].sole[2] - before[i][2]) < 0.008);
  assert_int_equal(balance->steps + balance->realigning_steps, 0);
  fixture_end(&f);
}

static void walks(void **state) {
  (void)state;
  Fixture f;
  start(&f);
  f.character->intent.speed = 1;
  run(&f, 4);
  double from = f.character->sensed.com[2];
  run(&f, 8);
  assert_true(fabs((f.character->sensed.com[2] - from) / 8 - 1) < 0.1);
  f.character->intent.speed = 0;
  run(&f, 4);
  assert_int_equal(f.character->balance.mode, BALANCE_STANDING);
  fixture_end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stands),
      cmocka_unit_test(walks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
