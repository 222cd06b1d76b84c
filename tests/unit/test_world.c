// The physical world: bad input is refused, a run that diverges is stopped and contained, steps are reproducible.
#include "tests/fixture.h"

#include "sim/world/ode_net.h"
#include "sim/world/world_body.h"

static void test_impulses_that_are_not_finite_are_refused(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  Impulse bad[] = {{.body = 0, .impulse = {NAN, 0, 0}},
                   {.body = 0, .point = {0, INFINITY, 0}, .impulse = {1, 0, 0}},
                   {.body = -1, .impulse = {1, 0, 0}},
                   {.body = 999, .impulse = {1, 0, 0}}};
  for (int i = 0; i < 4; i++)
    assert_false(world_apply_impulse(f.world, &bad[i]));
  assert_int_equal(f.world->warnings.impulses_refused, 4);
  assert_true(fixture_step(&f));
  assert_int_equal(f.world->impulse_count, 0);
  fixture_end(&f);
}

static void test_impulse_list_has_an_end(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  Impulse tap = {.body = 0, .point = {0, 1, 0}, .impulse = {0.001, 0, 0}};
  for (int i = 0; i < WORLD_MAX_IMPULSES; i++)
    assert_true(world_apply_impulse(f.world, &tap));
  assert_false(world_apply_impulse(f.world, &tap));
  assert_int_equal(f.world->warnings.impulses_refused, 1);
  assert_true(fixture_step(&f));
  assert_int_equal(f.world->impulse_count, WORLD_MAX_IMPULSES);
  fixture_end(&f);
}

// Vectors and points are turned into the frame of a body and back, and nothing beyond their three numbers is written.
static void test_three_numbers_are_written(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  const double given[3] = {0.3, -1.2, 2.5};
  double there[4] = {[3] = 7}, back[4] = {[3] = 7};
  world_body_vector_to_world(f.world, 1, given, there);
  world_body_vector_from_world(f.world, 1, there, back);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(back[i] - given[i]) < 1e-12);
  assert_true(there[3] == 7 && back[3] == 7);
  world_body_point_to_world(f.world, 1, given, there);
  world_body_point_from_world(f.world, 1, there, back);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(back[i] - given[i]) < 1e-12);
  assert_true(there[3] == 7 && back[3] == 7);
  world_body_point_velocity(f.world, 1, given, there);
  assert_true(there[3] == 7);
  fixture_end(&f);
}

// A force beyond all bounds: the run is stopped with a reason; the process continues and a new world runs.
static void test_runaway_is_stopped(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  Impulse blow = {.body = 2, .point = {0, 1.3, 0}, .impulse = {1e6, 0, 0}};
  assert_true(world_apply_impulse(f.world, &blow));
  assert_false(fixture_step(&f));
  assert_true(f.world->stopped);
  assert_non_null(strstr(f.world->stop_reason, "runaway at 0.004"));
  assert_false(world_step(f.world)); // stays stopped
  fixture_end(&f);
}

// ODE itself would abort the process on NaN; here the world is stopped, and the next one is not affected.
static void test_nan_inside_ode_is_contained(void **state) {
  (void)state;
  for (int round = 0; round < 3; round++) {
    Fixture f;
    fixture_init(&f);
    fixture_start(&f);
    fixture_step(&f);
    dBodyAddForce(f.world->bodies[1].ode, NAN, 0, 0); // past all checks, as a bug would do
    bool going = true;
    for (int i = 0; i < 5 && going; i++)
      going = world_step(f.world);
    assert_false(going);
    assert_true(f.world->stop_reason[0]);
    fixture_end(&f);
  }
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  for (int i = 0; i < 240; i++)
    assert_true(fixture_step(&f));
  fixture_end(&f);
}

static uint64_t hash_of_run(int solver, uint64_t seed, bool disturb) {
  Fixture f;
  fixture_init(&f);
  f.world_def.solver = solver;
  f.character_def.start.position[1] = 0.05;
  fixture_start(&f);
  f.world->seed = seed;
  uint64_t hash = 0;
  for (int i = 0; i < 120; i++) {
    if (disturb)
      dRandInt(17); // another caller draws from ODE's process-wide generator
    fixture_step(&f);
    hash = hash * 31 + world_hash(f.world);
  }
  fixture_end(&f);
  return hash;
}

static void test_same_run_same_bits(void **state) {
  (void)state;
  assert_true(hash_of_run(SOLVER_STEP, 1, false) == hash_of_run(SOLVER_STEP, 1, true));
  assert_true(hash_of_run(SOLVER_ITERATIVE, 1, false) == hash_of_run(SOLVER_ITERATIVE, 1, true));
  assert_true(hash_of_run(SOLVER_ITERATIVE, 1, false) != hash_of_run(SOLVER_ITERATIVE, 2, false));
}

// The ground's impulses on a standing body are its weight.
static void test_contact_impulses_carry_the_weight(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  fixture_start(&f);
  for (int i = 0; i < 480; i++)
    fixture_step(&f);
  double up = 0;
  for (int i = 0; i < f.world->contact_count; i++) {
    const Contact *contact = &f.world->contacts[i];
    assert_int_equal(contact->other, WORLD_GROUND);
    assert_true(contact->normal[1] > 0.999);
    up += contact->impulse[1];
  }
  double weight = f.body->mass * 9.81 * f.world_def.dt;
  assert_true(fabs(up - weight) < 1e-6 * weight);
  fixture_end(&f);
}

// Momentum is accounted for: its change is gravity and the reported contacts and impulses.
static void test_momentum_balances(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.start.position[1] = 0.1;
  fixture_start(&f);
  double before[3], after[3], spin_before[3], spin_after[3], worst = 0;
  fixture_momentum(f.world, before, spin_before);
  for (int i = 0; i < 480; i++) {
    if (i == 200) {
      Impulse blow = {.body = 2, .point = {0, 1.3, 0}, .impulse = {3, 0, 8}, .event = 1};
      world_apply_impulse(f.world, &blow);
    }
    assert_true(fixture_step(&f));
    fixture_momentum(f.world, after, spin_after);
    for (int k = 0; k < 3; k++) {
      double expected = f.body->mass * f.world_def.gravity[k] * f.world_def.dt;
      for (int n = 0; n < f.world->contact_count; n++)
        if (f.world->contacts[n].other == WORLD_GROUND)
          expected += f.world->contacts[n].impulse[k];
      for (int n = 0; n < f.world->impulse_count; n++)
        expected += f.world->impulses[n].impulse[k];
      worst = fmax(worst, fabs(after[k] - before[k] - expected));
    }
    memcpy(before, after, sizeof before);
  }
  assert_true(worst < 1e-9);
  fixture_end(&f);
}

// A limp body falls on its feet at 7 m/s, 30 mm in a step, then collapses: no part goes that deep into the ground, and
// a contact that is made ahead of time acts only when its step comes.
static void test_fast_parts_stop_at_the_ground(void **state) {
  (void)state;
  Fixture f;
  fixture_init(&f);
  f.character_def.start.position[1] = 2.65;
  f.character_def.drive.enabled = false;
  fixture_start(&f);
  double deepest = 0, fastest = 0;
  int ahead = 0;
  for (int i = 0; i < 480; i++) {
    assert_true(fixture_step(&f));
    for (int n = 0; n < f.world->contact_count; n++) {
      const Contact *contact = &f.world->contacts[n];
      deepest = fmax(deepest, contact->depth);
      fastest = fmax(fastest, contact->approach);
      ahead += contact->depth < 0 ? 1 : 0;
      assert_true(contact->depth >= 0 || contact->impulse[1] > 0);
    }
  }
  assert_true(fastest > 6);
  assert_true(ahead > 0);
  assert_true(deepest < 0.005);
  fixture_end(&f);
}

// ---- Memory ----

static long blocks; // that ODE has

static void *count_block(dsizeint size) {
  blocks++;
  return malloc(size);
}

static void uncount_block(void *block, dsizeint size) {
  (void)size;
  blocks -= block != NULL;
  free(block);
}

// A world that is gone gives back all that ODE allocated for it.
static void test_worlds_come_and_go(void **state) {
  (void)state;
  dAllocFunction *allocate = dGetAllocHandler();
  dFreeFunction *release = dGetFreeHandler();
  dSetAllocHandler(count_block);
  dSetFreeHandler(uncount_block);
  for (int i = 0; i < 20; i++) {
    Fixture f;
    const long before = blocks;
    fixture_init(&f);
    fixture_start(&f);
    fixture_step(&f);
    assert_true(blocks > before);
    fixture_end(&f);
    assert_int_equal(blocks, before);
  }
  dSetAllocHandler(allocate);
  dSetFreeHandler(release);
}

static int large_blocks;

// No memory for the stepper's arena, the second large block; ODE reports this failure, and aborts on others.
static void *no_arena(dsizeint size) { return size > 1 << 16 && ++large_blocks > 1 ? NULL : malloc(size); }

// If ODE's stepper finds no memory the world stops with a reason, and nothing has moved.
static void test_no_memory_for_a_step_stops(void **state) {
  (void)state;
  static const struct {
    int solver, limits;
  } ways[] = {{SOLVER_STEP, LIMITS_REACHED}, {SOLVER_STEP, LIMITS_ALWAYS}, {SOLVER_ITERATIVE, LIMITS_REACHED}};
  for (int i = 0; i < 3; i++) {
    Fixture f;
    fixture_init(&f);
    f.world_def.solver = ways[i].solver;
    f.world_def.motor_limits = ways[i].limits;
    f.character_def.start.position[1] = 0.5; // nothing touches the ground: no joint has to be made
    fixture_start(&f);
    const uint64_t before = world_hash(f.world);
    dAllocFunction *allocate = dGetAllocHandler();
    large_blocks = 0;
    dSetAllocHandler(no_arena);
    const bool stepped = world_step(f.world);
    dSetAllocHandler(allocate);
    assert_false(stepped);
    assert_true(f.world->stopped);
    assert_string_equal(f.world->stop_reason, "out of memory for a step with 0 contacts");
    assert_int_equal(f.world->steps, 0);
    assert_true(world_hash(f.world) == before);
    assert_false(world_step(f.world));
    fixture_end(&f);
  }
}

static void ask_for_too_much(void *context) {
  *(bool *)context = true;
  dAlloc((dsizeint)1 << 60);
  fail_msg("ODE had that much memory");
}

static void give_error(void *context) {
  (void)context;
  dError(7, "as %s wanted", "was");
}

// ODE uses its allocator's result without a check: the work ends, the reason is reported, and nets are nested.
static void test_a_net_catches_what_ode_does_not_handle(void **state) {
  (void)state;
  bool began = false;
  char reason[128] = "";
  assert_true(ode_prepare());
#ifndef __SANITIZE_ADDRESS__ // whose malloc ends the process
  assert_false(ode_guard(ask_for_too_much, &began, NULL, reason, sizeof reason));
  assert_true(began);
  assert_string_equal(reason, "out of memory: ODE asked for 1152921504606846976 bytes");
#else
  (void)began, (void)ask_for_too_much;
#endif
  assert_false(ode_guard(give_error, NULL, NULL, reason, sizeof reason));
  assert_string_equal(reason, "ODE error 7: as was wanted");
}

typedef struct Inner {
  char reason[128];
  bool caught;
} Inner;

static void guard_again(void *context) {
  Inner *inner = context;
  inner->caught = !ode_guard(give_error, NULL, NULL, inner->reason, sizeof inner->reason);
  ode_break(); // no step is under way: nothing happens
}

static void test_the_innermost_net_catches(void **state) {
  (void)state;
  Inner inner = {.caught = false};
  char reason[128] = "";
  assert_true(ode_guard(guard_again, &inner, NULL, reason, sizeof reason));
  assert_true(inner.caught);
  assert_string_equal(reason, "");
  assert_string_equal(inner.reason, "ODE error 7: as was wanted");
}

static void say_something(void *context) {
  const int *count = context;
  for (int i = 0; i < *count; i++)
    dMessage(7, "message %d", i);
}

// What ODE says is counted, not printed, by whom a counter is given.
static void test_messages_of_ode_are_counted(void **state) {
  (void)state;
  char reason[160];
  assert_true(ode_prepare());
  for (int count = 0; count < 4; count++) {
    long messages = 10;
    assert_true(ode_guard(say_something, &count, &messages, reason, sizeof reason));
    assert_int_equal(messages, 10 + count);
    assert_true(ode_guard(say_something, &count, NULL, reason, sizeof reason));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_messages_of_ode_are_counted),
      cmocka_unit_test(test_no_memory_for_a_step_stops),
      cmocka_unit_test(test_a_net_catches_what_ode_does_not_handle),
      cmocka_unit_test(test_the_innermost_net_catches),
      cmocka_unit_test(test_impulses_that_are_not_finite_are_refused),
      cmocka_unit_test(test_impulse_list_has_an_end),
      cmocka_unit_test(test_three_numbers_are_written),
      cmocka_unit_test(test_runaway_is_stopped),
      cmocka_unit_test(test_nan_inside_ode_is_contained),
      cmocka_unit_test(test_same_run_same_bits),
      cmocka_unit_test(test_contact_impulses_carry_the_weight),
      cmocka_unit_test(test_momentum_balances),
      cmocka_unit_test(test_fast_parts_stop_at_the_ground),
      cmocka_unit_test(test_worlds_come_and_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
