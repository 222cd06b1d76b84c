// The viewer's clock: traces that play, stop and loop; live runs that are due whole steps.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viewer/playback.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static Playback trace_of(double last) {
  Playback playback = playback_begin(false, 0);
  playback_set_range(&playback, 0, last);
  return playback;
}

static void test_trace_plays_at_its_pace_and_stops_at_the_end(void **state) {
  (void)state;
  Playback playback = trace_of(1);
  assert_int_equal(playback_advance(&playback, 0.05), 0);
  assert_near(playback.time, 0.05, 1e-12);
  playback_slower(&playback);
  playback_advance(&playback, 0.05);
  assert_near(playback.time, 0.075, 1e-12);
  for (int i = 0; i < 100; i++)
    playback_advance(&playback, 0.05);
  assert_true(playback.time == 1);
  assert_false(playback.playing);
  playback_toggle(&playback); // plays again, from the beginning
  assert_true(playback.playing);
  assert_true(playback.time == 0);
}

static void test_stall_counts_as_a_tenth_of_a_second(void **state) {
  (void)state;
  Playback playback = trace_of(10);
  playback_advance(&playback, 5);
  assert_near(playback.time, 0.1, 1e-12);
}

static void test_loop_goes_round(void **state) {
  (void)state;
  Playback playback = trace_of(10);
  playback_loop(&playback, 2, 2.25);
  playback_seek(&playback, 2.2);
  playback_advance(&playback, 0.1);
  assert_near(playback.time, 2.05, 1e-12);
  playback_seek(&playback, 5); // behind the loop: jumps back into it
  playback_advance(&playback, 0.01);
  assert_true(playback.time >= 2 && playback.time < 2.25);
  playback_loop(&playback, 3, 3);
  assert_false(playback.looping);
}

// More runs are added to a looping trace, or a longer one: all of it loops. A marked loop stays.
static void test_loop_of_the_whole_grows_with_the_range(void **state) {
  (void)state;
  Playback playback = trace_of(1);
  playback_loop(&playback, 0, 1);
  playback_set_range(&playback, 0, 3);
  assert_true(playback.looping);
  assert_true(playback.loop_to == 3);
  playback_seek(&playback, 2.95);
  playback_advance(&playback, 0.1);
  assert_near(playback.time, 0.05, 1e-12);
  assert_true(playback.playing);
  playback_loop(&playback, 1, 2);
  playback_set_range(&playback, 0, 4);
  assert_true(playback.loop_from == 1 && playback.loop_to == 2);
}

static void test_live_run_makes_whole_steps(void **state) {
  (void)state;
  Playback playback = playback_begin(true, 1.0 / 240);
  long steps = 0;
  for (int i = 0; i < 60; i++)
    steps += playback_advance(&playback, 1.0 / 60);
  assert_int_equal(steps, 240); // for any rounding
  playback.pace = 1.0 / 16;
  steps = 0;
  for (int i = 0; i < 60; i++) {
    long due = playback_advance(&playback, 1.0 / 60);
    assert_true(due == 0 || due == 1);
    steps += due;
  }
  assert_int_equal(steps, 15);
  playback_toggle(&playback);
  assert_int_equal(playback_advance(&playback, 1), 0);
}

static void test_pace_has_limits(void **state) {
  (void)state;
  Playback playback = trace_of(1);
  for (int i = 0; i < 20; i++)
    playback_faster(&playback);
  assert_true(playback.pace == PLAYBACK_FASTEST);
  for (int i = 0; i < 20; i++)
    playback_slower(&playback);
  assert_true(playback.pace == PLAYBACK_SLOWEST);
}

static void test_seeking_stays_in_the_range(void **state) {
  (void)state;
  Playback playback = trace_of(4);
  playback_seek(&playback, 9);
  assert_true(playback.time == 4);
  playback_seek(&playback, -1);
  assert_true(playback.time == 0);
  playback_seek(&playback, NAN);
  assert_true(playback.time == 0);
  playback_seek(&playback, 1);
  playback_set_range(&playback, 2, 6); // the oldest frames were discarded
  assert_true(playback.time == 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trace_plays_at_its_pace_and_stops_at_the_end),
      cmocka_unit_test(test_stall_counts_as_a_tenth_of_a_second),
      cmocka_unit_test(test_loop_goes_round),
      cmocka_unit_test(test_loop_of_the_whole_grows_with_the_range),
      cmocka_unit_test(test_live_run_makes_whole_steps),
      cmocka_unit_test(test_pace_has_limits),
      cmocka_unit_test(test_seeking_stays_in_the_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
