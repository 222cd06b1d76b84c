// Late senses: balance knows a push only when it has been sensed, and predicts its own motion until now.
#include "sim/base/numbers.h"
#include "tests/fixture.h"

static const double DELAY = 0.1; // s

static void start(Fixture *f, double delay) {
  fixture_init(f);
  f->character_def.balance.enabled = true;
  f->character_def.balance.delay = delay;
  fixture_start(f);
}

static void push_toward(Fixture *f, double impulse, double direction) {
  int body = f->character->ragdoll->body[0];
  Impulse queued = {
      .body = body, .source = IMPULSE_PUSH, .impulse = {impulse * sin(direction), 0, impulse * cos(direction)}};
  memcpy(queued.point, dBodyGetPosition(f->world->bodies[body].ode), sizeof queued.point);
  assert_true(world_apply_impulse(f->world, &queued));
}

static void push(Fixture *f, double impulse) { push_toward(f, impulse, 0); }

static void run(Fixture *f, double seconds) {
  for (int i = 0; i < (int)(seconds / f->world_def.dt + 0.5); i++) {
    if (!fixture_step(f))
      fail_msg("%s", f->world->stop_reason);
    assert_false(f->character->sensed.fallen);
  }
}

// What balance has of the speed ahead, less what it was when balance measured it, at the end of the step before; m/s.
static double speed_error(Fixture *f) {
  double before = f->character->sensed.com_velocity[2];
  run(f, f->world_def.dt);
  return f->character->balance.velocity[2] - before;
}

static void push_is_known_late(void **state) {
  (void)state;
  const double delays[2] = {0, DELAY};
  for (int i = 0; i < 2; i++) {
    Fixture f;
    start(&f, delays[i]);
    run(&f, 1);
    push(&f, 20); // 0.27 m/s
    run(&f, 2 * f.world_def.dt);
    double early = speed_error(&f);
    run(&f, DELAY - 6 * f.world_def.dt);
    double unaware = speed_error(&f);
    run(&f, 8 * f.world_def.dt);
    double aware = speed_error(&f);
    if (delays[i] > 0) {
      assert_true(early < -0.2);
      assert_true(unaware < -0.1);
      assert_true(fabs(aware) < 0.06); // as good as the pendulum is
    } else {
      assert_true(fabs(early) < 1e-9 && fabs(unaware) < 1e-9 && fabs(aware) < 1e-9);
    }
    fixture_end(&f);
  }
}

// Without the prediction, what is known of the place of a walking body would be 0.1 m behind it.
static void own_motion_is_predicted(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.balance.enabled = true;
  f.character_def.balance.delay = DELAY;
  f.character_def.intent.speed = 1;
  fixture_start(&f);
  run(&f, 3);
  double worst = 0, fastest = 0;
  for (int i = 0; i < 480; i++) {
    double before = f.character->sensed.com[2];
    run(&f, f.world_def.dt);
    worst = fmax(worst, fabs(f.character->balance.com[2] - before));
    fastest = fmax(fastest, f.character->sensed.com_velocity[2]);
  }
  print_message("%.1f mm, %.2f m/s\n", 1000 * worst, fastest);
  assert_true(fastest > 0.8);
  assert_true(worst < 0.02);
  fixture_end(&f);
}

// After a time without delay, what was sensed before it is forgotten.
static void delay_begins_anew(void **state) {
  (void)state;
  Fixture f;
  start(&f, DELAY);
  run(&f, 1);
  BalanceDef def = f.character_def.balance;
  def.delay = 0;
  balance_retune(&f.character->balance, &def);
  push(&f, 20);
  run(&f, 0.05);
  def.delay = DELAY;
  balance_retune(&f.character->balance, &def);
  assert_true(fabs(speed_error(&f)) < 1e-9);
  fixture_end(&f);
}

// Legs that are stiffer than slow muscles can serve swing about their landing, and he falls: of these eight pushes
// four.
static void late_senses_and_slow_muscles_bear_pushes(void **state) {
  (void)state;
  for (int i = 0; i < 8; i++) {
    Fixture f;
    fixture_init(&f);
    f.character_def.balance.enabled = true;
    f.character_def.balance.delay = DELAY;
    f.character_def.drive.muscle_rise = 0.01;
    f.character_def.drive.muscle_fall = 0.04;
    fixture_start(&f);
    run(&f, 1);
    push_toward(&f, 60, i * M_PI / 4);
    run(&f, 4);
    fixture_end(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(push_is_known_late),
      cmocka_unit_test(own_motion_is_predicted),
      cmocka_unit_test(delay_begins_anew),
      cmocka_unit_test(late_senses_and_slow_muscles_bear_pushes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
