// Latencies: the time until a change of the intent shows in the root and in the body.
#include "tests/unit/small_scene.h"

#include "sim/metrics/metrics_response.h"

static const double DT = 0.01; // s

static void step(ResponseTracker *tracker, int index, double wanted, double root, double body) {
  MetricsStep now = {.time = (index + 1) * DT, .dt = DT};
  now.wanted_velocity[2] = wanted;
  now.intended_velocity[2] = root;
  now.com_velocity[2] = body;
  response_tracker_step(tracker, &now);
}

// The intent jumps to 2 m/s at 0.1 s, the root follows from that step on by 0.1 m/s a step, the body 5 steps behind it.
static void test_latencies_of_a_start(void **state) {
  (void)state;
  ResponseTracker tracker = {0};
  for (int i = 0; i < 60; i++) {
    double root = fmax(0, fmin(2, 0.1 * (i - 9))), body = fmax(0, fmin(2, 0.1 * (i - 14)));
    step(&tracker, i, i < 10 ? 0 : 2, root, body);
  }
  assert_int_equal(tracker.count, 1);
  const MetricsResponse *response = &tracker.responses[0];
  assert_near(response->time, 0.1, 1e-12);
  assert_near(response->from[1], 0, 0);
  assert_near(response->to[1], 2, 0);
  assert_near(response->root_latency, DT, 1e-12); // one step
  assert_near(response->body_latency, 15 * DT, 1e-9);
  assert_near(response_root_latency_max(&tracker), DT, 1e-12);
  assert_near(response_body_latency_max(&tracker), 15 * DT, 1e-9);
}

// A change to the side as well: what the velocity does across the change counts for nothing.
static void test_latencies_of_a_turn(void **state) {
  (void)state;
  static const double from[2] = {1, 0.5}, way[2] = {-1, 2}; // m/s, x and z
  ResponseTracker tracker = {0};
  for (int i = 0; i < 40; i++) {
    int after = i < 10 ? 0 : i - 9; // steps since the change
    double made = after > 4 ? 0.05 * (after - 4) : 0, across = 0.1 * after;
    MetricsStep now = {.time = (i + 1) * DT, .dt = DT};
    for (int k = 0; k < 2; k++) {
      now.wanted_velocity[2 * k] = from[k] + (after > 0 ? way[k] : 0);
      now.intended_velocity[2 * k] = now.com_velocity[2 * k] =
          from[k] + made * way[k] + across * (k == 0 ? way[1] : -way[0]);
    }
    response_tracker_step(&tracker, &now);
  }
  assert_int_equal(tracker.count, 1);
  for (int k = 0; k < 2; k++) {
    assert_near(tracker.responses[0].from[k], from[k], 0);
    assert_near(tracker.responses[0].to[k], from[k] + way[k], 0);
  }
  assert_near(tracker.responses[0].root_latency, 5 * DT, 1e-9);
  assert_near(tracker.responses[0].body_latency, 14 * DT, 1e-9);
}

// Held keys change the intent by little in each step: together these are one change.
static void test_small_changes_add_up(void **state) {
  (void)state;
  ResponseTracker tracker = {0};
  for (int i = 0; i < 100; i++)
    step(&tracker, i, fmin(0.01 * i, 0.5), 0, 0);
  assert_int_equal(tracker.count, 2); // 0.21, 0.42 m/s
  assert_true(isnan(tracker.responses[1].root_latency));
  assert_true(isnan(response_root_latency_max(&tracker)));
}

// The next change ends the one before, and only a limited number is kept.
static void test_changes_follow_each_other(void **state) {
  (void)state;
  ResponseTracker tracker = {0};
  for (int i = 0; i < 400; i++)
    step(&tracker, i, i / 4 % 2, 0, 0);
  assert_int_equal(tracker.count, METRICS_MAX_RESPONSES);
  assert_int_equal(tracker.beyond, 99 - METRICS_MAX_RESPONSES);
  assert_true(isnan(tracker.responses[0].body_latency));
}

// Without a change of the intent there is no latency.
static void test_no_change_no_response(void **state) {
  (void)state;
  ResponseTracker tracker = {0};
  for (int i = 0; i < 50; i++)
    step(&tracker, i, 3.5, 3.5, 3.4);
  assert_int_equal(tracker.count, 0);
  assert_true(isnan(response_body_latency_max(&tracker)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_latencies_of_a_start),  cmocka_unit_test(test_latencies_of_a_turn),
      cmocka_unit_test(test_small_changes_add_up),  cmocka_unit_test(test_changes_follow_each_other),
      cmocka_unit_test(test_no_change_no_response),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
